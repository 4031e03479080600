//! What the user lets the files of projects do.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::ChosenBy;
use crate::{
    folders::from_home,
    private_file::{Others, foreign},
};

/// The key `projects`, which counts in a file of the user alone. In both lists `~/` is the home folder.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct ProjectKeys {
    /// Programs that the file of any project may start besides the known launchers: names as they stand in `command`, or
    /// full paths.
    pub commands: Vec<String>,
    /// Folders, full paths, in which every `agent-tools.json` and every plugin counts as if the user had written it.
    pub trusted: Vec<PathBuf>,
}

impl ProjectKeys {
    /// Adds what another file of the user says.
    pub(crate) fn add(&mut self, other: Self) {
        self.commands.extend(other.commands);
        self.trusted.extend(other.trusted);
    }

    /// Whether a file lies in a trusted folder.
    pub(crate) fn trust(&self, file: &Path) -> bool {
        let Some(folder) = file.parent().and_then(|folder| folder.canonicalize().ok()) else {
            return false;
        };
        let trusted = self.trusted.iter().map(|path| from_home(path));
        trusted
            .filter(|path| path.is_absolute())
            .filter_map(|path| path.canonicalize().ok())
            .any(|path| folder.starts_with(path))
    }

    /// Whose choice a file is: one in a trusted folder counts as the user's, unless others may write it.
    pub(crate) fn judged(&self, file: &Path, chosen_by: ChosenBy) -> ChosenBy {
        match self.trust(file) && foreign(file, Others::Everybody).is_none() {
            true => ChosenBy::User,
            false => chosen_by,
        }
    }

    /// Whether a project's file in `folder` may start this program.
    pub(crate) fn allow(&self, command: &str, folder: &Path) -> bool {
        let is_path = command.contains(std::path::is_separator);
        self.commands.iter().any(|allowed| match is_path {
            false => allowed == command,
            true => {
                let allowed = from_home(Path::new(allowed));
                // A relative path of one project is none of another.
                allowed.is_absolute() && allowed == folder.join(command)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_allowed_everywhere_and_a_path_only_where_it_is() {
        let keys = ProjectKeys {
            commands: vec!["make".into(), "./run".into(), "/srv/shop/run".into()],
            ..ProjectKeys::default()
        };
        let shop = Path::new("/srv/shop");
        for (command, folder, allowed) in [
            ("make", shop, true),
            ("Make", shop, false),
            ("./make", shop, false),
            ("run", shop, false),
            ("./run", shop, true),
            ("/srv/shop/run", Path::new("/"), true),
            ("./run", Path::new("/srv/other"), false),
        ] {
            assert_eq!(
                keys.allow(command, folder),
                allowed,
                "{command} in {folder:?}"
            );
        }
    }

    #[test]
    fn a_folder_is_trusted_with_what_is_below_and_by_no_other_name() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("shop/inner");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::create_dir(temp.path().join("shop-2")).unwrap();
        let keys = ProjectKeys {
            trusted: vec![temp.path().join("shop"), "relative".into()],
            ..ProjectKeys::default()
        };
        assert!(keys.trust(&inner.join("agent-tools.json")));
        assert!(keys.trust(&temp.path().join("shop/agent-tools.json")));
        assert!(!keys.trust(&temp.path().join("agent-tools.json")));
        assert!(!keys.trust(&temp.path().join("shop-2/agent-tools.json")));
        assert!(!keys.trust(&inner.join("../../agent-tools.json")));
        for file in ["shop/inner/plugin.json", "shop-2/plugin.json"] {
            std::fs::write(temp.path().join(file), "{}").unwrap();
        }
        let judged = |file: &str| keys.judged(&temp.path().join(file), ChosenBy::Project);
        assert_eq!(judged("shop/inner/plugin.json"), ChosenBy::User);
        assert_eq!(judged("shop-2/plugin.json"), ChosenBy::Project);
    }
}
