//! A user's login: made in the browser by `login`, used and renewed by the calls that follow.

mod authorize;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use reqwest::{Url, header::HeaderValue};
use serde_json::{Value, json};

use super::{
    challenge::Challenge,
    exchange::{self, Exchange},
    reach::Reach,
    record::{Record, Tokens},
    refusal::readable,
    store::{Key, Store},
    token,
};
use crate::{
    adapter::{
        environment::{expand, from_process},
        mcp_http::{Bearer, BearerSource, OauthSettings, SharedBearer},
    },
    network::Network,
    reply::{Code, Failure},
};

/// Shows a user the address at which to log in.
pub type ShowUrl = Arc<dyn Fn(&str) + Send + Sync>;

/// What is known about a plugin's credential without asking anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthState {
    /// It is come by without a login.
    None,
    /// The user has to log in.
    Needed,
    /// The user has logged in.
    Ok,
}

impl AuthState {
    /// The word in a plugin's status.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Needed => "needed",
            Self::Ok => "ok",
        }
    }
}

/// For a plugin whose way of proving who asks knows no login.
pub(in crate::adapter) fn no_login() -> Failure {
    Failure::new(Code::ConfigInvalid, "this plugin has no login").with_hint(
        "A login belongs to plugins with \"auth\": {\"oauth\": {}} beside the URL of their MCP server.",
    )
}

/// The login to one MCP server.
pub(in crate::adapter) struct Login {
    settings: OauthSettings,
    /// The MCP server's, in which `${VAR}` expands.
    url: String,
    prefix: String,
    network: Network,
    bearer: SharedBearer,
    /// The server has refused what is kept, and it could not be renewed.
    refused: AtomicBool,
}

/// The login with every variable replaced.
struct Place {
    settings: OauthSettings,
    url: Url,
    network: Network,
    key: Key,
    store: Store,
}

impl Place {
    fn exchange(&self) -> Result<Exchange, Failure> {
        Exchange::new(&self.network, &self.url, None)
    }
}

impl Login {
    pub(in crate::adapter) fn new(
        settings: OauthSettings,
        url: &str,
        prefix: &str,
        network: Network,
    ) -> Self {
        Self {
            network,
            settings,
            url: url.to_owned(),
            prefix: prefix.to_owned(),
            bearer: SharedBearer::default(),
            refused: AtomicBool::new(false),
        }
    }

    fn place(&self) -> Result<Place, Failure> {
        let settings = self.settings.expanded()?;
        let url = server_url(&self.url)?;
        Ok(Place {
            key: Key::new(&url, settings.client_id.as_deref()),
            store: Store::open()?,
            network: self.network.clone(),
            settings,
            url,
        })
    }

    /// Whether somebody has to log in, as far as is known here.
    pub(in crate::adapter) fn state(&self) -> AuthState {
        let kept = || -> Result<bool, Failure> {
            let place = self.place()?;
            let record = place.store.load(&place.key)?;
            let tokens = record.and_then(|record| record.tokens);
            Ok(tokens.is_some_and(|tokens| tokens.refresh.is_some() || tokens.alive()))
        };
        match !self.refused.load(Ordering::Relaxed) && kept().unwrap_or(false) {
            true => AuthState::Ok,
            false => AuthState::Needed,
        }
    }

    /// Logs the user in and keeps what that brings: `{server, issuer, scopes, expiresAt?, keptIn}`.
    pub(in crate::adapter) async fn log_in(&self, show: ShowUrl) -> Result<Value, Failure> {
        let place = self.place()?;
        let exchange = place.exchange()?;
        let before = place.store.load(&place.key)?;
        let record = authorize::authorize(
            &exchange,
            &place.settings,
            &place.url,
            before.as_ref(),
            &show,
        )
        .await?;
        let _lock = place.store.lock(&place.key).await?;
        let kept_in = place.store.save(&place.key, &record)?;
        self.refused.store(false, Ordering::Relaxed);
        self.bearer.forget().await;
        let tokens = record.tokens.as_ref();
        let mut outcome = json!({
            "server": record.server,
            "issuer": record.issuer,
            "scopes": tokens.map(|tokens| &tokens.scopes),
            "keptIn": kept_in,
        });
        if let Some(end) = tokens.and_then(|tokens| tokens.expires_at) {
            outcome["expiresAt"] = json!(end);
        }
        Ok(outcome)
    }

