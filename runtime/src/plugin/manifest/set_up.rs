//! What the user has still to do before a plugin can be used.

use crate::{
    catalog::one_line,
    reply::{Code, Failure},
};

/// What is said of a variable or a program is cut here: all of it stands in one sentence.
const ABOUT_CHARS: usize = 160;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SetUp {
    /// With what it is and where to get it: `set TOKEN (a token that may read; from https://example.com)`.
    pub what: String,
    /// The same in few words: `set TOKEN`.
    pub short: String,
}

/// What something is, and where to get it.
type About<'a> = (Option<&'a str>, Option<&'a str>);

impl SetUp {
    /// Of the variables and programs that lack; none where nothing does.
    pub(super) fn of(
        variables: Vec<(String, About<'_>)>,
        programs: Vec<(String, About<'_>)>,
    ) -> Option<Self> {
        let told = |each: &dyn Fn(&(String, About<'_>)) -> String| {
            let steps = [("set", &variables), ("install", &programs)];
            let steps = steps.iter().filter(|(_, wanted)| !wanted.is_empty());
            let steps = steps.map(|(verb, wanted)| {
                let wanted: Vec<String> = wanted.iter().map(each).collect();
                format!("{verb} {}", wanted.join(" and "))
            });
            steps.collect::<Vec<_>>().join("; ")
        };
        let short = told(&|(name, _)| name.clone());
        (!short.is_empty()).then(|| Self {
            what: told(&|(name, about)| format!("{name}{}", explained(*about))),
            short,
        })
    }

    /// What is said of a plugin, and what has to be done before it can be used.
    pub(crate) fn told_after(&self, said: &str) -> String {
        told_after(said, &self.what)
    }

    /// The same in few words, for each of many tools.
    pub(crate) fn told_briefly_after(&self, said: &str) -> String {
        told_after(said, &self.short)
    }

    /// Why a call of the plugin is refused.
    pub(crate) fn failure(&self, prefix: &str) -> Failure {
        Failure::new(
            Code::ConfigInvalid,
            format!("the plugin {prefix} needs set-up: {}", self.what),
        )
        .with_hint(
            "Tell the user, who alone can do it: in the environment before the start, or as `env` of the plugin in agent-tools.json. \
             Trying again does not help before.",
        )
    }
}

fn told_after(said: &str, what: &str) -> String {
    let said = said.trim_end().trim_end_matches('.');
    let separator = if said.is_empty() { "" } else { ". " };
    format!("{said}{separator}Needs set-up: {what}.")
}

/// ` (a token that may read; from https://example.com)`
fn explained((what, source): About<'_>) -> String {
    let what = what.map(|what| one_line(what, ABOUT_CHARS).trim_end_matches('.').to_owned());
    let source = source.map(|source| format!("from {}", one_line(source, ABOUT_CHARS)));
    let said: Vec<String> = [what, source].into_iter().flatten().collect();
    match said.is_empty() {
        true => String::new(),
        false => format!(" ({})", said.join("; ")),
    }
}
