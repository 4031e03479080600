//! Doors for the fuzz targets: what a manifest makes of a program.

#![allow(missing_docs)]

use serde_json::{Map, Value};

use super::{CliSettings, command_line::CommandLine, input_schema};
use crate::{Failure, catalog::Tool};

/// The tools as they are listed.
pub fn cli_tools(settings: &CliSettings) -> Vec<Tool> {
    let tools = settings.tools().into_iter();
    tools
        .map(|(name, tool)| input_schema::tool(&name, &settings.command, &tool))
        .collect()
}

/// The arguments that the program would be given for a call of a tool of its own. Nothing is started.
pub fn cli_arguments(
    settings: &CliSettings,
    tool: &str,
    arguments: &Map<String, Value>,
) -> Option<Result<Vec<String>, Failure>> {
    let tools = settings.tools();
    let (_, tool) = tools.iter().find(|(name, _)| name == tool)?;
    Some(CommandLine::of(tool, arguments).map(|line| line.arguments))
}
