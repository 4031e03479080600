//! Credentials: which of them an operation gets, and what a model can therefore not set.

use std::{collections::HashSet, fmt};

use base64::{Engine, engine::general_purpose::STANDARD};
use indexmap::IndexMap;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::{
    super::environment::{expand, from_process},
    description::Location,
    document::{Document, Version, invalid},
    settings::{Credential, OpenApiSettings},
    version3::text,
};
use crate::{
    redacted::Redacted,
    reply::{Code, Failure},
};

/// Headers that steer the connection, prove who asks, or change which request is meant.
const RESERVED_HEADERS: &[&str] = &[
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "cookie2",
    "expect",
    "forwarded",
    "host",
    "http2-settings",
    "keep-alive",
    "origin",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-url",
    "x-rewrite-url",
];
/// Shorter values are too common to be looked for in answers.
const MIN_SECRET: usize = 8;

/// A way to prove who asks.
#[derive(Debug, Clone, PartialEq)]
enum Scheme {
    Key {
        location: Location,
        name: String,
    },
    Basic,
    /// A token, however it was come by.
    Bearer,
    /// Another scheme of the `Authorization` header.
    Other(String),
}

/// The schemes of a document and the credentials of a plugin.
#[derive(Debug)]
pub(super) struct Credentials {
    schemes: IndexMap<String, Scheme>,
    settings: OpenApiSettings,
}

/// What is sent along to trusted servers.
#[derive(Clone, Default)]
pub(super) struct Applied {
    pub headers: HeaderMap,
    pub query: Vec<(String, String)>,
    pub cookies: Vec<(String, String)>,
    /// Texts that must not get into an answer.
    pub secrets: Vec<String>,
}

impl fmt::Debug for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

/// What no model can set.
#[derive(Debug, Default)]
pub(super) struct Reserved(HashSet<(Location, String)>);

impl Reserved {
    pub(super) fn holds(&self, location: Location, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        match location {
            Location::Header => {
                RESERVED_HEADERS.contains(&lower.as_str()) || self.0.contains(&(location, lower))
            }
            _ => self.0.contains(&(location, name.to_owned())),
        }
    }
}

impl Credentials {
    pub(super) fn read(document: &Document, settings: &OpenApiSettings) -> Result<Self, Failure> {
        let defined = match document.version {
            Version::Swagger2 => document.root.get("securityDefinitions"),
            Version::V3_0 | Version::V3_1 => document.root.pointer("/components/securitySchemes"),
        };
        let defined = defined.and_then(Value::as_object);
        let schemes: IndexMap<String, Scheme> = defined
            .into_iter()
            .flatten()
            .filter_map(|(name, scheme)| {
                Some((name.clone(), scheme_of(document.resolved(scheme)?)?))
            })
            .collect();
        if let Some(unknown) = settings
            .auth
            .keys()
            .find(|name| !schemes.contains_key(*name))
        {
            let known: Vec<&str> = schemes.keys().map(String::as_str).collect();
            let failure = invalid(format!(
                "`auth` names {unknown:?}, which is no security scheme of the document"
            ));
            return Err(failure.with_hint(match known.is_empty() {
                true => "The document has none; set `headers` or `query` in the plugin's `openapi` instead.".into(),
                false => format!("Its security schemes are: {}.", known.join(", ")),
            }));
        }
        Ok(Self {
            schemes,
            settings: settings.clone(),
        })
    }

    pub(super) fn reserved(&self) -> Reserved {
        let mut reserved = HashSet::new();
        for name in self.settings.headers.keys() {
            reserved.insert((Location::Header, name.to_ascii_lowercase()));
        }
        for name in self.settings.query.keys() {
            reserved.insert((Location::Query, name.clone()));
        }
        for name in self.settings.cookies.keys() {
            reserved.insert((Location::Cookie, name.clone()));
        }
        for scheme in self.schemes.values() {
            if let Scheme::Key { location, name } = scheme {
                let name = match location {
                    Location::Header => name.to_ascii_lowercase(),
                    _ => name.clone(),
                };
                reserved.insert((*location, name));
            }
        }
        Reserved(reserved)
    }

