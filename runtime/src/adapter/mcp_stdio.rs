//! MCP servers that are child processes.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
};

use indexmap::IndexMap;

use super::{
    children::{ChildHandle, Children},
    confinement::Confinement,
    environment::{child_environment, env_file, expand, from_process, steering},
    mcp::{ProtocolEra, Server},
    mcp_lines::ChildTransport,
    program::{command, spawn_failure},
};
use crate::{
    config::ChosenBy,
    redacted::{Names, Redacted},
    reply::{Code, Failure},
    secrets::remember_arguments,
};

/// How to start an MCP server: a command, or the bin of an npm package found from the plugin's folder upwards.
#[derive(Clone, Default, PartialEq, schemars::JsonSchema, serde::Deserialize)]
pub struct StdioServer {
    /// The program; `${VAR}` expands. A name is looked for in the `PATH` that the server gets.
    #[serde(default)]
    pub command: Option<String>,
    /// An npm package whose bin is run with `node`, instead of `command`.
    #[serde(default)]
    pub module: Option<String>,
    /// Which bin of `module`; its first one when absent.
    #[serde(default)]
    pub bin: Option<String>,
    /// Arguments; `${VAR}` expands.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables the server gets beside the basic ones; `${VAR}` expands.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// A file of further variables, `NAME=value` a line, relative to the plugin's folder; `env` wins.
    #[serde(default, rename = "envFile")]
    pub env_file: Option<PathBuf>,
    /// Working folder, relative to the plugin's folder; `${VAR}` expands.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Which generations of the protocol are tried.
    #[serde(default, rename = "protocolEra")]
    pub protocol_era: ProtocolEra,
}

/// Arguments and variables may be secrets.
impl fmt::Debug for StdioServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioServer")
            .field("command", &self.command)
            .field("module", &self.module)
            .field("bin", &self.bin)
            .field("args", &Redacted)
            .field("env", &Names(&self.env))
            .field("env_file", &self.env_file)
            .field("cwd", &self.cwd)
            .field("protocol_era", &self.protocol_era)
            .finish()
    }
}

/// The plugin that a server belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Owner {
    pub prefix: Arc<str>,
    pub dir: PathBuf,
    pub chosen_by: ChosenBy,
    pub confinement: Confinement,
}

impl StdioServer {
    /// The server of a plugin.
    pub(crate) fn of(&self, owner: Owner) -> Server {
        Server::Stdio(self.clone(), owner)
    }

    /// Starts the server.
    pub(super) fn start(
        &self,
        owner: &Owner,
        children: &Arc<Children>,
    ) -> Result<(ChildTransport, ChildHandle), Failure> {
        let Owner { prefix, dir, .. } = owner;
        let (program, mut args) = self.program(dir)?;
        for arg in &self.args {
            args.push(expand(arg, from_process)?);
        }
        remember_arguments(&args);
        let environment = child_environment(&self.variables(owner)?, from_process)?;
        let folder = match &self.cwd {
            Some(cwd) => dir.join(expand(&cwd.to_string_lossy(), from_process)?),
            // A plugin of the options has no folder: its server starts where the host runs.
            None if dir.as_os_str().is_empty() => ".".into(),
            None => dir.to_owned(),
        };
        let command = command(&program, &args, &environment, &folder)?;
        let mut command = owner.confinement.apply(command, dir)?;
        command
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = children
            .spawn(command, prefix.clone())
            .map_err(|error| spawn_failure(&program, &error))?;
        let (stdin, stdout, handle) = child
            .into_parts()
            .ok_or_else(|| Failure::new(Code::Internal, "the child's streams were taken"))?;
        Ok((ChildTransport::new(stdout, stdin, prefix.clone()), handle))
    }

