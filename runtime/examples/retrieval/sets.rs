//! The sets: which queries are asked of which tools.

use std::{collections::HashMap, path::Path, sync::Arc};

use agent_tools_runtime::catalog::search::{Document, Section, Server};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

pub struct Set {
    pub name: &'static str,
    /// Files of tools.
    pub tools: &'static [&'static str],
    /// The file of queries.
    pub queries: &'static str,
}

const LIVEMCP: &[&str] = &["livemcp/tools.jsonl"];
const METATOOL: &[&str] = &["metatool/tools.jsonl"];
const BFCL: &[&str] = &["bfcl/tools.jsonl"];
const LIVEMCP_AMONG_OTHERS: &[&str] = &["livemcp/tools.jsonl", "distractors/tools.jsonl"];

pub const SETS: &[Set] = &[
    set("livemcp step", LIVEMCP, "livemcp/step.jsonl"),
    set("livemcp task", LIVEMCP, "livemcp/task.jsonl"),
    set("metatool single", METATOOL, "metatool/single.jsonl"),
    set("metatool multi", METATOOL, "metatool/multi.jsonl"),
    set("bfcl", BFCL, "bfcl/queries.jsonl"),
    set("livemcp keywords", LIVEMCP, "keywords/livemcp.jsonl"),
    set("metatool keywords", METATOOL, "keywords/metatool.jsonl"),
    set("bfcl keywords", BFCL, "keywords/bfcl.jsonl"),
    set(
        "livemcp step among others",
        LIVEMCP_AMONG_OTHERS,
        "livemcp/step.jsonl",
    ),
    set("spanish", LIVEMCP, "spanish/queries.jsonl"),
];

const fn set(name: &'static str, tools: &'static [&'static str], queries: &'static str) -> Set {
    Set {
        name,
        tools,
        queries,
    }
}

#[derive(Deserialize)]
pub struct Query {
    pub query: String,
    #[serde(default)]
    pub relevant: Vec<String>,
    #[serde(default)]
    pub groups: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    id: String,
    server: String,
    name: String,
    description: Option<String>,
    input_schema: Option<Map<String, Value>>,
}

/// A query to one catalogue, and whether anything there fits it.
#[derive(Deserialize)]
pub struct Fit {
    pub catalogue: String,
    pub query: String,
    pub fits: bool,
}

/// Queries that something fits, and others.
pub fn fits(folder: &Path) -> Vec<Fit> {
    lines(&folder.join("fit/queries.jsonl"))
}

/// The tools of a set of that name, or of one server.
pub fn named_catalogue(folder: &Path, name: &str) -> Catalogue {
    match name {
        "livemcp" => catalogue(folder, LIVEMCP),
        "metatool" => catalogue(folder, METATOOL),
        "bfcl" => catalogue(folder, BFCL),
        server => {
            let mut all = catalogue(folder, LIVEMCP_AMONG_OTHERS);
            let is_of =
                |ids: &Vec<String>| ids.iter().all(|id| id.starts_with(&format!("{server}/")));
            let place = all.ids.iter().position(is_of).expect(server);
            Catalogue {
                sections: vec![all.sections.swap_remove(place)],
                ids: vec![all.ids.swap_remove(place)],
            }
        }
    }
}

/// Tools as an index takes them.
pub struct Catalogue {
    pub sections: Vec<Arc<Section>>,
    /// By section and document.
    pub ids: Vec<Vec<String>>,
}

pub fn queries(folder: &Path, file: &str) -> Vec<Query> {
    lines(&folder.join(file))
}

/// The tools of the files, a section for each server.
pub fn catalogue(folder: &Path, files: &[&str]) -> Catalogue {
    let mut servers: Vec<(Server, Vec<Document>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut ids: Vec<Vec<String>> = Vec::new();
    for tool in files
        .iter()
        .flat_map(|file| lines::<Tool>(&folder.join(file)))
    {
        let place = *places.entry(tool.server.clone()).or_insert_with(|| {
            servers.push((
                Server {
                    name: tool.server.clone(),
                    text: String::new(),
                },
                Vec::new(),
            ));
            ids.push(Vec::new());
            servers.len() - 1
        });
        let description = tool.description.as_deref().unwrap_or_default();
        let schema = tool.input_schema.as_ref();
        servers[place]
            .1
            .push(Document::new(&tool.name, description, schema));
        ids[place].push(tool.id);
    }
    let sections = servers
        .iter()
        .map(|(server, documents)| Arc::new(Section::build(server, documents)));
    Catalogue {
        sections: sections.collect(),
        ids,
    }
}

fn lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}
