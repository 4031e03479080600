//! `plugin.json`: an Agent Plugins 1.0 manifest with this runtime's extension, or the older flat form.

mod content;
mod mcp;
mod needs;
mod set_up;
mod settings;
mod source;
mod stand_in;

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{configured::ConfigEntry, prefix::published};
use crate::{
    adapter::{Confinement, from_process, is_installed},
    catalog::NameFilter,
    config::{
        ChosenBy,
        jsonc::{self, Dialect},
        keys::with_suggestion,
    },
    placeholder::SECRET,
    redacted::Names,
    reply::{Code, Failure},
    text_file::read_text,
};

pub(crate) use content::Content;
pub(crate) use mcp::McpServer;
use needs::Needs;
pub(crate) use set_up::SetUp;
pub(crate) use settings::PluginSettings;
pub use settings::Timeouts;
pub use source::Source;

/// The key of `extensions` that holds what this runtime reads.
pub(crate) const EXTENSION: &str = "dev.agent-tools-runtime";

/// What a plugin says about itself.
#[derive(Clone)]
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
    /// Where `agent-tools.json` names it, if it does.
    pub(crate) configured: Option<ConfigEntry>,
    /// Who decided that it is used.
    pub chosen_by: ChosenBy,
    /// Variables for its modules; those of a program are part of `source`.
    pub env: IndexMap<String, String>,
    /// The variables of the user's environment and the programs that it names.
    pub(crate) needs: Needs,
    /// What of them is missing.
    pub(crate) set_up: Option<SetUp>,
    /// Which of its tools and skills are offered.
    pub(crate) filter: NameFilter,
    /// Tools that never change anything, whatever the service says.
    pub readonly_tools: Vec<String>,
    /// Skills that never change anything.
    pub readonly_skills: Vec<String>,
    /// Tools and skills that may destroy something.
    pub destructive_tools: Vec<String>,
    /// What it is filed under.
    pub tags: Vec<String>,
    /// The user chose it, or says that they trust it: its word counts on what needs no consent.
    pub(crate) trusted: bool,
    /// It is a project's, and one of the user's own has, or would have, its prefix.
    pub(crate) borrows_name: bool,
    /// Tools and skills of which it says that they only read, and is not believed.
    pub(crate) disbelieved: Vec<String>,
    /// Skills that the policy denies.
    pub(crate) withheld: Vec<String>,
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
    /// What its child process may use and reach.
    pub confinement: Confinement,
    /// What all of this was read from.
    pub(crate) content: Content,
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manifest")
            .field("prefix", &self.prefix)
            .field("name", &self.name)
            .field("dir", &self.dir)
            .field("source", &self.source)
            .field("env", &Names(&self.env))
            .finish_non_exhaustive()
    }
}

const IDLE_MS: u64 = 600_000;

/// The keys of a manifest.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ManifestKeys {
    /// Part of every tool's name, unique among the plugins.
    prefix: String,
    /// The folder that relative paths start from; the manifest's own when absent.
    #[serde(default)]
    dir: Option<PathBuf>,
    /// Variables for the plugin's program or modules; `${VAR}` expands.
    #[serde(default)]
    env: IndexMap<String, String>,
    #[serde(flatten)]
    needs: Needs,
    #[serde(flatten)]
    ways: source::Ways,
    #[serde(flatten)]
    settings: PluginSettings,
}

impl Manifest {
    /// Reads `dir/plugin.json`.
    pub fn read(dir: &Path) -> Result<Self, Failure> {
        Self::read_with(dir, Map::new())
    }

