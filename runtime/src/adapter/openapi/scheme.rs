//! The ways that a document knows to prove who asks.

use serde_json::Value;

use super::{description::Location, version3::text};

/// A way to prove who asks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scheme {
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

impl Scheme {
    /// A scheme as described; `None` for one that is not supported.
    pub(super) fn of(scheme: &Value) -> Option<Self> {
        Some(match text(scheme, "type")? {
            "apiKey" => Self::Key {
                location: Location::parse(text(scheme, "in")?)?,
                name: text(scheme, "name")?.to_owned(),
            },
            "basic" => Self::Basic,
            "oauth2" | "openIdConnect" => Self::Bearer,
            "http" => {
                let named = text(scheme, "scheme").unwrap_or("bearer");
                match named.to_ascii_lowercase().as_str() {
                    "basic" => Self::Basic,
                    "bearer" => Self::Bearer,
                    _ => Self::Other(named.to_owned()),
                }
            }
            _ => return None,
        })
    }
}
