//! What a document says of one operation, in the same shape for every version of the format.

use indexmap::IndexMap;
use serde_json::Value;

/// An operation as described.
#[derive(Debug)]
pub(super) struct Description<'a> {
    pub operation_id: Option<&'a str>,
    /// Upper case.
    pub method: &'static str,
    /// The template, for example `/repos/{owner}`.
    pub path: &'a str,
    pub summary: Option<&'a str>,
    pub description: Option<&'a str>,
    pub tags: Vec<String>,
    pub deprecated: bool,
    pub parameters: Vec<Parameter<'a>>,
    pub body: Option<Body<'a>>,
    /// The first URL of the operation's or the path's own `servers`.
    pub server: Option<&'a Value>,
    /// Alternatives, each of schemes that go together. `None` when the document does not say.
    pub security: Option<Vec<Vec<String>>>,
    /// Media types of the answers.
    pub produces: Vec<String>,
    /// It as it stands in the document.
    pub stated: &'a Value,
}

/// Where a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Location {
    Path,
    Query,
    Header,
    Cookie,
    /// A body that is spread out.
    Body,
}

impl Location {
    /// Where a parameter says that it is.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "path" => Self::Path,
            "query" => Self::Query,
            "header" => Self::Header,
            "cookie" => Self::Cookie,
            _ => return None,
        })
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Body => "body",
        }
    }
}

/// A parameter as described.
#[derive(Debug)]
pub(super) struct Parameter<'a> {
    pub name: &'a str,
    pub location: Location,
    pub required: bool,
    pub description: Option<&'a str>,
    pub deprecated: bool,
    pub schema: Option<Schema<'a>>,
    pub writing: Writing,
    /// It as it stands in the document.
    pub stated: &'a Value,
}

/// A schema that stands in the document, or one that was put together from it.
#[derive(Debug)]
pub(super) enum Schema<'a> {
    Stated(&'a Value),
    Composed(Value),
}

impl Schema<'_> {
    pub(super) fn value(&self) -> &Value {
        match self {
            Self::Stated(value) => value,
            Self::Composed(value) => value,
        }
    }
}

/// How a value is written into a URL, a header or a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Writing {
    /// By the rules of a style.
    Styled {
        style: Style,
        explode: bool,
        allow_reserved: bool,
    },
    /// As JSON, whatever it is.
    Json,
}

/// The styles of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Simple,
    Label,
    Matrix,
    /// Values with this (encoded) character between them.
    Form(&'static str),
    DeepObject,
}

impl Style {
    pub(super) const COMMAS: Self = Self::Form(",");
    pub(super) const SPACES: Self = Self::Form("%20");
    pub(super) const PIPES: Self = Self::Form("%7C");
    pub(super) const TABS: Self = Self::Form("%09");

    /// What a location uses when nothing is said.
    pub(super) fn of_location(location: Location) -> Self {
        match location {
            Location::Path | Location::Header => Self::Simple,
            Location::Query | Location::Cookie | Location::Body => Self::COMMAS,
        }
    }
}

/// A request body as described.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub required: bool,
    pub description: Option<&'a str>,
    pub media_type: String,
    pub schema: Option<Schema<'a>>,
    /// How single fields of a form are written, where that is said.
    pub fields: IndexMap<String, FieldEncoding>,
    /// It as it stands in the document; `null` where it is put together from parameters.
    pub stated: &'a Value,
}

/// How a field of a form is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FieldEncoding {
    pub writing: Option<Writing>,
    pub content_type: Option<String>,
}

/// A media type without its parameters, in lower case.
pub(super) fn essence(media_type: &str) -> String {
    let bare = media_type.split(';').next().unwrap_or_default();
    bare.trim().to_ascii_lowercase()
}

/// `application/json`, `application/problem+json` and their like.
pub(super) fn is_json(essence: &str) -> bool {
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

/// Media types whose content is text.
pub(super) fn is_text(essence: &str) -> bool {
    const TEXTUAL: &[&str] = &[
        "application/xml",
        "application/yaml",
        "application/x-yaml",
        "application/toml",
        "application/javascript",
        "application/ecmascript",
        "application/graphql",
        "application/sql",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-seq",
        "application/x-www-form-urlencoded",
        "application/x-sh",
        "application/rtf",
        "application/x-pem-file",
        "image/svg+xml",
    ];
    essence.starts_with("text/")
        || essence.ends_with("+xml")
        || essence.ends_with("+yaml")
        || TEXTUAL.contains(&essence)
}
