//! What the read-only tools of a plugin were when they were first listed in this session, where nothing is pinned.
//!
//! A tool that may be called without consent is one that somebody judged by its definition. When that changes in a
//! session, the judgement is about another tool: consent is asked for once more. What a service says about a tool that
//! needed consent before never lowers that need.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::definition::{Checksums, Definition};
use crate::catalog::Tool;

/// The definitions seen in this session, by tool.
#[derive(Debug, Default)]
pub(super) struct SessionDefinitions(Mutex<HashMap<String, Known>>);

#[derive(Debug)]
struct Known {
    definition: Checksums,
    /// It has never needed consent.
    read_only: bool,
    /// It changed, and nobody has agreed to a call since.
    changed: bool,
}

impl SessionDefinitions {
    /// Takes note of a tool as it is listed now, and tells the log what has changed in one that is read-only.
    pub(super) fn note(&self, plugin: &str, tool: &Tool) {
        let definition = Definition::of(tool).checksums();
        let mut known = self.lock();
        let Some(known) = known.get_mut(&tool.name) else {
            known.insert(
                tool.name.clone(),
                Known {
                    definition,
                    read_only: tool.hints.read_only,
                    changed: false,
                },
            );
            return;
        };
        if known.definition == definition {
            return;
        }
        if known.read_only {
            tracing::warn!(
                plugin,
                tool = tool.name,
                changed = known.definition.differences(&definition).join(", "),
                "the definition of a read-only tool has changed; its next call needs consent"
            );
            known.changed = true;
        }
        known.read_only &= tool.hints.read_only;
        known.definition = definition;
    }

    /// Whether the tool, as it is defined now, may be called without consent.
    pub(super) fn trusts(&self, tool: &Tool) -> bool {
        let known = self.lock();
        let known = known.get(&tool.name);
        tool.hints.read_only && known.is_none_or(|known| known.read_only && !known.changed)
    }

    /// Consent was given to a call of the tool as it is defined now.
    pub(super) fn agreed(&self, tool: &str) {
        if let Some(known) = self.lock().get_mut(tool) {
            known.changed = false;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(description: &str, read_only: bool) -> Tool {
        let annotations = json!({"readOnlyHint": read_only});
        let tool = json!({"name": "t", "description": description, "annotations": annotations});
        Tool::from_json(&tool).unwrap()
    }

    #[test]
    fn a_read_only_tool_that_changed_needs_consent_once() {
        let definitions = SessionDefinitions::default();
        let (first, second) = (tool("lists", true), tool("lists all", true));
        definitions.note("x", &first);
        definitions.note("x", &first);
        assert!(definitions.trusts(&first));
        definitions.note("x", &second);
        assert!(!definitions.trusts(&second));
        definitions.note("x", &second);
        assert!(
            !definitions.trusts(&second),
            "listing it again is no consent"
        );
        definitions.agreed("t");
        assert!(definitions.trusts(&second));
    }

    #[test]
    fn what_needed_consent_goes_on_needing_it() {
        let definitions = SessionDefinitions::default();
        for read_only in [false, true] {
            definitions.note("x", &tool("t", read_only));
            definitions.agreed("t");
            assert!(!definitions.trusts(&tool("t", read_only)));
        }
        // Nor does it help to have been harmless at first.
        let definitions = SessionDefinitions::default();
        for read_only in [true, false, true] {
            definitions.note("x", &tool("t", read_only));
        }
        definitions.agreed("t");
        assert!(!definitions.trusts(&tool("t", true)));
    }
}
