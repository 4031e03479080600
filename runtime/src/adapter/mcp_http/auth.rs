//! What a plugin says about how it proves who asks: the key `auth` beside `url`.

use std::{fmt, path::Path, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::{bearer::BearerSource, token_command::TokenCommand};
use crate::{
    adapter::{
        Children,
        environment::{expand, from_process},
        oauth::{ClientCredentials, Login},
    },
    network::Network,
    reply::Failure,
    secrets,
};

/// How the bearer token of an MCP server is come by. `${VAR}` expands in every value.
#[derive(Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum HttpAuth {
    /// A program and its arguments; what it prints is the token. It is run again when the server refuses the token.
    TokenCommand(#[schemars(length(min = 1))] Vec<String>),
    /// A login in the browser (OAuth 2.1: authorization code with PKCE), which `agent-tools login` starts.
    Oauth(OauthSettings),
    /// A login of this program itself (OAuth client credentials).
    ClientCredentials(ClientCredentialsSettings),
}

/// Every key may be left out where the server lets clients register themselves.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct OauthSettings {
    /// The id of a client that is registered already.
    pub client_id: Option<String>,
    /// Its secret, if it has one.
    pub client_secret: Option<Secret>,
    /// What to ask for; what the server names when absent.
    pub scopes: Option<Vec<String>>,
    /// The port on 127.0.0.1 that the browser is sent back to; any free one when absent.
    pub redirect_port: Option<u16>,
    /// An https URL of a client ID metadata document, which is then the client's id where the server allows that.
    pub client_metadata_url: Option<String>,
}

/// A client that asks for itself, without a user.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClientCredentialsSettings {
    /// The client's id.
    pub client_id: String,
    /// The client's secret.
    pub client_secret: Secret,
    /// Where tokens are given; found out from the server when absent.
    #[serde(default)]
    pub token_url: Option<String>,
    /// What to ask for; what the server names when absent.
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
}

/// A text that no log and no `Debug` output shows.
#[derive(Clone, PartialEq, Eq, serde::Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Secret(#[serde(deserialize_with = "registered")] String);

/// From the moment that it is read it is known as a secret.
fn registered<'de, D: Deserializer<'de>>(text: D) -> Result<String, D::Error> {
    String::deserialize(text).map(|text| Secret::new(text).0)
}

impl Secret {
    /// A secret of that text.
    pub(in crate::adapter) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        // What still holds a variable says only where the secret is.
        if !text.contains("${") {
            secrets::remember(&text);
        }
        Self(text)
    }

    /// The text itself.
    pub(in crate::adapter) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}

/// The arguments of a token command may be secrets too.
impl fmt::Debug for HttpAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TokenCommand(command) => f
                .debug_tuple("TokenCommand")
                .field(&command.first())
                .finish_non_exhaustive(),
            Self::Oauth(settings) => settings.fmt(f),
            Self::ClientCredentials(settings) => settings.fmt(f),
        }
    }
}

/// Where the token of one server comes from.
pub(super) struct Auth {
    pub(super) bearer: Arc<dyn BearerSource>,
    /// For a way that knows a login.
    pub(super) login: Option<Arc<Login>>,
}

impl HttpAuth {
    /// The way to the token of the server at `url`, in which `${VAR}` still stands. Nothing is started or sent yet.
    ///
    /// `prefix` names the plugin in hints; a token command runs in its folder `dir`.
    pub(super) fn prepare(
        &self,
        url: &str,
        prefix: &str,
        dir: &Path,
        children: &Arc<Children>,
        network: &Network,
    ) -> Auth {
        match self {
            Self::TokenCommand(words) => Auth {
                bearer: Arc::new(TokenCommand::new(words, dir, children.clone())),
                login: None,
            },
            Self::Oauth(settings) => {
                let login = Login::new(settings.clone(), url, prefix, network.clone());
                let login = Arc::new(login);
                Auth {
                    bearer: login.clone(),
                    login: Some(login),
                }
            }
            Self::ClientCredentials(settings) => Auth {
                bearer: Arc::new(ClientCredentials::new(
                    settings.clone(),
                    url,
                    network.clone(),
                )),
                login: None,
            },
        }
    }
}

impl OauthSettings {
    /// With every `${VAR}` replaced.
    pub(in crate::adapter) fn expanded(&self) -> Result<Self, Failure> {
        Ok(Self {
            client_id: optional(self.client_id.as_deref())?,
            client_secret: optional(self.client_secret.as_ref().map(Secret::expose))?
                .map(Secret::new),
            scopes: scopes(self.scopes.as_deref())?,
            redirect_port: self.redirect_port,
            client_metadata_url: optional(self.client_metadata_url.as_deref())?,
        })
    }
}

impl ClientCredentialsSettings {
    /// With every `${VAR}` replaced.
    pub(in crate::adapter) fn expanded(&self) -> Result<Self, Failure> {
        Ok(Self {
            client_id: expand(&self.client_id, from_process)?,
            client_secret: Secret::new(expand(self.client_secret.expose(), from_process)?),
            token_url: optional(self.token_url.as_deref())?,
            scopes: scopes(self.scopes.as_deref())?,
        })
    }
}

fn optional(text: Option<&str>) -> Result<Option<String>, Failure> {
    text.map(|text| expand(text, from_process)).transpose()
}

fn scopes(scopes: Option<&[String]>) -> Result<Option<Vec<String>>, Failure> {
    let expanded = |scopes: &[String]| {
        let each = scopes.iter().map(|scope| expand(scope, from_process));
        each.collect::<Result<Vec<_>, _>>()
    };
    scopes.map(expanded).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_way_is_read_and_another_key_refused() {
        let read = |value| serde_json::from_value::<HttpAuth>(value);
        assert_eq!(
            read(json!({"tokenCommand": ["print-token", "x"]})).unwrap(),
            HttpAuth::TokenCommand(vec!["print-token".into(), "x".into()])
        );
        assert_eq!(
            read(json!({"oauth": {}})).unwrap(),
            HttpAuth::Oauth(OauthSettings::default())
        );
        let HttpAuth::Oauth(oauth) = read(json!({"oauth": {
            "clientId": "c", "clientSecret": "s", "scopes": ["a"], "redirectPort": 7777, "clientMetadataUrl": "https://x/y"
        }}))
        .unwrap() else {
            panic!("not oauth");
        };
        assert_eq!(oauth.redirect_port, Some(7777));
        let client = json!({"clientCredentials": {"clientId": "c", "clientSecret": "s", "tokenUrl": "https://x/t"}});
        assert!(matches!(
            read(client).unwrap(),
            HttpAuth::ClientCredentials(_)
        ));
        for wrong in [
            json!({}),
            json!({"oauth": {"clientID": "c"}}),
            json!({"clientCredentials": {"clientId": "c"}}),
            json!({"oauth": {}, "tokenCommand": ["x"]}),
            json!({"bearer": "x"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn debug_output_holds_no_secret() {
        for auth in [
            json!({"tokenCommand": ["print-token", "CANARY"]}),
            json!({"oauth": {"clientId": "c", "clientSecret": "CANARY"}}),
            json!({"clientCredentials": {"clientId": "c", "clientSecret": "CANARY"}}),
        ] {
            let auth: HttpAuth = serde_json::from_value(auth).unwrap();
            let text = format!("{auth:?} {auth:#?}");
            assert!(!text.contains("CANARY"), "{text}");
        }
    }
}
