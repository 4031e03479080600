//! What a manifest may say about a program, beyond its shape.

use encoding_rs::Encoding;
use regex::Regex;
use serde_json::Value;

use super::{
    CliSettings,
    settings::{Argument, ItemKind, Kind, Parameter, ToolSettings},
};

const MAX_NAME: usize = 64;

impl CliSettings {
    /// Says the first thing that is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.command.is_empty() {
            return Err("`command` is empty".into());
        }
        for (name, tool) in self.tools() {
            if !is_tool_name(&name) {
                return Err(format!(
                    "the tool name {name:?} must have 1 to {MAX_NAME} letters, digits, `_` and `-`"
                ));
            }
            check_tool(&tool).map_err(|what| format!("tool {name}: {what}"))?;
        }
        Ok(())
    }
}

fn is_tool_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=MAX_NAME).contains(&name.len()) && name.chars().all(allowed)
}

fn check_tool(tool: &ToolSettings) -> Result<(), String> {
    let mut names = Vec::new();
    for parameter in tool.parameters() {
        let name = parameter.param.as_str();
        if names.contains(&name) {
            return Err(format!("the parameter {name} is there twice"));
        }
        names.push(name);
        check_parameter(parameter).map_err(|what| format!("parameter {name}: {what}"))?;
    }
    if let Some(stdin) = &tool.stdin
        && (stdin.flag.is_some() || stdin.kind == Kind::Boolean)
    {
        return Err("what goes to `stdin` is text, a number or a list, and has no `flag`".into());
    }
    if let Some(label) = &tool.encoding
        && Encoding::for_label(label.as_bytes()).is_none()
    {
        return Err(format!("unknown encoding {label:?}"));
    }
    if let Some(code) = tool
        .exit_codes
        .keys()
        .find(|code| code.parse::<i32>().is_err())
    {
        return Err(format!("`exitCodes` has {code:?}, which is no exit code"));
    }
    check_behind(&tool.args)?;
    if tool
        .stdin
        .as_ref()
        .is_some_and(|stdin| stdin.behind.is_some())
    {
        return Err("what goes to `stdin` stands behind nothing".into());
    }
    if tool.end_of_options == Some(true) {
        check_order(&tool.args)?;
    }
    Ok(())
}

fn check_parameter(parameter: &Parameter) -> Result<(), String> {
    if parameter.param.is_empty() {
        return Err("`param` is empty".into());
    }
    if parameter.flag.as_ref().is_some_and(String::is_empty) {
        return Err("`flag` is empty".into());
    }
    if parameter.join.is_some() && parameter.kind != Kind::Array {
        return Err("only a list can be joined".into());
    }
    if let Some(pattern) = &parameter.pattern {
        let takes_text = match parameter.kind {
            Kind::String => true,
            Kind::Array => parameter.items == ItemKind::String,
            _ => false,
        };
        if !takes_text {
            return Err("`pattern` is for text and lists of text".into());
        }
        // As it stands too: `a)|(b` is only whole because of what is put around it.
        for text in [Some(pattern.clone()), parameter.whole_pattern()] {
            let text = text.unwrap_or_default();
            if let Err(error) = Regex::new(&text) {
                return Err(format!("`pattern` is no regular expression: {error}"));
            }
        }
    }
    let takes_numbers = match parameter.kind {
        Kind::Integer | Kind::Number => true,
        Kind::Array => parameter.items != ItemKind::String,
        _ => false,
    };
    if !takes_numbers && (parameter.minimum.is_some() || parameter.maximum.is_some()) {
        return Err("`minimum` and `maximum` are for numbers and lists of numbers".into());
    }
    let fits = |value: &Value| {
        super::input_schema::accepts(parameter, value) && parameter.fits_pattern(value)
    };
    match parameter.default.as_ref().filter(|value| !fits(value)) {
        Some(value) => Err(format!("the default {value} is no value that it takes")),
        None => Ok(()),
    }
}

