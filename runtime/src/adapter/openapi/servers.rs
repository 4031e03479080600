//! Where requests go: settled by the plugin's settings and the document, never by a model.

use reqwest::Url;
use serde_json::Value;
use url::Origin;

use super::{
    super::environment::{expand, from_process},
    credentials::variables,
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
    allowed: Vec<Origin>,
    trusted: Vec<Origin>,
    settings: OpenApiSettings,
}

impl Servers {
    pub(super) fn read(document: &Document, settings: &OpenApiSettings) -> Result<Self, Failure> {
        let mut servers = Self {
            // Replaced below.
            base: Url::parse("http://localhost").map_err(|error| invalid(error.to_string()))?,
            stated: None,
            document: document.url.clone(),
            allowed: origins("allowedOrigins", &settings.allowed_origins)?,
            trusted: origins("credentialOrigins", &settings.credential_origins)?,
            settings: settings.clone(),
        };
        let stated = servers.first_of(document);
        servers.base = match &settings.base_url {
            Some(url) => {
                servers.stated = stated.ok();
                configured("baseUrl", url)?
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

    /// The origins that the settings name, and not a document from the network. A file stands in the plugin's folder, as
    /// the settings do.
    pub(super) fn configured(&self) -> Vec<Origin> {
        let named = self.settings.base_url.is_some() || self.document.is_none();
        let base = named.then(|| self.base.origin());
        let document = self.document.as_ref().map(Url::origin);
        let more = self.allowed.iter().chain(&self.trusted).cloned();
        base.into_iter().chain(document).chain(more).collect()
    }

    /// The URL of a path of the service itself.
    pub(super) fn at(&self, path: &str) -> Result<Url, Failure> {
        let whole = format!("{}{path}", self.base.as_str().trim_end_matches('/'));
        Url::parse(&whole)
            .ok()
            .filter(|url| path.starts_with('/') && url.origin() == self.base.origin())
            .ok_or_else(|| {
                invalid(format!(
                    "{path:?} is no path of the service; one begins with `/`"
                ))
            })
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
        let origin = target.origin();
        let trusted = origin == self.base.origin() || self.trusted.contains(&origin);
        if !trusted && !self.allowed.contains(&origin) {
            let origin = origin.ascii_serialization();
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
        let origin = stated.origin();
        if origin == document.origin()
            || !self.settings.has_credentials()
            || self.trusted.contains(&origin)
        {
            return Ok(());
        }
        let origin = origin.ascii_serialization();
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

/// A server URL of the settings. What is wrong with it names the setting, and the variables that it is made of.
fn configured(setting: &str, text: &str) -> Result<Url, Failure> {
    let from = match variables(&[text])[..] {
        [] => String::new(),
        ref names => format!(" (from the environment variable {})", names.join(" and ")),
    };
    let url = expand(text, from_process)?;
    base(&url, None).map_err(|failure| {
        let shown = failure.error;
        let hint = "Give the whole URL of the service, for example https://example.com/api.";
        invalid(format!("`{setting}`{from}: {shown}")).with_hint(hint)
    })
}

fn origins(setting: &str, named: &[String]) -> Result<Vec<Origin>, Failure> {
    named
        .iter()
        .map(|named| Ok(configured(setting, named)?.origin()))
        .collect()
}

#[cfg(test)]
#[path = "servers_tests.rs"]
mod tests;