    /// Forgets the login, here and at the authorization server: `{server, forgotten, revoked}`.
    pub(in crate::adapter) async fn log_out(&self) -> Result<Value, Failure> {
        let place = self.place()?;
        let _lock = place.store.lock(&place.key).await?;
        let record = place.store.load(&place.key)?;
        place.store.remove(&place.key)?;
        self.bearer.forget().await;
        let revoked = match &record {
            Some(record) => revoke(&place, record).await,
            None => false,
        };
        let had_tokens = record.is_some_and(|record| record.tokens.is_some());
        Ok(json!({
            "server": exchange::place(&place.url),
            "forgotten": had_tokens,
            "revoked": revoked,
        }))
    }

    /// Keeps the scopes that a token lacks for the next login.
    async fn want(&self, missing: &str) -> Result<(), Failure> {
        let place = self.place()?;
        let _lock = place.store.lock(&place.key).await?;
        let Some(mut record) = kept(&place)? else {
            return Ok(());
        };
        let granted = record.tokens.as_ref().map(|tokens| tokens.scopes.clone());
        record.wanted = granted.unwrap_or_default();
        for scope in missing.split_whitespace().map(str::to_owned) {
            if !record.wanted.contains(&scope) {
                record.wanted.push(scope);
            }
        }
        place.store.save(&place.key, &record).map(|_| ())
    }

    /// The token that is kept, renewed when it has to be.
    async fn fetch(&self, refused: Option<HeaderValue>) -> Result<Option<Bearer>, Failure> {
        let place = self.place()?;
        let Some(tokens) = kept(&place)?.and_then(|record| record.tokens) else {
            return Ok(None);
        };
        let bearer = tokens.bearer()?;
        if !tokens.stale() && Some(&bearer.header) != refused.as_ref() {
            self.refused.store(false, Ordering::Relaxed);
            return Ok(Some(bearer));
        }
        if tokens.refresh.is_none() {
            let refused = refused.is_some();
            self.refused.store(refused, Ordering::Relaxed);
            // What has expired is not sent.
            return Ok((refused || tokens.alive()).then_some(bearer));
        }
        let usable = refused.is_none() && tokens.alive();
        let advice = self.advice();
        // In a task of its own: a call that is cancelled must not lose a refresh token that was used up.
        let renewed = tokio::spawn(async move { renew(&place, refused.as_ref(), &advice).await })
            .await
            .unwrap_or_else(|_| Err(Failure::new(Code::Internal, "a token was not renewed")));
        match renewed {
            Err(failure) if usable && failure.code == Code::UpstreamUnreachable => {
                tracing::warn!("a token could not be renewed yet: {failure}");
                Ok(Some(bearer))
            }
            Err(failure) => {
                self.refused
                    .store(failure.code == Code::UpstreamAuth, Ordering::Relaxed);
                Err(failure)
            }
            Ok(renewed) => {
                self.refused.store(false, Ordering::Relaxed);
                Ok(renewed)
            }
        }
    }
}

#[async_trait]
impl BearerSource for Login {
    async fn header(&self, renew: bool) -> Result<Option<HeaderValue>, Failure> {
        self.bearer
            .header(renew, |refused| self.fetch(refused))
            .await
    }

    fn advice(&self) -> String {
        format!(
            "The user has to log in, in a terminal: agent-tools login {}. Then try again.",
            self.prefix
        )
    }

