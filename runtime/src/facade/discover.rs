//! `_discover`: finds tools and skills, and writes out the call for each.

use serde_json::{Map, Value, json};

use super::{
    Facade,
    answer::read_on_by_call,
    literal::{call, placeholders, run_skill},
};
use crate::{
    catalog::{Catalogue, Entry, Skill, Tool, signature},
    guard::nested_in,
    plugin::Plugin,
    reply::{Code, Failure, Reply},
};

const MATCHES: usize = 8;
const OVERVIEW_TOOLS: usize = 15;
const OVERVIEW_SKILLS: usize = 10;
/// A description is cut here; the schema says the rest.
const DESCRIPTION_CHARS: usize = 240;

impl Facade {
    pub(super) async fn discover(&self, plugin: &Plugin, arguments: Map<String, Value>) -> Reply {
        let prefix = plugin.prefix();
        let retry =
            || format!("agent_tools_{prefix}_discover {{\"query\":\"what you want to do\"}}");
        let mut notes = Vec::new();
        let arguments = nested_in(arguments, false, &mut notes);
        if let Some(stray) = arguments.keys().find(|key| *key != "query") {
            let failure = Failure::new(
                Code::BadCallShape,
                format!("discover takes `query` alone, and no `{stray}`"),
            );
            return failure
                .with_hint(format!("Search like this: {}", retry()))
                .into();
        }
        let query = match arguments.get("query") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.trim()).filter(|text| !text.is_empty()),
            Some(other) => {
                let failure = Failure::new(
                    Code::BadCallShape,
                    format!("`query` must be text, not {other}"),
                );
                return failure.with_hint(retry()).into();
            }
        };
        let catalogue = match plugin.shown_catalogue().await {
            Ok(catalogue) => catalogue,
            Err(failure) => return failure.into(),
        };
        let mut payload = payload(plugin, &catalogue, query);
        if catalogue.problem.is_none()
            && let Some(reservation) = plugin.reservation()
        {
            payload["state"] = json!(reservation);
        }
        if !notes.is_empty() {
            payload["notes"] = json!(notes);
        }
        self.fit(&mut payload, &mut Vec::new(), &read_on_by_call(prefix));
        Reply::json(&payload, false)
    }
}

fn payload(plugin: &Plugin, catalogue: &Catalogue, query: Option<&str>) -> Value {
    let prefix = plugin.prefix();
    let (tools, skills) = (catalogue.tools.len(), catalogue.skills.len());
    let entries: Vec<Entry<'_>> = match query {
        Some(query) => catalogue.search(query, MATCHES),
        None => catalogue
            .skills
            .values()
            .take(OVERVIEW_SKILLS)
            .map(Entry::Skill)
            .chain(
                catalogue
                    .tools
                    .values()
                    .take(OVERVIEW_TOOLS)
                    .map(Entry::Tool),
            )
            .collect(),
    };
    let note = match (query, entries.len()) {
        (Some(_), 0) => format!(
            "Nothing fits among {tools} tools and {skills} skills of {prefix}. Use other words, leave query out for an overview, or call agent_tools_help for other plugins."
        ),
        (None, 0) => format!("{prefix} has no tools and no skills: its service lists none."),
        (None, shown) if shown < tools + skills => format!(
            "A catalogue, not data: run one of the calls. These are {shown} of {tools} tools and {skills} skills; give a query to find the others."
        ),
        _ => "A catalogue, not data: to get data, run one of the calls.".to_owned(),
    };
    let matches: Vec<Value> = entries
        .into_iter()
        .map(|entry| match entry {
            Entry::Tool(tool) => tool_match(plugin, tool),
            Entry::Skill(skill) => skill_match(prefix, skill),
        })
        .collect();
    let mut payload = json!({ "query": query, "matches": matches, "note": note });
    if let Some(context) = &catalogue.context {
        payload["context"] = context.clone();
    }
    if let Some(problem) = &catalogue.problem {
        payload["incomplete"] = json!(true);
        payload["problem"] = problem.to_payload();
    }
    payload
}

fn tool_match(plugin: &Plugin, tool: &Tool) -> Value {
    json!({
        "kind": "tool",
        "name": tool.name,
        "description": shortened(&tool.description),
        "readOnly": plugin.trusts(tool),
        "arguments": signature(&tool.input_schema),
        "call": call(plugin.prefix(), &tool.name, &placeholders(&tool.input_schema), false),
    })
}

fn skill_match(prefix: &str, skill: &Skill) -> Value {
    let example = skill
        .input_schema
        .as_ref()
        .map_or_else(|| json!({}), |schema| placeholders(schema));
    let mut entry = json!({
        "kind": "skill",
        "name": skill.name,
        "description": shortened(&skill.description),
        "readOnly": skill.read_only,
    });
    if let Some(schema) = &skill.input_schema {
        entry["arguments"] = json!(signature(schema));
    } else if let Some(args) = &skill.args {
        entry["arguments"] = json!(args);
    }
    entry["call"] = json!(run_skill(prefix, &skill.name, &example, false));
    if !skill.related.is_empty() {
        entry["related"] = json!(skill.related);
    }
    if let Some(error) = &skill.error {
        entry["error"] = json!(error);
    }
    entry
}

fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(DESCRIPTION_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}
