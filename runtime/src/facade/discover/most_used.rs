//! The tools and skills that were called most often, as far as they are still there.

use crate::{catalog::Catalogue, facade::search::Listed, usage::Usage};

/// So many are named.
const SHOWN: usize = 5;

/// The names of one plugin's.
pub(super) async fn of_one(usage: &Usage, listed: &Listed) -> Vec<String> {
    let used = known(usage, listed).await.into_iter();
    used.map(|(name, _)| name).take(SHOWN).collect()
}

/// Those of all plugins, as `prefix/name`.
pub(super) async fn of_all(usage: &Usage, listed: &[Listed]) -> Vec<String> {
    let mut all = Vec::new();
    for listed in listed {
        let used = known(usage, listed).await.into_iter();
        all.extend(used.map(|(name, times)| (times, format!("{}/{name}", listed.plugin.prefix()))));
    }
    all.sort_by(|(a, _), (b, _)| b.cmp(a));
    all.into_iter().map(|(_, name)| name).take(SHOWN).collect()
}

async fn known(usage: &Usage, listed: &Listed) -> Vec<(String, u32)> {
    let used = usage.most_used(listed.plugin.prefix()).await.into_iter();
    used.filter_map(|(name, times)| Some((offered(&listed.catalogue, name)?, times)))
        .collect()
}

/// A skill is counted as `skill <name>`.
fn offered(catalogue: &Catalogue, name: String) -> Option<String> {
    if catalogue.tools.contains_key(&name) {
        return Some(name);
    }
    let skill = name.strip_prefix("skill ")?;
    catalogue
        .skills
        .contains_key(skill)
        .then(|| skill.to_owned())
}
