//! The three verbs, and how a call of one is spelled.

use serde_json::{Value, json};

use crate::guard::Addressee;

/// The verbs of the facade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Discover,
    Call,
    RunSkill,
}

impl Verb {
    pub(super) const ALL: [Self; 3] = [Self::Discover, Self::Call, Self::RunSkill];

    fn suffix(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Call => "call",
            Self::RunSkill => "run_skill",
        }
    }

    /// The argument that says what of a plugin is meant.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Discover => "query",
            Self::Call => "toolName",
            Self::RunSkill => "skill",
        }
    }

    /// `agent_tools_discover`: the verb over all plugins.
    pub(super) fn shared_name(self) -> String {
        format!("agent_tools_{}", self.suffix())
    }

    /// The verb over all plugins of that name.
    pub(super) fn shared(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verb| verb.shared_name() == name)
    }
}

/// Whose verbs a client uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Each plugin's own: `agent_tools_<prefix>_call`.
    Own,
    /// Those over all plugins, which take the prefix as `plugin`.
    Shared,
}

/// How calls to one plugin are written out, to be copied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spelling<'a> {
    reach: Reach,
    prefix: &'a str,
}

impl Reach {
    pub(super) fn to(self, prefix: &str) -> Spelling<'_> {
        Spelling {
            reach: self,
            prefix,
        }
    }
}

impl Spelling<'_> {
    pub(super) fn reach(self) -> Reach {
        self.reach
    }

    /// The name of the tool that is the verb.
    pub(super) fn name(self, verb: Verb) -> String {
        match self.reach {
            Reach::Own => format!("agent_tools_{}_{}", self.prefix, verb.suffix()),
            Reach::Shared => verb.shared_name(),
        }
    }

    /// Whom a call of the verb is sent to.
    pub(super) fn addressee(self, verb: Verb) -> Addressee {
        Addressee {
            tool: self.name(verb),
            plugin: (self.reach == Reach::Shared).then(|| self.prefix.to_owned()),
        }
    }

    /// `agent_tools_<prefix>_discover {"query":…}`.
    pub(super) fn discover(self, query: &str) -> String {
        self.discover_with(json!({ "query": query }))
    }

    /// `agent_tools_<prefix>_discover {…}`.
    pub(super) fn discover_with(self, body: Value) -> String {
        self.literal(Verb::Discover, body)
    }

    /// `agent_tools_<prefix>_call {"toolName":…,"arguments":…}`.
    pub(super) fn call(self, tool: &str, arguments: &Value, confirm: bool) -> String {
        let body = json!({ "toolName": tool, "arguments": arguments });
        self.literal(Verb::Call, confirmed(body, confirm))
    }

    /// `agent_tools_<prefix>_run_skill {"skill":…,"arguments":…}`.
    pub(super) fn run_skill(self, skill: &str, arguments: &Value, confirm: bool) -> String {
        let body = json!({ "skill": skill, "arguments": arguments });
        self.literal(Verb::RunSkill, confirmed(body, confirm))
    }

    fn literal(self, verb: Verb, body: Value) -> String {
        let name = self.name(verb);
        match (self.reach, body) {
            (Reach::Shared, Value::Object(mut map)) => {
                map.shift_insert(0, "plugin".into(), json!(self.prefix));
                format!("{name} {}", Value::Object(map))
            }
            (_, body) => format!("{name} {body}"),
        }
    }
}

fn confirmed(mut body: Value, confirm: bool) -> Value {
    if confirm {
        body["confirm"] = json!(true);
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_spelled_for_whom_they_reach() {
        let (own, shared) = (Reach::Own.to("gh"), Reach::Shared.to("gh"));
        let arguments = json!({ "a": 1 });
        assert_eq!(
            own.call("t", &arguments, true),
            r#"agent_tools_gh_call {"toolName":"t","arguments":{"a":1},"confirm":true}"#
        );
        assert_eq!(
            shared.run_skill("s", &arguments, false),
            r#"agent_tools_run_skill {"plugin":"gh","skill":"s","arguments":{"a":1}}"#
        );
        assert_eq!(
            shared.discover("x"),
            r#"agent_tools_discover {"plugin":"gh","query":"x"}"#
        );
        assert_eq!(
            own.discover("x"),
            r#"agent_tools_gh_discover {"query":"x"}"#
        );
        assert_eq!(Verb::shared("agent_tools_call"), Some(Verb::Call));
        assert_eq!(Verb::shared("agent_tools_gh_call"), None);
    }
}
