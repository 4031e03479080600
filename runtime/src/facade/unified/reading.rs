//! Which plugin a call over all plugins means, and what of it. One reading is taken and noted; of several none is.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    catalog::Catalogue,
    facade::{
        flat::{self, Target},
        verbs::Verb,
    },
    guard::closest,
    plugin::Plugin,
};

/// What a call names.
pub(super) struct Meant {
    pub plugin: Arc<Plugin>,
    /// The tool's or skill's own name.
    pub name: String,
    /// What was changed about the call.
    pub note: Option<String>,
}

/// Why a call names nothing.
pub(super) enum Unclear {
    /// `plugin` is no text.
    NotText(Value),
    /// There is no such plugin; the one that it is like, or the only one that has the tool.
    UnknownPlugin {
        given: String,
        near: Option<Arc<Plugin>>,
    },
    /// `plugin` is missing, and these have something of that name: none, or several.
    Missing(Vec<Meant>),
}

/// The plugin that the argument `plugin` names, if it is there.
pub(super) fn named(
    plugins: &[Arc<Plugin>],
    given: Option<&Value>,
    notes: &mut Vec<String>,
) -> Result<Option<Arc<Plugin>>, Unclear> {
    let given = match given {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(given)) if given.trim().is_empty() => return Ok(None),
        Some(Value::String(given)) => given.trim(),
        Some(other) => return Err(Unclear::NotText(other.clone())),
    };
    if let Some(plugin) = plugins.iter().find(|plugin| plugin.prefix() == given) {
        return Ok(Some(plugin.clone()));
    }
    let alike: Vec<&Arc<Plugin>> = plugins
        .iter()
        .filter(|plugin| plugin.prefix().eq_ignore_ascii_case(given))
        .collect();
    if let [only] = alike.as_slice() {
        notes.push(format!(
            "`plugin` was {given:?}; it was read as {}",
            only.prefix()
        ));
        return Ok(Some(Arc::clone(only)));
    }
    let near = closest(given, plugins.iter().map(|plugin| plugin.prefix()));
    let near = plugins.iter().find(|plugin| Some(plugin.prefix()) == near);
    Err(Unclear::UnknownPlugin {
        given: given.to_owned(),
        near: near.cloned(),
    })
}

/// What `name` is of the plugin: its own name, or a longer one with the prefix in front.
pub(super) async fn of_plugin(plugin: Arc<Plugin>, verb: Verb, name: &str) -> Meant {
    let own = shorter(&plugin, verb, name).await;
    Meant {
        note: own
            .as_ref()
            .map(|own| format!("`{}` was {name:?}; it was read as {own}", verb.key())),
        name: own.unwrap_or_else(|| name.to_owned()),
        plugin,
    }
}

/// What `name` is where no plugin is named.
pub(super) async fn of_any(
    plugins: &[Arc<Plugin>],
    verb: Verb,
    name: &str,
) -> Result<Meant, Unclear> {
    if let [only] = plugins {
        return Ok(of_plugin(only.clone(), verb, name).await);
    }
    let mut meant = Vec::new();
    for plugin in plugins {
        let known = plugin.known_catalogue().await;
        if known.is_some_and(|known| has(&known, verb, name))
            || declares(plugin, verb, name)
            || holds_back(plugin, verb, name)
        {
            let note = format!("`plugin` was missing; it was read as {}", plugin.prefix());
            meant.push(Meant {
                plugin: plugin.clone(),
                name: name.to_owned(),
                note: Some(note),
            });
        } else if let Some(own) = shorter(plugin, verb, name).await {
            let note = format!(
                "`{}` was {name:?} without `plugin`; it was read as {own} of {}",
                verb.key(),
                plugin.prefix()
            );
            meant.push(Meant {
                plugin: plugin.clone(),
                name: own,
                note: Some(note),
            });
        }
    }
    match (meant.len(), meant.pop()) {
        (1, Some(only)) => Ok(only),
        (_, Some(last)) => {
            meant.push(last);
            Err(Unclear::Missing(meant))
        }
        (_, None) => addressed(plugins, verb, name)
            .await
            .ok_or(Unclear::Missing(Vec::new())),
    }
}

/// The one plugin that can say what is wrong with a name that nothing has: that of `<prefix>/…`, or the only one where it
/// is something else.
async fn addressed(plugins: &[Arc<Plugin>], verb: Verb, name: &str) -> Option<Meant> {
    let of = |plugin: &Arc<Plugin>, name: &str| Meant {
        plugin: plugin.clone(),
        name: name.to_owned(),
        note: None,
    };
    if let Some((prefix, rest)) = name.split_once('/')
        && let Some(plugin) = plugins.iter().find(|plugin| plugin.prefix() == prefix)
    {
        return Some(of(plugin, rest));
    }
    let other = match verb {
        Verb::RunSkill => Verb::Call,
        Verb::Discover | Verb::Call => Verb::RunSkill,
    };
    let mut owners = Vec::new();
    for plugin in plugins {
        let known = plugin.known_catalogue().await;
        if known.is_some_and(|known| has(&known, other, name)) {
            owners.push(plugin);
        }
    }
    match owners.as_slice() {
        [only] => Some(of(only, name)),
        _ => None,
    }
}

/// `<prefix>/<name>` and the flat name, read as the plugin's own name for it. A name that begins with the prefix is reason
/// enough to ask the plugin; any other is not.
async fn shorter(plugin: &Plugin, verb: Verb, name: &str) -> Option<String> {
    let after_slash = name
        .strip_prefix(plugin.prefix())
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|rest| !rest.is_empty());
    if after_slash.is_none() && !name.starts_with(&flat::lead_of(plugin)) {
        return None;
    }
    let catalogue = plugin.catalogue().await.ok()?;
    if has(&catalogue, verb, name) {
        return None;
    }
    if let Some(own) = after_slash {
        return has(&catalogue, verb, own).then(|| own.to_owned());
    }
    match (verb, flat::target(plugin, &catalogue, name)?) {
        (Verb::Call, Target::Tool(own)) | (Verb::RunSkill, Target::Skill(own)) => Some(own),
        _ => None,
    }
}

fn has(catalogue: &Catalogue, verb: Verb, name: &str) -> bool {
    match verb {
        Verb::RunSkill => catalogue.skills.contains_key(name),
        Verb::Discover | Verb::Call => catalogue.tools.contains_key(name),
    }
}

/// Whether the plugin has a tool of that name which is held back: whoever calls it is told why.
fn holds_back(plugin: &Plugin, verb: Verb, name: &str) -> bool {
    verb == Verb::Call && plugin.gate().holds_back(name)
}

/// Whether the manifest has a skill of that name.
fn declares(plugin: &Plugin, verb: Verb, name: &str) -> bool {
    verb == Verb::RunSkill && plugin.manifest.skill_names().any(|skill| skill == name)
}
