//! The placeholders of other clients, as ours.

use std::path::Path;

use serde_json::{Map, Value};

use super::Remarks;

/// How a client writes what differs from place to place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placeholders<'a> {
    /// What an editor calls `${workspaceFolder}`.
    pub workspace: &'a Path,
    pub style: Style,
}

/// What of a text a client replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `${NAME}` in its many forms.
    Braces,
    /// `$NAME` too, as in Gemini CLI.
    BareNamesToo,
    /// Nothing: `${NAME}` is for the program itself.
    Literal,
}

/// What VS Code asks the user for, by id.
#[derive(Debug, Default)]
pub(super) struct Inputs(Vec<(String, Option<String>)>);

impl Inputs {
    /// Reads the list `inputs`.
    pub(super) fn read(list: Option<&Value>) -> Self {
        let text = |item: &Map<String, Value>, key: &str| {
            item.get(key).and_then(Value::as_str).map(str::to_owned)
        };
        let items = list.and_then(Value::as_array).into_iter().flatten();
        let items = items.filter_map(Value::as_object);
        Self(
            items
                .filter_map(|item| Some((text(item, "id")?, text(item, "default"))))
                .collect(),
        )
    }

    fn placeholder(&self, id: &str) -> String {
        let name = variable_name(id);
        let known = self.0.iter().find(|(known, _)| known == id);
        match known.and_then(|(_, default)| default.as_deref()) {
            Some(default) => format!("${{{name}:-{default}}}"),
            None => format!("${{{name}}}"),
        }
    }
}

/// `github-token` is `GITHUB_TOKEN`.
fn variable_name(id: &str) -> String {
    id.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        })
        .collect()
}

