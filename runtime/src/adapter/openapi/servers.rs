//! Where requests go: settled by the plugin's settings and the document, never by a model.

use reqwest::Url;
use serde_json::Value;

use super::{
    super::environment::{expand, from_process},
    document::{Document, Version, invalid},
    settings::OpenApiSettings,
    version3::text,
};
use crate::reply::{Code, Failure};

/// Where one operation goes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    /// Its path has no `/` at the end.
    pub base: Url,
    /// Whether the configured credentials are meant for it.
    pub trusted: bool,
}

/// The servers of a document.
#[derive(Debug)]
pub(super) struct Servers {
    base: Url,
    /// The document's own first server, which `base` may stand in for.
    stated: Option<Url>,
    /// What relative URLs start from.
    document: Option<Url>,
    allowed: Vec<String>,
    trusted: Vec<String>,
    settings: OpenApiSettings,
}

impl Servers {
    pub(super) fn read(document: &Document, settings: &OpenApiSettings) -> Result<Self, Failure> {
        let mut servers = Self {
            // Replaced below.
            base: Url::parse("http://localhost").map_err(|error| invalid(error.to_string()))?,
            stated: None,
            document: document.url.clone(),
            allowed: origins(&settings.allowed_origins)?,
            trusted: origins(&settings.credential_origins)?,
            settings: settings.clone(),
        };
        let stated = servers.first_of(document);
        servers.base = match &settings.base_url {
            Some(url) => {
                servers.stated = stated.ok();
                base(&expand(url, from_process)?, None)?
            }
            None => {
                let stated = stated?;
                servers.check_provenance(&stated)?;
                servers.stated = Some(stated.clone());
                stated
            }
        };
        Ok(servers)
    }

    /// Where an operation goes that has this server of its own, or none.
    pub(super) fn of_operation(&self, own: Option<&Value>) -> Result<Target, Failure> {
        let Some(own) = own else {
            return Ok(Target {
                base: self.base.clone(),
                trusted: true,
            });
        };
        let mut target = self.resolved(own, Some(&self.base))?;
        if let Some(stated) = &self.stated
            && target.origin() == stated.origin()
            && target.origin() != self.base.origin()
        {
            // The configured base stands in for the document's server, here too.
            let path = target.path().to_owned();
            target = self.base.clone();
            target.set_path(&path);
        }
        let origin = target.origin().ascii_serialization();
        let trusted = target.origin() == self.base.origin() || self.trusted.contains(&origin);
        if !trusted && !self.allowed.contains(&origin) {
            return Err(Failure::new(
                Code::ConfigInvalid,
                format!(
                    "the document sends this operation to {origin}, which is not the service's own origin {}; nothing was sent",
                    self.base.origin().ascii_serialization()
                ),
            )
            .with_hint(format!(
                "If that is meant, add {origin:?} to `allowedOrigins` (without credentials) or `credentialOrigins` of the plugin's `openapi`."
            )));
        }
        Ok(Target {
            base: target,
            trusted,
        })
    }

    /// A document from the network must not choose who gets the credentials.
    fn check_provenance(&self, stated: &Url) -> Result<(), Failure> {
        let Some(document) = &self.document else {
            return Ok(());
        };
        let origin = stated.origin().ascii_serialization();
        if stated.origin() == document.origin()
            || !self.settings.has_credentials()
            || self.trusted.contains(&origin)
        {
            return Ok(());
        }
        Err(invalid(format!(
            "the document at {} names {origin} as its server; credentials go there only when the settings say so",
            document.origin().ascii_serialization()
        ))
        .with_hint(format!(
            "If that is right, set \"baseUrl\": {:?} in the plugin's `openapi`.",
            stated.as_str()
        )))
    }

    fn first_of(&self, document: &Document) -> Result<Url, Failure> {
        let stated = match document.version {
            Version::Swagger2 => self.swagger_server(&document.root),
            Version::V3_0 | Version::V3_1 => {
                let servers = document.root.get("servers").and_then(Value::as_array);
                match servers.and_then(|servers| servers.first()) {
                    Some(server) => self.resolved(server, self.document.as_ref()),
                    None => base("/", self.document.as_ref()),
                }
            }
        };
        stated.map_err(|failure| match failure.code {
            Code::ConfigInvalid if self.document.is_none() => {
                failure.with_hint("Set `baseUrl` in the plugin's `openapi` to the service's URL.")
            }
            _ => failure,
        })
    }

    /// `schemes`, `host` and `basePath`.
    fn swagger_server(&self, root: &Value) -> Result<Url, Failure> {
        let path = text(root, "basePath").unwrap_or("/");
        let Some(host) = text(root, "host") else {
            return base(path, self.document.as_ref());
        };
        let schemes = root.get("schemes").and_then(Value::as_array);
        let schemes: Vec<&str> = schemes
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let scheme = match (&self.document, schemes.as_slice()) {
            (_, stated) if stated.contains(&"https") => "https",
            (_, stated) if stated.contains(&"http") => "http",
            (Some(document), _) => document.scheme(),
            (None, _) => "https",
        };
        let slash = if path.starts_with('/') { "" } else { "/" };
        base(&format!("{scheme}://{host}{slash}{path}"), None)
    }

    fn resolved(&self, server: &Value, relative_to: Option<&Url>) -> Result<Url, Failure> {
        let mut url = text(server, "url").unwrap_or("/").to_owned();
        let variables = server.get("variables").and_then(Value::as_object);
        for (name, variable) in variables.into_iter().flatten() {
            let value = match self.settings.server_variables.get(name) {
                Some(value) => expand(value, from_process)?,
                None => match variable.get("default") {
                    Some(Value::String(value)) => value.clone(),
                    Some(Value::Number(value)) => value.to_string(),
                    _ => continue,
                },
            };
            url = url.replace(&format!("{{{name}}}"), &value);
        }
        if let Some((_, rest)) = url.split_once('{')
            && let Some((name, _)) = rest.split_once('}')
        {
            return Err(invalid(format!(
                "the server URL {url:?} has the variable {name}, which has no value"
            ))
            .with_hint(format!(
                "Set `serverVariables.{name}` or `baseUrl` in the plugin's `openapi`."
            )));
        }
        base(&url, relative_to)
    }
}

