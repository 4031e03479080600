//! Where clients keep their MCP servers.

use std::path::{Path, PathBuf};

/// The clients whose files are known.
pub(crate) const CLIENTS: &[&str] = &[
    "claude-desktop",
    "claude-code",
    "vscode",
    "cursor",
    "pi",
    "codex",
    "droid",
    "gemini",
    "windsurf",
];

/// The files of a client, the project's before the user's; `None` for a client that is not known.
pub(super) fn of_client(client: &str, project: &Path) -> Option<Vec<PathBuf>> {
    this_user().files(client, project)
}

/// Whether a file is the one that a client keeps for the user, and not one of a project.
pub(super) fn is_of_user(client: &str, path: &Path) -> bool {
    let places = this_user().places(client);
    places.is_some_and(|(_, user)| user == path)
}

fn this_user() -> User<impl Fn(&str) -> Option<PathBuf>> {
    User {
        home: super::home().unwrap_or_default(),
        os: std::env::consts::OS,
        variable: |name: &str| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        },
    }
}

/// Where a user's files are.
struct User<V> {
    home: PathBuf,
    os: &'static str,
    variable: V,
}

impl<V: Fn(&str) -> Option<PathBuf>> User<V> {
    fn files(&self, client: &str, project: &Path) -> Option<Vec<PathBuf>> {
        let upwards = |file: &str| {
            let found = project
                .ancestors()
                .map(|folder| folder.join(file))
                .find(|path| path.is_file());
            found.unwrap_or_else(|| project.join(file))
        };
        let (of_project, of_user) = self.places(client)?;
        Some(
            of_project
                .map(upwards)
                .into_iter()
                .chain([of_user])
                .collect(),
        )
    }

    /// The name of the file in a project, and the path of the user's.
    fn places(&self, client: &str) -> Option<(Option<&'static str>, PathBuf)> {
        let home = |file: &str| self.home.join(file);
        Some(match client {
            "claude-desktop" => (
                None,
                self.settings().join("Claude/claude_desktop_config.json"),
            ),
            "claude-code" => (Some(".mcp.json"), home(".claude.json")),
            "vscode" => (
                Some(".vscode/mcp.json"),
                self.settings().join("Code/User/mcp.json"),
            ),
            "cursor" => (Some(".cursor/mcp.json"), home(".cursor/mcp.json")),
            "pi" => (Some(".pi/mcp.json"), home(".pi/agent/mcp.json")),
            "codex" => (
                Some(".codex/config.toml"),
                (self.variable)("CODEX_HOME")
                    .unwrap_or_else(|| home(".codex"))
                    .join("config.toml"),
            ),
            "droid" => (Some(".factory/mcp.json"), home(".factory/mcp.json")),
            "gemini" => (Some(".gemini/settings.json"), home(".gemini/settings.json")),
            "windsurf" => (None, home(".codeium/windsurf/mcp_config.json")),
            _ => return None,
        })
    }

    /// Where programs with windows keep their settings.
    fn settings(&self) -> PathBuf {
        match self.os {
            "macos" => self.home.join("Library/Application Support"),
            "windows" => {
                (self.variable)("APPDATA").unwrap_or_else(|| self.home.join("AppData/Roaming"))
            }
            _ => (self.variable)("XDG_CONFIG_HOME").unwrap_or_else(|| self.home.join(".config")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(os: &'static str) -> User<impl Fn(&str) -> Option<PathBuf>> {
        User {
            home: "/home/me".into(),
            os,
            variable: |name: &str| (name == "APPDATA").then(|| "/appdata".into()),
        }
    }

    #[test]
    fn each_system_has_its_own_place() {
        let first = |os| {
            user(os)
                .files("claude-desktop", Path::new("/p"))
                .unwrap()
                .remove(0)
        };
        assert_eq!(
            first("linux"),
            Path::new("/home/me/.config/Claude/claude_desktop_config.json")
        );
        assert_eq!(
            first("macos"),
            Path::new("/home/me/Library/Application Support/Claude/claude_desktop_config.json")
        );
        assert_eq!(
            first("windows"),
            Path::new("/appdata/Claude/claude_desktop_config.json")
        );
    }

    #[test]
    fn every_client_has_files_and_a_project_in_a_folder_above_is_found() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(temp.path().join(".mcp.json"), "{}").unwrap();
        for client in CLIENTS {
            assert!(
                !user("linux").files(client, &inner).unwrap().is_empty(),
                "{client}"
            );
        }
        let files = user("linux").files("claude-code", &inner).unwrap();
        assert_eq!(
            files,
            [
                temp.path().join(".mcp.json"),
                "/home/me/.claude.json".into()
            ]
        );
        assert_eq!(user("linux").files("netscape", &inner), None);
    }
}
