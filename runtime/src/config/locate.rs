//! Which `agent-tools.json` counts.

use std::path::{Path, PathBuf};

use super::ChosenBy;
use crate::folders::config_dir;

/// The file's name, in a project and in the user's folder.
pub(crate) const FILE_NAME: &str = "agent-tools.json";
/// Names the one file that counts.
const VARIABLE: &str = "AGENT_TOOLS_CONFIG";

/// The files that count, the more important first: those of the nearest folder from `from` upwards and of the user, or
/// the one that `AGENT_TOOLS_CONFIG` names. Each with whose choice it is.
pub(crate) fn config_files(from: &Path) -> Vec<(PathBuf, ChosenBy)> {
    if let Some(named) = named(from) {
        return vec![(named, ChosenBy::User)];
    }
    let user = user_file();
    let project = from
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file());
    let project = project.filter(|path| user.as_ref() != Some(path));
    let user = user.filter(|path| path.is_file());
    let of_project = project.map(|path| (path, ChosenBy::Project));
    let of_user = user.map(|path| (path, ChosenBy::User));
    of_project.into_iter().chain(of_user).collect()
}

/// The files of the projects around the one that counts: a project in a folder of another is no way out of its rules.
pub(crate) fn enclosing_files(from: &Path) -> Vec<PathBuf> {
    if named(from).is_some() {
        return Vec::new();
    }
    let user = user_file();
    let files = from.ancestors().map(|folder| folder.join(FILE_NAME));
    files
        .filter(|path| path.is_file())
        .skip(1)
        .filter(|path| user.as_ref() != Some(path))
        .collect()
}

/// Every place where a file that counts is or may appear.
pub(crate) fn candidates(from: &Path) -> Vec<PathBuf> {
    if let Some(named) = named(from) {
        return vec![named];
    }
    let project = from.ancestors().map(|folder| folder.join(FILE_NAME));
    project.chain(user_file()).collect()
}

fn named(from: &Path) -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
    Some(from.join(named))
}

/// The file of the user, whether it is there or not.
pub(crate) fn user_file() -> Option<PathBuf> {
    Some(config_dir()?.join(FILE_NAME))
}

/// What the user is told to write into.
pub(crate) fn own_file() -> String {
    user_file().map_or_else(
        || "your own agent-tools.json".into(),
        |file| format!("your own {}", file.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_upwards_counts() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("a/b/c");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(temp.path().join("agent-tools.json"), "{}").unwrap();
        std::fs::write(temp.path().join("a/b/agent-tools.json"), "{}").unwrap();
        assert_eq!(
            config_files(&inner).first(),
            Some(&(temp.path().join("a/b/agent-tools.json"), ChosenBy::Project))
        );
        assert_eq!(
            config_files(&temp.path().join("a")).first(),
            Some(&(temp.path().join("agent-tools.json"), ChosenBy::Project))
        );
        assert_eq!(
            enclosing_files(&inner),
            [temp.path().join("agent-tools.json")]
        );
    }
}
