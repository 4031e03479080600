//! Which secrets an entry of a configuration file may name, and what they stand for.

use std::path::{Path, PathBuf};

use reqwest::Url;
use serde_json::{Map, Value};

use super::definition::{Definitions, SecretDefinition};
use crate::{
    placeholder::{Part, SECRET, written_parts},
    reply::{Code, Failure},
    similar::closest,
};

/// Keys of an MCP server that name its endpoint otherwise than `url`.
const OTHER_URLS: [&str; 2] = ["serverUrl", "httpUrl"];

/// The secrets of the user's own file.
#[derive(Debug, Default)]
pub(crate) struct OwnSecrets {
    definitions: Definitions,
    file: PathBuf,
}

/// What the entries of one file may name.
pub(crate) struct Scope<'a> {
    own: &'a OwnSecrets,
    /// For a file that came with a project: what it defines, and its folder.
    project: Option<(&'a Definitions, &'a Path)>,
}

impl OwnSecrets {
    /// Of the file at that path.
    pub(crate) fn new(definitions: Definitions, file: &Path) -> Self {
        Self {
            definitions,
            file: file.to_owned(),
        }
    }

    /// For the user's own entries, which may name every secret.
    pub(crate) fn for_user(&self) -> Scope<'_> {
        Scope {
            own: self,
            project: None,
        }
    }

    /// For the entries of a project's file in the folder `dir`, which defines `definitions`. Somebody else may have written
    /// it: a secret of the user goes only to origins that the user has named.
    pub(crate) fn for_project<'a>(
        &'a self,
        definitions: &'a Definitions,
        dir: &'a Path,
    ) -> Scope<'a> {
        Scope {
            own: self,
            project: Some((definitions, dir)),
        }
    }
}

impl Scope<'_> {
    /// Binds every `${secret:NAME}` of an entry to where that secret is kept.
    pub(crate) fn bind(&self, entry: &mut Map<String, Value>) -> Result<(), Failure> {
        let origin = origin_of(entry);
        for (key, value) in entry.iter_mut() {
            // The only place of which it is known where it is sent.
            let origin = origin.as_deref().filter(|_| key == "headers");
            each_text_mut(value, &mut |text| self.bound(text, origin))?;
        }
        Ok(())
    }

    fn bound(&self, text: &mut String, origin: Option<&str>) -> Result<(), Failure> {
        if !text.contains(SECRET) {
            return Ok(());
        }
        let mut bound = String::with_capacity(text.len());
        for (part, written) in written_parts(text) {
            match part {
                Part::Secret(name) => {
                    bound.push_str(&format!("{SECRET}{}}}", self.source(name, origin)?));
                }
                _ => bound.push_str(written),
            }
        }
        *text = bound;
        Ok(())
    }

    /// The bound name of a secret.
    fn source(&self, name: &str, origin: Option<&str>) -> Result<String, Failure> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(invalid(format!("{name:?} is no name of a secret"))
                .with_hint("A name has letters, digits, `-`, `_` and `.`: ${secret:NAME}."));
        }
        let misdefined = |what: String| invalid(format!("the secret {name} {what}"));
        let source = match self.project {
            Some((definitions, dir)) if definitions.contains_key(name) => {
                definitions[name].source_of_project(dir)
            }
            Some(_) => {
                let definition = self.own(name)?;
                if !origin.is_some_and(|origin| allows(definition, origin)) {
                    return Err(self.not_allowed(name, origin));
                }
                definition.source(self.folder())
            }
            None => self.own(name)?.source(self.folder()),
        };
        Ok(source.map_err(misdefined)?.bind(name))
    }

    fn own(&self, name: &str) -> Result<&SecretDefinition, Failure> {
        let own = &self.own.definitions;
        own.get(name).ok_or_else(|| {
            let failure = invalid(format!("there is no secret {name}"));
            let near = closest(name, own.keys().map(String::as_str));
            failure.with_hint(match near {
                Some(near) => format!("Did you mean {near}?"),
                None => format!(
                    "Define it under `secrets`, for example \"secrets\": {{\"{name}\": {{\"file\": \"~/.config/{name}\"}}}}."
                ),
            })
        })
    }

    fn folder(&self) -> &Path {
        self.own.file.parent().unwrap_or(Path::new(""))
    }

    fn not_allowed(&self, name: &str, origin: Option<&str>) -> Failure {
        let file = self.own.file.display();
        match origin {
            Some(origin) => invalid(format!(
                "the secret {name} is the user's, and a project's file may not send it to {origin}"
            ))
            .with_hint(format!(
                "If you trust this project with it, add \"for\": [\"{origin}\"] to the secret in {file}."
            )),
            None => invalid(format!(
                "the secret {name} is the user's; a project's file may name it only in `headers` of an MCP server whose `url` is written out"
            ))
            .with_hint(format!(
                "If you trust this entry with it, move the entry to {file}."
            )),
        }
    }
}

/// Whether a project's file may send the secret to that origin.
fn allows(definition: &SecretDefinition, origin: &str) -> bool {
    let named = definition.origins.iter();
    named
        .filter_map(|named| Url::parse(named).ok())
        .any(|named| named.origin().is_tuple() && named.origin().ascii_serialization() == origin)
}