    async fn forbidden(&self, challenge: &str) -> Option<String> {
        let challenge = Challenge::bearer([challenge])?;
        if challenge.error.as_deref() != Some("insufficient_scope") {
            return None;
        }
        let missing = readable(&challenge.scope.unwrap_or_default());
        if self.settings.scopes.is_some() {
            return Some(format!(
                "The login is not allowed to do this. The user can add what is missing ({missing}) to `scopes` in the plugin's manifest and log in again, in a terminal: agent-tools login {}.",
                self.prefix
            ));
        }
        if let Err(failure) = self.want(&missing).await {
            tracing::warn!("what a login lacks could not be kept: {failure}");
        }
        Some(format!(
            "The login is not allowed to do this. The user can allow more ({missing}) in a terminal: agent-tools login {}. Then try again.",
            self.prefix
        ))
    }
}

/// A record is for the server it was made for, whatever file it is found in.
fn kept(place: &Place) -> Result<Option<Record>, Failure> {
    let record = place.store.load(&place.key)?;
    let server = exchange::place(&place.url);
    Ok(record.filter(|record| record.server == server))
}

/// Exchanges the refresh token for new tokens, unless another process has done so meanwhile.
async fn renew(
    place: &Place,
    refused: Option<&HeaderValue>,
    advice: &str,
) -> Result<Option<Bearer>, Failure> {
    let _lock = place.store.lock(&place.key).await?;
    let Some(mut record) = kept(place)? else {
        return Ok(None);
    };
    let Some(tokens) = &record.tokens else {
        return Ok(None);
    };
    let bearer = tokens.bearer()?;
    if !tokens.stale() && Some(&bearer.header) != refused {
        return Ok(Some(bearer));
    }
    let Some(refresh) = &tokens.refresh else {
        return Ok(Some(bearer));
    };
    let endpoint = Reach::of(&place.url).check(&record.token_endpoint, "token endpoint")?;
    let grant = [
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh.expose()),
        ("resource", &record.resource),
    ];
    let exchange = place.exchange()?;
    match token::request(&exchange, &endpoint, &record.client, &grant, &tokens.scopes).await {
        Ok(new) => {
            // A server that sends no new refresh token goes on with the old one (RFC 6749, section 6).
            let refresh = new.refresh.clone().or_else(|| Some(refresh.clone()));
            let new = Tokens { refresh, ..new };
            let bearer = new.bearer()?;
            record.tokens = Some(new);
            place.store.save(&place.key, &record)?;
            tracing::debug!("a token was renewed");
            Ok(Some(bearer))
        }
        Err(refused) if refused.for_good => {
            // The client stays registered for the next login.
            record.tokens = None;
            place.store.save(&place.key, &record)?;
            Err(refused.failure.with_hint(advice))
        }
        Err(refused) => Err(refused.failure),
    }
}

/// Best effort: a token that cannot be revoked ends by itself.
async fn revoke(place: &Place, record: &Record) -> bool {
    let (Some(endpoint), Some(tokens)) = (&record.revocation_endpoint, &record.tokens) else {
        return false;
    };
    let revoked = async {
        let endpoint = Reach::of(&place.url).check(endpoint, "revocation endpoint")?;
        let exchange = place.exchange()?;
        let mut revoked = true;
        let refresh = tokens
            .refresh
            .as_ref()
            .map(|token| (token, "refresh_token"));
        for (token, hint) in refresh
            .into_iter()
            .chain([(&tokens.access, "access_token")])
        {
            revoked &= token::revoke(&exchange, &endpoint, &record.client, token, hint).await?;
        }
        Ok::<_, Failure>(revoked)
    };
    revoked.await.unwrap_or_else(|failure| {
        tracing::warn!("the login could not be revoked: {failure}");
        false
    })
}

/// The MCP server's address.
pub(super) fn server_url(text: &str) -> Result<Url, Failure> {
    let url = Url::parse(&expand(text, from_process)?).ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or_else(|| {
            Failure::new(
                Code::ConfigInvalid,
                "the plugin's `url` is no http or https URL",
            )
        })
}
