//! How the tools and skills of plugins are found and called in a view.

use crate::{View, ViewKind};

/// What a client with one view does.
pub(super) struct Ways {
    /// The steps, in order, as a list in Markdown.
    pub steps: String,
    /// A tool whose name shows what a client may put before it; none where names differ from client to client.
    pub example: Option<String>,
}

impl Ways {
    /// For the plugin of that prefix, or for all.
    pub(super) fn of(view: &View, prefix: &str, with_skills: bool) -> Self {
        match view.kind {
            ViewKind::Facade => facade(prefix, with_skills),
            // `auto` has been settled by now; where it was not, the verbs for all plugins are always there.
            ViewKind::Unified | ViewKind::Auto => unified(prefix, with_skills),
            ViewKind::Flat => flat(),
        }
    }
}

/// What stands for a plugin's prefix where all are meant.
pub(super) const ANY: &str = "<prefix>";

fn facade(prefix: &str, with_skills: bool) -> Ways {
    verbs(&format!("agent_tools_{prefix}_"), "", with_skills)
}

fn unified(prefix: &str, with_skills: bool) -> Ways {
    verbs(
        "agent_tools_",
        &format!("\"plugin\":\"{prefix}\","),
        with_skills,
    )
}

/// `lead` stands before each verb, and `plugin` first in the arguments of each.
fn verbs(lead: &str, plugin: &str, with_skills: bool) -> Ways {
    let mut steps = format!(
        "1. `{lead}discover {{{plugin}\"query\":\"what you want to do\"}}` finds tools and skills. It answers with names, \
         arguments and the literal call: a catalogue, not data.\n\
         2. `{lead}call {{{plugin}\"toolName\":\"…\",\"arguments\":{{…}}}}` calls a tool.\n"
    );
    if with_skills {
        steps.push_str(&format!(
            "3. `{lead}run_skill {{{plugin}\"skill\":\"…\",\"arguments\":{{…}}}}` runs a skill: a ready-made recipe, in \
             place of several calls.\n"
        ));
    }
    Ways {
        steps,
        example: Some(format!("{lead}call")),
    }
}

fn flat() -> Ways {
    Ways {
        steps: "1. Each tool is a tool of your own list, with its name at the end of the name that you see; each skill is \
                one that ends with `skill_` and its name.\n\
                2. Where your client searches tools, search with the words below. Call what you find with its own arguments.\n"
            .to_owned(),
        example: None,
    }
}
