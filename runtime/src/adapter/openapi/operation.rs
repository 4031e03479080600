//! An operation ready to be listed and called.

use std::collections::HashSet;

use indexmap::IndexMap;
use reqwest::{Method, header::HeaderValue};

use super::{
    description::{FieldEncoding, Location, Writing},
    projection::Projection,
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
    /// What of the answer is given; all of it when absent.
    pub projection: Option<Projection>,
    /// Where it goes; a server that may not be reached is a failure of the call, not of the plugin.
    pub target: Result<Target, Failure>,
    /// Alternatives, each of schemes that go together. `None` when the document does not say.
    pub security: Option<Vec<Vec<String>>>,
    pub accept: HeaderValue,
}

/// One argument that goes into the URL, a header or a body that is spread out.
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
    /// The argument that it is, unless it is spread out.
    pub name: String,
    pub required: bool,
    pub media_type: String,
    pub kind: BodyKind,
    /// How single fields of a form are written, where that is said.
    pub fields: IndexMap<String, FieldEncoding>,
    /// Fields of a multipart form that are files.
    pub files: HashSet<String>,
    /// The body's own fields, where it has some.
    pub properties: Vec<String>,
    /// Whether its fields are arguments of their own.
    pub spread: bool,
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
        self.tool.hints.read_only
    }
}
