//! How a plugin's service is reached: the one key of a manifest that says so.

use serde::Deserialize;
use serde_json::Value;

use crate::{
    adapter::{CliSettings, HttpServer, OpenApiSettings, StdioServer},
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
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Ways {
    adapter: Option<String>,
    adapter_export: Option<String>,
    mcp: Option<Value>,
    openapi: Option<Value>,
    cli: Option<Value>,
    host: bool,
}

impl Ways {
    /// The one way, or none for a plugin that has skills only.
    pub(super) fn source(self, has_skills: bool) -> Result<Source, Failure> {
        let invalid = |what: &str| Err(Failure::new(Code::ConfigInvalid, what));
        match (self.adapter, self.mcp, self.openapi, self.cli, self.host) {
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
        }
    }
}

fn mcp_source(mcp: Value) -> Result<Source, Failure> {
    let invalid =
        |error: serde_json::Error| Failure::new(Code::ConfigInvalid, format!("`mcp`: {error}"));
    if mcp.get("url").is_some() {
        serde_json::from_value(mcp)
            .map(Source::McpHttp)
            .map_err(invalid)
    } else if mcp.get("command").is_some() != mcp.get("module").is_some() {
        serde_json::from_value(mcp)
            .map(Source::McpStdio)
            .map_err(invalid)
    } else {
        Err(Failure::new(
            Code::ConfigInvalid,
            "`mcp` needs exactly one of `command`, `module` and `url`",
        ))
    }
}

fn openapi_source(openapi: Value) -> Result<Source, Failure> {
    serde_json::from_value(openapi)
        .map(|settings| Source::OpenApi(Box::new(settings)))
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("`openapi`: {error}")))
}

fn cli_source(cli: Value) -> Result<Source, Failure> {
    let invalid = |what: String| Failure::new(Code::ConfigInvalid, format!("`cli`: {what}"));
    let settings: CliSettings =
        serde_json::from_value(cli).map_err(|error| invalid(error.to_string()))?;
    settings.check().map_err(invalid)?;
    Ok(Source::Cli(Box::new(settings)))
}
