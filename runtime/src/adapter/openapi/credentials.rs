//! Credentials: which of them an operation gets, and what a model can therefore not set.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::Value;

use super::{
    super::environment::{expand, from_process},
    applied::{Applied, looks_secret},
    description::Location,
    document::{Document, Version, invalid},
    scheme::Scheme,
    settings::{Credential, LoginSettings, OpenApiSettings},
};
use crate::{
    placeholder::{Part, each_text, parts},
    reply::Failure,
    secrets::remember_given,
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

/// The schemes of a document and the credentials of a plugin.
#[derive(Debug)]
pub(super) struct Credentials {
    schemes: IndexMap<String, Scheme>,
    settings: OpenApiSettings,
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
                Some((name.clone(), Scheme::of(document.resolved(scheme)?)?))
            })
            .collect();
        let by_login = settings
            .login
            .as_ref()
            .and_then(|login| login.scheme.as_ref());
        let named = settings.auth.keys().map(|name| ("auth", name));
        for (key, name) in named.chain(by_login.map(|name| ("login.scheme", name))) {
            if schemes.contains_key(name) {
                continue;
            }
            let known: Vec<&str> = schemes.keys().map(String::as_str).collect();
            let failure = invalid(format!(
                "`{key}` names {name:?}, which is no security scheme of the document"
            ));
            return Err(failure.with_hint(match known.is_empty() {
                true => "The document has none; set `headers` or `query` in the plugin's `openapi` instead.".into(),
                false => format!("Its security schemes are: {}.", known.join(", ")),
            }));
        }
        if let Some(name) = by_login.filter(|name| settings.auth.contains_key(*name)) {
            return Err(invalid(format!("`auth` and `login` are both for {name:?}")));
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
        if let Some(header) = self.settings.login.as_ref().and_then(LoginSettings::header) {
            reserved.insert((Location::Header, header.to_ascii_lowercase()));
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

    /// What is sent along with an operation, but for what a login gives.
    pub(super) fn applied(&self, security: Option<&[Vec<String>]>) -> Result<Applied, Failure> {
        let mut applied = self.always_applied()?;
        for name in self.chosen(security) {
            if let (Some(scheme), Some(credential)) =
                (self.schemes.get(name), self.settings.auth.get(name))
            {
                applied.credential(name, scheme, credential)?;
            }
        }
        Ok(applied)
    }

    /// What is sent along with every request, a login too.
    pub(super) fn always_applied(&self) -> Result<Applied, Failure> {
        let mut applied = Applied::default();
        for (name, value) in &self.settings.headers {
            let expanded = expand(value, from_process)?;
            let called = if looks_secret(name) {
                "authorization"
            } else {
                name
            };
            remember_given(called, &expanded);
            applied.header(name, &expanded)?;
        }
        for (name, value) in &self.settings.query {
            let expanded = expand(value, from_process)?;
            remember_given(name, &expanded);
            applied.query.push((name.clone(), expanded));
        }
        for (name, value) in &self.settings.cookies {
            let expanded = expand(value, from_process)?;
            remember_given("cookie", &expanded);
            applied.cookie(name, &expanded)?;
        }
        Ok(applied)
    }

    /// Whether an operation wants the token of the login.
    pub(super) fn wants_login(&self, security: Option<&[Vec<String>]>) -> bool {
        let login = self.settings.login.as_ref();
        login.is_some_and(|login| match &login.scheme {
            Some(scheme) => self.chosen(security).contains(&scheme.as_str()),
            None => true,
        })
    }

    /// The scheme of that name.
    pub(super) fn scheme(&self, name: &str) -> Option<&Scheme> {
        self.schemes.get(name)
    }

    /// Whether a credential for the scheme is there, or can be got.
    fn has(&self, scheme: &str) -> bool {
        let login = self.settings.login.as_ref();
        self.settings.auth.contains_key(scheme)
            || login.is_some_and(|login| login.scheme.as_deref() == Some(scheme))
    }

    /// The first alternative that all credentials are there for. A document that does not say gets all of them.
    fn chosen<'a>(&'a self, security: Option<&'a [Vec<String>]>) -> Vec<&'a str> {
        match security {
            None => {
                let login = self.settings.login.as_ref();
                let by_login = login.and_then(|login| login.scheme.as_ref());
                let names = self.settings.auth.keys().chain(by_login);
                names.map(String::as_str).collect()
            }
            Some(alternatives) => alternatives
                .iter()
                .filter(|alternative| !alternative.is_empty())
                .find(|alternative| alternative.iter().all(|name| self.has(name)))
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
        let mut texts: Vec<&str> = values.map(String::as_str).collect();
        if let Some(login) = self
            .settings
            .login
            .as_ref()
            .filter(|_| self.wants_login(security))
        {
            login
                .body
                .values()
                .for_each(|value| each_text(value, &mut |text| texts.push(text)));
        }
        let variables = variables(&texts);
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
        if !chosen.is_empty()
            || self.wants_login(security)
            || statics.iter().any(|map| !map.is_empty())
        {
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

/// The environment variables that configured texts name.
pub(super) fn variables<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for part in texts.iter().flat_map(|text| parts(text)) {
        if let Part::Variable { name, .. } = part
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
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
