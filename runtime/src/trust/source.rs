//! Where the definitions of a plugin come from.

use std::path::Path;

use crate::{
    checksum,
    plugin::{Manifest, Source, is_program},
};

/// From here on systems give out ports at random (Linux; others begin higher).
const FIRST_RANDOM_PORT: u16 = 32_768;

/// Whether what a plugin offers is written elsewhere: by a server, or in a document on the web. What is written on this
/// machine, such as modules, command-line programs and documents that are files, changes whenever its author works on it.
pub(crate) fn is_foreign(manifest: &Manifest) -> bool {
    match &manifest.source {
        Source::McpStdio(_) | Source::McpHttp(_) => true,
        Source::OpenApi(settings) => settings.document.contains("://"),
        Source::Module { .. } | Source::Embedded | Source::Cli(_) | Source::None => false,
    }
}

/// Whether the place will be the same one in the next run. A port of this machine that the system gives out at random may
/// be anybody's then.
pub(crate) fn is_lasting(manifest: &Manifest) -> bool {
    let url = match &manifest.source {
        Source::McpHttp(server) => &server.url,
        Source::OpenApi(settings) => &settings.document,
        _ => return true,
    };
    let Ok(url) = reqwest::Url::parse(url) else {
        return true;
    };
    let host = url.host_str().unwrap_or_default();
    let is_here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    !(is_here && url.port().is_some_and(|port| port >= FIRST_RANDOM_PORT))
}

/// The name of a plugin's lock file: 64 hexadecimal digits of its prefix and of the place its definitions come from.
///
/// Other than the identity by which listings are cached, it does not depend on the content of the server's program, on
/// variables or on versions of this runtime: a server that becomes another one under the same name is what is looked for.
pub(crate) fn source_name(manifest: &Manifest) -> String {
    let dir = &manifest.dir;
    let mut parts = vec![manifest.prefix.clone()];
    match &manifest.source {
        Source::McpStdio(server) => {
            let cwd = server
                .cwd
                .as_ref()
                .map_or_else(|| dir.clone(), |cwd| dir.join(cwd));
            parts.push("stdio".into());
            if let Some(module) = &server.module {
                // It is looked for from the folder upwards.
                parts.push(format!("{} {module}", dir.display()));
                parts.extend(server.bin.clone());
            }
            let words = server.command.iter().chain(&server.args);
            parts.extend(words.map(|word| located(word, &cwd)));
        }
        Source::McpHttp(server) => parts.extend(["http".into(), server.url.clone()]),
        Source::OpenApi(settings) if is_foreign(manifest) => {
            parts.extend(["openapi".into(), settings.document.clone()]);
            // What the settings leave out was never seen.
            for globs in [
                &settings.include,
                &settings.exclude,
                &settings.include_tags,
                &settings.exclude_tags,
            ] {
                parts.push(globs.join(" "));
            }
        }
        _ => parts.extend(["local".into(), dir.display().to_string()]),
    }
    let parts = serde_json::to_string(&parts).unwrap_or_default();
    checksum::hex(&parts)
}

/// A program's file is another one in each folder; any other word is the same everywhere. Its spelling decides: whether a
/// file is there is a matter of the server, too.
fn located(word: &str, cwd: &Path) -> String {
    let path = Path::new(word);
    match path.starts_with(".") || path.starts_with("..") || is_program(path) {
        true => cwd.join(path).display().to_string(),
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn source(dir: &Path, settings: &Value) -> String {
        source_name(&Manifest::from_settings(settings, dir).unwrap())
    }

    #[test]
    fn a_server_is_known_by_its_place_and_not_by_its_content() {
        let temp = tempfile::tempdir().unwrap();
        let (here, there) = (temp.path().join("here"), temp.path().join("there"));
        for dir in [&here, &there] {
            std::fs::create_dir(dir).unwrap();
            std::fs::write(dir.join("server.mjs"), "1").unwrap();
        }
        let server = json!({"prefix": "s", "mcp": {"command": "node", "args": ["server.mjs"], "env": {"A": "1"}}});
        let first = source(&here, &server);
        assert_eq!(first.len(), 64);
        assert_ne!(first, source(&there, &server));
        std::fs::write(here.join("server.mjs"), "2").unwrap();
        let other_env = json!({"prefix": "s", "mcp": {"command": "node", "args": ["server.mjs"], "env": {"A": "2"}}});
        assert_eq!(first, source(&here, &other_env));
        // A package is the same one wherever it is started from.
        let package =
            json!({"prefix": "s", "mcp": {"command": "npx", "args": ["-y", "@x/server"]}});
        assert_eq!(source(&here, &package), source(&there, &package));
    }

    #[test]
    fn a_random_port_of_this_machine_is_nobody() {
        for (url, lasting) in [
            ("http://127.0.0.1:40123/mcp", false),
            ("http://localhost:60000/mcp", false),
            ("http://[::1]:40123/mcp", false),
            ("http://127.0.0.1:3845/mcp", true),
            ("https://example.com:40123/mcp", true),
            ("https://${HOST}/mcp", true),
        ] {
            let settings = json!({"prefix": "p", "mcp": {"url": url}});
            let manifest = Manifest::from_settings(&settings, Path::new("/")).unwrap();
            assert_eq!(is_lasting(&manifest), lasting, "{url}");
        }
    }

    #[test]
    fn what_is_written_here_is_not_pinned() {
        for (settings, pinned) in [
            (
                json!({"prefix": "p", "mcp": {"url": "https://example.com/mcp"}}),
                true,
            ),
            (
                json!({"prefix": "p", "openapi": {"document": "https://example.com/api.json"}}),
                true,
            ),
            (
                json!({"prefix": "p", "openapi": {"document": "./api.json"}}),
                false,
            ),
            (json!({"prefix": "p", "adapter": "./a.mjs"}), false),
            (
                json!({"prefix": "p", "cli": {"command": "sort", "description": "Sorts."}}),
                false,
            ),
            (json!({"prefix": "p", "host": true}), false),
        ] {
            let manifest = Manifest::from_settings(&settings, Path::new("/")).unwrap();
            assert_eq!(is_foreign(&manifest), pinned, "{settings}");
        }
    }
}