/// A URL that paths can be added to.
fn base(url: &str, relative_to: Option<&Url>) -> Result<Url, Failure> {
    let parsed = match relative_to {
        Some(origin) => origin.join(url),
        None => Url::parse(url),
    };
    let mut parsed = parsed
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or_else(|| invalid(format!("the server {url:?} is no full http or https URL")))?;
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(invalid(
            "a server URL must not hold a user or a password; give them in `auth` or `headers`",
        ));
    }
    parsed.set_query(None);
    parsed.set_fragment(None);
    let path = parsed.path().trim_end_matches('/').to_owned();
    parsed.set_path(&path);
    Ok(parsed)
}

fn origins(named: &[String]) -> Result<Vec<String>, Failure> {
    named
        .iter()
        .map(|named| {
            let url = base(&expand(named, from_process)?, None)?;
            Ok(url.origin().ascii_serialization())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn servers(root: Value, settings: Value, url: Option<&str>) -> Result<Servers, Failure> {
        let url = url.map(|url| Url::parse(url).unwrap());
        let document = Document::parse(root.to_string().as_bytes(), url).unwrap();
        let mut settings = settings;
        settings["document"] = json!("x");
        Servers::read(&document, &serde_json::from_value(settings).unwrap())
    }

    fn v3(servers: Value) -> Value {
        json!({"openapi": "3.0.0", "paths": {}, "servers": servers})
    }

    fn base_of(root: Value, settings: Value, url: Option<&str>) -> String {
        servers(root, settings, url).unwrap().base.to_string()
    }

    #[test]
    fn the_base_is_found_in_every_version() {
        let none = json!({});
        assert_eq!(
            base_of(
                v3(
                    json!([{"url": "https://{r}.x.test/{v}/", "variables": {"r": {"default": "eu"}, "v": {"default": 2}}}])
                ),
                json!({"serverVariables": {"r": "us"}}),
                None
            ),
            "https://us.x.test/2"
        );
        assert_eq!(
            base_of(
                v3(json!([{"url": "../v1"}])),
                none.clone(),
                Some("https://h.test/docs/api.json")
            ),
            "https://h.test/v1"
        );
        let swagger = json!({"swagger": "2.0", "paths": {}, "host": "s.test", "basePath": "v2", "schemes": ["http", "https"]});
        assert_eq!(base_of(swagger.clone(), none, None), "https://s.test/v2");
        assert_eq!(
            base_of(swagger, json!({"baseUrl": "http://127.0.0.1:9/p"}), None),
            "http://127.0.0.1:9/p"
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        for (root, want) in [
            (v3(json!([])), "no full http"),
            (v3(json!([{"url": "/v1"}])), "no full http"),
            (v3(json!([{"url": "https://{host}/"}])), "variable host"),
            (v3(json!([{"url": "ftp://x.test"}])), "no full http"),
            (
                v3(json!([{"url": "https://u:p@x.test"}])),
                "user or a password",
            ),
        ] {
            let failure = servers(root, json!({}), None).unwrap_err();
            assert_eq!(failure.code, Code::ConfigInvalid);
            assert!(failure.error.contains(want), "{}", failure.error);
        }
    }

    #[test]
    fn a_document_from_the_network_does_not_choose_who_gets_credentials() {
        let root = v3(json!([{"url": "https://elsewhere.test"}]));
        let auth = json!({"headers": {"X-Key": "k"}});
        let from = Some("https://docs.test/api.json");
        let failure = servers(root.clone(), auth, from).unwrap_err();
        assert!(failure.hint.unwrap().contains("baseUrl"));
        assert!(servers(root.clone(), json!({}), from).is_ok());
        assert!(
            servers(
                root,
                json!({"headers": {"X-Key": "k"}, "credentialOrigins": ["https://elsewhere.test"]}),
                from
            )
            .is_ok()
        );
    }

    #[test]
    fn another_origin_needs_to_be_allowed() {
        let own = |settings: Value, url: &str| {
            servers(v3(json!([{"url": "https://a.test/v1"}])), settings, None)
                .unwrap()
                .of_operation(Some(&json!({ "url": url })))
                .map(|target| (target.base.to_string(), target.trusted))
        };
        let none = json!({});
        assert_eq!(
            own(none.clone(), "https://a.test/v2").unwrap(),
            ("https://a.test/v2".into(), true)
        );
        assert_eq!(
            own(none.clone(), "/v3").unwrap(),
            ("https://a.test/v3".into(), true)
        );
        let failure = own(none, "https://b.test/v9").unwrap_err();
        assert!(failure.hint.unwrap().contains("allowedOrigins"));
        let allowed = json!({"allowedOrigins": ["https://b.test"]});
        assert_eq!(
            own(allowed, "https://b.test/v9").unwrap(),
            ("https://b.test/v9".into(), false)
        );
        let trusted = json!({"credentialOrigins": ["https://b.test/"]});
        assert_eq!(
            own(trusted, "https://b.test/v9").unwrap(),
            ("https://b.test/v9".into(), true)
        );
        let stands_in = json!({"baseUrl": "http://127.0.0.1:9"});
        assert_eq!(
            own(stands_in, "https://a.test/v2").unwrap(),
            ("http://127.0.0.1:9/v2".into(), true)
        );
    }
}
