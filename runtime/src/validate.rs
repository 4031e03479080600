//! What is wrong with a plugin's folder or a configuration file, without starting anything.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    config::{
        ConfigChoice, Options,
        jsonc::{self, Dialect},
        keys::keys_of,
        locate::FILE_NAME,
    },
    placeholder::{Part, each_text, parts},
    plugin::{EXTENSION, Manifest, ManifestKeys, Source, Targets, find},
    schemas::{config_schema, manifest_keys_schema},
    similar::closest,
    skill::SkillFiles,
    text_file::read_text,
};

/// Keys of a flat manifest that are other tools' business.
const FOREIGN: &[&str] = &[
    "$schema",
    "author",
    "bugs",
    "categories",
    "extensions",
    "files",
    "homepage",
    "icon",
    "keywords",
    "license",
    "repository",
    "tags",
    "title",
    "type",
    "version",
];

/// One thing to correct or to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Whether the plugin does not work as it is.
    pub error: bool,
    /// What it is, and what to do, in a sentence or two.
    pub message: String,
}

/// Looks at a plugin's folder (or its `plugin.json`) or at an `agent-tools.json`.
pub async fn validate(path: &Path) -> Vec<Problem> {
    let mut problems = Problems::default();
    let is_config = path.is_file() && path.file_name().is_some_and(|name| name != "plugin.json");
    if is_config {
        problems.config_file(path).await;
    } else if path.is_dir() && !path.join("plugin.json").exists() && path.join(FILE_NAME).is_file()
    {
        problems.config_file(&path.join(FILE_NAME)).await;
    } else {
        let dir = if path.is_file() {
            path.parent().unwrap_or(path)
        } else {
            path
        };
        problems.plugin(dir).await;
    }
    problems.0
}

