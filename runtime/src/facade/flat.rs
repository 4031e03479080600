//! The flat view: one typed tool per tool and skill, for clients that search tools by themselves.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{
    Facade,
    answer::{READ_MORE, READ_MORE_SCHEMA, ReadOn, read_on_by_call, read_on_flat},
    execute::{Answered, Request},
    literal::Caller,
    verbs::Reach,
};
use crate::{
    adapter::CallContext,
    approval::Kind,
    audit,
    catalog::{Catalogue, Hints, Skill, Tool, drop_impossible_defaults},
    checksum,
    guard::SkillEnvelope,
    plugin::Plugin,
    reply::{Code, Failure, Reply},
};

/// Model providers refuse longer names.
const MAX_NAME: usize = 64;

/// What a flat name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Tool(String),
    Skill(String),
}

impl Target {
    /// Its own name, as its plugin has it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Tool(name) | Self::Skill(name) => name,
        }
    }
}

/// Where a tool is shown under its flat name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// In the flat view, beside `read_more`.
    Flat,
    /// Pinned beside verbs.
    Pinned(Reach),
}

impl Place {
    /// Whose verbs the client has besides. The facade's names work in the flat view too.
    fn reach(self) -> Reach {
        match self {
            Self::Flat => Reach::Own,
            Self::Pinned(reach) => reach,
        }
    }
}

/// Every tool and skill of the plugins. `bare` leaves the prefix out of the names.
///
/// With one plugin its failure is the answer; among several a failing one is left out.
pub(super) async fn tools(plugins: &[Arc<Plugin>], bare: bool) -> Result<Vec<Value>, Failure> {
    let mut listed = Vec::new();
    for (plugin, catalogue) in catalogues(plugins).await {
        match catalogue {
            Ok(catalogue) => listed.push((plugin, catalogue)),
            Err(failure) if bare => return Err(failure),
            Err(failure) => tracing::warn!(plugin = plugin.prefix(), "{failure}"),
        }
    }
    Ok(tools_of(plugins, &listed, bare))
}

/// The same as far as it is known without starting anything.
pub(super) async fn known_tools(plugins: &[Arc<Plugin>], bare: bool) -> Vec<Value> {
    let mut known = Vec::new();
    for plugin in plugins {
        if let Some(catalogue) = plugin.known_catalogue().await {
            known.push((plugin.clone(), catalogue));
        }
    }
    tools_of(plugins, &known, bare)
}

fn tools_of(
    plugins: &[Arc<Plugin>],
    listed: &[(Arc<Plugin>, Arc<Catalogue>)],
    bare: bool,
) -> Vec<Value> {
    let mut tools: Vec<Value> = listed
        .iter()
        .flat_map(|(plugin, catalogue)| tools_of_one(plugins, plugin, catalogue, bare))
        .collect();
    if !tools.iter().any(|tool| tool["name"] == READ_MORE) {
        tools.push(read_more_tool());
    }
    tools
}

/// The tools of one of the plugins.
pub(super) fn tools_of_one(
    plugins: &[Arc<Plugin>],
    plugin: &Plugin,
    catalogue: &Catalogue,
    bare: bool,
) -> Vec<Value> {
    names(plugin, catalogue, lead(plugins, plugin, bare))
        .iter()
        .filter_map(|(name, target)| shown(plugin, catalogue, name, target))
        .collect()
}

/// What the names of one of the plugins stand for, where all of them are shown.
pub(super) fn names_beside(
    plugins: &[Arc<Plugin>],
    plugin: &Plugin,
    catalogue: &Catalogue,
) -> IndexMap<String, Target> {
    names(plugin, catalogue, lead(plugins, plugin, false))
}

/// What of the plugin has that flat name beside other plugins. Of prefixes that go on in one another all are tried.
pub(super) fn target(plugin: &Plugin, catalogue: &Catalogue, name: &str) -> Option<Target> {
    let lead = Lead {
        text: lead_of(plugin),
        longer: Vec::new(),
    };
    names(plugin, catalogue, lead).swap_remove(name)
}

