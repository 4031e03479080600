//! What a plugin needs of the user's machine: variables of the environment, and programs.

use std::iter::once;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_json::Value;

use super::SetUp;
use crate::{
    config::keys::with_suggestion,
    placeholder::{Part, parts},
};

/// The keys `environment` and `programs` of a manifest.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Needs {
    /// Variables of the user's environment that the plugin reads, by name.
    #[serde(deserialize_with = "variables")]
    #[schemars(with = "IndexMap<String, VariableForm>")]
    pub environment: IndexMap<String, Variable>,
    /// Programs that must be installed, by name.
    #[serde(deserialize_with = "programs")]
    #[schemars(with = "IndexMap<String, ProgramForm>")]
    pub programs: IndexMap<String, Program>,
}

/// A variable of the user's environment.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Variable {
    /// What it holds, in a few words: `a personal access token that may read repositories`.
    pub description: Option<String>,
    /// Where to get it: an address, or a few words.
    pub from: Option<String>,
    /// Whether the plugin does nothing without it.
    pub required: bool,
    /// Whether its value is a secret, whatever its name.
    pub secret: bool,
    /// Variables that do instead.
    pub or: Vec<String>,
}

/// A program that must be installed.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Program {
    /// Where to get it: an address, or a few words.
    pub install: Option<String>,
    /// Variables that name another program instead.
    pub or: Vec<String>,
}

/// A variable as it may be written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum VariableForm {
    /// What it holds.
    Description(String),
    /// All about it.
    Variable(Variable),
}

/// A program as it may be written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum ProgramForm {
    /// Where to get it.
    Install(String),
    /// All about it.
    Program(Program),
}

impl Needs {
    /// The variables that it may read, those that do instead of another included.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let variables = self.environment.iter();
        variables.flat_map(|(name, variable)| names_of(name, variable))
    }

    /// What `${NAME}` may stand for: the variable itself, and those that do instead.
    pub(crate) fn meant_by<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let others = self.environment.get(name).map(|variable| &variable.or);
        once(name).chain(others.into_iter().flatten().map(String::as_str))
    }

    /// Whether the plugin is not started before something is there.
    pub(crate) fn has_required(&self) -> bool {
        !self.programs.is_empty() || self.environment.values().any(|variable| variable.required)
    }

    /// The variables whose values are secrets whatever their names.
    pub(crate) fn secret_names(&self) -> impl Iterator<Item = &str> {
        let secret = self.environment.iter().filter(|(_, known)| known.secret);
        secret.flat_map(|(name, variable)| names_of(name, variable))
    }

    /// What is still to be done. `own` are the plugin's own variables, which go before those of the environment.
    pub(super) fn missing(
        &self,
        own: &IndexMap<String, String>,
        is_set: impl Fn(&str) -> bool,
        is_installed: impl Fn(&str) -> bool,
    ) -> Option<SetUp> {
        let given = |name: &str| match own.get(name) {
            Some(text) => is_given(text, &is_set),
            None => is_set(name),
        };
        let missing = |(name, variable): &(&String, &Variable)| {
            variable.required && !names_of(name, variable).any(given)
        };
        let variables = self.environment.iter().filter(missing);
        let variables = variables.map(|(name, variable)| {
            // Where the plugin's own variable is made from another one, that is what lacks.
            let mut wanted: Vec<&str> = names_of(name, variable)
                .map(|name| {
                    own.get(name)
                        .and_then(|text| unset(text, &is_set))
                        .unwrap_or(name)
                })
                .collect();
            wanted.dedup();
            let about = (variable.description.as_deref(), variable.from.as_deref());
            (wanted.join(" or "), about)
        });
        let lacks = |(name, program): &(&String, &Program)| {
            !program.or.iter().any(|name| given(name)) && !is_installed(name)
        };
        let programs = self.programs.iter().filter(lacks);
        let programs =
            programs.map(|(name, program)| (name.clone(), (None, program.install.as_deref())));
        SetUp::of(variables.collect(), programs.collect())
    }
}

fn names_of<'a>(name: &'a str, variable: &'a Variable) -> impl Iterator<Item = &'a str> {
    once(name).chain(variable.or.iter().map(String::as_str))
}

/// Whether a configured text will have a value that is not empty.
pub(super) fn is_given(text: &str, is_set: impl Fn(&str) -> bool) -> bool {
    unset(text, &is_set).is_none()
        && parts(text).any(|part| match part {
            Part::Variable { name, default } => {
                is_set(name) || default.is_some_and(|default| !default.is_empty())
            }
            Part::Text(_) | Part::Secret(_) | Part::Unclosed => true,
        })
}

/// The first variable of a text that has no value.
fn unset(text: &str, is_set: impl Fn(&str) -> bool) -> Option<&str> {
    parts(text).find_map(|part| match part {
        Part::Variable {
            name,
            default: None,
        } if !is_set(name) => Some(name),
        _ => None,
    })
}

fn variables<'de, D: Deserializer<'de>>(from: D) -> Result<IndexMap<String, Variable>, D::Error> {
    let read: IndexMap<String, Variable> = entries(from, "environment", |description| Variable {
        description: Some(description),
        ..Variable::default()
    })?;
    for (name, variable) in &read {
        if let Some(wrong) = names_of(name, variable).find(|name| !is_variable(name)) {
            let what = format!("`environment.{name}`: {wrong:?} is no name of a variable");
            return Err(D::Error::custom(what));
        }
    }
    Ok(read)
}

