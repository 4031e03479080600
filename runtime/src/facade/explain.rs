//! What the policy says of one tool or skill, for people.

use serde_json::{Value, json};

use super::Facade;
use crate::{
    config::ChosenBy,
    plugin::{Plugin, Standing},
    policy::Level,
    reply::{Code, Failure},
};

impl Facade {
    /// `{plugin, name, subject, kind, kindBy, trusted, borrowsName, decision, rule, confirm, rules: [{level, rule, decision,
    /// file, author, counts, byName}], remembered: {at, valid}?}`. The plugin is started for it.
    pub(crate) async fn explain(&self, plugin: &Plugin, name: &str) -> Result<Value, Failure> {
        let standing = plugin.standing(name).await?.ok_or_else(|| {
            let prefix = plugin.prefix();
            Failure::new(
                Code::UnknownTool,
                format!("{prefix} has no tool or skill {name:?}"),
            )
            .with_hint(format!(
                "Search: agent-tools discover --plugin {prefix} {name}"
            ))
        })?;
        let Standing {
            subject,
            judged,
            ruling,
            tags,
            definition,
            confirm,
        } = standing;
        let candidate = plugin.candidate(name, judged.kind, &tags);
        let rules: Vec<Value> = plugin
            .policy()
            .matching(&candidate)
            .iter()
            .map(|rule| {
                json!({
                    "level": match rule.level {
                        Level::Tool => "tool",
                        Level::Group => "group",
                        Level::Default => "default",
                    },
                    "rule": rule.rule,
                    "decision": rule.decision,
                    "file": rule.file,
                    "author": match rule.author {
                        ChosenBy::User => "user",
                        ChosenBy::Project => "project",
                    },
                    "counts": rule.shown() == ruling.rule,
                    "byName": rule.by_name,
                })
            })
            .collect();
        let allowed = self
            .consents
            .remembered()
            .last(plugin.prefix(), name, subject);
        let remembered = allowed.map(|allowed| {
            let valid = allowed.definition == definition
                && allowed.origin == plugin.origin()
                && allowed.kind >= judged.kind;
            json!({ "at": allowed.at, "valid": valid })
        });
        Ok(json!({
            "plugin": plugin.prefix(),
            "name": name,
            "subject": subject,
            "kind": judged.kind,
            "kindBy": judged.by,
            "trusted": plugin.manifest.trusted,
            "borrowsName": plugin.manifest.borrows_name,
            "decision": ruling.decision,
            "rule": ruling.rule,
            "confirm": confirm,
            "rules": rules,
            "remembered": remembered,
        }))
    }

    /// Forgets what the user allowed for good. False when there was nothing.
    pub(crate) fn forget_decision(&self, plugin: &str, name: &str) -> Result<bool, Failure> {
        let forgotten = self.consents.remembered().forget(plugin, name);
        forgotten.map_err(|error| {
            Failure::new(
                Code::ConfigInvalid,
                format!("what was allowed cannot be forgotten: {error}"),
            )
            .with_hint("Make the folder of settings writable (AGENT_TOOLS_CONFIG_DIR).")
        })
    }
}