/// The plugin and entry behind a flat name. A plugin that could have it and cannot be asked is a failure.
pub(super) async fn resolve(
    plugins: &[Arc<Plugin>],
    bare: bool,
    name: &str,
) -> Result<Option<(Arc<Plugin>, Target)>, Failure> {
    let mut failed = None;
    for plugin in plugins {
        if !bare && !name.starts_with(&lead_of(plugin)) {
            continue;
        }
        let catalogue = match plugin.catalogue().await {
            Ok(catalogue) => catalogue,
            Err(failure) => {
                failed = Some(failure);
                continue;
            }
        };
        // Nearly every name is the tool's own, which no other entry can have.
        let own = bare && catalogue.tools.contains_key(name) && fitting(name, name) == name;
        let target = match own {
            true => Some(Target::Tool(name.to_owned())),
            false => names(plugin, &catalogue, lead(plugins, plugin, bare)).swap_remove(name),
        };
        if let Some(target) = target.or_else(|| held_back(plugin, bare, name)) {
            return Ok(Some((plugin.clone(), target)));
        }
    }
    failed.map_or(Ok(None), Err)
}

/// A tool that is held back: whoever calls it is told why.
fn held_back(plugin: &Plugin, bare: bool, name: &str) -> Option<Target> {
    let lead = match bare {
        true => String::new(),
        false => lead_of(plugin),
    };
    let own = name.strip_prefix(&lead)?;
    plugin
        .gate()
        .holds_back(own)
        .then(|| Target::Tool(own.to_owned()))
}

/// Calls a tool or skill of the flat view. `confirm` is taken out unless the tool has a `confirm` of its own.
pub(super) async fn call(
    facade: &Facade,
    plugin: &Arc<Plugin>,
    target: Target,
    name: &str,
    mut arguments: Map<String, Value>,
    place: Place,
    context: &CallContext,
) -> Reply {
    let spelling = place.reach().to(plugin.prefix());
    let own = declares_confirm(plugin, &target).await;
    let mut notes = Vec::new();
    let confirm = match arguments.get("confirm") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(confirm)) => *confirm,
        // The tool's own field: what it means is the tool's matter, and no consent.
        Some(_) if own => false,
        Some(Value::String(text)) if text == "true" || text == "false" => {
            notes.push(format!("`confirm` was text; it was read as {text}"));
            text == "true"
        }
        Some(other) => {
            return Failure::new(
                Code::BadCallShape,
                format!("`confirm` must be true or false, not {other}"),
            )
            .with_hint("Send the boolean true when the user wants the change.")
            .into();
        }
    };
    if !own {
        arguments.remove("confirm");
    }
    match target {
        Target::Tool(tool) => {
            context.recording.aims_at(audit::Target {
                plugin: plugin.prefix().to_owned(),
                kind: "tool",
                name: tool.clone(),
                arguments: arguments.clone(),
            });
            let request = Request {
                tool: &tool,
                arguments,
                consent: confirm.into(),
                idempotency_key: None,
                caller: Caller::Flat { name, spelling },
                within: None,
            };
            let receipt = facade.receipt(plugin.prefix(), &tool, context);
            match facade.execute(plugin, request, &mut notes, context).await {
                Ok(Answered { tool, result }) => {
                    let answer = |read_on: ReadOn<'_>| {
                        facade.flat_answer(tool.as_ref(), result, notes, &receipt, read_on)
                    };
                    match place {
                        Place::Flat => answer(&read_on_flat),
                        Place::Pinned(_) => answer(&read_on_by_call(spelling)),
                    }
                }
                Err(failure) => failure.with("receipt", receipt.to_json()).into(),
            }
        }
        Target::Skill(skill) => {
            let envelope = SkillEnvelope {
                skill,
                arguments,
                confirm,
                notes,
            };
            facade
                .run(plugin, spelling, envelope, context)
                .await
                .unwrap_or_else(Reply::from)
        }
    }
}

