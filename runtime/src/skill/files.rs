//! The skill files of a plugin's folder.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use serde_json::{Map, Value};

use super::{Outcome, ToolCaller, document::Document, run, validate};
use crate::{
    catalog::Skill,
    reply::{Code, Failure},
};

/// A document longer than this is not read.
const MAX_BYTES: u64 = 1024 * 1024;
/// The files are looked at for changes at most this often.
const LOOKS_APART: Duration = Duration::from_secs(1);

/// The declarative skills of one plugin, as their files said when they were last listed.
pub(crate) struct SkillFiles {
    dir: PathBuf,
    /// Name and path of each.
    files: Vec<(String, String)>,
    documents: RwLock<HashMap<String, Arc<Document>>>,
    stamp: Mutex<Option<(Instant, u64)>>,
    /// The generation that was last listed.
    listed: Mutex<Option<u64>>,
}

impl SkillFiles {
    /// The skills `(name, path)`, their paths relative to the plugin's folder.
    pub(crate) fn new(dir: PathBuf, files: Vec<(String, String)>) -> Self {
        Self {
            dir,
            files,
            documents: RwLock::default(),
            stamp: Mutex::default(),
            listed: Mutex::default(),
        }
    }

    /// Whether a skill of that name is one of these.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|(known, _)| known == name)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether the files are as they were when they were last listed.
    pub(crate) fn has_not_changed(&self) -> bool {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        *listed == Some(self.generation())
    }

    /// Reads every file. One that cannot be used is listed with the reason.
    pub(crate) async fn list(&self) -> Vec<Skill> {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.generation());
        let mut skills = Vec::new();
        let mut documents = HashMap::new();
        for (name, path) in &self.files {
            match self.read(name, path).await {
                Ok(document) => {
                    skills.push(document.skill.clone());
                    documents.insert(name.clone(), Arc::new(document));
                }
                Err(why) => skills.push(Skill {
                    name: name.clone(),
                    error: Some(format!("{path}: {why}")),
                    ..Skill::default()
                }),
            }
        }
        *self
            .documents
            .write()
            .unwrap_or_else(PoisonError::into_inner) = documents;
        skills
    }

    /// Runs a skill as it was last listed.
    pub(crate) async fn run(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        caller: &dyn ToolCaller,
    ) -> Result<Outcome, Failure> {
        let documents = || {
            self.documents
                .read()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let Some(document) = documents().get(name).cloned() else {
            return Err(Failure::new(
                Code::SkillFailed,
                format!("the skill {name} could not be loaded"),
            ));
        };
        run::run(&document, arguments, caller).await
    }

    /// Differs after a file has changed.
    pub(crate) fn generation(&self) -> u64 {
        if self.files.is_empty() {
            return 0;
        }
        let mut stamp = self.stamp.lock().unwrap_or_else(PoisonError::into_inner);
        match *stamp {
            Some((at, known)) if at.elapsed() < LOOKS_APART => known,
            _ => {
                let now = self.look();
                *stamp = Some((Instant::now(), now));
                now
            }
        }
    }

    fn look(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (_, path) in &self.files {
            let metadata = std::fs::metadata(self.dir.join(path)).ok();
            let seen = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
            seen.hash(&mut hasher);
        }
        hasher.finish()
    }

    async fn read(&self, name: &str, path: &str) -> Result<Document, String> {
        let text = self.text(path).await?;
        // Editors on Windows write a byte order mark.
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| format!("not JSON: {error}"))?;
        validate::read(name, &value).map_err(|problems| problems.to_string())
    }

    /// The text of a file that lies inside the plugin's folder, links resolved.
    async fn text(&self, path: &str) -> Result<String, String> {
        let inside = Path::new(path)
            .components()
            .all(|part| matches!(part, Component::CurDir | Component::Normal(_)));
        if !inside {
            return Err(
                "the path must be relative to the plugin's folder and stay inside it".into(),
            );
        }
        let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
        let dir = tokio::fs::canonicalize(&self.dir)
            .await
            .map_err(unreadable)?;
        let file = tokio::fs::canonicalize(dir.join(path))
            .await
            .map_err(unreadable)?;
        if !file.starts_with(&dir) {
            return Err("the file is a link that leads out of the plugin's folder".into());
        }
        let metadata = tokio::fs::metadata(&file).await.map_err(unreadable)?;
        if !metadata.is_file() {
            return Err("is not a file".into());
        }
        if metadata.len() > MAX_BYTES {
            return Err(format!(
                "is longer than {} MB, which is the limit",
                MAX_BYTES / 1024 / 1024
            ));
        }
        tokio::fs::read_to_string(&file).await.map_err(unreadable)
    }
}
