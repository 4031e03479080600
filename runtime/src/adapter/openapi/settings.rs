//! What a plugin says about its OpenAPI service.

use std::{fmt, path::PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::redacted::{Names, Redacted};

/// An OpenAPI or Swagger document, and how its service is reached.
///
/// `${VAR}` and `${VAR:-default}` expand in every value that may be a secret or differ from place to place: `document`,
/// `baseUrl`, the origins, `serverVariables`, `auth`, `login.body`, `headers`, `query` and `cookies`.
#[derive(Clone, PartialEq, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenApiSettings {
    /// A file, relative to the plugin's folder, or an http(s) URL. JSON or YAML.
    pub document: String,
    /// Where the service is; the document's first server when absent.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Values of the variables in the document's server URLs.
    #[serde(default)]
    pub server_variables: IndexMap<String, String>,
    /// Credentials by the name of the document's security scheme.
    #[serde(default)]
    pub auth: IndexMap<String, Credential>,
    /// How a token is got with user and password.
    #[serde(default)]
    pub login: Option<LoginSettings>,
    /// Headers of every request.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
    /// Query parameters of every request.
    #[serde(default)]
    pub query: IndexMap<String, String>,
    /// Cookies of every request.
    #[serde(default)]
    pub cookies: IndexMap<String, String>,
    /// Globs (`*`, `?`) of the tools to offer; all when empty.
    #[serde(default)]
    pub include: Vec<String>,
    /// Globs of the tools to leave out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Globs of the tags whose operations are offered; all when empty.
    #[serde(default)]
    pub include_tags: Vec<String>,
    /// Globs of the tags whose operations are left out.
    #[serde(default)]
    pub exclude_tags: Vec<String>,
    /// Further origins that operations may name as their server. They get no credentials.
    #[serde(default)]
    pub allowed_origins: Vec<String>,
    /// Further origins that operations may name as their server, and that get the credentials too.
    #[serde(default)]
    pub credential_origins: Vec<String>,
    /// Whether a redirect of a GET to another origin is followed, without any credential.
    #[serde(default)]
    pub follow_redirects: bool,
    /// The folder that uploads by `path` are read from, relative to the plugin's folder. Without it there are none.
    #[serde(default)]
    pub files_folder: Option<PathBuf>,
    /// A longer answer is refused, in bytes. Counted after decompression.
    #[serde(default = "max_response_bytes")]
    pub max_response_bytes: usize,
    /// How long a call that only reads waits where the service asks for it (`Retry-After`), in milliseconds.
    #[serde(default = "max_retry_wait_ms")]
    pub max_retry_wait_ms: u64,
    /// Nobody trusts the plugin: the document takes back nothing that the methods say.
    #[serde(skip)]
    pub(crate) is_doubted: bool,
}

/// The value of one security scheme.
#[derive(Clone, PartialEq, schemars::JsonSchema, Deserialize)]
#[serde(untagged)]
pub enum Credential {
    /// A key or a token; `user:password` for HTTP Basic.
    Value(String),
    /// HTTP Basic.
    Basic(BasicCredential),
}

/// User and password.
#[derive(Clone, PartialEq, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BasicCredential {
    /// The user.
    pub username: String,
    /// The password; empty when absent.
    #[serde(default)]
    pub password: String,
}

/// A request that gives a token for what is in its body. It runs on first use, and once more when the token is refused or
/// has expired.
#[derive(Clone, PartialEq, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoginSettings {
    /// Where it is, behind `baseUrl`. Variables expand.
    pub path: String,
    /// POST when absent.
    #[serde(default)]
    pub method: Option<String>,
    /// What is sent, as JSON.
    #[serde(default)]
    pub body: Map<String, Value>,
    /// Where the token stands in the answer, as a JSON pointer.
    pub token: String,
    /// The document's security scheme that the token is for.
    #[serde(default)]
    pub scheme: Option<String>,
    /// Without `scheme`, the header of every request that takes the token; `Authorization` when absent.
    #[serde(default)]
    pub header: Option<String>,
    /// What stands in the header before the token; when absent, `Bearer ` in `Authorization` and nothing elsewhere.
    #[serde(default)]
    pub prefix: Option<String>,
    /// The status codes that mean that the token is good no more: then the login runs once more, and the call is repeated
    /// once. 401 when absent.
    #[serde(default = "renew_on")]
    pub renew_on: Vec<u16>,
}

fn renew_on() -> Vec<u16> {
    vec![401]
}

impl LoginSettings {
    /// The header that takes the token, when no scheme does.
    pub(super) fn header(&self) -> Option<&str> {
        let named = self.header.as_deref();
        self.scheme
            .is_none()
            .then(|| named.unwrap_or("Authorization"))
    }
}

/// Wherever a credential may stand, the names are shown only.
impl fmt::Debug for OpenApiSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenApiSettings")
            .field("document", &Redacted)
            .field("base_url", &self.base_url.as_ref().map(|_| Redacted))
            .field("auth", &Names(&self.auth))
            .field("headers", &Names(&self.headers))
            .field("query", &Names(&self.query))
            .field("cookies", &Names(&self.cookies))
            .field("include", &self.include)
            .field("exclude", &self.exclude)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

impl fmt::Debug for LoginSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

impl fmt::Debug for BasicCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

fn max_response_bytes() -> usize {
    50 * 1024 * 1024
}

fn max_retry_wait_ms() -> u64 {
    20_000
}

impl OpenApiSettings {
    /// Whether anything is sent along that must not reach other hosts.
    pub(super) fn has_credentials(&self) -> bool {
        !(self.auth.is_empty()
            && self.login.is_none()
            && self.headers.is_empty()
            && self.query.is_empty()
            && self.cookies.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_is_enough_and_a_misspelt_key_is_an_error() {
        let settings: OpenApiSettings =
            serde_json::from_value(json!({"document": "./api.yaml"})).unwrap();
        assert_eq!(settings.max_response_bytes, 50 * 1024 * 1024);
        assert!(!settings.has_credentials());
        let settings: OpenApiSettings = serde_json::from_value(json!({
            "document": "a", "auth": {"key": "${KEY}", "login": {"username": "u", "password": "p"}},
        }))
        .unwrap();
        assert!(matches!(settings.auth["key"], Credential::Value(_)));
        assert!(matches!(settings.auth["login"], Credential::Basic(_)));
        for wrong in [
            json!({}),
            json!({"document": "a", "baseURL": "x"}),
            json!({"document": "a", "auth": {"x": {"user": "u"}}}),
            json!({"document": "a", "login": {"path": "/login"}}),
        ] {
            assert!(serde_json::from_value::<OpenApiSettings>(wrong).is_err());
        }
    }
}
