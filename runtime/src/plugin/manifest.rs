//! `plugin.json`: an Agent Plugins 1.0 manifest with this runtime's extension, or the older flat form.

mod source;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::prefix::published;
use crate::{
    reply::{Code, Failure},
    text_file::read_text,
};

pub use source::Source;

const EXTENSION: &str = "dev.agent-tools-runtime";

/// What a plugin says about itself.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// Part of every facade tool's name: at most 42 characters of `[A-Za-z0-9_-]`; unique.
    pub prefix: String,
    /// The prefix as the manifest has it; `prefix` differs where no tool name could hold it.
    pub declared_prefix: String,
    /// The package's name.
    pub name: String,
    /// What the service is, in one sentence.
    pub description: Option<String>,
    /// The plugin's folder.
    pub dir: PathBuf,
    /// How its service is reached.
    pub source: Source,
    /// Tools that never change anything, whatever the service says.
    pub readonly_tools: Vec<String>,
    /// Skills that never change anything.
    pub readonly_skills: Vec<String>,
    /// Whether what is not read-only needs consent.
    pub require_confirm: bool,
    /// Files of skills, relative to `dir`: declarative ones (`.json`) and modules.
    pub skills: Vec<String>,
    /// How long its calls may take.
    pub timeouts: Timeouts,
    /// One more sentence for the discover tool.
    pub discover_hint: Option<String>,
    /// How long a child process may stay unused; `None` for as long as the runtime lives.
    pub idle_limit: Option<Duration>,
}

const IDLE_MS: u64 = 600_000;

/// How long a plugin's calls may take, where it differs from the runtime's limits.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Timeouts {
    /// Without an answer or progress, in milliseconds.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    /// With all progress, in milliseconds.
    #[serde(default)]
    pub max_total_ms: Option<u64>,
    /// `timeoutMs` of single tools.
    #[serde(default)]
    pub tool_timeouts_ms: IndexMap<String, u64>,
    /// Starting the service and listing what it offers, in milliseconds.
    #[serde(default)]
    pub start_timeout_ms: Option<u64>,
}

impl Timeouts {
    /// The limit without an answer or progress.
    pub fn of_tool(&self, tool: &str) -> Option<Duration> {
        let limit = self.tool_timeouts_ms.get(tool).copied().or(self.timeout_ms);
        limit.map(Duration::from_millis)
    }

    /// The limit for starting and listing.
    pub fn start(&self) -> Option<Duration> {
        self.start_timeout_ms.map(Duration::from_millis)
    }

    /// The limit with all progress.
    pub fn total(&self) -> Option<Duration> {
        self.max_total_ms.map(Duration::from_millis)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    prefix: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    dir: Option<PathBuf>,
    #[serde(flatten)]
    ways: source::Ways,
    #[serde(default)]
    readonly_tools: Vec<String>,
    #[serde(default)]
    readonly_skills: Vec<String>,
    #[serde(default = "yes")]
    require_confirm: bool,
    #[serde(default)]
    skills: Vec<String>,
    #[serde(default)]
    discover_hint: Option<String>,
    #[serde(default)]
    keep_alive: bool,
    #[serde(default)]
    idle_ms: Option<u64>,
    #[serde(flatten)]
    timeouts: Timeouts,
}

fn yes() -> bool {
    true
}

impl Manifest {
    /// Reads `dir/plugin.json`.
    pub fn read(dir: &Path) -> Result<Self, Failure> {
        let path = dir.join("plugin.json");
        let invalid = |what: String| {
            Failure::new(Code::ConfigInvalid, format!("{}: {what}", path.display())).with_hint(
                "The keys of a manifest are listed in docs/architecture.md, \"Plugin manifest\".",
            )
        };
        let text = read_text(&path).map_err(invalid)?;
        let root: Value =
            serde_json::from_str(&text).map_err(|error| invalid(format!("not JSON: {error}")))?;
        let extension = root
            .get("extensions")
            .and_then(|extensions| extensions.get(EXTENSION));
        let settings = extension.unwrap_or(&root);
        let mut manifest =
            Self::from_settings(settings, dir).map_err(|failure| invalid(failure.error))?;
        for (key, slot) in [("description", &mut manifest.description)] {
            if slot.is_none() {
                *slot = root.get(key).and_then(Value::as_str).map(str::to_owned);
            }
        }
        if let Some(name) = root.get("name").and_then(Value::as_str) {
            manifest.name = name.to_owned();
        }
        Ok(manifest)
    }

