//! What a plugin says about a command-line program and the tools it makes of it.

use std::{fmt, path::PathBuf};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::Value;

use crate::redacted::{Names, Redacted};

/// A command-line program, run without a shell, and its tools.
///
/// What stands beside `tools` is for every tool that does not say otherwise. Without `tools` the program is one tool,
/// `run`. `${VAR}` and `${VAR:-default}` expand in `command`, `cwd`, `env` and the arguments that are plain text.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CliSettings {
    /// The program: a name looked for in PATH, or a path, relative to the plugin's folder.
    pub command: String,
    /// The tools by name, in letters, digits, `_` and `-`.
    #[serde(default)]
    pub tools: IndexMap<String, CliTool>,
    /// What holds for every tool; arguments go before the tool's own.
    #[serde(flatten)]
    pub every_tool: ToolSettings,
}

/// One way to run the program.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CliTool {
    /// What differs from the other tools.
    #[serde(flatten)]
    pub settings: ToolSettings,
}

/// How the program is run, and how what it says is read.
#[derive(Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolSettings {
    /// What the tool does; for models.
    pub description: Option<String>,
    /// The arguments in their order: plain text, or a parameter that the caller fills in.
    #[serde(default)]
    pub args: Vec<Argument>,
    /// What the program reads from stdin; closed when absent.
    pub stdin: Option<Parameter>,
    /// Whether `--` goes before the first positional value, after which the program reads no options.
    pub end_of_options: Option<bool>,
    /// Variables the program gets beside the basic ones.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// Working folder, relative to the plugin's folder; the one the runtime was started in when absent.
    pub cwd: Option<PathBuf>,
    /// Whether the tool changes nothing, and so needs no consent.
    pub read_only: Option<bool>,
    /// Whether the tool may destroy something.
    pub destructive: Option<bool>,
    /// Whether running it twice is running it once.
    pub idempotent: Option<bool>,
    /// How long it may run, in milliseconds; then it is ended with all its child processes.
    pub timeout_ms: Option<u64>,
    /// The exit codes of success; 0 alone when absent.
    pub ok_exit_codes: Option<Vec<i32>>,
    /// What exit codes mean, in a few words.
    #[serde(default)]
    pub exit_codes: IndexMap<String, String>,
    /// How stdout is read.
    pub output: Option<Output>,
    /// The encoding of the output, by its WHATWG label, for example `gbk`; UTF-8 when absent.
    pub encoding: Option<String>,
    /// How much of each stream is kept, in bytes: the first half of that and the last. 10 MB when absent.
    pub max_output_bytes: Option<usize>,
}

/// Plain arguments and variables may be secrets.
impl fmt::Debug for ToolSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSettings")
            .field("description", &self.description)
            .field("args", &Redacted)
            .field("env", &Names(&self.env))
            .field("cwd", &self.cwd)
            .field("read_only", &self.read_only)
            .finish_non_exhaustive()
    }
}

/// How stdout is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Output {
    /// Text for people: colours and overwritten progress lines are left out.
    #[default]
    Text,
    /// Text as it is.
    Raw,
    /// One JSON value.
    Json,
}

/// One argument of the program.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Argument {
    /// Always the same.
    Literal(String),
    /// What the caller gives.
    Parameter(Box<Parameter>),
}

/// A value that the caller gives.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parameter {
    /// Its name.
    pub param: String,
    /// What it is; for models.
    pub description: Option<String>,
    /// What kind of value it is.
    #[serde(default, rename = "type")]
    pub kind: Kind,
    /// What the items of a list are.
    #[serde(default)]
    pub items: ItemKind,
    /// The values that are allowed.
    #[serde(default, rename = "enum")]
    pub allowed: Vec<Value>,
    /// The least number that is allowed.
    pub minimum: Option<i64>,
    /// The greatest number that is allowed.
    pub maximum: Option<i64>,
    /// A regular expression that a text, or each text of a list, must match wholly.
    pub pattern: Option<String>,
    /// The option that the value belongs to. `--name` goes before the value, `--name=` is written together with it, and
    /// a boolean is the option being there. Without it the value is positional.
    pub flag: Option<String>,
    /// Writes the value behind the argument before it, with this between them: two parameters as `owner/name`.
    pub behind: Option<String>,
    /// Writes a list as one argument, with this between the items. Without it each item is an argument of its own, each
    /// with the flag.
    pub join: Option<String>,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
    /// What is taken when it is left out.
    pub default: Option<Value>,
    /// Whether the value may start with `-`, which the program may read as an option.
    #[serde(default)]
    pub allow_leading_dash: bool,
}

/// What kind of value a parameter takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Text.
    #[default]
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// A list.
    Array,
}

/// What kind of value the items of a list are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    /// Text.
    #[default]
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
}

/// By hand, so that a misspelt key of a parameter is named.
impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl<'de> Visitor<'de> for Reading {
            type Value = Argument;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("text, or a parameter such as {\"param\": \"name\"}")
            }

            fn visit_str<E>(self, text: &str) -> Result<Argument, E> {
                Ok(Argument::Literal(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Argument, A::Error> {
                let parameter = Parameter::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Argument::Parameter(Box::new(parameter)))
            }
        }
        deserializer.deserialize_any(Reading)
    }
}

