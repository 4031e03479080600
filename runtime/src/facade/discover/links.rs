//! Where else the same can be done: the skills that a skill names as related.

use serde_json::{Value, json};

use super::Scope;
use crate::{
    catalog::{Signature, Skill, one_line},
    facade::literal::PLACEHOLDER_CHARS,
    plugin::linked,
};

/// So many links of a skill are shown.
const SHOWN: usize = 3;

/// A related skill that exists.
pub(super) struct Link {
    /// `prefix:skill`.
    target: String,
    /// When to prefer it.
    why: String,
    /// The call, for whoever asks.
    call: String,
}

/// The links of a skill that lead somewhere the caller can go.
pub(super) fn of(skill: &Skill, scope: &Scope<'_>) -> Vec<Link> {
    let links = skill.related.iter().filter_map(|related| {
        let (plugin, name) = linked(scope.within(), &related.target)?;
        let known = plugin.loaded_catalogue();
        let skill = known.as_ref().and_then(|known| known.skills.get(name));
        let schema = skill.and_then(|skill| skill.input_schema.as_ref());
        let takes = schema
            .map(|schema| Signature::of(schema))
            .unwrap_or_default();
        let arguments = takes.placeholders(PLACEHOLDER_CHARS);
        Some(Link {
            target: related.target.clone(),
            why: related.why.clone(),
            call: scope.to(plugin).run_skill(name, &arguments, false),
        })
    });
    links.take(SHOWN).collect()
}

impl Link {
    /// `\n  or agent_tools_…_run_skill {…}: why`, with so many characters of the reason.
    pub(super) fn text(&self, why: usize) -> String {
        let why = one_line(&self.why, why);
        let colon = if why.is_empty() { "" } else { ": " };
        format!("\n  or {}{colon}{why}", self.call)
    }

    /// `{target, why?, call}`
    pub(super) fn to_json(&self) -> Value {
        let mut link = json!({ "target": self.target });
        if !self.why.is_empty() {
            link["why"] = json!(self.why);
        }
        link["call"] = json!(self.call);
        link
    }
}
