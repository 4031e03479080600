//! The key `secrets` of `agent-tools.json`: where each secret is kept.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::source::Source;

/// The secrets of one file, by name.
pub(crate) type Definitions = IndexMap<String, SecretDefinition>;

/// Where one secret is kept: exactly one of `keyring`, `file` and `command`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct SecretDefinition {
    /// The name that `agent-tools secret set` was given.
    keyring: Option<String>,
    /// A file that only its owner may read, relative to this one; `~/` is the home folder. One newline at its end is dropped.
    file: Option<String>,
    /// A program and its arguments, which prints the secret. In the user's own file only.
    #[schemars(length(min = 1))]
    command: Option<Vec<String>>,
    /// Origins, such as `https://api.example.com`, whose servers a project's file may send it to, in a header.
    #[serde(rename = "for")]
    pub origins: Vec<String>,
}

impl SecretDefinition {
    /// Where it is kept, for a file in the folder `dir`. The error is the end of a sentence that begins with the name.
    pub(super) fn source(&self, dir: &Path) -> Result<Source, String> {
        match (&self.keyring, &self.file, &self.command) {
            (Some(name), None, None) => Ok(Source::Keyring(name.clone())),
            (None, Some(file), None) => Ok(Source::File {
                path: path_of(file, dir)?,
                within: None,
            }),
            (None, None, Some(words)) if !words.is_empty() => Ok(Source::Command {
                words: words.clone(),
                dir: dir.to_owned(),
            }),
            _ => Err("needs exactly one of `keyring`, `file` and `command`".into()),
        }
    }

    /// As [`SecretDefinition::source`], of a file that came with a project: whoever wrote that may neither run programs nor
    /// read what is the user's.
    pub(super) fn source_of_project(&self, dir: &Path) -> Result<Source, String> {
        match self.source(dir)? {
            Source::File { path, .. } => Ok(Source::File {
                path,
                within: Some(dir.to_owned()),
            }),
            Source::Keyring(_) | Source::Command { .. } => Err(
                "is a keyring's or a command's, which only the user's own agent-tools.json may name"
                    .into(),
            ),
        }
    }
}

fn path_of(file: &str, dir: &Path) -> Result<PathBuf, String> {
    match file.strip_prefix("~/") {
        Some(rest) => match etcetera::home_dir() {
            Ok(home) => Ok(home.join(rest)),
            Err(_) => Err("begins with ~/, but no home folder is known".into()),
        },
        None => Ok(dir.join(file)),
    }
}
