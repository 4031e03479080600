//! What is sent along to those that credentials are meant for.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::{
    super::environment::{expand, from_process},
    description::Location,
    document::invalid,
    scheme::Scheme,
    settings::Credential,
};
use crate::{
    redacted::Redacted,
    reply::{Code, Failure},
    secrets::remember,
};

/// What is sent along to trusted servers.
#[derive(Clone, Default)]
pub(super) struct Applied {
    pub headers: HeaderMap,
    pub query: Vec<(String, String)>,
    pub cookies: Vec<(String, String)>,
}

impl fmt::Debug for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

impl Applied {
    pub(super) fn header(&mut self, name: &str, value: &str) -> Result<(), Failure> {
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

    pub(super) fn cookie(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let forbidden = |c: char| c.is_control() || matches!(c, ';' | ',' | '"' | ' ' | '\\');
        if value.contains(forbidden) || name.contains(forbidden) || name.contains('=') {
            return Err(invalid(format!(
                "the cookie {name:?} has a forbidden character in its name or value"
            )));
        }
        self.cookies.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// A credential of the settings.
    pub(super) fn credential(
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
        // `${TOKEN:-}` is a token that one may do without.
        if value.is_empty() {
            return Ok(());
        }
        self.value(called, scheme, value)
    }

    /// A value where its scheme wants it.
    pub(super) fn value(
        &mut self,
        called: &str,
        scheme: &Scheme,
        value: String,
    ) -> Result<(), Failure> {
        remember(&value);
        // `Bearer x` is quoted without its beginning too.
        remember(value.rsplit(' ').next().unwrap_or(&value));
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
        remember(password);
        // The password may be too short to be found in it.
        remember(&encoded);
        self.header(AUTHORIZATION.as_str(), &format!("Basic {encoded}"))
    }
}

/// Whether what is called so is probably a secret.
pub(super) fn looks_secret(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "auth", "cookie", "key", "pass", "secret", "session", "token",
    ];
    let lower = name.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}
