//! How a plugin's service is reached: the one key of a manifest that says so.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{McpServer, mcp::mcp_source};
use crate::{
    adapter::{HttpServer, OpenApiSettings, StdioServer},
    config::keys::with_suggestion,
    reply::{Code, Failure},
};

/// How a plugin's service is reached.
#[derive(Debug, Clone)]
pub enum Source {
    /// A module of the embedding program's language.
    Module {
        /// Path relative to the plugin's folder.
        adapter: String,
        /// The exported class.
        export: Option<String>,
    },
    /// An object that the embedding program holds.
    Embedded,
    /// An MCP server that is a child process.
    McpStdio(StdioServer),
    /// An MCP server behind a URL.
    McpHttp(HttpServer),
    /// An HTTP service that an OpenAPI document describes.
    OpenApi(Box<OpenApiSettings>),
    /// Only skills.
    None,
}

/// The keys of a manifest of which exactly one says how the service is reached.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Ways {
    /// A JavaScript module, relative to the plugin's folder.
    adapter: Option<String>,
    /// The class that `adapter` exports.
    adapter_export: Option<String>,
    /// An MCP server: `command` or `module` for a program, `url` for one on the web.
    #[schemars(with = "Option<McpServer>")]
    mcp: Option<Value>,
    /// An HTTP service that an OpenAPI or Swagger document describes.
    #[schemars(with = "Option<OpenApiSettings>")]
    openapi: Option<Value>,
    #[schemars(skip)]
    host: bool,
}

impl Ways {
    /// The one way, or none for a plugin that has skills only.
    pub(super) fn source(
        self,
        has_skills: bool,
        env: &IndexMap<String, String>,
    ) -> Result<Source, Failure> {
        let invalid = |what: &str| Err(Failure::new(Code::ConfigInvalid, what));
        let source = match (self.adapter, self.mcp, self.openapi, self.host) {
            (None, None, None, true) => Ok(Source::Embedded),
            (Some(adapter), None, None, false) => Ok(Source::Module {
                adapter,
                export: self.adapter_export,
            }),
            (None, Some(mcp), None, false) => mcp_source(mcp),
            (None, None, Some(openapi), false) => openapi_source(openapi),
            (None, None, None, false) if has_skills => Ok(Source::None),
            (None, None, None, false) => {
                invalid("neither `adapter`, `mcp`, `openapi` nor `skills`")
            }
            _ => invalid("`adapter`, `mcp`, `openapi` and `host` exclude each other"),
        };
        source.map(|source| with_env(source, env))
    }
}

fn openapi_source(openapi: Value) -> Result<Source, Failure> {
    serde_json::from_value(openapi)
        .map(|settings| Source::OpenApi(Box::new(settings)))
        .map_err(|error| {
            let what = with_suggestion(error.to_string());
            Failure::new(Code::ConfigInvalid, format!("`openapi`: {what}"))
        })
}

/// A program gets the plugin's variables beside its own, which win.
fn with_env(mut source: Source, env: &IndexMap<String, String>) -> Source {
    if let Source::McpStdio(server) = &mut source {
        for (name, value) in env {
            server
                .env
                .entry(name.clone())
                .or_insert_with(|| value.clone());
        }
    }
    source
}
