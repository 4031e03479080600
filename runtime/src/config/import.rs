//! What people have configured for other clients: their MCP servers, in the form of `mcpServers`.
//!
//! A file is told by its shape, not by its name. Keys that mean something here are translated, those of the client's own
//! affairs (icons, approvals, …) are left out: an approval given to another client is none given here.

mod codex;
mod json;
mod places;
mod server;
mod variables;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::jsonc::{self, Dialect};
use crate::text_file::read_text;

pub(crate) use places::CLIENTS;
use variables::Placeholders;

/// MCP servers by name, each in the form of an entry of `mcpServers`.
pub(crate) type Servers = IndexMap<String, Map<String, Value>>;

/// What one file holds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Imported {
    pub servers: Servers,
    /// What the user should know, a sentence each.
    pub notes: Vec<String>,
}

/// The files behind one item of `import`: those of a client that exist, the project's first, or the named one.
pub(crate) fn files_of(item: &str, base: &Path, project: &Path) -> Result<Vec<PathBuf>, String> {
    if let Some(candidates) = places::of_client(item, project) {
        let there: Vec<PathBuf> = candidates
            .iter()
            .filter(|path| path.is_file())
            .cloned()
            .collect();
        if there.is_empty() {
            let looked: Vec<String> = candidates
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            return Err(format!(
                "{item} has no servers configured; looked for {}",
                looked.join(", ")
            ));
        }
        return Ok(there);
    }
    let path = base.join(item);
    if path.is_file() {
        return Ok(vec![path]);
    }
    Err(format!(
        "{item:?} is neither a file ({} does not exist) nor one of the clients {}",
        path.display(),
        CLIENTS.join(", ")
    ))
}

/// Reads a client's file. `project` is the folder that its servers work in, which Claude Code keeps servers by.
pub(crate) fn read(path: &Path, project: &Path) -> Result<Imported, String> {
    let text = read_text(path)?;
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        return codex::read(&text);
    }
    let root = jsonc::parse(&text, Dialect::WithComments)?;
    let workspace = workspace_of(path, project);
    let placeholders = Placeholders {
        workspace: &workspace,
        bare: path.components().any(|part| part.as_os_str() == ".gemini"),
    };
    json::read(&root, placeholders, project)
}

/// The folder that a file in `.vscode`, `.cursor` and the like belongs to; a file of the user belongs to the project.
fn workspace_of(path: &Path, project: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(project);
    let hidden = folder
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let workspace = if hidden {
        folder.parent()
    } else {
        Some(folder)
    };
    match workspace {
        Some(workspace)
            if project.starts_with(workspace) && Some(workspace) != home().as_deref() =>
        {
            workspace.to_owned()
        }
        _ => project.to_owned(),
    }
}

fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}
