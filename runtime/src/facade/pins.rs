//! Tools and skills that are shown directly, beside the verbs.

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;

use super::flat::{self, Target};
use crate::{
    catalog::{Catalogue, NameFilter},
    plugin::Plugin,
};

/// Globs of what is pinned.
#[derive(Debug, Default)]
pub(super) struct Pins(Vec<Pin>);

#[derive(Debug)]
struct Pin {
    text: String,
    plugin: NameFilter,
    entry: NameFilter,
}

/// What is pinned, found among what the plugins offer.
#[derive(Default)]
pub(super) struct Pinned {
    /// As MCP tool objects.
    pub tools: Vec<Value>,
    /// What the names of these tools stand for, with the prefix.
    pub targets: HashMap<String, (String, Target)>,
    /// One sentence for each pin that shows nothing, and why.
    pub warnings: Vec<String>,
}

impl Pins {
    /// Reads `<prefix>/<tool or skill>`, both globs. What is none becomes a sentence, and is left out.
    pub(super) fn read(globs: &[String]) -> (Self, Vec<String>) {
        let (mut pins, mut warnings) = (Vec::new(), Vec::new());
        for glob in globs {
            match Pin::read(glob) {
                Ok(pin) => pins.push(pin),
                Err(what) => warnings.push(format!("pin {glob:?}: {what}")),
            }
        }
        (Self(pins), warnings)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is pinned of the plugins. One that was never listed is listed for it, within its deadline.
    pub(super) async fn find(&self, plugins: &[Arc<Plugin>]) -> Pinned {
        let mut warnings = Vec::new();
        let mut listed = Vec::new();
        for (plugin, catalogue) in flat::catalogues(&self.concerned(plugins)).await {
            match catalogue {
                Ok(catalogue) => listed.push((plugin, catalogue)),
                Err(failure) => {
                    let prefix = plugin.prefix();
                    warnings.push(format!("nothing of {prefix} is pinned: {failure}"));
                }
            }
        }
        let failed = !warnings.is_empty();
        let mut pinned = self.among(plugins, &listed);
        // What a pin would show of a plugin that cannot be listed, nobody knows.
        if !failed {
            let idle = self.0.iter().filter(|pin| !pin.shows(&listed));
            warnings.extend(idle.map(|pin| {
                format!(
                    "pin {:?}: no plugin has a tool or skill of that name",
                    pin.text
                )
            }));
        }
        pinned.warnings = warnings;
        pinned
    }

    /// The same as far as it is known without starting anything.
    pub(super) async fn find_known(&self, plugins: &[Arc<Plugin>]) -> Pinned {
        let mut known = Vec::new();
        for plugin in self.concerned(plugins) {
            if let Some(catalogue) = plugin.known_catalogue().await {
                known.push((plugin, catalogue));
            }
        }
        self.among(plugins, &known)
    }

    /// The plugins that a pin may be about.
    fn concerned(&self, plugins: &[Arc<Plugin>]) -> Vec<Arc<Plugin>> {
        let concerns = |plugin: &&Arc<Plugin>| {
            let prefix = plugin.prefix();
            self.0.iter().any(|pin| pin.plugin.admits(prefix))
        };
        plugins.iter().filter(concerns).cloned().collect()
    }

    fn among(&self, plugins: &[Arc<Plugin>], listed: &[(Arc<Plugin>, Arc<Catalogue>)]) -> Pinned {
        let mut pinned = Pinned::default();
        for (plugin, catalogue) in listed {
            for (name, target) in flat::names_beside(plugins, plugin, catalogue) {
                let is_pinned = self
                    .0
                    .iter()
                    .any(|pin| pin.admits(plugin.prefix(), target.name()));
                if is_pinned && let Some(tool) = flat::shown(plugin, catalogue, &name, &target) {
                    pinned.tools.push(tool);
                    let owner = plugin.prefix().to_owned();
                    pinned.targets.insert(name, (owner, target));
                }
            }
        }
        pinned
    }
}

impl Pin {
    fn read(text: &str) -> Result<Self, String> {
        let (plugin, entry) = text
            .split_once('/')
            .filter(|(plugin, entry)| !plugin.is_empty() && !entry.is_empty())
            .ok_or("a pin is <prefix>/<tool or skill>, such as \"github/create_issue\"")?;
        let filter = |glob: &str| NameFilter::new(&[glob.to_owned()], &[]);
        Ok(Self {
            text: text.to_owned(),
            plugin: filter(plugin)?,
            entry: filter(entry)?,
        })
    }

    fn admits(&self, prefix: &str, entry: &str) -> bool {
        self.plugin.admits(prefix) && self.entry.admits(entry)
    }

    fn shows(&self, listed: &[(Arc<Plugin>, Arc<Catalogue>)]) -> bool {
        listed.iter().any(|(plugin, catalogue)| {
            let mut names = catalogue.tools.keys().chain(catalogue.skills.keys());
            names.any(|name| self.admits(plugin.prefix(), name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_names_a_plugin_and_something_of_it() {
        let globs = ["github/create_issue", "gh/*", "x", "a/", "[/b"].map(str::to_owned);
        let (pins, warnings) = Pins::read(&globs);
        let admitted = |prefix, entry| pins.0.iter().any(|pin| pin.admits(prefix, entry));
        assert!(admitted("github", "create_issue") && admitted("gh", "a/b"));
        assert!(!admitted("github", "delete_issue") && !admitted("ghx", "a"));
        insta::assert_snapshot!(warnings.join("\n"), @r#"
        pin "x": a pin is <prefix>/<tool or skill>, such as "github/create_issue"
        pin "a/": a pin is <prefix>/<tool or skill>, such as "github/create_issue"
        pin "[/b": "[" is no glob: unclosed character class; missing ']'
        "#);
    }
}