    /// The server's own variables, those of its file included.
    fn variables(&self, owner: &Owner) -> Result<IndexMap<String, String>, Failure> {
        let Some(file) = &self.env_file else {
            return Ok(self.env.clone());
        };
        let path = owner
            .dir
            .join(expand(&file.to_string_lossy(), from_process)?);
        let mut variables = env_file(&path)?;
        // What stands in `env` was looked at before. The file may be another one at each start.
        if owner.chosen_by == ChosenBy::Project
            && let Some((name, reason)) = variables
                .keys()
                .find_map(|name| Some((name, steering(name)?)))
        {
            return Err(Failure::new(
                Code::ConfigInvalid,
                format!(
                    "the variable {name} in {} is none that a project's file may set: {reason}",
                    path.display()
                ),
            )
            .with_hint("Take it out of the file, or let the user add the project's folder to `projects.trusted` of the user's own agent-tools.json."));
        }
        variables.extend(self.env.clone());
        Ok(variables)
    }

    fn program(&self, dir: &Path) -> Result<(String, Vec<String>), Failure> {
        match (&self.command, &self.module) {
            (Some(command), None) => Ok((expand(command, from_process)?, Vec::new())),
            (None, Some(module)) => {
                let script = find_bin(dir, module, self.bin.as_deref())?;
                Ok(("node".into(), vec![script.to_string_lossy().into_owned()]))
            }
            _ => Err(Failure::new(Code::ConfigInvalid, "`mcp` needs `command`, `module` or `url`, and only one of them")
                .with_hint("For example: \"mcp\": {\"command\": \"npx\", \"args\": [\"-y\", \"some-server\"]}.")),
        }
    }
}

/// The folder of an npm package, as Node finds it from `dir` upwards.
pub(crate) fn installed_package(dir: &Path, module: &str) -> Option<PathBuf> {
    // A linked plugin (workspaces, pnpm) lives elsewhere than its dependencies' link says.
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    real.ancestors()
        .chain(dir.ancestors())
        .map(|folder| folder.join("node_modules").join(module))
        .find(|folder| folder.join("package.json").is_file())
}

/// Resolves a package's bin the way Node resolves packages: `node_modules` of the folder, then of each parent.
fn find_bin(dir: &Path, module: &str, bin: Option<&str>) -> Result<PathBuf, Failure> {
    let package = installed_package(dir, module).ok_or_else(|| {
        Failure::new(
            Code::PluginUnavailable,
            format!("the npm package {module} is not installed"),
        )
        .with_hint(format!(
            "Run: npm install --prefix {} {module}",
            dir.display()
        ))
    })?;
    let text = std::fs::read_to_string(package.join("package.json")).map_err(|error| {
        Failure::new(
            Code::PluginUnavailable,
            format!("{module}'s package.json: {error}"),
        )
    })?;
    let manifest: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
        Failure::new(
            Code::PluginUnavailable,
            format!("{module}'s package.json: {error}"),
        )
    })?;
    let path = match (manifest.get("bin"), bin) {
        (Some(serde_json::Value::String(path)), _) => Some(path.as_str()),
        (Some(serde_json::Value::Object(bins)), Some(name)) => {
            bins.get(name).and_then(|path| path.as_str())
        }
        (Some(serde_json::Value::Object(bins)), None) => {
            bins.values().next().and_then(|path| path.as_str())
        }
        _ => None,
    };
    path.map(|path| package.join(path)).ok_or_else(|| {
        Failure::new(
            Code::ConfigInvalid,
            format!(
                "the npm package {module} has no program {}",
                bin.unwrap_or("at all")
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_variables_in_a_project_steers_nothing() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join(".env"), "KEY=1\nLD_PRELOAD=./x.so\n").unwrap();
        std::fs::write(temp.path().join("good.env"), "KEY=1\n").unwrap();
        let variables = |chosen_by, file: &str| {
            let server = StdioServer {
                env_file: Some(file.into()),
                ..StdioServer::default()
            };
            server.variables(&Owner {
                prefix: "x".into(),
                dir: temp.path().to_owned(),
                chosen_by,
                confinement: Confinement::default(),
            })
        };
        let failure = variables(ChosenBy::Project, ".env").unwrap_err();
        assert!(failure.error.contains("LD_PRELOAD"), "{failure}");
        assert!(failure.hint.unwrap().contains("projects.trusted"));
        assert_eq!(variables(ChosenBy::Project, "good.env").unwrap().len(), 1);
        assert_eq!(variables(ChosenBy::User, ".env").unwrap().len(), 2);
    }
}