/// Whether `confirm` is an argument of the tool's or skill's own.
async fn declares_confirm(plugin: &Plugin, target: &Target) -> bool {
    let Ok(catalogue) = plugin.catalogue().await else {
        return false;
    };
    match target {
        Target::Tool(tool) => catalogue
            .tools
            .get(tool)
            .is_some_and(|tool| tool.declares("confirm")),
        Target::Skill(skill) => catalogue
            .skills
            .get(skill)
            .and_then(|skill| skill.input_schema.as_ref())
            .is_none_or(|schema| {
                let properties = schema.get("properties");
                properties.is_some_and(|properties| properties.get("confirm").is_some())
            }),
    }
}

/// What each plugin offers, asked for at once, in the order of the plugins.
pub(super) async fn catalogues(
    plugins: &[Arc<Plugin>],
) -> Vec<(Arc<Plugin>, Result<Arc<Catalogue>, Failure>)> {
    let mut loading = tokio::task::JoinSet::new();
    for (position, plugin) in plugins.iter().cloned().enumerate() {
        loading.spawn(async move {
            let catalogue = plugin.shown_catalogue().await;
            (position, plugin, catalogue)
        });
    }
    let mut loaded = Vec::with_capacity(plugins.len());
    while let Some(joined) = loading.join_next().await {
        loaded.extend(joined);
    }
    loaded.sort_by_key(|(position, ..)| *position);
    loaded
        .into_iter()
        .map(|(_, plugin, catalogue)| (plugin, catalogue))
        .collect()
}

/// What stands before the names of one plugin.
struct Lead {
    text: String,
    /// What stands before the names of plugins whose prefix goes on where this one ends: `a_b_` beside `a_`.
    longer: Vec<String>,
}

fn lead(plugins: &[Arc<Plugin>], plugin: &Plugin, bare: bool) -> Lead {
    if bare {
        return Lead {
            text: String::new(),
            longer: Vec::new(),
        };
    }
    let text = lead_of(plugin);
    let longer = plugins
        .iter()
        .map(|other| lead_of(other))
        .filter(|other| other.len() > text.len() && other.starts_with(&text))
        .collect();
    Lead { text, longer }
}

/// No prefix begins with `_`, and a name may not begin with a digit.
pub(super) fn lead_of(plugin: &Plugin) -> String {
    let prefix = plugin.prefix();
    match prefix.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{prefix}_"),
        false => format!("{prefix}_"),
    }
}

/// Flat names in catalogue order, unique over all plugins and fit for model providers. A name depends on its own plugin
/// and on the prefixes of the others, and never on what those list.
fn names(plugin: &Plugin, catalogue: &Catalogue, lead: Lead) -> IndexMap<String, Target> {
    let Lead { text, longer } = lead;
    let targets = catalogue
        .tools
        .keys()
        .map(|name| (format!("{text}{name}"), Target::Tool(name.clone())))
        .chain(
            catalogue
                .skills
                .keys()
                .map(|name| (format!("{text}skill_{name}"), Target::Skill(name.clone()))),
        );
    let mut names = IndexMap::new();
    for (wanted, target) in targets {
        // `a_b_delete` is the name of `delete` in the plugin `a_b`, and not of `b_delete` in `a`.
        let of_another = longer.iter().any(|other| wanted.starts_with(other));
        let mut name = match of_another {
            true => fitting(&wanted, &format!("{}#{wanted}", plugin.prefix())),
            false => fitting(&wanted, &wanted),
        };
        let mut attempt = 0;
        while names.contains_key(&name) {
            attempt += 1;
            name = fitting(&wanted, &format!("{wanted}#{attempt}"));
        }
        names.insert(name, target);
    }
    names
}

/// The name itself when providers take it, else as much of it as fits with a checksum of `unique` behind.
fn fitting(wanted: &str, unique: &str) -> String {
    let clean: String = wanted
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let starts_well = clean.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if clean == wanted && starts_well && clean.len() <= MAX_NAME && wanted == unique {
        return clean;
    }
    let lead = if starts_well { "" } else { "t_" };
    let sum = checksum::short(unique);
    let room = MAX_NAME - lead.len() - 1 - sum.len();
    let kept: String = clean.chars().take(room).collect();
    format!("{lead}{kept}_{sum}")
}