    /// What is sent along with an operation.
    pub(super) fn applied(&self, security: Option<&[Vec<String>]>) -> Result<Applied, Failure> {
        let mut applied = Applied::default();
        for (name, value) in &self.settings.headers {
            let expanded = expand(value, from_process)?;
            if value.contains("${") || looks_secret(name) {
                applied.remember(&expanded);
            }
            applied.header(name, &expanded)?;
        }
        for (name, value) in &self.settings.query {
            let expanded = expand(value, from_process)?;
            applied.remember(&expanded);
            applied.query.push((name.clone(), expanded));
        }
        for (name, value) in &self.settings.cookies {
            applied.cookie(name, &expand(value, from_process)?)?;
        }
        for name in self.chosen(security) {
            if let (Some(scheme), Some(credential)) =
                (self.schemes.get(name), self.settings.auth.get(name))
            {
                applied.scheme(name, scheme, credential)?;
            }
        }
        Ok(applied)
    }

    /// The first alternative that all credentials are there for. A document that does not say gets all of them.
    fn chosen<'a>(&'a self, security: Option<&'a [Vec<String>]>) -> Vec<&'a str> {
        match security {
            None => self.settings.auth.keys().map(String::as_str).collect(),
            Some(alternatives) => alternatives
                .iter()
                .filter(|alternative| !alternative.is_empty())
                .find(|alternative| {
                    alternative
                        .iter()
                        .all(|name| self.settings.auth.contains_key(name))
                })
                .map(|alternative| alternative.iter().map(String::as_str).collect())
                .unwrap_or_default(),
        }
    }

    /// What to do when the service refuses the credentials, or their absence.
    pub(super) fn advice(&self, security: Option<&[Vec<String>]>) -> String {
        let chosen = self.chosen(security);
        let values = chosen
            .iter()
            .filter_map(|name| self.settings.auth.get(*name))
            .flat_map(|credential| match credential {
                Credential::Value(value) => vec![value],
                Credential::Basic(basic) => vec![&basic.username, &basic.password],
            })
            .chain(self.settings.headers.values())
            .chain(self.settings.query.values())
            .chain(self.settings.cookies.values());
        let mut variables: Vec<&str> = values.flat_map(|value| variables(value)).collect();
        variables.dedup();
        if !variables.is_empty() {
            return format!(
                "Check the environment variable {}: its value may be wrong, expired or without the rights for this.",
                variables.join(" and ")
            );
        }
        let statics = [
            &self.settings.headers,
            &self.settings.query,
            &self.settings.cookies,
        ];
        if !chosen.is_empty() || statics.iter().any(|map| !map.is_empty()) {
            return "Check the credentials in the plugin's `openapi`: they may be wrong, expired or without the rights for this.".into();
        }
        let wanted: Vec<&str> = security
            .into_iter()
            .flatten()
            .flatten()
            .map(String::as_str)
            .chain(self.schemes.keys().map(String::as_str))
            .take(1)
            .collect();
        match wanted.first() {
            Some(name) => format!(
                "No credential for this is configured. Add \"auth\": {{\"{name}\": \"${{{}}}\"}} to the plugin's `openapi` and set that environment variable.",
                variable_for(name)
            ),
            None => "No credential for this is configured. Add the header that the service wants to `headers` in the plugin's `openapi`.".into(),
        }
    }
}

impl Applied {
    fn remember(&mut self, value: &str) {
        for part in [value, value.rsplit(' ').next().unwrap_or(value)] {
            if part.len() >= MIN_SECRET && !self.secrets.iter().any(|known| known == part) {
                self.secrets.push(part.to_owned());
            }
        }
    }

