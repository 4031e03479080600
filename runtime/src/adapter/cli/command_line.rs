//! The arguments of a call as those of the program. No shell sees them.

use regex::Regex;
use serde_json::{Map, Value};

use super::settings::{Argument, Kind, Parameter, ToolSettings};
use crate::{
    adapter::environment::{expand, from_process},
    reply::{Code, Failure},
    secrets::remember_arguments,
};

const LEADING_DASH: &str = "Give another value, for example a path with `./` in front. Only the plugin's manifest can allow it (`allowLeadingDash`).";

/// What the program is given.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CommandLine {
    pub arguments: Vec<String>,
    pub stdin: Option<String>,
}

impl CommandLine {
    /// Of a call whose arguments fit the tool's input schema.
    pub(super) fn of(tool: &ToolSettings, given: &Map<String, Value>) -> Result<Self, Failure> {
        let mut line = Self::default();
        for parameter in tool.parameters() {
            parameter.check_pattern(given)?;
        }
        let mut options_end = tool.end_of_options == Some(true);
        // What the caller gives is no secret of the plugin's, and ends what an option stands before.
        let mut literals: Vec<String> = Vec::new();
        for argument in &tool.args {
            match argument {
                Argument::Literal(text) => {
                    let text = expand(text, from_process)?;
                    literals.push(text.clone());
                    line.arguments.push(text);
                }
                Argument::Parameter(parameter) => {
                    if let (Some(between), Some(before)) =
                        (&parameter.behind, line.arguments.last_mut())
                    {
                        let text = parameter.value(given).map(text_of).unwrap_or_default();
                        before.push_str(between);
                        before.push_str(parameter.without_nul(&text)?);
                        continue;
                    }
                    let written = parameter.written(given)?;
                    literals.push(String::new());
                    if parameter.flag.is_none() && !written.is_empty() && options_end {
                        line.arguments.push("--".into());
                        options_end = false;
                    }
                    line.arguments.extend(written);
                }
            }
        }
        remember_arguments(&literals);
        if let Some(parameter) = &tool.stdin {
            line.stdin = parameter
                .value(given)
                .map(|value| parameter.texts(value).join(parameter.separator()));
        }
        Ok(line)
    }
}

impl Parameter {
    /// The pattern as one that only the whole of a text matches.
    pub(super) fn whole_pattern(&self) -> Option<String> {
        let pattern = self.pattern.as_ref()?;
        Some(format!("^(?:{pattern})$"))
    }

    /// Whether each text of the value matches the pattern. A pattern that cannot be used lets nothing through.
    pub(super) fn fits_pattern(&self, value: &Value) -> bool {
        let Some(whole) = self.whole_pattern() else {
            return true;
        };
        let texts = self.texts(value);
        Regex::new(&whole).is_ok_and(|whole| texts.iter().all(|text| whole.is_match(text)))
    }

    fn check_pattern(&self, given: &Map<String, Value>) -> Result<(), Failure> {
        match (self.value(given), &self.pattern) {
            (Some(value), Some(pattern)) if !self.fits_pattern(value) => Err(self
                .refused("does not match its pattern")
                .with_hint(format!("The whole value must match {pattern}"))),
            _ => Ok(()),
        }
    }

    fn value<'a>(&'a self, given: &'a Map<String, Value>) -> Option<&'a Value> {
        given
            .get(&self.param)
            .filter(|value| !value.is_null())
            .or(self.default.as_ref())
    }

