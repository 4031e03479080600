//! The plugin that rules are about, and the globs that name it and what it offers.

use crate::{
    catalog::{Glob, slashes},
    plugin::Manifest,
};

/// A plugin as the rules see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named<'a> {
    pub prefix: &'a str,
    /// The prefix as it is written in the manifest or the configuration, which may be none that a tool's name can hold.
    /// A rule may have either.
    pub declared: &'a str,
    /// It is a project's, and one of the user's own has that name: what the user allows by the name is not meant for it.
    pub borrowed: bool,
}

impl<'a> From<&'a Manifest> for Named<'a> {
    fn from(manifest: &'a Manifest) -> Self {
        Self {
            prefix: &manifest.prefix,
            declared: &manifest.declared_prefix,
            borrowed: manifest.borrows_name,
        }
    }
}

/// A glob of prefixes.
#[derive(Debug)]
pub(super) struct PluginGlob {
    glob: Glob,
    /// It is about whatever plugin there is, and names none.
    pub(super) any: bool,
}

impl PluginGlob {
    pub(super) fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the name of the plugin is empty; write * for every plugin".into());
        }
        Ok(Self {
            glob: Glob::new(text)?,
            any: text.chars().all(|c| c == '*'),
        })
    }

    pub(super) fn all(texts: &[String]) -> Result<Vec<Self>, String> {
        texts.iter().map(|text| Self::new(text)).collect()
    }

    pub(super) fn matches(&self, plugin: Named<'_>) -> bool {
        self.glob.matches(plugin.prefix) || self.glob.matches(plugin.declared)
    }

    /// Whether what it loosens is meant for the plugin.
    pub(super) fn frees(&self, plugin: Named<'_>) -> bool {
        (self.any || !plugin.borrowed) && self.matches(plugin)
    }
}

/// A glob of `<prefix>/<name>`.
#[derive(Debug)]
pub(super) struct ToolGlob {
    plugin: PluginGlob,
    name: Glob,
    /// The same where a `/` further on divides the two: a prefix may be declared with one.
    others: Vec<(PluginGlob, Glob)>,
}

impl ToolGlob {
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut ways = Vec::new();
        for at in slashes(text) {
            let (plugin, name) = (&text[..at], &text[at + 1..]);
            if plugin.is_empty() || name.is_empty() {
                let (what, every) = match plugin.is_empty() {
                    true => ("plugin", format!("*/{name}")),
                    false => ("tool", format!("{plugin}/*")),
                };
                return Err(format!(
                    "{text:?} names no {what}; write <prefix>/<tool>, or {every} for every {what}"
                ));
            }
            ways.push((PluginGlob::new(plugin)?, Glob::new(name)?));
        }
        let mut ways = ways.into_iter();
        let Some((plugin, name)) = ways.next() else {
            return Err(format!(
                "{text:?} names no plugin; write <prefix>/<tool>, or */{text} for every plugin"
            ));
        };
        Ok(Self {
            plugin,
            name,
            others: ways.collect(),
        })
    }

    pub(super) fn all(key: &str, texts: &[String]) -> Result<Vec<Self>, String> {
        let globs = texts.iter().map(|text| Self::new(text));
        globs
            .collect::<Result<_, _>>()
            .map_err(|what| format!("{key}: {what}"))
    }

    pub(super) fn matches(&self, plugin: Named<'_>, name: &str) -> bool {
        let others = self.others.iter().map(|(plugin, name)| (plugin, name));
        std::iter::once((&self.plugin, &self.name))
            .chain(others)
            .any(|(prefixes, names)| prefixes.matches(plugin) && names.matches(name))
    }

    /// The same, where what can be read in two ways is read in the first.
    pub(super) fn names_first(&self, plugin: Named<'_>, name: &str) -> bool {
        self.plugin.matches(plugin) && self.name.matches(name)
    }

    /// Whether what it loosens is meant for the tool.
    pub(super) fn frees(&self, plugin: Named<'_>, name: &str) -> bool {
        self.plugin.frees(plugin) && self.name.matches(name)
    }

    /// The glob of prefixes that it begins with.
    pub(super) fn plugin(&self) -> &PluginGlob {
        &self.plugin
    }
}