/// What is written behind another argument always is, and so is that one.
fn check_behind(args: &[Argument]) -> Result<(), String> {
    let mut before = None;
    for argument in args {
        let single = match argument {
            Argument::Literal(_) => true,
            Argument::Parameter(parameter) => {
                let is_one = !matches!(parameter.kind, Kind::Boolean | Kind::Array);
                let is_single =
                    is_one && (!parameter.may_be_absent() || parameter.default.is_some());
                if parameter.behind.is_some() {
                    let name = &parameter.param;
                    if !is_single || parameter.flag.is_some() {
                        return Err(format!(
                            "parameter {name}: with `behind` it is one value that is always there, and has no `flag`"
                        ));
                    }
                    if before != Some(true) {
                        return Err(format!(
                            "parameter {name}: with `behind` it needs an argument before it that is one value and always there"
                        ));
                    }
                }
                is_single
            }
        };
        before = Some(single);
    }
    Ok(())
}

/// Behind `--` nothing is read as an option any more.
fn check_order(args: &[Argument]) -> Result<(), String> {
    let mut positional = None;
    for argument in args {
        match argument {
            Argument::Parameter(parameter) if parameter.behind.is_some() => {}
            Argument::Parameter(parameter) if parameter.flag.is_none() => {
                positional.get_or_insert(&parameter.param);
            }
            Argument::Parameter(parameter) => {
                if let (Some(before), Some(flag)) = (positional, &parameter.flag) {
                    return Err(after_the_end(flag, before));
                }
            }
            Argument::Literal(text) => {
                if let Some(before) = positional.filter(|_| text.starts_with('-')) {
                    return Err(after_the_end(text, before));
                }
            }
        }
    }
    Ok(())
}

fn after_the_end(option: &str, before: &str) -> String {
    format!(
        "with `endOfOptions` the option {option} must stand before the positional parameter {before}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_cannot_work_is_refused_with_its_place() {
        for (extra, wanted) in [
            (json!({"command": ""}), "`command` is empty"),
            (json!({"tools": {"a b": {}}}), "tool name \"a b\""),
            (
                json!({"tools": {"a": {"args": [{"param": "x"}, {"param": "x"}]}}}),
                "tool a: the parameter x is there twice",
            ),
            (
                json!({"args": [{"param": "x", "join": ","}]}),
                "parameter x: only a list can be joined",
            ),
            (
                json!({"args": [{"param": "x", "type": "integer", "default": "1"}]}),
                "the default \"1\"",
            ),
            (
                json!({"args": [{"param": "x", "pattern": "(a"}]}),
                "parameter x: `pattern` is no regular expression",
            ),
            (
                json!({"args": [{"param": "x", "pattern": "a)|(?:b"}]}),
                "`pattern` is no regular expression",
            ),
            (
                json!({"args": [{"param": "x", "type": "integer", "pattern": "1"}]}),
                "`pattern` is for text",
            ),
            (
                json!({"args": [{"param": "x", "pattern": "a|b", "default": "ab"}]}),
                "the default \"ab\"",
            ),
            (
                json!({"args": [{"param": "x", "minimum": 1}]}),
                "`minimum` and `maximum` are for numbers",
            ),
            (
                json!({"args": [{"param": "x", "type": "integer", "maximum": 9, "default": 10}]}),
                "the default 10",
            ),
            (
                json!({"args": [{"param": "x", "behind": "/"}]}),
                "it needs an argument before it",
            ),
            (
                json!({"args": [{"param": "w", "optional": true}, {"param": "x", "behind": "/"}]}),
                "it needs an argument before it",
            ),
            (
                json!({"args": ["a", {"param": "x", "behind": "/", "flag": "-x"}]}),
                "has no `flag`",
            ),
            (json!({"encoding": "klingon"}), "unknown encoding"),
            (json!({"exitCodes": {"one": "x"}}), "no exit code"),
            (
                json!({"stdin": {"param": "x", "flag": "-x"}}),
                "has no `flag`",
            ),
            (
                json!({"endOfOptions": true, "args": [{"param": "p"}, {"param": "x", "flag": "-x"}]}),
                "the option -x must stand before the positional parameter p",
            ),
            (
                json!({"endOfOptions": true, "args": [{"param": "p"}, "--all"]}),
                "the option --all must stand before",
            ),
        ] {
            let mut whole = json!({"command": "t"});
            for (key, value) in extra.as_object().unwrap() {
                whole[key] = value.clone();
            }
            let settings: CliSettings = serde_json::from_value(whole).unwrap();
            let what = settings.check().unwrap_err();
            assert!(what.contains(wanted), "{what}");
        }
    }
}