    /// As [`Manifest::read`], with keys that replace those of the file.
    pub(super) fn read_with(dir: &Path, changes: Map<String, Value>) -> Result<Self, Failure> {
        let path = dir.join("plugin.json");
        let invalid = |what: String| {
            Failure::new(Code::ConfigInvalid, format!("{}: {what}", path.display())).with_hint(
                "The keys of a manifest are listed in docs/architecture.md, \"Plugin manifest\".",
            )
        };
        let text = read_text(&path).map_err(invalid)?;
        let root = jsonc::parse(&text, Dialect::Json).map_err(invalid)?;
        let extension = root
            .get("extensions")
            .and_then(|extensions| extensions.get(EXTENSION));
        let mut settings = extension.unwrap_or(&root).clone();
        // Nobody knows who wrote it.
        if settings.to_string().contains(SECRET) {
            return Err(invalid(
                "a manifest cannot name secrets; name them in `env` of its item in agent-tools.json".into(),
            ));
        }
        if let Value::Object(settings) = &mut settings {
            settings.extend(changes);
        }
        let mut manifest =
            Self::from_settings(&settings, dir).map_err(|failure| invalid(failure.error))?;
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
        let read = |settings: Value| -> Result<ManifestKeys, Failure> {
            serde_json::from_value(settings)
                .map_err(|error| invalid(with_suggestion(error.to_string())))
        };
        let is_set = |name: &str| from_process(name).is_some_and(|value| !value.is_empty());
        let mut keys = read(settings.clone())?;
        if !keys.needs.environment.is_empty() {
            let mut settings = settings.clone();
            keys.needs.stand_in(&mut settings, is_set);
            keys = read(settings)?;
        }
        for name in keys.needs.names().filter(|name| is_set(name)) {
            let own = keys.env.entry(name.to_owned());
            own.or_insert_with(|| format!("${{{name}}}"));
        }
        let declared_prefix = keys.prefix.trim().to_owned();
        if declared_prefix.is_empty() {
            return Err(invalid("`prefix` is empty".into()));
        }
        let content = Content::of(settings);
        let settings = keys.settings;
        let filter = NameFilter::new(&settings.include, &settings.exclude).map_err(invalid)?;
        let source = keys.ways.source(!settings.skills.is_empty(), &keys.env)?;
        let own = own_variables(&source, &keys.env);
        let set_up = keys.needs.missing(own, is_set, |program| {
            is_installed(program, own.get("PATH").map(String::as_str))
        });
        let has_program = matches!(source, Source::McpStdio(_) | Source::Cli(_));
        if !has_program && !settings.confinement.is_none() {
            return Err(invalid(
                "`limits` and `sandbox` are for programs (`mcp` with a `command` or `module`, `cli`), and this plugin has none".into(),
            ));
        }
        let mut timeouts = settings.timeouts;
        if let Source::Cli(program) = &source {
            timeouts.fill(program.limits_ms());
        }
        Ok(Self {
            content,
            configured: None,
            chosen_by: ChosenBy::User,
            source,
            name: settings.name.unwrap_or_else(|| declared_prefix.clone()),
            prefix: published(&declared_prefix),
            declared_prefix,
            description: settings.description,
            dir: keys.dir.map_or_else(|| dir.to_owned(), |own| dir.join(own)),
            env: keys.env,
            needs: keys.needs,
            set_up,
            filter,
            readonly_tools: settings.readonly_tools,
            readonly_skills: settings.readonly_skills,
            destructive_tools: settings.destructive_tools,
            tags: settings.tags,
            trusted: true,
            borrows_name: false,
            disbelieved: Vec::new(),
            withheld: Vec::new(),
            require_confirm: settings.require_confirm.unwrap_or(true),
            skills: settings.skills,
            confinement: settings.confinement,
            timeouts,
            discover_hint: settings.discover_hint,
            idle_limit: (!settings.keep_alive)
                .then(|| Duration::from_millis(settings.idle_ms.unwrap_or(IDLE_MS))),
        })
    }

    /// Its own variables, before any `${VAR}` is expanded.
    pub(crate) fn own_variables(&self) -> &IndexMap<String, String> {
        own_variables(&self.source, &self.env)
    }

    /// Takes back what frees from consent, and names what that was.
    pub(super) fn take_no_word(&mut self) -> Option<String> {
        let mut taken = Vec::new();
        if !std::mem::replace(&mut self.require_confirm, true) {
            taken.push("`requireConfirm: false`");
        }
        for (list, name) in [
            (&mut self.readonly_tools, "`readonlyTools`"),
            (&mut self.readonly_skills, "`readonlySkills`"),
        ] {
            if !list.is_empty() {
                taken.push(name);
            }
            self.disbelieved.append(list);
        }
        if let Source::OpenApi(settings) = &mut self.source {
            settings.is_doubted = true;
        }
        (!taken.is_empty()).then(|| taken.join(" and "))
    }

    /// Whether the folder has a `plugin.json` still, but one that cannot be used any more.
    pub(crate) fn has_become_unreadable(&self) -> bool {
        let in_a_folder = !self.dir.as_os_str().is_empty();
        in_a_folder && self.dir.join("plugin.json").is_file() && Self::read(&self.dir).is_err()
    }

