//! How a plugin's service is reached: the one key of a manifest that says so.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{McpServer, mcp::mcp_source};
use crate::{
    adapter::{CliSettings, HttpServer, OpenApiSettings, StdioServer},
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
    /// A command-line program.
    Cli(Box<CliSettings>),
    /// Only skills.
    None,
}

/// The keys of a manifest of which exactly one says how the service is reached.
#[derive(Default, Deserialize, JsonSchema)]
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
    /// A command-line program.
    #[schemars(with = "Option<CliSettings>")]
    cli: Option<Value>,
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
        let source = match (self.adapter, self.mcp, self.openapi, self.cli, self.host) {
            (None, None, None, None, true) => Ok(Source::Embedded),
            (Some(adapter), None, None, None, false) => Ok(Source::Module {
                adapter,
                export: self.adapter_export,
            }),
            (None, Some(mcp), None, None, false) => mcp_source(mcp),
            (None, None, Some(openapi), None, false) => openapi_source(openapi),
            (None, None, None, Some(cli), false) => cli_source(cli),
            (None, None, None, None, false) if has_skills => Ok(Source::None),
            (None, None, None, None, false) => {
                invalid("neither `adapter`, `mcp`, `openapi`, `cli` nor `skills`")
            }
            _ => invalid("`adapter`, `mcp`, `openapi`, `cli` and `host` exclude each other"),
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
    let own = match &mut source {
        Source::McpStdio(server) => &mut server.env,
        Source::Cli(program) => &mut program.every_tool.env,
        _ => return source,
    };
    for (name, value) in env {
        own.entry(name.clone()).or_insert_with(|| value.clone());
    }
    source
}

fn cli_source(cli: Value) -> Result<Source, Failure> {
    let invalid = |what: String| Failure::new(Code::ConfigInvalid, format!("`cli`: {what}"));
    let settings: CliSettings =
        serde_json::from_value(cli).map_err(|error| invalid(with_suggestion(error.to_string())))?;
    settings.check().map_err(invalid)?;
    Ok(Source::Cli(Box::new(settings)))
}
