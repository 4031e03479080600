//! Links between skills: a skill names others that serve the same purpose, in its own plugin or in another.

use std::sync::Arc;

use super::{Manifest, Plugin};
use crate::similar::closest;

/// The plugin and the skill that a link `prefix:skill` leads to.
pub(crate) fn linked<'a>(
    plugins: &'a [Arc<Plugin>],
    target: &'a str,
) -> Option<(&'a Arc<Plugin>, &'a str)> {
    let (prefix, skill) = target.split_once(':')?;
    let plugin = plugins.iter().find(|plugin| plugin.prefix() == prefix)?;
    plugin.has_skill(skill).then_some((plugin, skill))
}

/// A sentence for each link that leads nowhere, of the skills that are known by now.
pub(crate) fn broken_links(plugins: &[Arc<Plugin>]) -> Vec<String> {
    let targets = Targets::of(
        plugins
            .iter()
            .map(|plugin| (plugin.prefix().to_owned(), plugin.skill_names())),
    );
    let mut broken = Vec::new();
    for plugin in plugins {
        let Some(known) = plugin.loaded_catalogue() else {
            continue;
        };
        for skill in known.skills.values() {
            let of = format!("{}:{}", plugin.prefix(), skill.name);
            let links = skill.related.iter();
            broken.extend(links.filter_map(|link| targets.problem(&of, &link.target)));
        }
    }
    broken
}

/// What a link can lead to.
pub(crate) struct Targets {
    prefixes: Vec<String>,
    /// Each as `prefix:skill`.
    skills: Vec<String>,
}

impl Targets {
    /// The skills that manifests name.
    pub(crate) fn of_manifests(manifests: &[Manifest]) -> Self {
        Self::of(manifests.iter().map(|manifest| {
            let names = manifest.skill_names().map(str::to_owned);
            (manifest.prefix.clone(), names.collect())
        }))
    }

    fn of(plugins: impl Iterator<Item = (String, Vec<String>)>) -> Self {
        let (mut prefixes, mut skills) = (Vec::new(), Vec::new());
        for (prefix, names) in plugins {
            skills.extend(names.iter().map(|name| format!("{prefix}:{name}")));
            prefixes.push(prefix);
        }
        Self { prefixes, skills }
    }

    /// What is wrong with the link of a skill, itself named as `prefix:skill`. Nothing where it leads somewhere, or to a
    /// plugin that is not here: not everybody has all of those that serve one purpose.
    pub(crate) fn problem(&self, of: &str, target: &str) -> Option<String> {
        let prefix = target.split_once(':').map(|(prefix, _)| prefix);
        let is_here = prefix.is_none_or(|prefix| self.prefixes.iter().any(|known| known == prefix));
        if !is_here || self.skills.iter().any(|known| known == target) {
            return None;
        }
        let near = closest(target, self.skills.iter().map(String::as_str));
        let hint = match near {
            _ if prefix.is_none() => "a link is written prefix:skill".to_owned(),
            Some(near) => format!("did you mean {near:?}?"),
            None => "that plugin has no such skill".to_owned(),
        };
        Some(format!(
            "the skill {of} names {target:?} as related, which does not exist: {hint}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_leads_nowhere_is_told_with_the_nearest_that_does() {
        let targets = Targets::of(
            [("github", "repo-overview"), ("cli", "triage")]
                .into_iter()
                .map(|(prefix, skill)| (prefix.to_owned(), vec![skill.to_owned()])),
        );
        let hint = |target: &str| {
            let problem = targets.problem("a:b", target)?;
            Some(problem.rsplit_once("exist: ").unwrap().1.to_owned())
        };
        for fine in ["github:repo-overview", "weather:of-today"] {
            assert_eq!(hint(fine), None, "{fine}");
        }
        for (target, wanted) in [
            (
                "github:repo-overveiw",
                "did you mean \"github:repo-overview\"?",
            ),
            ("github:other", "that plugin has no such skill"),
            ("triage", "a link is written prefix:skill"),
        ] {
            assert_eq!(hint(target).as_deref(), Some(wanted), "{target}");
        }
    }
}