    /// The names of the skills: the files' base names. Those that the policy denies are left out.
    pub fn skill_names(&self) -> impl Iterator<Item = &str> {
        let names = self.skills.iter().map(|path| skill_name(path));
        names.filter(|name| !self.withheld.iter().any(|withheld| withheld == name))
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

/// Those of its program, which has the plugin's too, or those of its modules.
fn own_variables<'a>(
    source: &'a Source,
    env: &'a IndexMap<String, String>,
) -> &'a IndexMap<String, String> {
    match source {
        Source::McpStdio(server) => &server.env,
        Source::Cli(program) => &program.every_tool.env,
        _ => env,
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
    fn a_manifest_names_no_secrets() {
        for text in [
            r#"{"prefix":"x","mcp":{"url":"https://h","headers":{"A":"${secret:a}"}}}"#,
            r#"{"prefix":"x","mcp":{"url":"https://h","headers":{"A":"${secret:a#00}"}}}"#,
        ] {
            let dir = write(text);
            let failure = Manifest::read(dir.path()).unwrap_err();
            assert!(failure.error.contains("cannot name secrets"), "{failure}");
        }
    }

    #[test]
    fn a_document_is_doubted_where_the_plugins_word_is_not_taken() {
        let settings = json!({"prefix": "x", "openapi": {"document": "./api.json"}});
        let mut manifest = Manifest::from_settings(&settings, Path::new("")).unwrap();
        let is_doubted = |manifest: &Manifest| match &manifest.source {
            Source::OpenApi(settings) => settings.is_doubted,
            _ => unreachable!("it has a document"),
        };
        assert!(!is_doubted(&manifest));
        manifest.take_no_word();
        assert!(is_doubted(&manifest));
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
            (
                r#"{"prefix":"x","cli":{"command":"a","timeoutMS":5}}"#,
                "`cli`: unknown field `timeoutMS`",
            ),
            (
                r#"{"prefix":"x","cli":{"command":""}}"#,
                "`cli`: `command` is empty",
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
    fn the_limits_of_a_program_are_limits_of_its_tools() {
        let settings = json!({"prefix":"c","toolTimeoutsMs":{"b":7},"timeoutMs":9,
            "cli":{"command":"x","timeoutMs":5,"tools":{"a":{},"b":{},"c":{"timeoutMs":6}}}});
        let manifest = Manifest::from_settings(&settings, Path::new("")).unwrap();
        let limit = |tool| manifest.timeouts.of_tool(tool).unwrap().as_millis();
        assert_eq!(["a", "b", "c", "other"].map(limit), [5, 7, 6, 9]);
    }

    #[test]
    fn a_program_and_modules_are_given_the_declared_variables_that_are_set() {
        // PATH is set wherever tests run.
        let environment = json!({"PATH": "", "NOBODY_SETS_THIS": "", "NOR_THIS": {"or": ["PATH"]}});
        for way in [
            json!({"mcp": {"command": "x", "env": {"OWN": "1"}}}),
            json!({"cli": {"command": "x", "env": {"OWN": "1"}}}),
            json!({"adapter": "./a.mjs", "env": {"OWN": "1"}}),
        ] {
            let mut settings = json!({"prefix": "x", "environment": environment});
            settings
                .as_object_mut()
                .unwrap()
                .extend(way.as_object().unwrap().clone());
            let manifest = Manifest::from_settings(&settings, Path::new("")).unwrap();
            let mut own: Vec<(&str, &str)> = (manifest.own_variables().iter())
                .map(|(name, text)| (name.as_str(), text.as_str()))
                .collect();
            own.sort_unstable();
            assert_eq!(own, [("OWN", "1"), ("PATH", "${PATH}")], "{way}");
            assert_eq!(manifest.set_up, None);
        }
    }

    #[test]
    fn an_embedded_plugin_needs_no_files() {
        let manifest =
            Manifest::from_settings(&json!({"prefix":"h","host":true}), Path::new("")).unwrap();
        assert!(matches!(manifest.source, Source::Embedded));
    }

    #[test]
    fn c128_debug_output_shows_no_value_that_may_be_a_secret() {
        let settings = [
            json!({"prefix": "a", "env": {"K": "CANARY"}, "adapter": "./a.mjs"}),
            json!({"prefix": "b", "mcp": {"command": "x", "args": ["--key=CANARY"], "env": {"K": "CANARY"}}}),
            json!({"prefix": "c", "mcp": {
                "url": "http://user:CANARY@127.0.0.1:1/mcp?key=CANARY", "headers": {"X-Key": "CANARY"},
                "auth": {"clientCredentials": {"clientId": "i", "clientSecret": "CANARY"}},
            }}),
            json!({"prefix": "d", "openapi": {
                "document": "https://x/CANARY?k=CANARY", "baseUrl": "https://u:CANARY@x", "headers": {"A": "CANARY"},
                "auth": {"a": "CANARY", "b": {"username": "u", "password": "CANARY"}},
                "query": {"q": "CANARY"}, "cookies": {"c": "CANARY"},
            }}),
            json!({"prefix": "e", "cli": {"command": "x", "args": ["CANARY"], "env": {"K": "CANARY"}, "tools": {
                "t": {"args": ["CANARY"], "env": {"K": "CANARY"}},
            }}}),
        ];
        for settings in &settings {
            let manifest = Manifest::from_settings(settings, Path::new("")).unwrap();
            let shown = format!("{manifest:?} {:#?}", manifest.source);
            assert!(!shown.contains("CANARY"), "{shown}");
            let names_a_value =
                matches!(manifest.source, Source::McpHttp(_)) || shown.contains("<redacted>");
            assert!(names_a_value, "{shown}");
        }
        let options = crate::Options {
            plugins: settings.to_vec(),
            ..crate::Options::default()
        };
        assert!(!format!("{options:?}").contains("CANARY"));
        let http = crate::serve::HttpOptions {
            token: Some("CANARY".into()),
            ..crate::serve::HttpOptions::default()
        };
        assert!(
            format!("{http:?}").contains("<redacted>") && !format!("{http:?}").contains("CANARY")
        );
    }
}
