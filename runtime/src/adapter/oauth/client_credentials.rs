//! A token for this program itself (RFC 6749, section 4.4), kept in memory only: it can always be asked for again.

use async_trait::async_trait;
use reqwest::{Url, header::HeaderValue};

use super::{
    client::{Client, Proof},
    discovery::{discover, resource_of},
    exchange::Exchange,
    login::server_url,
    reach::Reach,
    token,
};
use crate::{
    adapter::mcp_http::{Bearer, BearerSource, ClientCredentialsSettings, SharedBearer},
    network::Network,
    reply::{Code, Failure},
};

/// The login of a client that needs no user.
pub(in crate::adapter) struct ClientCredentials {
    settings: ClientCredentialsSettings,
    /// The MCP server's, in which `${VAR}` expands.
    url: String,
    network: Network,
    bearer: SharedBearer,
}

/// Where the token is asked for, as whom and what for.
struct Asked {
    endpoint: Url,
    client: Client,
    resource: String,
    scopes: Vec<String>,
}

impl ClientCredentials {
    pub(in crate::adapter) fn new(
        settings: ClientCredentialsSettings,
        url: &str,
        network: Network,
    ) -> Self {
        Self {
            network,
            settings,
            url: url.to_owned(),
            bearer: SharedBearer::default(),
        }
    }

    async fn fetch(&self) -> Result<Option<Bearer>, Failure> {
        let settings = self.settings.expanded()?;
        let url = server_url(&self.url)?;
        let token_url = settings.token_url.as_deref();
        let token_url = token_url
            .map(|token_url| Reach::configured().check(token_url, "`tokenUrl`"))
            .transpose()?;
        let exchange = Exchange::new(&self.network, &url, token_url.as_ref())?;
        let asked = asked(&exchange, &url, settings, token_url).await?;
        let scope = asked.scopes.join(" ");
        let mut grant = vec![
            ("grant_type", "client_credentials"),
            ("resource", asked.resource.as_str()),
        ];
        if !scope.is_empty() {
            grant.push(("scope", &scope));
        }
        let tokens = token::request(
            &exchange,
            &asked.endpoint,
            &asked.client,
            &grant,
            &asked.scopes,
        )
        .await
        .map_err(|refused| match refused.failure.code {
            Code::UpstreamAuth => refused.failure.with_hint(self.advice()),
            _ => refused.failure,
        })?;
        tokens.bearer().map(Some)
    }
}

/// What to ask, and whom.
async fn asked(
    exchange: &Exchange,
    url: &Url,
    settings: ClientCredentialsSettings,
    token_url: Option<Url>,
) -> Result<Asked, Failure> {
    let (id, secret) = (settings.client_id, settings.client_secret);
    if let Some(endpoint) = token_url {
        return Ok(Asked {
            endpoint,
            client: Client {
                id,
                secret: Some(secret),
                proof: Proof::Basic,
                registered_for: None,
                secret_ends: None,
            },
            resource: resource_of(url),
            scopes: settings.scopes.unwrap_or_default(),
        });
    }
    let found = discover(exchange, url).await?;
    let endpoint = Reach::of(url).check(&found.server.token_endpoint, "token endpoint")?;
    Ok(Asked {
        endpoint,
        client: Client::known(id, Some(secret), &found.server)?,
        resource: found.resource,
        scopes: settings.scopes.or(found.scopes).unwrap_or_default(),
    })
}

#[async_trait]
impl BearerSource for ClientCredentials {
    async fn header(&self, renew: bool) -> Result<Option<HeaderValue>, Failure> {
        self.bearer.header(renew, |_| self.fetch()).await
    }

    fn advice(&self) -> String {
        "Check `clientId` and `clientSecret` in the plugin's manifest and the variables they come from, and what that client is allowed to do."
            .into()
    }
}