    /// Reads the extension's object; `dir` is the folder that relative paths start from.
    pub fn from_settings(settings: &Value, dir: &Path) -> Result<Self, Failure> {
        let invalid = |what: String| Failure::new(Code::ConfigInvalid, what);
        if settings.get("prefix").is_none() {
            return Err(invalid(format!(
                "no `prefix`, neither in extensions[{EXTENSION:?}] nor at the top level"
            )));
        }
        let raw: Raw =
            serde_json::from_value(settings.clone()).map_err(|error| invalid(error.to_string()))?;
        let declared_prefix = raw.prefix.trim().to_owned();
        if declared_prefix.is_empty() {
            return Err(invalid("`prefix` is empty".into()));
        }
        let source = raw.ways.source(!raw.skills.is_empty())?;
        Ok(Self {
            name: raw.name.unwrap_or_else(|| declared_prefix.clone()),
            prefix: published(&declared_prefix),
            declared_prefix,
            description: raw.description,
            dir: raw.dir.map_or_else(|| dir.to_owned(), |own| dir.join(own)),
            source,
            readonly_tools: raw.readonly_tools,
            readonly_skills: raw.readonly_skills,
            require_confirm: raw.require_confirm,
            skills: raw.skills,
            timeouts: raw.timeouts,
            discover_hint: raw.discover_hint,
            idle_limit: (!raw.keep_alive)
                .then(|| Duration::from_millis(raw.idle_ms.unwrap_or(IDLE_MS))),
        })
    }

    /// The names of the skills: the files' base names.
    pub fn skill_names(&self) -> impl Iterator<Item = &str> {
        self.skills.iter().map(|path| skill_name(path))
    }

    /// The skills that are modules, which only an embedding program can run.
    pub fn skill_modules(&self) -> impl Iterator<Item = &str> {
        let paths = self.skills.iter().map(String::as_str);
        paths.filter(|path| !is_declarative(path))
    }

    /// Name and path of the declarative skills. Of several skills with one name the first is kept, modules going first.
    pub fn declarative_skills(&self) -> Vec<(String, String)> {
        let mut taken: Vec<&str> = self.skill_modules().map(skill_name).collect();
        let mut files = Vec::new();
        for path in self.skills.iter().filter(|path| is_declarative(path)) {
            let name = skill_name(path);
            if taken.contains(&name) {
                tracing::warn!(
                    plugin = self.prefix,
                    "{path} is left out: another skill is called {name}"
                );
                continue;
            }
            taken.push(name);
            files.push((name.to_owned(), path.clone()));
        }
        files
    }
}

fn skill_name(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(name, _)| name)
}

fn is_declarative(path: &str) -> bool {
    path.ends_with(".json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn write(manifest: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("plugin.json"), manifest).unwrap();
        dir
    }

    #[test]
    fn both_forms_are_read() {
        let modern = write(
            r#"{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"agent-tools-plugin-x","description":"X.",
            "extensions":{"dev.agent-tools-runtime":{"prefix":"x","adapter":"./adapter.mjs","adapterExport":"X","skills":["./skills/a-b.mjs"]}}}"#,
        );
        let manifest = Manifest::read(modern.path()).unwrap();
        assert_eq!(
            (manifest.prefix.as_str(), manifest.name.as_str()),
            ("x", "agent-tools-plugin-x")
        );
        assert_eq!(manifest.description.as_deref(), Some("X."));
        assert_eq!(manifest.skill_names().collect::<Vec<_>>(), ["a-b"]);
        assert!(manifest.require_confirm);

        let flat = write(
            "\u{feff}{\"name\":\"old\",\"prefix\":\"o\",\"adapter\":\"./a.mjs\",\"requireConfirm\":false}",
        );
        let manifest = Manifest::read(flat.path()).unwrap();
        assert_eq!(
            (manifest.prefix.as_str(), manifest.require_confirm),
            ("o", false)
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, want) in [
            ("{", "not JSON"),
            ("{}", "no `prefix`"),
            (r#"{"prefix":" ","adapter":"a"}"#, "`prefix` is empty"),
            (r#"{"prefix":"x"}"#, "neither `adapter`"),
            (r#"{"prefix":"x","mcp":{}}"#, "exactly one of"),
            (
                r#"{"prefix":"x","adapter":"a","mcp":{"url":"u"}}"#,
                "exclude each other",
            ),
            (
                r#"{"prefix":"x","openapi":{"document":"a","baseURL":"b"}}"#,
                "`openapi`: unknown field `baseURL`",
            ),
        ] {
            let failure = Manifest::read(write(text).path()).unwrap_err();
            assert!(failure.error.contains(want), "{text}: {}", failure.error);
            assert!(failure.error.contains("plugin.json"));
        }
    }

    #[test]
    fn skills_are_modules_or_declarative_and_a_name_is_used_once() {
        let settings =
            json!({"prefix":"s","skills":["./a.mjs","./skills/b.json","./a.json","./c.js"]});
        let manifest = Manifest::from_settings(&settings, Path::new("")).unwrap();
        assert_eq!(
            manifest.skill_modules().collect::<Vec<_>>(),
            ["./a.mjs", "./c.js"]
        );
        assert_eq!(
            manifest.declarative_skills(),
            [("b".to_owned(), "./skills/b.json".to_owned())]
        );
    }

    #[test]
    fn an_embedded_plugin_needs_no_files() {
        let manifest =
            Manifest::from_settings(&json!({"prefix":"h","host":true}), Path::new("")).unwrap();
        assert!(matches!(manifest.source, Source::Embedded));
    }
}