#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn error(&mut self, message: impl Into<String>) {
        self.add(true, message.into());
    }

    fn warn(&mut self, message: impl Into<String>) {
        self.add(false, message.into());
    }

    fn add(&mut self, error: bool, message: String) {
        if !self.0.iter().any(|known| known.message == message) {
            self.0.push(Problem { error, message });
        }
    }

    async fn config_file(&mut self, path: &Path) {
        let root = match read_text(path).and_then(|text| jsonc::parse(&text, Dialect::WithComments))
        {
            Ok(root) => root,
            Err(what) => return self.error(format!("{}: {what}", path.display())),
        };
        let options = Options {
            config: ConfigChoice::File(path.to_owned()),
            ..Options::default()
        };
        let found = find(&options);
        for warning in found.warnings {
            self.error(warning);
        }
        let is_sound = self.0.is_empty();
        for note in found.notes {
            self.warn(note);
        }
        if is_sound {
            self.against_schema(&root, &config_schema());
        }
        self.links(&found.manifests).await;
        found
            .manifests
            .iter()
            .for_each(|manifest| self.set_up(manifest));
        self.missing_variables(&root, &BTreeSet::new());
    }

    async fn plugin(&mut self, dir: &Path) {
        let path = dir.join("plugin.json");
        let root = match read_text(&path).and_then(|text| jsonc::parse(&text, Dialect::Json)) {
            Ok(root) => root,
            Err(what) => return self.error(format!("{}: {what}", path.display())),
        };
        let extension = root
            .pointer("/extensions")
            .and_then(|extensions| extensions.get(EXTENSION));
        let settings = extension.unwrap_or(&root);
        if let Some(settings) = settings.as_object() {
            self.unknown_keys(settings, extension.is_none());
        }
        let mut declared_names = BTreeSet::new();
        match Manifest::read(dir) {
            Err(failure) => self.error(failure.error),
            Ok(manifest) => {
                self.against_schema(settings, &manifest_keys_schema());
                self.files(&manifest).await;
                self.set_up(&manifest);
                let declared = manifest.needs.names();
                declared_names.extend(declared.map(str::to_owned));
                if manifest.description.is_none() {
                    self.warn("There is no `description`: a model chooses a plugin by it. Say in one sentence what the service is.");
                }
            }
        }
        self.missing_variables(settings, &declared_names);
        let folder = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        let named = folder
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("agent-tools-plugin-"));
        if !named {
            self.warn(
                "The folder's name does not begin with agent-tools-plugin-, so it is only found where it is named: in \
                 AGENT_TOOLS_PLUGINS_DIR, --plugins-dir or agent-tools.json.",
            );
        }
    }

    fn unknown_keys(&mut self, settings: &Map<String, Value>, flat: bool) {
        let known = keys_of::<ManifestKeys>();
        let unknown = settings.keys().filter(|key| !known.contains(key));
        for key in unknown.filter(|key| !(flat && FOREIGN.contains(&key.as_str()))) {
            match closest(key, known.iter().map(String::as_str)) {
                Some(near) => self.error(format!("Unknown key {key:?}: did you mean {near:?}?")),
                None => self.warn(format!("Unknown key {key:?}: it is ignored.")),
            }
        }
    }

    fn against_schema(&mut self, value: &Value, schema: &Value) {
        let Ok(validator) = jsonschema::validator_for(schema) else {
            return self.error("the schema itself is broken; report this");
        };
        for error in validator.iter_errors(value) {
            let at = error.instance_path().to_string();
            let place = if at.is_empty() {
                String::new()
            } else {
                format!("{}: ", at.trim_start_matches('/'))
            };
            self.error(format!("{place}{error}"));
        }
    }

    async fn files(&mut self, manifest: &Manifest) {
        let mut needed: Vec<(String, PathBuf)> = manifest
            .skill_modules()
            .map(|path| (path.to_owned(), manifest.dir.join(path)))
            .collect();
        if let Source::Module { adapter, .. } = &manifest.source {
            needed.push((adapter.clone(), manifest.dir.join(adapter)));
        }
        if let Source::OpenApi(settings) = &manifest.source
            && !settings.document.contains("://")
            && !settings.document.contains("${")
        {
            needed.push((
                settings.document.clone(),
                manifest.dir.join(&settings.document),
            ));
        }
        for (name, path) in needed {
            if !path.is_file() {
                self.error(format!(
                    "{name} does not exist (looked for {})",
                    path.display()
                ));
            }
        }
        let skills = SkillFiles::new(manifest.dir.clone(), manifest.declarative_skills());
        for skill in skills.list().await {
            if let Some(error) = skill.error {
                self.error(error);
            }
        }
        let own = std::slice::from_ref(manifest);
        self.links(own).await;
    }

    /// Links of declarative skills that lead nowhere.
    async fn links(&mut self, manifests: &[Manifest]) {
        let targets = Targets::of_manifests(manifests);
        for manifest in manifests {
            let skills = SkillFiles::new(manifest.dir.clone(), manifest.declarative_skills());
            for skill in skills.list().await {
                let of = format!("{}:{}", manifest.prefix, skill.name);
                for link in skill.related.iter().map(|link| &link.target) {
                    if let Some(problem) = targets.problem(&of, link) {
                        self.warn(problem);
                    }
                }
            }
        }
    }

    /// What the user has to do where the plugin runs; it is right as it is.
    fn set_up(&mut self, manifest: &Manifest) {
        if let Some(set_up) = &manifest.set_up {
            self.warn(set_up.failure(&manifest.prefix).error);
        }
    }

    /// Variables without a default that are not set, and of which the manifest says no more: the plugin works once they are.
    fn missing_variables(&mut self, value: &Value, declared: &BTreeSet<String>) {
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        each_text(value, &mut |text| {
            for part in parts(text) {
                if let Part::Variable {
                    name,
                    default: None,
                } = part
                    && is_name(name)
                    && !declared.contains(name)
                    && std::env::var_os(name).is_none()
                {
                    self.warn(format!("The environment variable {name} is not set; it is needed where the plugin runs."));
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn said(folder: &str, files: &[(&str, &str)]) -> Vec<String> {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join(folder);
        for (name, text) in files {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let problems = validate(&dir).await;
        let lines = problems.iter().map(|Problem { error, message }| {
            format!("{}: {message}", if *error { "error" } else { "warning" })
        });
        lines
            .map(|line| line.replace(&temp.path().display().to_string(), ""))
            .collect()
    }

    #[tokio::test]
    async fn a_good_plugin_has_no_problem() {
        let manifest = r#"{"prefix":"x","description":"X.","adapter":"./a.mjs","version":"1.0.0","skills":["./s.json"]}"#;
        let skill =
            r#"{"description":"Does it.","steps":[{"id":"a","call":"t"}],"result":"{{a}}"}"#;
        let said = said(
            "agent-tools-plugin-x",
            &[("plugin.json", manifest), ("a.mjs", ""), ("s.json", skill)],
        )
        .await;
        insta::assert_snapshot!(said.join("\n"), @"");
    }

    #[tokio::test]
    async fn a_related_skill_of_its_own_must_exist() {
        let manifest = r#"{"prefix":"x","description":"X.","adapter":"./a.mjs","skills":["./s.json","./other.mjs"]}"#;
        let skill = r#"{"description":"Does it.","steps":[{"id":"a","call":"t"}],"result":"{{a}}",
            "related":[{"target":"x:other"},{"target":"x:othr"},{"target":"elsewhere:s"}]}"#;
        let said = said(
            "agent-tools-plugin-x",
            &[
                ("plugin.json", manifest),
                ("a.mjs", ""),
                ("other.mjs", ""),
                ("s.json", skill),
            ],
        )
        .await;
        insta::assert_snapshot!(said.join("\n"), @r#"warning: the skill x:s names "x:othr" as related, which does not exist: did you mean "x:other"?"#);
    }

    #[tokio::test]
    async fn every_mistake_is_told_at_once() {
        let manifest = r#"{"extensions":{"dev.agent-tools-runtime":{"prefix":"x","adapter":"./a.mjs","skill":["s"],"colour":1,
            "timeoutMs":"5","skills":["./gone.mjs","./s.json"],"env":{"A":"${NOBODY_SETS_THIS}"}}}}"#;
        let said = said("x", &[("plugin.json", manifest), ("s.json", "{}")]).await;
        insta::assert_snapshot!(said.join("\n"));
    }

    #[tokio::test]
    async fn what_is_missing_is_told() {
        let manifest = r#"{"prefix":"x","adapter":"./a.mjs","skills":["./gone.mjs","./s.json"]}"#;
        let said = said(
            "agent-tools-plugin-x",
            &[("plugin.json", manifest), ("s.json", "{}")],
        )
        .await;
        insta::assert_snapshot!(said.join("\n"));
    }

    #[tokio::test]
    async fn what_it_needs_is_told_once_and_a_mistake_in_it_is_an_error() {
        let told = said(
            "agent-tools-plugin-x",
            &[("plugin.json", r#"{"prefix":"x","description":"X.","mcp":{"url":"https://x","headers":{"A":"${NOBODY_SETS_THIS}"}},
                "environment":{"NOBODY_SETS_THIS":{"description":"a token.","from":"https://x/tokens","required":true},"NOR_THIS":"where it is"},
                "programs":{"sh":{},"no-such-program":"https://x/get"}}"#)],
        )
        .await;
        insta::assert_snapshot!(told.join("\n"), @"warning: the plugin x needs set-up: set NOBODY_SETS_THIS (a token; from https://x/tokens); install no-such-program (from https://x/get)");
        let wrong = said(
            "agent-tools-plugin-x",
            &[("plugin.json", r#"{"prefix":"x","description":"X.","mcp":{"url":"https://x"},"environment":{"A":{"require":true}}}"#)],
        )
        .await;
        assert!(
            wrong[0].contains("`environment.A`: unknown field `require`")
                && wrong[0].contains("did you mean `required`?"),
            "{wrong:?}"
        );
    }

    #[tokio::test]
    async fn a_configuration_file_is_looked_at_too() {
        let config = r#"{"mcpServers":{"a":{"comand":"x"},"b":{"command":"y","env":{"T":"${NOBODY_SETS_THIS}"}}},"plugins":["./p"]}"#;
        let said = said("x", &[("agent-tools.json", config)]).await;
        insta::assert_snapshot!(said.join("\n"));
    }
}