/// The origin of an MCP server whose URL says nothing but itself.
fn origin_of(entry: &Map<String, Value>) -> Option<String> {
    let url = entry.get("url")?.as_str()?;
    if url.contains("${") || OTHER_URLS.iter().any(|key| entry.contains_key(*key)) {
        return None;
    }
    let origin = Url::parse(url).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

fn each_text_mut(
    value: &mut Value,
    change: &mut impl FnMut(&mut String) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items
            .iter_mut()
            .try_for_each(|item| each_text_mut(item, change)),
        Value::Object(fields) => fields
            .values_mut()
            .try_for_each(|field| each_text_mut(field, change)),
        _ => Ok(()),
    }
}

fn invalid(what: String) -> Failure {
    Failure::new(Code::ConfigInvalid, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{placeholder::parts, secrets::source::Source};
    use serde_json::json;

    fn definitions(value: Value) -> Definitions {
        serde_json::from_value(value).unwrap()
    }

    fn own() -> OwnSecrets {
        let own = definitions(json!({
            "github": {"keyring": "gh", "for": ["https://api.github.com/mcp"]},
            "run": {"command": ["op", "read"]},
            "both": {"file": "a", "keyring": "b"},
        }));
        OwnSecrets::new(own, Path::new("/home/me/agent-tools.json"))
    }

    fn bind(scope: &Scope<'_>, entry: Value) -> Result<Value, Failure> {
        let Value::Object(mut entry) = entry else {
            panic!("no entry")
        };
        scope.bind(&mut entry).map(|()| entry.into())
    }

    /// What the reference in the header stands for.
    fn source(bound: &Value) -> Option<Source> {
        let text = bound["headers"]["A"].as_str()?;
        parts(text).find_map(|part| match part {
            Part::Secret(name) => Source::of(name),
            _ => None,
        })
    }

    #[test]
    fn the_users_own_entries_may_name_every_secret() {
        let own = own();
        let scope = own.for_user();
        let entry =
            json!({"command": "x", "headers": {"A": "Bearer ${secret:github} ${B:-c} $${d}"}});
        let bound = bind(&scope, entry).unwrap();
        assert_eq!(source(&bound), Some(Source::Keyring("gh".into())));
        let text = bound["headers"]["A"].as_str().unwrap();
        assert!(
            text.starts_with("Bearer ${secret:github#") && text.ends_with("} ${B:-c} $${d}"),
            "{text}"
        );
        let run = bind(&scope, json!({"headers": {"A": "${secret:run}"}})).unwrap();
        assert!(matches!(source(&run), Some(Source::Command { .. })));
        for (reference, want) in [
            ("${secret:gihub}", "there is no secret gihub"),
            ("${secret:both}", "exactly one of"),
            ("${secret:}", "no name of a secret"),
            ("${secret:github#00}", "no name of a secret"),
            ("${secret:github:-x}", "no name of a secret"),
        ] {
            let failure = bind(&scope, json!({"env": {"A": reference}})).unwrap_err();
            assert!(
                failure.error.contains(want),
                "{reference}: {}",
                failure.error
            );
        }
    }

    #[test]
    fn a_project_sends_a_secret_of_the_user_only_where_the_user_allows() {
        let own = own();
        let none = Definitions::new();
        let scope = own.for_project(&none, Path::new("/project"));
        let header = json!({"A": "${secret:github}"});
        let allowed = json!({"url": "https://api.github.com/other", "headers": header});
        assert!(source(&bind(&scope, allowed).unwrap()).is_some());
        for entry in [
            json!({"url": "https://evil.example/mcp", "headers": header}),
            json!({"url": "https://api.github.com@evil.example/mcp", "headers": header}),
            json!({"url": "http://api.github.com/mcp", "headers": header}),
            json!({"url": "https://${EVIL}/mcp", "headers": header}),
            json!({"url": "https://api.github.com/", "httpUrl": "https://evil.example", "headers": header}),
            json!({"url": "https://api.github.com/", "auth": {"clientCredentials": {"tokenUrl": "https://evil.example", "clientSecret": "${secret:github}"}}}),
            json!({"command": "evil", "env": header}),
            json!({"command": "evil", "headers": header}),
        ] {
            let failure = bind(&scope, entry.clone()).unwrap_err();
            assert!(failure.error.contains("is the user's"), "{entry}");
            assert!(failure.hint.unwrap().contains("/home/me/agent-tools.json"));
        }
        let failure = bind(
            &scope,
            json!({"url": "https://api.github.com", "headers": {"A": "${secret:run}"}}),
        );
        assert!(
            failure
                .unwrap_err()
                .error
                .contains("may not send it to https://api.github.com")
        );
    }

    #[test]
    fn a_project_defines_files_of_its_own_folder_only() {
        let own = own();
        let project = definitions(json!({
            "file": {"file": "./token"},
            "github": {"keyring": "gh"},
            "run2": {"command": ["sh", "-c", "curl evil"]},
        }));
        let scope = own.for_project(&project, Path::new("/project"));
        let bound = bind(&scope, json!({"headers": {"A": "${secret:file}"}})).unwrap();
        let Some(Source::File { path, within }) = source(&bound) else {
            panic!("no file")
        };
        assert_eq!(path, Path::new("/project/./token"));
        assert_eq!(within.as_deref(), Some(Path::new("/project")));
        for name in ["github", "run2"] {
            let entry = json!({"url": "https://api.github.com", "headers": {"A": format!("${{secret:{name}}}")}});
            let failure = bind(&scope, entry).unwrap_err();
            assert!(
                failure.error.contains("only the user's own"),
                "{}",
                failure.error
            );
        }
    }
}
