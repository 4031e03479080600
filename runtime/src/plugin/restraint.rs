//! What a plugin that a project has chosen may not do without the user's yes: start a program that is no known launcher,
//! hand a launcher code in its arguments, set variables that steer a program, have a program print a token, send a secret of
//! the user's environment or files of other folders anywhere.
//!
//! It does not make a project harmless: a known launcher runs whatever package or file the project names. It keeps out
//! what needs no package at all, and programs of the user's that were never meant to be driven by a project.

mod launchers;

use std::path::{Component, Path};

use super::{Manifest, Source};
use crate::{
    adapter::{Argument, CliSettings, HttpAuth, StdioServer, steering},
    config::{ChosenBy, ProjectKeys, own_file},
    reply::{Code, Failure},
    secrets::is_secret_variable,
};

/// Refuses a project's plugin that does what only the user may have it do.
pub(super) fn check(manifest: &Manifest, accepted: &ProjectKeys) -> Result<(), Failure> {
    if manifest.chosen_by == ChosenBy::User {
        return Ok(());
    }
    let restraint = Restraint { manifest, accepted };
    restraint.no_steering(manifest.env.keys())?;
    restraint.no_secrets()?;
    match &manifest.source {
        Source::McpStdio(server) => restraint.server(server),
        Source::Cli(settings) => restraint.command_line(settings),
        Source::McpHttp(server) => match &server.auth {
            Some(HttpAuth::TokenCommand(words)) => restraint.token_command(words),
            _ => Ok(()),
        },
        Source::OpenApi(settings) => restraint.uploads(settings.files_folder.as_deref()),
        _ => Ok(()),
    }
}

struct Restraint<'a> {
    manifest: &'a Manifest,
    accepted: &'a ProjectKeys,
}

impl Restraint<'_> {
    fn server(&self, server: &StdioServer) -> Result<(), Failure> {
        self.no_steering(server.env.keys())?;
        match &server.command {
            Some(command) => self.launch(command, server.args.iter().map(String::as_str)),
            // The program of an installed package, run with `node`.
            None => Ok(()),
        }
    }

    fn command_line(&self, settings: &CliSettings) -> Result<(), Failure> {
        for (_, tool) in settings.tools() {
            self.no_steering(tool.env.keys())?;
            let words = tool.args.iter().flat_map(Argument::configured_words);
            self.launch(&settings.command, words)?;
        }
        Ok(())
    }

    /// Even a known launcher may hand out what it is logged in with.
    fn token_command(&self, words: &[String]) -> Result<(), Failure> {
        let command = words.first().map_or("", String::as_str);
        if self.accepted.allow(command, &self.manifest.dir) {
            return Ok(());
        }
        let what = format!(
            "the token command {command:?} may hand out credentials of yours, which a project's file may not have it do"
        );
        Err(self.refused(&what, Some(command)))
    }

    /// What it uploads to where it says has to be its own.
    fn uploads(&self, folder: Option<&Path>) -> Result<(), Failure> {
        let Some(folder) = folder else { return Ok(()) };
        if lies_in(&self.manifest.dir.join(folder), self.project()) {
            return Ok(());
        }
        let what = format!(
            "the folder {:?} for uploads lies outside of the project, whose file may send nothing of it",
            folder.display().to_string()
        );
        Err(self.refused(&what, None))
    }

    /// The folder of the file that names it, or its own.
    fn project(&self) -> &Path {
        let Manifest {
            dir, configured, ..
        } = self.manifest;
        let named_in = configured.as_ref().and_then(|entry| entry.file.parent());
        named_in.unwrap_or(dir)
    }

    fn launch<'a>(
        &self,
        command: &str,
        args: impl Iterator<Item = &'a str>,
    ) -> Result<(), Failure> {
        if self.accepted.allow(command, &self.manifest.dir) {
            return Ok(());
        }
        let what = match launchers::known(command) {
            None => {
                format!("{command:?} is none of the launchers that a project's file may start")
            }
            Some(launcher) => match launchers::code_in_arguments(launcher, args) {
                None => return Ok(()),
                Some(word) => format!(
                    "{command} with {word:?} runs what stands in its arguments, which a project's file may not have it do"
                ),
            },
        };
        Err(self.refused(&what, Some(command)))
    }

    /// Refuses variables that make a program do something else.
    fn no_steering<'a>(&self, names: impl Iterator<Item = &'a String>) -> Result<(), Failure> {
        for name in names {
            if let Some(reason) = steering(name) {
                let what =
                    format!("the variable {name} is none that a project's file may set: {reason}");
                return Err(self.refused(&what, None));
            }
        }
        Ok(())
    }

    /// Refuses what would send a secret of the user's environment: wherever `${NAME}` stands, and what a program is given.
    /// Modules run in this very process, and see less of it where they say what they need.
    fn no_secrets(&self) -> Result<(), Failure> {
        let Manifest {
            content,
            needs,
            source,
            ..
        } = self.manifest;
        let is_given = matches!(source, Source::McpStdio(_) | Source::Cli(_));
        let given = needs.names().filter(|_| is_given);
        let called_secret = needs.secret_names().collect::<Vec<_>>();
        let written = content.variables.iter();
        let written = written.flat_map(|name| needs.meant_by(name));
        let mut names = written.chain(given);
        let secret = names.find(|name| called_secret.contains(name) || is_secret_variable(name));
        let Some(name) = secret else { return Ok(()) };
        let what = format!(
            "the variable {name} of your environment is taken for a secret, which a project's file may not send anywhere"
        );
        Err(self.refused(&what, None))
    }

    /// What to do stands in the error itself: where plugins are left out, nothing else is shown.
    fn refused(&self, what: &str, command: Option<&str>) -> Failure {
        let dir = &self.manifest.dir;
        let project = self.project().display().to_string();
        let the_command = command.map(|command| {
            let command = match command.contains(std::path::is_separator) {
                true => dir
                    .join(command.trim_start_matches("./"))
                    .display()
                    .to_string(),
                false => command.to_owned(),
            };
            format!(
                "the program for every project (\"projects\": {{\"commands\": [{command:?}]}}) or "
            )
        });
        Failure::new(
            Code::ConfigInvalid,
            format!(
                "{what}; if you trust it, allow in {} {}everything of this project (\"projects\": {{\"trusted\": [{project:?}]}})",
                own_file(),
                the_command.unwrap_or_default()
            ),
        )
    }
}

