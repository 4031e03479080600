//! This program as a client of an authorization server: named in the settings, by a document, or registered on the spot.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    discovery::AuthorizationServer,
    exchange::Exchange,
    reach::Reach,
    record::{Record, now},
    refusal::refusal,
};
use crate::{
    adapter::mcp_http::{OauthSettings, Secret},
    reply::{Code, Failure},
};

/// How a client proves itself at the token endpoint (RFC 7591, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Proof {
    /// It names itself only.
    #[serde(rename = "none")]
    Nothing,
    /// HTTP Basic.
    #[serde(rename = "client_secret_basic")]
    Basic,
    /// The secret is a field of the form.
    #[serde(rename = "client_secret_post")]
    Post,
}

/// A client as the authorization server knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Client {
    pub(super) id: String,
    pub(super) secret: Option<Secret>,
    pub(super) proof: Proof,
    /// Where the browser is sent back to, for a client that was registered with that address.
    pub(super) registered_for: Option<String>,
    /// When a registered secret ends, in seconds since 1970.
    #[serde(default)]
    pub(super) secret_ends: Option<u64>,
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
    #[serde(default)]
    client_secret: Option<String>,
    #[serde(default)]
    client_secret_expires_at: Option<u64>,
    #[serde(default)]
    token_endpoint_auth_method: Option<Proof>,
}

impl Client {
    /// A client with that id and secret, which proves itself as the server wants it.
    pub(super) fn known(
        id: String,
        secret: Option<Secret>,
        server: &AuthorizationServer,
    ) -> Result<Self, Failure> {
        let methods = server.token_endpoint_auth_methods_supported.as_deref();
        Ok(Self {
            proof: match &secret {
                None => Proof::Nothing,
                Some(_) => with_secret(methods).ok_or_else(|| {
                    refused("the authorization server takes no client secret".into())
                        .with_hint("Leave `clientSecret` out.")
                })?,
            },
            id,
            secret,
            registered_for: None,
            secret_ends: None,
        })
    }

    /// The client for a login: the one of the settings, else the one that a document describes, else the one that was
    /// registered before, else a new one (MCP, "Client Registration Approaches").
    pub(super) async fn for_login(
        exchange: &Exchange,
        settings: &OauthSettings,
        server: &AuthorizationServer,
        redirect: &str,
        before: Option<&Record>,
        reach: Reach,
    ) -> Result<Self, Failure> {
        if let Some(id) = &settings.client_id {
            return Self::known(id.clone(), settings.client_secret.clone(), server);
        }
        if let Some(document) = &settings.client_metadata_url
            && server.client_id_metadata_document_supported
        {
            if !document.starts_with("https://") {
                return Err(Failure::new(
                    Code::ConfigInvalid,
                    "`clientMetadataUrl` is no https address",
                ));
            }
            return Self::known(document.clone(), None, server);
        }
        if let Some(before) = before
            && before.issuer == server.issuer
            && before.client.registered_for.as_deref() == Some(redirect)
            && before.client.secret_ends.is_none_or(|end| end > now())
        {
            return Ok(before.client.clone());
        }
        let Some(endpoint) = &server.registration_endpoint else {
            return Err(refused(
                "the authorization server lets no client register itself".into(),
            )
            .with_hint(
                "Register a client there by hand and put its id into the plugin's manifest: \"auth\": {\"oauth\": {\"clientId\": \"…\"}}.",
            ));
        };
        let endpoint = reach.check(endpoint, "registration endpoint")?;
        Self::register(exchange, &endpoint, server, redirect).await
    }

    /// RFC 7591, section 3.
    async fn register(
        exchange: &Exchange,
        endpoint: &Url,
        server: &AuthorizationServer,
        redirect: &str,
    ) -> Result<Self, Failure> {
        let methods = server.token_endpoint_auth_methods_supported.as_deref();
        let public = methods.is_none_or(|methods| methods.iter().any(|method| method == "none"));
        let proof = match public {
            true => Proof::Nothing,
            false => with_secret(methods).ok_or_else(|| {
                refused("the authorization server wants a way of proof that is not known".into())
            })?,
        };
        let request = json!({
            "client_name": "agent-tools-runtime",
            "redirect_uris": [redirect],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": proof,
            "application_type": "native",
        });
        let answer = exchange.post_json(endpoint, &request).await?;
        if !answer.succeeded() {
            return Err(refused(format!(
                "the authorization server registered no client: {}",
                refusal(&answer)
            )));
        }
        let registered: Registered = serde_json::from_value(answer.body).map_err(|_| {
            Failure::new(
                Code::UpstreamProtocol,
                "the authorization server answered a registration without a usable `client_id`",
            )
        })?;
        let secret = registered
            .client_secret
            .filter(|secret| !secret.is_empty())
            .map(Secret::new);
        let proof = match (&secret, registered.token_endpoint_auth_method) {
            (None, _) => Proof::Nothing,
            (Some(_), Some(proof)) => proof,
            (Some(_), None) if proof == Proof::Nothing => {
                with_secret(methods).unwrap_or(Proof::Nothing)
            }
            (Some(_), None) => proof,
        };
        Ok(Self {
            id: registered.client_id,
            secret,
            proof,
            registered_for: Some(redirect.to_owned()),
            // Zero: it never ends.
            secret_ends: registered.client_secret_expires_at.filter(|end| *end > 0),
        })
    }
}

/// How to send a secret; HTTP Basic where the server does not say (RFC 8414, section 2).
pub(super) fn with_secret(methods: Option<&[String]>) -> Option<Proof> {
    let Some(methods) = methods else {
        return Some(Proof::Basic);
    };
    let offers = |name: &str| methods.iter().any(|method| method == name);
    match (offers("client_secret_basic"), offers("client_secret_post")) {
        (true, _) => Some(Proof::Basic),
        (false, true) => Some(Proof::Post),
        (false, false) => None,
    }
}

fn refused(error: String) -> Failure {
    Failure::new(Code::UpstreamAuth, error)
        .with_hint("Tell whoever runs the server: a login is not possible like this.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_goes_where_the_server_wants_it() {
        let of = |methods: &[&str]| {
            let methods: Vec<String> = methods.iter().map(|&method| method.to_owned()).collect();
            with_secret(Some(&methods))
        };
        assert_eq!(with_secret(None), Some(Proof::Basic));
        let both = ["client_secret_post", "client_secret_basic"];
        assert_eq!(of(&both), Some(Proof::Basic));
        assert_eq!(of(&["none", "client_secret_post"]), Some(Proof::Post));
        assert_eq!(of(&["private_key_jwt"]), None);
    }
}
