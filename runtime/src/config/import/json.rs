//! The JSON files of clients: where their servers stand.

use std::path::Path;

use serde_json::{Map, Value};

use super::{
    Imported,
    server::{self, Meant},
    variables::{Inputs, Placeholders},
};

/// Reads a file of the form that Claude, Cursor, Pi, VS Code, OpenCode, Zed and many others have.
pub(super) fn read(
    root: &Value,
    placeholders: Placeholders<'_>,
    project: &Path,
) -> Result<Imported, String> {
    let inputs = Inputs::read(root.get("inputs").or_else(|| root.pointer("/mcp/inputs")));
    let disabled = |key: &str| names(project_entry(root, project).and_then(|entry| entry.get(key)));
    let off = disabled("disabledMcpServers");
    let mut imported = Imported {
        off_in_shared: [disabled("disabledMcpjsonServers"), off.clone()].concat(),
        off,
        ..Imported::default()
    };
    let mut found = false;
    for servers in lists(root, project) {
        found = true;
        for (name, server) in servers {
            if imported.servers.contains_key(name) || imported.off.contains(name) {
                continue;
            }
            match server::translated(server) {
                Meant::Server(own) => {
                    let (own, remarks) = placeholders.translate(own, &inputs);
                    imported.remarks.add_of(name, remarks);
                    imported.servers.insert(name.clone(), own);
                }
                Meant::Off => imported.off.push(name.clone()),
                Meant::Nothing(why) => {
                    imported
                        .remarks
                        .warnings
                        .push(format!("{name} was left out: {why}"));
                }
            }
        }
    }
    if found {
        Ok(imported)
    } else {
        Err("it has none of the keys that hold MCP servers (`mcpServers`, `servers`, `context_servers`, `mcp`)".into())
    }
}

/// What Claude Code keeps of a project in the user's file.
fn project_entry<'a>(root: &'a Value, project: &Path) -> Option<&'a Value> {
    let projects = root.get("projects")?;
    project
        .ancestors()
        .find_map(|folder| projects.get(folder.to_str()?))
}

fn names(list: Option<&Value>) -> Vec<String> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

/// The lists of servers in a file, the more important first.
fn lists<'a>(root: &'a Value, project: &Path) -> Vec<&'a Map<String, Value>> {
    let of_project = project_entry(root, project).and_then(|entry| entry.get("mcpServers"));
    let own = root.get("mcpServers");
    let mcp = root
        .get("mcp")
        .filter(|mcp| mcp.get("servers").is_none() && own.is_none());
    let candidates = [
        of_project,
        own,
        root.get("servers"),
        root.get("context_servers"),
        root.pointer("/mcp/servers"),
        mcp,
    ];
    candidates
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .collect()
}
