//! Command-line programs: each tool is a way to run one, without a shell.

mod answer;
mod binary;
mod capture;
mod check;
mod command_line;
mod controls;
mod encoding;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod input_schema;
mod run;
mod settings;

pub(crate) use settings::Argument;
pub use settings::CliSettings;

use std::{
    path::{Path, PathBuf, is_separator},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use indexmap::IndexMap;
use serde_json::{Map, Value};

use self::{
    answer::Reading,
    binary::DataFiles,
    command_line::CommandLine,
    run::{NoEnd, Runs},
    settings::ToolSettings,
};
use super::{
    Adapter, CallContext, Children, Confinement,
    environment::{child_environment, expand, from_process},
    program::{command, spawn_failure},
};
use crate::{
    catalog::Tool,
    reply::{Code, Failure, UpstreamResult},
};

/// How much of each stream is kept, in bytes.
const MAX_OUTPUT: usize = 10 * 1024 * 1024;
/// A program that is asked to end and then killed is gone well before.
const WINDING_UP: Duration = Duration::from_secs(10);

/// A command-line program as an adapter. It holds nothing while no call runs.
pub struct CliAdapter {
    command: String,
    dir: PathBuf,
    confinement: Confinement,
    tools: IndexMap<String, RunnableTool>,
    runs: Runs,
    files: DataFiles,
}

struct RunnableTool {
    listed: Tool,
    settings: ToolSettings,
    limit: Duration,
}

impl CliAdapter {
    /// A program whose relative paths start from `dir`; `limit` says how long a run of a tool may take.
    pub(crate) fn new(
        settings: &CliSettings,
        dir: PathBuf,
        confinement: Confinement,
        children: Arc<Children>,
        limit: impl Fn(&str) -> Duration,
    ) -> Self {
        let tools = settings.tools().into_iter().map(|(name, tool)| {
            let runnable = RunnableTool {
                listed: input_schema::tool(&name, &settings.command, &tool),
                limit: limit(&name),
                settings: tool,
            };
            (name, runnable)
        });
        Self {
            command: settings.command.clone(),
            dir,
            confinement,
            tools: tools.collect(),
            runs: Runs::new(children),
            files: DataFiles::default(),
        }
    }
}

#[async_trait]
impl Adapter for CliAdapter {
    async fn list_tools(&self) -> Result<Vec<Tool>, Failure> {
        Ok(self
            .tools
            .values()
            .map(|tool| tool.listed.clone())
            .collect())
    }

    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        _context: &CallContext,
    ) -> Result<UpstreamResult, Failure> {
        let RunnableTool {
            settings, limit, ..
        } = self
            .tools
            .get(tool)
            .ok_or_else(|| Failure::new(Code::UnknownTool, format!("the plugin has no {tool}")))?;
        let line = CommandLine::of(settings, &arguments)?;
        let program = program(&self.command, &self.dir)?;
        let mut environment = child_environment(&settings.env, from_process)?;
        if !settings.env.contains_key("TERM") {
            // No terminal shows what it writes.
            environment.insert("TERM".into(), "dumb".into());
        }
        let folder = working_folder(settings.cwd.as_deref(), &self.dir)?;
        let command = command(&program, &line.arguments, &environment, &folder)?;
        let command = self.confinement.apply(command, &self.dir)?;
        let keep = settings.max_output_bytes.unwrap_or(MAX_OUTPUT);
        let ended = self.runs.run(command, line.stdin, *limit, keep).await;
        let ended = ended.map_err(|why| match why {
            NoEnd::NotStarted(error) => spawn_failure(&program, &error),
            NoEnd::Closed => Failure::new(
                Code::PluginCrashed,
                format!("{tool} was ended because its plugin was closed"),
            ),
        })?;
        let reading = Reading {
            tool: settings,
            files: &self.files,
        };
        reading.result(tool, *limit, ended)
    }

    fn winding_up(&self) -> Duration {
        WINDING_UP
    }

    async fn close(&self) {
        self.runs.close().await;
        self.files.clear();
    }
}

/// The program: a name for PATH, or a path from the plugin's folder.
fn program(command: &str, dir: &Path) -> Result<String, Failure> {
    let command = expand(command, from_process)?;
    if !command.contains(is_separator) {
        return Ok(command);
    }
    // The working folder may be another one.
    let path = dir.join(command);
    let path = std::path::absolute(&path).unwrap_or(path);
    Ok(path.to_string_lossy().into_owned())
}

/// Where the program works: `cwd` from the plugin's folder, else where the host runs.
fn working_folder(cwd: Option<&Path>, dir: &Path) -> Result<PathBuf, Failure> {
    let Some(cwd) = cwd else {
        return Ok(".".into());
    };
    let expanded = expand(&cwd.to_string_lossy(), from_process)?;
    Ok(dir.join(expanded))
}