impl CliSettings {
    /// The tools by name, each with everything that holds for it.
    pub(crate) fn tools(&self) -> Vec<(String, ToolSettings)> {
        if self.tools.is_empty() {
            return vec![("run".into(), self.every_tool.clone())];
        }
        let tools = self.tools.iter();
        tools
            .map(|(name, tool)| (name.clone(), tool.settings.over(&self.every_tool)))
            .collect()
    }

    /// The limits of the tools that have one, in milliseconds.
    pub(crate) fn limits_ms(&self) -> impl Iterator<Item = (String, u64)> {
        let tools = self.tools().into_iter();
        tools.filter_map(|(name, tool)| Some((name, tool.timeout_ms?)))
    }
}

impl ToolSettings {
    /// A tool's own settings, the others filled up from those of every tool.
    fn over(&self, every: &Self) -> Self {
        let own = self.clone();
        let mut env = every.env.clone();
        env.extend(own.env);
        let mut exit_codes = every.exit_codes.clone();
        exit_codes.extend(own.exit_codes);
        Self {
            description: own.description.or_else(|| every.description.clone()),
            args: every.args.iter().cloned().chain(own.args).collect(),
            stdin: own.stdin.or_else(|| every.stdin.clone()),
            end_of_options: own.end_of_options.or(every.end_of_options),
            env,
            cwd: own.cwd.or_else(|| every.cwd.clone()),
            read_only: own.read_only.or(every.read_only),
            destructive: own.destructive.or(every.destructive),
            idempotent: own.idempotent.or(every.idempotent),
            timeout_ms: own.timeout_ms.or(every.timeout_ms),
            ok_exit_codes: own.ok_exit_codes.or_else(|| every.ok_exit_codes.clone()),
            exit_codes,
            output: own.output.or(every.output),
            encoding: own.encoding.or_else(|| every.encoding.clone()),
            max_output_bytes: own.max_output_bytes.or(every.max_output_bytes),
        }
    }

    /// The parameters, that of stdin last.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        let arguments = self.args.iter().filter_map(|argument| match argument {
            Argument::Parameter(parameter) => Some(&**parameter),
            Argument::Literal(_) => None,
        });
        arguments.chain(&self.stdin)
    }
}

impl Argument {
    /// The texts of it that stand in the configuration, and may reach the program.
    pub(crate) fn configured_words(&self) -> Vec<&str> {
        match self {
            Self::Literal(text) => vec![text],
            Self::Parameter(parameter) => {
                let values = parameter.allowed.iter().chain(&parameter.default);
                let written = parameter.flag.iter().chain(&parameter.behind);
                let written = written.map(String::as_str);
                written.chain(values.filter_map(Value::as_str)).collect()
            }
        }
    }
}

impl Parameter {
    /// Whether a call may come without it: then it has a default, or nothing is written.
    pub(super) fn may_be_absent(&self) -> bool {
        self.optional || self.default.is_some() || self.kind == Kind::Boolean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_program_may_be_one_tool_or_many() {
        let one: CliSettings = serde_json::from_value(json!({
            "command": "tool", "args": ["clone", {"param": "url"}], "timeoutMs": 5000, "encoding": "gbk",
        }))
        .unwrap();
        let [(name, tool)] = &one.tools()[..] else {
            panic!("one tool")
        };
        assert_eq!((name.as_str(), tool.timeout_ms), ("run", Some(5000)));
        assert_eq!(tool.args[0], Argument::Literal("clone".into()));

        let many: CliSettings = serde_json::from_value(json!({
            "command": "git", "args": ["--no-pager"], "env": {"A": "1", "B": "1"}, "readOnly": true,
            "tools": {"log": {"args": ["log"], "env": {"B": "2"}}, "push": {"args": ["push"], "readOnly": false}},
        }))
        .unwrap();
        let tools = many.tools();
        assert_eq!(tools[0].1.args.len(), 2);
        assert_eq!((&*tools[0].1.env["A"], &*tools[0].1.env["B"]), ("1", "2"));
        assert_eq!(
            (tools[0].1.read_only, tools[1].1.read_only),
            (Some(true), Some(false))
        );
    }

    #[test]
    fn a_misspelt_key_is_named_wherever_it_is() {
        for (wrong, named) in [
            (json!({"command": "t", "timeoutMS": 1}), "timeoutMS"),
            (json!({"command": "t", "tools": {"a": {"arg": []}}}), "arg"),
            (
                json!({"command": "t", "args": [{"param": "x", "flg": "-x"}]}),
                "flg",
            ),
            (
                json!({"command": "t", "args": [5]}),
                "{\"param\": \"name\"}",
            ),
            (json!({"args": []}), "command"),
            (
                json!({"command": "t", "args": [{"param": "x", "type": "text"}]}),
                "text",
            ),
        ] {
            let error = serde_json::from_value::<CliSettings>(wrong).unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    #[test]
    fn it_has_a_json_schema_that_takes_what_is_read() {
        let schema = serde_json::to_value(schemars::schema_for!(CliSettings)).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let good = json!({"command": "t", "args": ["a", {"param": "x", "type": "integer"}], "tools": {"a": {"stdin": {"param": "y"}}}});
        assert!(validator.is_valid(&good), "{schema}");
        for wrong in [
            json!({"command": "t", "timeoutMS": 1}),
            json!({"command": "t", "args": [{"flag": "-x"}]}),
            json!({"command": "t", "tools": {"a": {"arg": []}}}),
        ] {
            assert!(!validator.is_valid(&wrong), "{wrong}");
        }
    }
}