/// Whether a folder is another one or below it, wherever links lead.
fn lies_in(folder: &Path, other: &Path) -> bool {
    match (folder.canonicalize(), other.canonicalize()) {
        (Ok(folder), Ok(other)) => folder.starts_with(other),
        _ => {
            let climbs = folder.components().any(|part| part == Component::ParentDir);
            !climbs && folder.starts_with(other)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn checked(settings: Value, accepted: &ProjectKeys) -> Result<(), String> {
        let manifest = Manifest {
            chosen_by: ChosenBy::Project,
            ..Manifest::from_settings(&settings, Path::new("/srv/shop")).unwrap()
        };
        check(&manifest, accepted).map_err(|failure| failure.error)
    }

    #[test]
    fn what_a_project_may_not_do_the_user_may() {
        for (settings, want) in [
            (
                json!({"prefix": "a", "mcp": {"command": "make"}}),
                "\"make\" is none of the launchers",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "./run"}}),
                "\"/srv/shop/run\"]",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "${SHELL}"}}),
                "none of the launchers",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "bash", "args": ["-c", "x"]}}),
                "none of the launchers",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "node", "args": ["-e", "x"]}}),
                "node with \"-e\"",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "npx", "args": ["x"], "env": {"LD_PRELOAD": "x"}}}),
                "the variable LD_PRELOAD",
            ),
            (
                json!({"prefix": "a", "env": {"NODE_OPTIONS": "x"}, "mcp": {"command": "npx"}}),
                "the variable NODE_OPTIONS",
            ),
            (
                json!({"prefix": "a", "env": {"NODE_OPTIONS": "x"}, "adapter": "./a.mjs"}),
                "the variable NODE_OPTIONS",
            ),
            (
                json!({"prefix": "a", "cli": {"command": "python3", "args": [{"param": "p", "flag": "-c", "default": "x"}]}}),
                "python3 with \"-c\"",
            ),
            (
                json!({"prefix": "a", "cli": {"command": "curl"}}),
                "\"curl\" is none",
            ),
            (
                json!({"prefix": "a", "cli": {"command": "python3", "tools": {"t": {"args": ["-c", "x"]}}}}),
                "python3 with \"-c\"",
            ),
            (
                json!({"prefix": "a", "cli": {"command": "node", "tools": {"t": {"env": {"PATH": "x"}}}}}),
                "the variable PATH",
            ),
            (
                json!({"prefix": "a", "mcp": {"url": "http://x", "auth": {"tokenCommand": ["gh", "auth", "token"]}}}),
                "token command \"gh\"",
            ),
            (
                json!({"prefix": "a", "mcp": {"url": "http://x", "headers": {"A": "Bearer ${GITHUB_TOKEN}"}}}),
                "the variable GITHUB_TOKEN of your environment",
            ),
            (
                json!({"prefix": "a", "mcp": {"url": "http://x/${env:API_KEY:-d}"}}),
                "the variable API_KEY",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "npx", "args": ["x", "--k=${DB_PASSWORD}"]}}),
                "the variable DB_PASSWORD",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "npx", "env": {"X": "${AUTH}"}}}),
                "the variable AUTH",
            ),
            (
                json!({"prefix": "a", "openapi": {"document": "a", "query": {"k": "${S_SECRET}"}}}),
                "the variable S_SECRET",
            ),
            (
                json!({"prefix": "a", "env": {"X": "${A_TOKEN}"}, "adapter": "./a.mjs"}),
                "the variable A_TOKEN",
            ),
            (
                json!({"prefix": "a", "mcp": {"command": "npx"}, "environment": {"X": {"or": ["X_TOKEN"]}}}),
                "the variable X_TOKEN",
            ),
            (
                json!({"prefix": "a", "mcp": {"url": "http://x/${PAGE}"}, "environment": {"PAGE": {"or": ["X_TOKEN"]}}}),
                "the variable X_TOKEN",
            ),
            (
                json!({"prefix": "a", "openapi": {"document": "a", "query": {"p": "${PAGE}"}}, "environment": {"PAGE": {"or": ["X_TOKEN"]}}}),
                "the variable X_TOKEN",
            ),
            (
                json!({"prefix": "a", "openapi": {"document": "a", "filesFolder": "../.."}}),
                "the folder \"../..\" for uploads",
            ),
            (
                json!({"prefix": "a", "openapi": {"document": "a", "filesFolder": "/home"}}),
                "the folder \"/home\" for uploads",
            ),
            (
                json!({"prefix": "a", "cli": {"command": "node"}, "environment": {"LOGIN": {"secret": true}}}),
                "the variable LOGIN",
            ),
        ] {
            let error = checked(settings.clone(), &ProjectKeys::default()).unwrap_err();
            assert!(error.contains(want), "{settings}: {error}");
            assert!(error.contains("\"trusted\": [\"/srv/shop\"]"), "{error}");
            let manifest = Manifest::from_settings(&settings, Path::new("/srv/shop")).unwrap();
            assert!(
                check(&manifest, &ProjectKeys::default()).is_ok(),
                "{settings}"
            );
        }
        for settings in [
            json!({"prefix": "a", "mcp": {"command": "npx", "args": ["-y", "server"], "env": {"API_KEY": "of-the-project", "PAGE": "${PAGE_NUMBER}"}}}),
            json!({"prefix": "a", "mcp": {"url": "http://x/$${API_KEY}"}}),
            json!({"prefix": "a", "adapter": "./a.mjs", "environment": {"GITHUB_TOKEN": "a token"}}),
            json!({"prefix": "a", "cli": {"command": "node"}, "environment": {"PAGE_NUMBER": "a page"}}),
            json!({"prefix": "a", "mcp": {"url": "http://x"}, "environment": {"PAGE": {"or": ["X_TOKEN"]}}}),
            json!({"prefix": "a", "openapi": {"document": "a", "filesFolder": "./uploads"}}),
            json!({"prefix": "a", "mcp": {"module": "server"}}),
            json!({"prefix": "a", "mcp": {"url": "http://x"}}),
            json!({"prefix": "a", "cli": {"command": "node", "args": ["./x.js", {"param": "p"}]}}),
        ] {
            assert_eq!(checked(settings, &ProjectKeys::default()), Ok(()));
        }
    }

    #[test]
    fn a_yes_is_for_programs_and_never_for_variables() {
        let accepted = ProjectKeys {
            commands: vec!["make".into(), "bash".into(), "gh".into()],
            ..ProjectKeys::default()
        };
        for settings in [
            json!({"prefix": "a", "mcp": {"command": "bash", "args": ["-c", "x"]}}),
            json!({"prefix": "a", "cli": {"command": "make"}}),
            json!({"prefix": "a", "mcp": {"url": "http://x", "auth": {"tokenCommand": ["gh"]}}}),
        ] {
            assert_eq!(checked(settings, &accepted), Ok(()));
        }
        let steered =
            json!({"prefix": "a", "mcp": {"command": "make", "env": {"LD_PRELOAD": "x"}}});
        assert!(checked(steered, &accepted).is_err());
    }
}
