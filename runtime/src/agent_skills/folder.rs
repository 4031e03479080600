//! Skills as files: a folder for each, as clients look for them. Files of anyone else are left alone.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{AgentSkill, LEAD, MARK};
use crate::reply::{Code, Failure};

const FILE: &str = "SKILL.md";

/// What writing has done.
#[derive(Debug, Serialize)]
pub struct Written {
    /// The folder that holds a folder for each skill.
    pub folder: PathBuf,
    /// The skills, and what else of ours is there.
    pub files: Vec<WrittenFile>,
}

/// What became of one file.
#[derive(Debug, Serialize)]
pub struct WrittenFile {
    /// The skill's name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What was done with it.
    pub state: FileState,
}

/// What was done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileState {
    /// It is new, or it said something else before.
    Written,
    /// It was as it should be.
    Unchanged,
    /// Someone else's file is in its place, and was left alone.
    Foreign,
    /// Ours, of a plugin that is not here; left alone, as it may be of another configuration.
    Stale,
    /// Ours, of a plugin that is not here; removed, as that was asked for.
    Removed,
}

/// Writes the skills into `folder`. `prune` removes what was written for plugins that are not here.
pub(crate) fn write(folder: &Path, skills: &[AgentSkill], prune: bool) -> Result<Written, Failure> {
    let failed = |path: &Path, error: &io::Error| {
        Failure::new(
            Code::ConfigInvalid,
            format!("{} cannot be written: {error}", path.display()),
        )
        .with_hint("Name a folder that you may write to.")
    };
    let mut files = Vec::new();
    for skill in skills {
        let path = folder.join(&skill.name).join(FILE);
        let state = write_one(&path, &skill.text).map_err(|error| failed(&path, &error))?;
        files.push(WrittenFile {
            name: skill.name.clone(),
            path,
            state,
        });
    }
    for (name, path) in others(folder, skills) {
        if prune {
            remove(&path).map_err(|error| failed(&path, &error))?;
        }
        let state = if prune {
            FileState::Removed
        } else {
            FileState::Stale
        };
        files.push(WrittenFile { name, path, state });
    }
    Ok(Written {
        folder: folder.to_owned(),
        files,
    })
}

fn write_one(path: &Path, text: &str) -> io::Result<FileState> {
    match fs::read_to_string(path) {
        Ok(there) if there == text => return Ok(FileState::Unchanged),
        Ok(there) if !is_ours(&there) => return Ok(FileState::Foreign),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(FileState::Foreign),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // A client that reads meanwhile sees the whole of one or the other.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    readable_for_all(file.path())?;
    file.persist(path).map_err(|failure| failure.error)?;
    Ok(FileState::Written)
}

/// Temporary files are for one user alone; a project's skills are for whoever works in it.
fn readable_for_all(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o644))?;
    }
    let _ = path;
    Ok(())
}

/// Files of ours that none of the skills is written to.
fn others(folder: &Path, skills: &[AgentSkill]) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let path = entry.path().join(FILE);
            let other = name.starts_with(LEAD) && skills.iter().all(|skill| skill.name != name);
            (other && fs::read_to_string(&path).is_ok_and(|text| is_ours(&text)))
                .then_some((name, path))
        })
        .collect();
    found.sort();
    found
}

/// The folder goes too, unless somebody has put something beside the file.
fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    if let Some(folder) = path.parent() {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

/// Whether the frontmatter says so.
fn is_ours(text: &str) -> bool {
    let mut lines = text.lines();
    lines.next() == Some("---")
        && lines
            .take_while(|line| *line != "---")
            .any(|line| line.trim_start().split_once(": ") == Some(MARK))
}
