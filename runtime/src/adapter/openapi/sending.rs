//! One call with its credentials, those that a login gives included.

use std::time::Duration;

use super::{
    applied::Applied,
    exchange::{Answer, Exchange},
    load::Api,
    login::Login,
    operation::Operation,
    request::Request,
    settings::OpenApiSettings,
};
use crate::{adapter::CallContext, network::HttpClient, reply::Failure};

/// How a call is sent.
pub(super) struct Sending<'a> {
    pub settings: &'a OpenApiSettings,
    pub api: &'a Api,
    pub client: &'a HttpClient,
    pub operation: &'a Operation,
    pub context: &'a CallContext,
}

impl Sending<'_> {
    /// What the service answers.
    pub(super) async fn answer(&self, request: &Request) -> Result<Answer, Failure> {
        let credentials = &self.api.credentials;
        let security = self.operation.security.as_deref();
        let applied = credentials.applied(security)?;
        let login = self.api.login.as_ref();
        match login.filter(|_| request.trusted && credentials.wants_login(security)) {
            Some(login) => self.logged_in(login, request, applied).await,
            None => self.exchange(&applied).answer(request).await,
        }
    }

    /// A call that the service refuses for its token was not carried out, whatever it is: it is repeated with a new one.
    async fn logged_in(
        &self,
        login: &Login,
        request: &Request,
        others: Applied,
    ) -> Result<Answer, Failure> {
        let always = self.api.credentials.always_applied()?;
        let for_login = Exchange {
            follow_redirects: false,
            only_reads: false,
            ..self.exchange(&always)
        };
        let mut refused = None;
        loop {
            let token = login.token(refused.as_ref(), &for_login).await?;
            let mut applied = others.clone();
            login.apply(&token, &mut applied)?;
            let answer = self.exchange(&applied).answer(request).await?;
            let is_refusal =
                login.is_refusal(answer.status) && answer.url.origin() == request.url.origin();
            if refused.is_some() || !is_refusal {
                return Ok(answer);
            }
            refused = Some(token);
        }
    }

    fn exchange<'a>(&'a self, applied: &'a Applied) -> Exchange<'a> {
        Exchange {
            client: self.client,
            applied,
            follow_redirects: self.settings.follow_redirects,
            max_response_bytes: self.settings.max_response_bytes,
            max_wait: Duration::from_millis(self.settings.max_retry_wait_ms),
            only_reads: self.operation.only_reads(),
            context: self.context,
        }
    }
}
