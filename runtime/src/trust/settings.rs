//! How much is asked of definitions.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::policy::Named;

/// How much is asked of what services say about their tools. A project's file may only ask for more than the user does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TrustSettings {
    /// Whether a tool of a server whose definition is new or has changed waits for `agent-tools trust`; `pin` when absent.
    pub definitions: Option<Pinning>,
    /// What is done about a description that is suspicious; `warn` when absent.
    pub scan: Option<ScanLevel>,
    /// Prefixes of plugins whose definitions may change freely. Counts in the user's own file only.
    pub unpinned: Vec<String>,
}

/// Whether definitions are pinned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pinning {
    /// Whatever a server says is used.
    Off,
    /// What was seen first is trusted, and a change of it has to be accepted.
    #[default]
    Pin,
}

/// What is done about suspicious descriptions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScanLevel {
    /// Nothing.
    Off,
    /// They are reported.
    #[default]
    Warn,
    /// They are reported, and their tools wait for `agent-tools trust`.
    Block,
}

impl TrustSettings {
    /// Whether the definitions of a plugin are pinned.
    pub(crate) fn pins(&self, plugin: Named<'_>) -> bool {
        let is_free = |free: &String| *free == plugin.prefix || *free == plugin.declared;
        self.definitions.unwrap_or_default() == Pinning::Pin
            && (plugin.borrowed || !self.unpinned.iter().any(is_free))
    }

    pub(crate) fn scan(&self) -> ScanLevel {
        self.scan.unwrap_or_default()
    }

    /// What is asked where a project's file asks for `other`: the stricter of both, and the default at least where nothing
    /// is said. What it would loosen is named.
    pub(crate) fn tightened_by(self, other: Self) -> (Self, Vec<&'static str>) {
        let mut loosened = Vec::new();
        let definitions = self.definitions.unwrap_or_default();
        if other.definitions.is_some_and(|asked| asked < definitions) {
            loosened.push("definitions");
        }
        if other.scan.is_some_and(|asked| asked < self.scan()) {
            loosened.push("scan");
        }
        if !other.unpinned.is_empty() {
            loosened.push("unpinned");
        }
        let tightened = Self {
            definitions: Some(definitions.max(other.definitions.unwrap_or(definitions))),
            scan: Some(self.scan().max(other.scan.unwrap_or(self.scan()))),
            unpinned: self.unpinned,
        };
        (tightened, loosened)
    }

    /// What two projects' files ask for together: of each the stricter.
    pub(crate) fn strictest(self, other: Self) -> Self {
        Self {
            definitions: self.definitions.max(other.definitions),
            scan: self.scan.max(other.scan),
            unpinned: [self.unpinned, other.unpinned].concat(),
        }
    }

    /// Takes what a less important file of the user says.
    pub(crate) fn fill(&mut self, other: Self) {
        self.definitions = self.definitions.or(other.definitions);
        self.scan = self.scan.or(other.scan);
        self.unpinned.extend(other.unpinned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> TrustSettings {
        serde_json::from_str(text).unwrap()
    }

    const A: Named<'_> = Named {
        prefix: "a",
        declared: "a",
        borrowed: false,
    };

    #[test]
    fn what_is_unpinned_is_so_by_either_spelling_and_for_the_users_own_plugin_alone() {
        let user = settings(r#"{"unpinned":["a","my api"]}"#);
        let odd = Named {
            prefix: "my_api_ddbe76bd",
            declared: "my api",
            borrowed: false,
        };
        assert!(!user.pins(A) && !user.pins(odd));
        for named in [A, odd] {
            assert!(user.pins(Named {
                borrowed: true,
                ..named
            }));
        }
    }

    #[test]
    fn no_project_loosens_what_another_asks_for() {
        let (strict, mild) = (
            r#"{"definitions":"pin","scan":"block"}"#,
            r#"{"definitions":"off","scan":"off","unpinned":["a"]}"#,
        );
        for (one, other) in [(strict, mild), (mild, strict)] {
            let asked = settings(one).strictest(settings(other));
            let (trust, _) = settings(r#"{"definitions":"off"}"#).tightened_by(asked);
            assert_eq!(trust.scan(), ScanLevel::Block, "{one} {other}");
            assert!(trust.pins(A), "{one} {other}");
        }
    }

    #[test]
    fn a_file_of_the_user_that_says_less_leaves_the_rest_to_the_others() {
        let mut user = settings(r#"{"definitions":"pin"}"#);
        user.fill(settings(r#"{"definitions":"off","scan":"block"}"#));
        assert_eq!(user.scan(), ScanLevel::Block);
        assert!(user.pins(A));
    }

    #[test]
    fn a_project_may_only_ask_for_more() {
        for (user, project, definitions, scan, loosened) in [
            (
                r"{}",
                r#"{"definitions":"off","scan":"off"}"#,
                Pinning::Pin,
                ScanLevel::Warn,
                vec!["definitions", "scan"],
            ),
            (
                r#"{"definitions":"off","scan":"off"}"#,
                r"{}",
                Pinning::Off,
                ScanLevel::Off,
                vec![],
            ),
            (
                r#"{"definitions":"off"}"#,
                r#"{"definitions":"pin","scan":"block"}"#,
                Pinning::Pin,
                ScanLevel::Block,
                vec![],
            ),
            (
                r#"{"scan":"block"}"#,
                r#"{"scan":"warn","unpinned":["a"]}"#,
                Pinning::Pin,
                ScanLevel::Block,
                vec!["scan", "unpinned"],
            ),
        ] {
            let (asked, told) = settings(user).tightened_by(settings(project));
            assert_eq!(
                (asked.definitions, asked.scan),
                (Some(definitions), Some(scan)),
                "{user} {project}"
            );
            assert!(
                asked.pins(A) == (definitions == Pinning::Pin),
                "{user} {project}"
            );
            assert_eq!(told, loosened, "{user} {project}");
        }
    }
}