    /// The arguments that it becomes: none, one, or several.
    fn written(&self, given: &Map<String, Value>) -> Result<Vec<String>, Failure> {
        let Some(value) = self.value(given) else {
            return Ok(Vec::new());
        };
        let own_option = self.flag.as_deref().filter(|flag| !flag.ends_with('='));
        if let (Kind::Boolean, Some(flag)) = (self.kind, own_option) {
            let set = value == &Value::Bool(true);
            return Ok(set.then(|| flag.to_owned()).into_iter().collect());
        }
        let mut texts = self.texts(value);
        if let (Some(separator), false) = (&self.join, texts.is_empty()) {
            texts = vec![texts.join(separator)];
        }
        let mut written = Vec::new();
        for text in texts {
            self.without_nul(&text)?;
            match &self.flag {
                Some(flag) if flag.ends_with('=') => written.push(format!("{flag}{text}")),
                flag => {
                    if text.starts_with('-') && !self.allow_leading_dash {
                        return Err(self
                            .refused(
                                "starts with `-`, so that the program would read it as an option",
                            )
                            .with_hint(LEADING_DASH));
                    }
                    written.extend(flag.clone());
                    written.push(text);
                }
            }
        }
        Ok(written)
    }

    fn without_nul<'a>(&self, text: &'a str) -> Result<&'a str, Failure> {
        match text.contains('\0') {
            false => Ok(text),
            true => Err(self
                .refused("holds a NUL character, which no argument can")
                .with_hint("Give the value without it.")),
        }
    }

    fn texts(&self, value: &Value) -> Vec<String> {
        match value {
            Value::Array(items) => items.iter().map(text_of).collect(),
            other => vec![text_of(other)],
        }
    }

    /// Between the items of a list on stdin.
    fn separator(&self) -> &str {
        self.join.as_deref().unwrap_or("\n")
    }

    fn refused(&self, why: &str) -> Failure {
        Failure::new(
            Code::ArgValidationFailed,
            format!("`{}` {why}; nothing was run", self.param),
        )
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // 3.0 is an integer to JSON Schema, but not to programs.
        Value::Number(number) => match number.as_f64() {
            Some(whole) if number.is_f64() && whole.fract() == 0.0 && whole.abs() < 1e15 => {
                format!("{whole:.0}")
            }
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(tool: Value, given: Value) -> Result<CommandLine, Failure> {
        let tool: ToolSettings = serde_json::from_value(tool).unwrap();
        let Value::Object(given) = given else {
            panic!("an object")
        };
        CommandLine::of(&tool, &given)
    }

    #[test]
    fn every_kind_of_parameter_is_written() {
        let tool = json!({"args": [
            "log",
            {"param": "count", "flag": "-n", "type": "integer", "default": 10},
            {"param": "all", "flag": "--all", "type": "boolean"},
            {"param": "color", "flag": "--color=", "type": "boolean"},
            {"param": "order", "flag": "--order=", "optional": true},
            {"param": "labels", "flag": "-l", "type": "array", "optional": true},
            {"param": "fields", "flag": "--fields", "type": "array", "join": ",", "optional": true},
            {"param": "paths", "type": "array", "optional": true},
        ]});
        let written = |given| line(tool.clone(), given).unwrap().arguments.join("|");
        assert_eq!(written(json!({})), "log|-n|10");
        assert_eq!(written(json!({"count": 3.0})), "log|-n|3");
        assert_eq!(
            written(json!({
                "count": 3, "all": true, "color": false, "order": "-date", "labels": ["a", "b"],
                "fields": ["x", "y"], "paths": ["p", "q r"],
            })),
            "log|-n|3|--all|--color=false|--order=-date|-l|a|-l|b|--fields|x,y|p|q r"
        );
        assert_eq!(
            written(json!({"all": false, "fields": [], "order": null})),
            "log|-n|10"
        );
    }

    #[test]
    fn two_parameters_are_one_argument() {
        let tool = json!({"endOfOptions": true, "args": [
            {"param": "host", "flag": "--host="},
            {"param": "port", "type": "integer", "default": 80, "behind": ":"},
            {"param": "owner"},
            {"param": "name", "behind": "/"},
        ]});
        let given = |name: &str| json!({"host": "h", "owner": "o", "name": name});
        for name in ["n", "-n", "a/b"] {
            let written = line(tool.clone(), given(name)).unwrap().arguments;
            assert_eq!(written, ["--host=h:80", "--", &format!("o/{name}")]);
        }
        assert!(line(tool, given("a\0b")).is_err());
    }

    #[test]
    fn no_value_becomes_an_option() {
        let tool = json!({"args": [
            {"param": "p", "optional": true},
            {"param": "list", "type": "array", "optional": true},
            {"param": "f", "flag": "--f", "optional": true},
            {"param": "n", "type": "integer", "optional": true},
            {"param": "free", "allowLeadingDash": true, "optional": true},
        ]});
        for refused in [
            json!({"p": "--upload-pack=x"}),
            json!({"p": "-"}),
            json!({"list": ["a", "-b"]}),
            json!({"f": "--g"}),
            json!({"n": -5}),
            json!({"p": "a\0b"}),
        ] {
            let failure = line(tool.clone(), refused.clone()).unwrap_err();
            assert_eq!(failure.code, Code::ArgValidationFailed, "{refused}");
            assert!(failure.error.contains("nothing was run"));
        }
        for (taken, wanted) in [
            (json!({"p": "−x"}), "−x"),
            (json!({"free": "-x"}), "-x"),
            (json!({"p": ""}), ""),
        ] {
            assert_eq!(line(tool.clone(), taken).unwrap().arguments, [wanted]);
        }
    }

    #[test]
    fn a_value_matches_its_pattern_wholly_or_nothing_is_run() {
        let tool = json!({
            "args": [
                {"param": "rev", "pattern": "[0-9a-f]{4,40}|HEAD", "default": "HEAD"},
                {"param": "tags", "type": "array", "pattern": "v\\d+", "optional": true},
            ],
            "stdin": {"param": "text", "pattern": "\\w*", "optional": true},
        });
        for refused in [
            json!({"rev": "HEADx"}),
            json!({"rev": "xHEAD"}),
            json!({"rev": "abcd\n"}),
            json!({"rev": "abcd\n--output=x"}),
            json!({"rev": ""}),
            json!({"tags": ["v1", "1"]}),
            json!({"text": "a b"}),
        ] {
            let failure = line(tool.clone(), refused.clone()).unwrap_err();
            assert_eq!(failure.code, Code::ArgValidationFailed, "{refused}");
            assert!(failure.error.contains("its pattern; nothing was run"));
        }
        let written = line(tool, json!({"tags": ["v1", "v22"], "text": "ab"})).unwrap();
        assert_eq!(written.arguments, ["HEAD", "v1", "v22"]);
    }

    #[test]
    fn options_end_before_the_first_positional_value() {
        let tool = json!({"endOfOptions": true, "args": [
            "clone", {"param": "depth", "flag": "--depth", "type": "integer", "optional": true},
            {"param": "url", "optional": true}, {"param": "dir", "optional": true, "allowLeadingDash": true},
        ]});
        let written = |given| line(tool.clone(), given).unwrap().arguments.join(" ");
        assert_eq!(
            written(json!({"depth": 1, "url": "u", "dir": "-d"})),
            "clone --depth 1 -- u -d"
        );
        assert_eq!(written(json!({"dir": "-d"})), "clone -- -d");
        assert_eq!(written(json!({"depth": 1})), "clone --depth 1");
        assert!(line(tool.clone(), json!({"url": "-u"})).is_err());
    }

    #[test]
    fn stdin_takes_anything() {
        let tool = json!({"stdin": {"param": "lines", "type": "array", "optional": true}});
        let stdin = |given| line(tool.clone(), given).unwrap().stdin;
        assert_eq!(stdin(json!({"lines": ["-b", "a\0"]})).unwrap(), "-b\na\0");
        assert_eq!(stdin(json!({})), None);
    }

    #[test]
    fn only_literals_expand() {
        let tool = json!({"args": ["${NOT_SET:-x}", {"param": "v"}]});
        let written = line(tool, json!({"v": "${HOME} $(id) `id` ; ~ * %PATH%"})).unwrap();
        assert_eq!(written.arguments, ["x", "${HOME} $(id) `id` ; ~ * %PATH%"]);
    }
}