    fn header(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let header = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| invalid(format!("{name:?} is no header name")))?;
        // The value may be a secret: it is never part of a message.
        let mut value = HeaderValue::from_str(value).map_err(|_| {
            Failure::new(
                Code::ConfigInvalid,
                format!("the value of header {name} has a forbidden character"),
            )
        })?;
        value.set_sensitive(true);
        self.headers.insert(header, value);
        Ok(())
    }

    fn cookie(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let forbidden = |c: char| c.is_control() || matches!(c, ';' | ',' | '"' | ' ' | '\\');
        if value.contains(forbidden) || name.contains(forbidden) || name.contains('=') {
            return Err(invalid(format!(
                "the cookie {name:?} has a forbidden character in its name or value"
            )));
        }
        self.remember(value);
        self.cookies.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn scheme(
        &mut self,
        called: &str,
        scheme: &Scheme,
        credential: &Credential,
    ) -> Result<(), Failure> {
        if let (Credential::Basic(basic), Scheme::Basic) = (credential, scheme) {
            let user = expand(&basic.username, from_process)?;
            let password = expand(&basic.password, from_process)?;
            return self.basic(&user, &password);
        }
        let Credential::Value(value) = credential else {
            return Err(invalid(format!(
                "`auth.{called}` is no user and password, but one value"
            )));
        };
        let value = expand(value, from_process)?;
        self.remember(&value);
        match scheme {
            Scheme::Key { location, name } => match location {
                Location::Query => self.query.push((name.clone(), value)),
                Location::Cookie => self.cookie(name, &value)?,
                _ => self.header(name, &value)?,
            },
            Scheme::Basic => {
                let (user, password) = value
                    .split_once(':')
                    .ok_or_else(|| invalid(format!("`auth.{called}` is no `user:password`")))?;
                self.basic(user, password)?;
            }
            Scheme::Bearer => {
                let token = value.strip_prefix("Bearer ").unwrap_or(&value);
                self.header(AUTHORIZATION.as_str(), &format!("Bearer {token}"))?;
            }
            Scheme::Other(scheme) => {
                self.header(AUTHORIZATION.as_str(), &format!("{scheme} {value}"))?;
            }
        }
        Ok(())
    }

    fn basic(&mut self, user: &str, password: &str) -> Result<(), Failure> {
        let encoded = STANDARD.encode(format!("{user}:{password}"));
        self.remember(password);
        self.remember(&encoded);
        self.header(AUTHORIZATION.as_str(), &format!("Basic {encoded}"))
    }
}

fn scheme_of(scheme: &Value) -> Option<Scheme> {
    Some(match text(scheme, "type")? {
        "apiKey" => Scheme::Key {
            location: Location::parse(text(scheme, "in")?)?,
            name: text(scheme, "name")?.to_owned(),
        },
        "basic" => Scheme::Basic,
        "oauth2" | "openIdConnect" => Scheme::Bearer,
        "http" => {
            let named = text(scheme, "scheme").unwrap_or("bearer");
            match named.to_ascii_lowercase().as_str() {
                "basic" => Scheme::Basic,
                "bearer" => Scheme::Bearer,
                _ => Scheme::Other(named.to_owned()),
            }
        }
        _ => return None,
    })
}

fn looks_secret(header: &str) -> bool {
    let lower = header.to_ascii_lowercase();
    ["auth", "key", "token", "secret", "cookie", "session"]
        .iter()
        .any(|word| lower.contains(word))
}

/// The variables in a value with `${VAR}`.
fn variables(value: &str) -> Vec<&str> {
    let inner = value.split("${").skip(1);
    let names = inner.filter_map(|rest| rest.split_once('}'));
    names
        .map(|(name, _)| name.split(":-").next().unwrap_or(name))
        .collect()
}

/// A variable that one could set for a scheme.
fn variable_for(scheme: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_uppercase()
        } else {
            '_'
        }
    };
    scheme.chars().map(plain).collect()
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;