impl Placeholders<'_> {
    /// Rewrites every text of a server. What no environment variable can stand for is resolved here; the remarks say
    /// what the user has to do.
    pub(super) fn translate(
        self,
        server: Map<String, Value>,
        inputs: &Inputs,
    ) -> (Map<String, Value>, Remarks) {
        let mut remarks = Remarks::default();
        let mut translated = Map::new();
        for (key, mut value) in server {
            self.rewrite(&mut value, inputs, &mut remarks);
            translated.insert(key, value);
        }
        for key in ["command", "cwd"] {
            if let Some(Value::String(path)) = translated.get_mut(key)
                && let (Some(rest), Some(home)) = (path.strip_prefix("~/"), super::home())
            {
                *path = home.join(rest).to_string_lossy().into_owned();
            }
        }
        (translated, remarks)
    }

    fn rewrite(self, value: &mut Value, inputs: &Inputs, remarks: &mut Remarks) {
        match value {
            Value::String(text) => *text = self.rewritten(text, inputs, remarks),
            Value::Array(items) => {
                for item in items {
                    self.rewrite(item, inputs, remarks);
                }
            }
            Value::Object(map) => {
                for value in map.values_mut() {
                    self.rewrite(value, inputs, remarks);
                }
            }
            _ => {}
        }
    }

    fn rewritten(self, text: &str, inputs: &Inputs, remarks: &mut Remarks) -> String {
        if text.starts_with('!') || text.contains("{file:") {
            remarks.warnings.push(
                "a value that its client takes from a command or a file is not read here; name an environment variable \
                 in agent-tools.json instead"
                    .into(),
            );
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(['$', '{']) {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let taken = match self.placeholder(rest, inputs, remarks) {
                Some((meaning, length)) => {
                    out.push_str(&meaning);
                    length
                }
                None => {
                    out.push_str(&rest[..1]);
                    1
                }
            };
            rest = &rest[taken..];
        }
        out.push_str(rest);
        out
    }

    /// What the placeholder at the beginning of `text` means, and how long it is.
    fn placeholder(
        self,
        text: &str,
        inputs: &Inputs,
        remarks: &mut Remarks,
    ) -> Option<(String, usize)> {
        let enclosed = |open: &str| {
            let inner = text.strip_prefix(open)?;
            let end = inner.find('}')?;
            Some((&inner[..end], open.len() + end + 1))
        };
        if self.style == Style::Literal {
            return enclosed("${").map(|(inner, length)| (format!("$${{{inner}}}"), length));
        }
        if let Some((name, length)) = enclosed("{env:") {
            return Some((format!("${{{name}}}"), length));
        }
        if let Some((inner, length)) = enclosed("${") {
            let meaning = match inner {
                "workspaceFolder" | "workspaceRoot" => {
                    self.workspace.to_string_lossy().into_owned()
                }
                "workspaceFolderBasename" => {
                    self.workspace.file_name()?.to_string_lossy().into_owned()
                }
                "userHome" => super::home()?.to_string_lossy().into_owned(),
                "pathSeparator" | "/" => std::path::MAIN_SEPARATOR.to_string(),
                _ => match inner.strip_prefix("input:") {
                    Some(id) => {
                        remarks.notes.push(format!(
                            "what its client asks for as `{id}` is read from the environment variable {}",
                            variable_name(id)
                        ));
                        inputs.placeholder(id)
                    }
                    None => format!("${{{inner}}}"),
                },
            };
            return Some((meaning, length));
        }
        if self.style == Style::BareNamesToo
            && let Some(rest) = text.strip_prefix('$')
        {
            let length = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            let name = &rest[..length];
            if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                return Some((format!("${{{name}}}"), length + 1));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn translated(style: Style, value: Value) -> (Value, Remarks) {
        let inputs = Inputs::read(Some(&json!([
            {"id": "github-token", "type": "promptString"},
            {"id": "region", "default": "eu"},
        ])));
        let placeholders = Placeholders {
            workspace: Path::new("/w/demo"),
            style,
        };
        let (map, remarks) = placeholders.translate(value.as_object().unwrap().clone(), &inputs);
        (map.into(), remarks)
    }

    #[test]
    fn placeholders_of_editors_become_ours_and_others_stay() {
        let (value, remarks) = translated(
            Style::Braces,
            json!({
                "args": ["${workspaceFolder}/x", "${workspaceFolderBasename}", "${HOME}", "${env:A}", "${open", "$A {b}"],
                "env": {"T": "Bearer ${input:github-token}", "R": "${input:region}", "O": "{env:OPEN}"},
            }),
        );
        assert_eq!(
            value,
            json!({
                "args": ["/w/demo/x", "demo", "${HOME}", "${env:A}", "${open", "$A {b}"],
                "env": {"T": "Bearer ${GITHUB_TOKEN}", "R": "${REGION:-eu}", "O": "${OPEN}"},
            })
        );
        assert_eq!((remarks.notes.len(), remarks.warnings.len()), (2, 0));
        assert!(remarks.notes[0].ends_with("the environment variable GITHUB_TOKEN"));
    }

    #[test]
    fn a_bare_name_is_a_variable_for_some_clients_only() {
        let (value, _) = translated(
            Style::BareNamesToo,
            json!({"command": "$TOOLS/bin", "args": ["$5", "${A}", "a$B-c", "$"]}),
        );
        assert_eq!(
            value,
            json!({"command": "${TOOLS}/bin", "args": ["$5", "${A}", "a${B}-c", "$"]})
        );
    }

    #[test]
    fn what_a_client_does_not_replace_is_kept_from_being_replaced_here() {
        let (value, _) = translated(Style::Literal, json!({"args": ["A:${B}", "{env:C}"]}));
        assert_eq!(value, json!({"args": ["A:$${B}", "{env:C}"]}));
    }

    #[test]
    fn a_value_made_by_a_command_is_told_of() {
        let (_, remarks) = translated(
            Style::Braces,
            json!({"headers": {"Authorization": "!pass show x"}}),
        );
        assert!(remarks.warnings[0].contains("name an environment variable"));
    }
}