pub(super) fn read_more_tool() -> Value {
    json!({
        "name": READ_MORE,
        "description": "Reads on in a long result that was cut; the cut says with which id and page.",
        "inputSchema": **READ_MORE_SCHEMA,
        "annotations": Hints {
            read_only: true,
            destructive: Some(false),
            idempotent: Some(true),
            open_world: Some(false),
        }
        .to_annotations(),
    })
}

pub(super) fn shown(
    plugin: &Plugin,
    catalogue: &Catalogue,
    name: &str,
    target: &Target,
) -> Option<Value> {
    match target {
        Target::Tool(tool) => catalogue
            .tools
            .get(tool)
            .map(|tool| shown_tool(plugin, tool, name)),
        Target::Skill(skill) => catalogue
            .skills
            .get(skill)
            .map(|skill| shown_skill(plugin, skill, name)),
    }
}

fn shown_tool(plugin: &Plugin, tool: &Tool, name: &str) -> Value {
    let free = !plugin.needs_confirm(tool);
    // Clients check arguments against it, and some fill its defaults in.
    let mut input_schema = Map::clone(&tool.input_schema);
    drop_impossible_defaults(&mut input_schema);
    // In the order in which the protocol's types write them, so that every door's bytes are the same.
    let mut shown = Map::new();
    shown.insert("name".into(), json!(name));
    if let Some(title) = &tool.title {
        shown.insert("title".into(), json!(title));
    }
    let description = with_set_up(plugin, tool.description.clone());
    shown.insert("description".into(), json!(description));
    shown.insert("inputSchema".into(), with_confirm(input_schema, free));
    if let Some(schema) = &tool.output_schema {
        shown.insert("outputSchema".into(), json!(**schema));
    }
    let hints = Hints {
        // Clients ask their users by this mark, so that what is to be asked about does not have it.
        read_only: plugin.trusts(tool) && free,
        ..tool.hints
    };
    shown.insert("annotations".into(), hints.to_annotations());
    Value::Object(shown)
}

fn shown_skill(plugin: &Plugin, skill: &Skill, name: &str) -> Value {
    let free = !plugin.skill_needs_confirm(skill);
    let destructive = plugin.judged_skill(skill).kind == Kind::Destructive;
    let mut description = skill.description.clone();
    if let (None, Some(args)) = (&skill.input_schema, &skill.args) {
        description = format!("{description} Arguments: {args}")
            .trim_start()
            .to_owned();
    }
    let schema = match &skill.input_schema {
        Some(schema) => Map::clone(schema),
        None => Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("additionalProperties".to_owned(), json!(true)),
        ]),
    };
    let hints = Hints {
        read_only: skill.read_only && free,
        destructive: destructive.then_some(true),
        ..Hints::default()
    };
    json!({
        "name": name,
        "description": with_set_up(plugin, description),
        "inputSchema": with_confirm(schema, free),
        "annotations": hints.to_annotations(),
    })
}

/// Says of what cannot be called yet what has to be done first.
fn with_set_up(plugin: &Plugin, description: String) -> String {
    match plugin.set_up() {
        Some(set_up) => set_up.told_briefly_after(&description),
        None => description,
    }
}

/// Declares `confirm` on what needs it; a tool's own `confirm` stays as it is.
fn with_confirm(mut schema: Map<String, Value>, free: bool) -> Value {
    if !free {
        let properties = schema.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            properties.entry("confirm").or_insert_with(|| {
                json!({ "type": "boolean", "description": "true when the user wants this change." })
            });
        }
    }
    Value::Object(schema)
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn names_are_kept_where_providers_take_them() {
        assert_eq!(fitting("list_issues", "list_issues"), "list_issues");
        let long = "x".repeat(80);
        for name in ["issues/list", "1st", "café", long.as_str()] {
            let fit = fitting(name, name);
            assert!(
                fit.len() <= 64 && !fit.starts_with(|c: char| c.is_ascii_digit()),
                "{fit}"
            );
            assert!(
                fit.chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
                "{fit}"
            );
        }
        assert_ne!(fitting("a.b", "a.b"), fitting("a/b", "a/b"));
    }
}
