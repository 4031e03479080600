//! A token that is got with user and password: asked for on first use, and put where the service wants it.

use std::{fmt, sync::Arc};

use reqwest::{
    Method, StatusCode, Url,
    header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue},
};
use serde_json::Value;

use super::{
    super::environment::{expand, from_process},
    answer::said,
    applied::Applied,
    credentials::{Credentials, variables},
    document::invalid,
    exchange::{Answer, Body, Exchange},
    payload::{Payload, PayloadContent},
    request::Request,
    scheme::Scheme,
    servers::Servers,
    settings::{LoginSettings, OpenApiSettings},
    shared_token::{SharedToken, Token},
};
use crate::{
    placeholder::each_text,
    redacted::Redacted,
    reply::{Code, Failure},
    secrets::{remember, remember_given},
};

/// How a service's token is got.
pub(super) struct Login {
    settings: LoginSettings,
    method: Method,
    url: Url,
    place: Place,
    token: SharedToken,
}

/// Where the token goes.
enum Place {
    Scheme(String, Scheme),
    Header { name: String, prefix: String },
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

impl Login {
    /// The login of the settings, where they have one.
    pub(super) fn read(
        settings: &OpenApiSettings,
        credentials: &Credentials,
        servers: &Servers,
    ) -> Result<Option<Self>, Failure> {
        let Some(settings) = settings.login.clone() else {
            return Ok(None);
        };
        let wrong = |what: String| invalid(format!("`login`: {what}"));
        if !settings.token.starts_with('/') {
            let what = format!(
                "`token` is {:?}, and a JSON pointer begins with `/`",
                settings.token
            );
            return Err(wrong(what));
        }
        if settings.scheme.is_some() && (settings.header.is_some() || settings.prefix.is_some()) {
            return Err(wrong(
                "`scheme` stands instead of `header` and `prefix`".into(),
            ));
        }
        let method = settings
            .method
            .as_deref()
            .unwrap_or("POST")
            .to_ascii_uppercase();
        let method = Method::from_bytes(method.as_bytes())
            .map_err(|_| wrong(format!("{method:?} is no method")))?;
        let url = servers
            .at(&expand(&settings.path, from_process)?)
            .map_err(|failure| wrong(format!("`path`: {}", failure.error)))?;
        let place = place(&settings, credentials).map_err(wrong)?;
        Ok(Some(Self {
            settings,
            method,
            url,
            place,
            token: SharedToken::default(),
        }))
    }

    /// The token. One that was `refused` is got anew, unless another call has done that already.
    pub(super) async fn token(
        &self,
        refused: Option<&Token>,
        exchange: &Exchange<'_>,
    ) -> Result<Token, Failure> {
        self.token.get(refused, self.run(exchange)).await
    }

    /// Whether an answer says that the token is good no more.
    pub(super) fn is_refusal(&self, status: StatusCode) -> bool {
        self.settings.renew_on.contains(&status.as_u16())
    }

    /// Puts the token where it goes.
    pub(super) fn apply(&self, token: &Token, applied: &mut Applied) -> Result<(), Failure> {
        match &self.place {
            Place::Scheme(name, scheme) => applied.value(name, scheme, token.text.to_string()),
            Place::Header { name, prefix } => {
                applied.header(name, &format!("{prefix}{}", token.text))
            }
        }
    }

    async fn run(&self, exchange: &Exchange<'_>) -> Result<Arc<str>, Failure> {
        let answer = exchange
            .answer(&self.request()?)
            .await
            .map_err(not_called)?;
        if let Some(target) = &answer.redirect {
            let origin = target.origin().ascii_serialization();
            let what = format!("leads to {origin}, another origin, which gets no credentials");
            return Err(self.failed(&what));
        }
        if !answer.status.is_success() {
            let failure = self
                .failed(&format!("was refused with {}", answer.status))
                .with("status", answer.status.as_u16());
            return Err(match said(&answer) {
                Value::Null => failure,
                body => failure.with("body", body),
            });
        }
        let Some(token) = self.token_of(&answer) else {
            let pointer = &self.settings.token;
            return Err(self.failed(&format!(
                "gave no text at {pointer} of its answer (setting `login.token`)"
            )));
        };
        remember(&token);
        Ok(token.into())
    }

    fn request(&self) -> Result<Request, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate"));
        let mut body = Value::Object(self.settings.body.clone());
        expand_texts("", &mut body)?;
        let payload = Payload {
            content_type: "application/json".into(),
            content: PayloadContent::Bytes(body.to_string().into_bytes()),
        };
        Ok(Request {
            method: self.method.clone(),
            url: self.url.clone(),
            headers,
            cookies: Vec::new(),
            payload: (!self.settings.body.is_empty()).then_some(payload),
            trusted: true,
        })
    }

    fn token_of(&self, answer: &Answer) -> Option<String> {
        let Body::Whole(bytes) = &answer.body else {
            return None;
        };
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let token = value.pointer(&self.settings.token)?.as_str()?;
        (!token.is_empty()).then(|| token.to_owned())
    }

    fn failed(&self, what: &str) -> Failure {
        let mut texts = Vec::new();
        for value in self.settings.body.values() {
            each_text(value, &mut |text| texts.push(text));
        }
        let to_check = match variables(&texts)[..] {
            [] => String::new(),
            [name] => format!("the environment variable {name} and "),
            ref names => format!("the environment variables {} and ", names.join(", ")),
        };
        Failure::new(
            Code::UpstreamAuth,
            format!(
                "the login {} {} {what}; the call was not sent",
                self.method, self.settings.path
            ),
        )
        .with_hint(format!(
            "Check {to_check}`login` in the plugin's `openapi`."
        ))
    }
}

fn place(settings: &LoginSettings, credentials: &Credentials) -> Result<Place, String> {
    if let Some(name) = &settings.scheme {
        return match credentials.scheme(name) {
            Some(Scheme::Basic) => Err(format!(
                "the scheme {name} takes a user and a password, and no token; give them in `auth`"
            )),
            Some(scheme) => Ok(Place::Scheme(name.clone(), scheme.clone())),
            None => Err(format!("the document has no scheme {name}")),
        };
    }
    let name = settings.header().unwrap_or_default().to_owned();
    let by_itself = match name.eq_ignore_ascii_case("authorization") {
        true => "Bearer ",
        false => "",
    };
    let prefix = settings.prefix.as_deref().unwrap_or(by_itself).to_owned();
    Ok(Place::Header { name, prefix })
}

/// Expands every text.
fn expand_texts(key: &str, value: &mut Value) -> Result<(), Failure> {
    match value {
        Value::String(text) => {
            let expanded = expand(text, from_process)?;
            remember_given(key, &expanded);
            *text = expanded;
            Ok(())
        }
        Value::Array(items) => items
            .iter_mut()
            .try_for_each(|item| expand_texts(key, item)),
        Value::Object(fields) => fields
            .iter_mut()
            .try_for_each(|(key, field)| expand_texts(key, field)),
        _ => Ok(()),
    }
}

/// A login that broke off says nothing of the call behind it, which was not sent.
fn not_called(failure: Failure) -> Failure {
    let code = match failure.code {
        Code::OutcomeUnknown => Code::UpstreamUnreachable,
        code => code,
    };
    Failure {
        code,
        error: format!(
            "the login failed, and the call was not sent: {}",
            failure.error
        ),
        ..failure
    }
}
