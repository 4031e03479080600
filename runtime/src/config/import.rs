//! What people have configured for other clients: their MCP servers, in the form of `mcpServers`.
//!
//! A file is told by its shape, not by its name. Keys that mean something here are translated, those of the client's own
//! affairs (icons, approvals, …) are left out: an approval given to another client is none given here.

mod codex;
mod json;
mod ours;
mod places;
mod server;
mod variables;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{
    ChosenBy,
    jsonc::{self, Dialect},
};
use crate::text_file::read_text;

pub(crate) use ours::{is_this_runtime, starts_itself};
pub(crate) use places::CLIENTS;
use variables::{Placeholders, Style};

/// The name of the file in which a project shares its servers.
const SHARED: &str = ".mcp.json";

/// MCP servers by name, each in the form of an entry of `mcpServers`.
pub(crate) type Servers = IndexMap<String, Map<String, Value>>;

/// What one file holds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Imported {
    pub servers: Servers,
    /// The names of those that are switched off, which no less important file switches on.
    pub off: Vec<String>,
    /// The names of those that the user has switched off in the file that a project shares (`.mcp.json`).
    pub off_in_shared: Vec<String>,
    pub remarks: Remarks,
}

/// What the user should know of a file, a sentence each.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Remarks {
    /// What does not work as it is.
    pub warnings: Vec<String>,
    /// What works, in a way of its own.
    pub notes: Vec<String>,
}

impl Remarks {
    /// Takes over the remarks on one server of the file.
    fn add_of(&mut self, server: &str, remarks: Remarks) {
        let of_server = |remark: String| format!("{server}: {remark}");
        self.warnings
            .extend(remarks.warnings.into_iter().map(of_server));
        self.notes.extend(remarks.notes.into_iter().map(of_server));
    }
}

/// Where the files behind one item of `import` are, or may appear.
pub(crate) fn candidates(item: &str, base: &Path, project: &Path) -> Vec<PathBuf> {
    places::of_client(item, project).unwrap_or_else(|| vec![base.join(item)])
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

/// Whose choice is what a file says that an item of `import` has led to: that of whoever imports it, but a project's as
/// soon as the project keeps the file.
pub(crate) fn chosen_by(item: &str, file: &Path, importer: ChosenBy) -> ChosenBy {
    let client_keeps_it_in_a_project = CLIENTS.contains(&item) && !places::is_of_user(item, file);
    match client_keeps_it_in_a_project {
        true => ChosenBy::Project,
        false => importer,
    }
}

/// Reads the files of one client. What one of them switches off in another is left out there.
pub(crate) fn read_all(
    files: Vec<PathBuf>,
    project: &Path,
) -> Vec<(PathBuf, Result<Imported, String>)> {
    let mut all: Vec<_> = files
        .into_iter()
        .map(|path| {
            let imported = read(&path, project);
            (path, imported)
        })
        .collect();
    let off: Vec<String> = all
        .iter()
        .filter_map(|(_, imported)| imported.as_ref().ok())
        .flat_map(|imported| imported.off_in_shared.clone())
        .collect();
    for (path, imported) in &mut all {
        if let Ok(imported) = imported
            && path.file_name().is_some_and(|name| name == SHARED)
        {
            imported.servers.retain(|name, _| !off.contains(name));
        }
    }
    all
}

/// Reads a client's file. `project` is the folder that its servers work in, which Claude Code keeps servers by.
fn read(path: &Path, project: &Path) -> Result<Imported, String> {
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
        style: style_of(path, &root),
    };
    json::read(&root, placeholders, project)
}

/// How placeholders are written, for what the shape of a file does not tell.
fn style_of(path: &Path, root: &Value) -> Style {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let gemini =
        path.components().any(|part| part.as_os_str() == ".gemini") || name.starts_with("gemini");
    let literal = name == "claude_desktop_config.json"
        || name == "cline_mcp_settings.json"
        || root.get("context_servers").is_some();
    match (literal, gemini) {
        (true, _) => Style::Literal,
        (_, true) => Style::BareNamesToo,
        _ => Style::Braces,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a fixture shaped like a client's file becomes.
    fn imported(file: &str) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../e2e/fixtures/client-configs");
        let imported = read(&folder.join(file), Path::new("/home/user/code/shop/src")).unwrap();
        let text = serde_json::to_string_pretty(&imported.servers).unwrap();
        let home = home().unwrap_or_default();
        let text = text.replace(&format!("{}/", home.display()), "~/");
        let text = text.replace("/home/user/", "~/");
        [text]
            .into_iter()
            .chain(imported.remarks.warnings)
            .chain(imported.remarks.notes)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn what_the_user_has_switched_off_in_a_project_stays_off() {
        let temp = tempfile::tempdir().unwrap();
        let project = temp.path();
        let shared =
            r#"{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"},"c":{"command":"c"}}}"#;
        let user = json!({
            "mcpServers": {"b": {"command": "b"}, "c": {"command": "c"}},
            "projects": {project.to_str().unwrap(): {"disabledMcpjsonServers": ["b"], "disabledMcpServers": ["c"]}},
        });
        let files = [
            (SHARED, shared.to_owned()),
            (".claude.json", user.to_string()),
        ];
        let paths = files.map(|(name, text)| {
            let path = project.join(name);
            std::fs::write(&path, text).unwrap();
            path
        });
        let names: Vec<Vec<String>> = read_all(paths.into(), project)
            .into_iter()
            .map(|(_, imported)| imported.unwrap().servers.into_keys().collect())
            .collect();
        assert_eq!(names, [["a"], ["b"]]);
    }

    #[test]
    fn files_of_other_clients_become_servers() {
        for file in [
            "claude_desktop_config.json",
            "claude-code.mcp.json",
            "claude-code.user.json",
            "vscode.mcp.json",
            "cursor.mcp.json",
            "pi.mcp.json",
            "codex.config.toml",
            "droid.mcp.json",
            "gemini.settings.json",
            "windsurf.mcp_config.json",
            "cline_mcp_settings.json",
            "opencode.jsonc",
            "opencode-v2.jsonc",
            "copilot-cli.mcp-config.json",
            "zed.settings.json",
            "windows-bom.mcp.json",
        ] {
            insta::assert_snapshot!(file, imported(file));
        }
    }

    #[test]
    fn what_is_no_such_file_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.json");
        for (text, want) in [
            ("{}", "none of the keys that hold MCP servers"),
            ("{", "line 1"),
            ("\u{feff}{\"mcpServers\": {}}", ""),
        ] {
            std::fs::write(&path, text).unwrap();
            match read(&path, temp.path()) {
                Ok(imported) => {
                    assert!(want.is_empty() && imported == Imported::default(), "{text}")
                }
                Err(error) => assert!(!want.is_empty() && error.contains(want), "{text}: {error}"),
            }
        }
    }
}