fn is_variable(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn programs<'de, D: Deserializer<'de>>(from: D) -> Result<IndexMap<String, Program>, D::Error> {
    let read: IndexMap<String, Program> = entries(from, "programs", |install| Program {
        install: Some(install),
        ..Program::default()
    })?;
    if let Some(wrong) = read
        .keys()
        .find(|name| name.is_empty() || name.contains(['/', '\\']))
    {
        let what = format!("`programs`: {wrong:?} is no name of a program, as it is called");
        return Err(D::Error::custom(what));
    }
    for (name, program) in &read {
        if let Some(wrong) = program.or.iter().find(|name| !is_variable(name)) {
            let what = format!("`programs.{name}`: {wrong:?} is no name of a variable");
            return Err(D::Error::custom(what));
        }
    }
    Ok(read)
}

/// Entries that are written out, or as the one text that matters.
fn entries<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
    key: &str,
    of_text: impl Fn(String) -> T,
) -> Result<IndexMap<String, T>, D::Error> {
    let written = IndexMap::<String, Value>::deserialize(from)?;
    let read = written.into_iter().map(|(name, value)| {
        let entry = match value {
            Value::String(text) => of_text(text),
            written => serde_json::from_value(written).map_err(|error| {
                let what = with_suggestion(error.to_string());
                D::Error::custom(format!("`{key}.{name}`: {what}"))
            })?,
        };
        Ok((name, entry))
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn needs(value: Value) -> Needs {
        serde_json::from_value(value).unwrap()
    }

    /// What is to be done where `HERE` is set and `git` is installed.
    fn missing(needs: &Needs, own: &[(&str, &str)]) -> Option<String> {
        let own = own
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let set_up = needs.missing(&own.collect(), |name| name == "HERE", |name| name == "git");
        set_up.map(|set_up| set_up.what)
    }

    #[test]
    fn one_sentence_says_what_is_missing_what_it_is_and_where_to_get_it() {
        let token = json!({"description": "a token that may\nread.", "from": "https://x/tokens", "required": true, "or": ["B"]});
        for (written, want) in [
            (
                json!({"environment": {"A": token}}),
                Some("set A or B (a token that may read; from https://x/tokens)"),
            ),
            (
                json!({"environment": {"A": {"required": true}, "C": {"required": true, "from": "the admin"}}}),
                Some("set A and C (from the admin)"),
            ),
            (
                json!({"environment": {"A": {"required": true}}, "programs": {"git": "x", "gh": {"install": "https://cli.github.com"}, "jq": {}}}),
                Some("set A; install gh (from https://cli.github.com) and jq"),
            ),
            (
                json!({"environment": {"A": {"required": true, "or": ["HERE"]}, "C": "optional"}, "programs": {"git": {}}}),
                None,
            ),
            (json!({"programs": {"gh": {"or": ["HERE"]}}}), None),
            (
                json!({"programs": {"gh": {"or": ["THERE"]}}}),
                Some("install gh"),
            ),
            (json!({}), None),
        ] {
            assert_eq!(
                missing(&needs(written.clone()), &[]).as_deref(),
                want,
                "{written}"
            );
        }
    }

    #[test]
    fn the_plugins_own_variables_give_a_value_and_what_they_lack_is_named() {
        let needs = needs(json!({"environment": {"A": {"required": true}}}));
        for (text, want) in [
            ("x", None),
            ("${HERE}", None),
            ("${THERE:-x}", None),
            ("${secret:a}", None),
            ("", Some("set A")),
            ("${THERE:-}", Some("set A")),
            ("${A}", Some("set A")),
            ("Bearer ${THERE}", Some("set THERE")),
        ] {
            assert_eq!(missing(&needs, &[("A", text)]).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (written, want) in [
            (
                json!({"environment": {"A": {"descripton": "x"}}}),
                "`environment.A`: unknown field `descripton`",
            ),
            (
                json!({"environment": {"A": {"or": "B"}}}),
                "`environment.A`: invalid type",
            ),
            (
                json!({"environment": {"A": 1}}),
                "`environment.A`: invalid type",
            ),
            (
                json!({"environment": {"a b": "x"}}),
                "\"a b\" is no name of a variable",
            ),
            (
                json!({"environment": {"A": {"or": ["1"]}}}),
                "\"1\" is no name of a variable",
            ),
            (
                json!({"programs": {"gh": {"or": ["${GH}"]}}}),
                "`programs.gh`: \"${GH}\" is no name of a variable",
            ),
            (json!({"environment": ["A"]}), "invalid type"),
            (
                json!({"programs": {"./gh": {}}}),
                "\"./gh\" is no name of a program",
            ),
            (
                json!({"programs": {"gh": {"instal": "x"}}}),
                "did you mean `install`?",
            ),
        ] {
            let error = serde_json::from_value::<Needs>(written.clone())
                .unwrap_err()
                .to_string();
            assert!(error.contains(want), "{written}: {error}");
        }
    }
}
