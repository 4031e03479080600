//! MCP servers that are child processes.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
};

use indexmap::IndexMap;
use tokio::process::Command;

use super::{
    children::{ChildHandle, Children},
    environment::{child_environment, expand, from_process},
    mcp::{ProtocolEra, Server},
    mcp_lines::ChildTransport,
};
use crate::reply::{Code, Failure};

/// How to start an MCP server: a command, or the bin of an npm package found from the plugin's folder upwards.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
pub struct StdioServer {
    /// The program.
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
    /// Working folder, relative to the plugin's folder.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Which generations of the protocol are tried.
    #[serde(default, rename = "protocolEra")]
    pub protocol_era: ProtocolEra,
}

impl StdioServer {
    /// The server, with its plugin's folder.
    pub(crate) fn at(&self, dir: &Path) -> Server {
        Server::Stdio(self.clone(), dir.to_owned())
    }

    /// Starts the server.
    pub(super) fn start(
        &self,
        dir: &Path,
        children: &Arc<Children>,
    ) -> Result<(ChildTransport, ChildHandle), Failure> {
        let (program, mut args) = self.program(dir)?;
        for arg in &self.args {
            args.push(expand(arg, from_process)?);
        }
        let mut command = Command::new(&program);
        command
            .args(&args)
            .env_clear()
            .envs(child_environment(&self.env, from_process)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let folder = self
            .cwd
            .as_ref()
            .map_or_else(|| dir.to_owned(), |cwd| dir.join(cwd));
        // A plugin without a folder runs where this program does.
        if !folder.as_os_str().is_empty() {
            command.current_dir(folder);
        }
        let child = children
            .spawn(command)
            .map_err(|error| spawn_failure(&program, &error))?;
        let (stdin, stdout, handle) = child
            .into_parts()
            .ok_or_else(|| Failure::new(Code::Internal, "the child's streams were taken"))?;
        Ok((ChildTransport::new(stdout, stdin), handle))
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

fn spawn_failure(program: &str, error: &std::io::Error) -> Failure {
    let failure = Failure::new(
        Code::PluginUnavailable,
        format!("{program} could not be started: {error}"),
    );
    if error.kind() == std::io::ErrorKind::NotFound {
        failure.with_hint(format!(
            "Install {program}, or give its full path in the plugin's manifest; looked in PATH={}.",
            std::env::var("PATH").unwrap_or_default()
        ))
    } else {
        failure.with_hint("Check that the file exists and may be executed.")
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
