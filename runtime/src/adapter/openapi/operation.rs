//! An operation ready to be listed and called.

use std::collections::HashSet;

use indexmap::IndexMap;
use reqwest::{Method, header::HeaderValue};

use super::{
    description::{FieldEncoding, Location, Writing},
    servers::Target,
};
use crate::{catalog::Tool, reply::Failure};

/// One operation, and the tool that it is.
#[derive(Debug)]
pub(super) struct Operation {
    pub tool: Tool,
    pub method: Method,
    /// The template's path, without what stands behind `?` or `#`.
    pub path: String,
    /// What the template itself has behind `?`.
    pub query: Option<String>,
    pub arguments: Vec<Argument>,
    pub body: Option<Body>,
    /// Where it goes; a server that may not be reached is a failure of the call, not of the plugin.
    pub target: Result<Target, Failure>,
    /// Alternatives, each of schemes that go together. `None` when the document does not say.
    pub security: Option<Vec<Vec<String>>>,
    pub accept: HeaderValue,
}

/// One argument that goes into the URL or a header.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    /// Its name for the model.
    pub name: String,
    /// Its name for the service.
    pub wire: String,
    pub location: Location,
    pub required: bool,
    pub writing: Writing,
    /// Whether it takes a whole number; a cursor that is read from a URL becomes one.
    pub is_integer: bool,
}

/// How the body is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Body {
    pub required: bool,
    pub media_type: String,
    pub kind: BodyKind,
    /// How single fields of a form are written, where that is said.
    pub fields: IndexMap<String, FieldEncoding>,
    /// Fields of a multipart form that are files.
    pub files: HashSet<String>,
    /// The body's own fields, where it has some.
    pub properties: Vec<String>,
}

/// The ways to write a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyKind {
    Json,
    Form,
    Multipart,
    Text,
    Binary,
}

impl Operation {
    /// Whether calling it changes nothing.
    pub(super) fn only_reads(&self) -> bool {
        only_reads(self.method.as_str())
    }
}

/// Whether a method is one that changes nothing.
pub(super) fn only_reads(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS" | "QUERY")
}
