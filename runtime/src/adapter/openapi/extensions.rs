//! What a document says to this program: the keys that begin with `x-agent-tools-`.

use serde_json::Value;

use super::projection::Projection;
use crate::similar::closest;

const PREFIX: &str = "x-agent-tools-";
const NAME: &str = "x-agent-tools-name";
const BODY: &str = "x-agent-tools-body";
const RESULT: &str = "x-agent-tools-result";
const READ_ONLY: &str = "x-agent-tools-read-only";
const DESTRUCTIVE: &str = "x-agent-tools-destructive";
/// Model providers refuse longer names.
const MAX_NAME: usize = 64;
const ARGUMENT_NAME: &str = "letters, digits, `_`, `-` and `.`";

/// What is said of one operation.
#[derive(Debug, Default)]
pub(super) struct Extensions<'a> {
    /// The tool's name.
    pub name: Option<&'a str>,
    /// Whether the properties of the body are arguments of their own.
    pub spreads_body: bool,
    /// What the body is called as one argument.
    pub body_name: Option<&'a str>,
    /// What of the answer is given.
    pub projection: Option<Projection>,
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
}

impl<'a> Extensions<'a> {
    /// Of an operation and its body. Says the first thing that is wrong.
    pub(super) fn of(operation: &'a Value, body: &'a Value) -> Result<Self, String> {
        only_known(operation, &[NAME, BODY, RESULT, READ_ONLY, DESTRUCTIVE])?;
        // In Swagger 2 the body is a parameter.
        only_known(body, &[BODY, NAME])?;
        let read_only = truth(operation, READ_ONLY)?;
        let destructive = truth(operation, DESTRUCTIVE)?;
        if read_only == Some(true) && destructive == Some(true) {
            return Err(format!(
                "`{READ_ONLY}` and `{DESTRUCTIVE}` exclude each other"
            ));
        }
        let body_name = name(body, is_argument_name, ARGUMENT_NAME)?;
        let is_tool_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        Ok(Self {
            name: name(operation, is_tool_name, "letters, digits, `_` and `-`")?,
            spreads_body: spreads(operation)? || spreads(body)?,
            body_name,
            projection: operation
                .get(RESULT)
                .map(|stated| {
                    Projection::read(stated).map_err(|what| format!("`{RESULT}`: {what}"))
                })
                .transpose()?,
            read_only,
            destructive,
        })
    }
}

/// The name that a parameter or a property says it has as an argument.
pub(super) fn argument_name(stated: &Value) -> Result<Option<&str>, String> {
    only_known(stated, &[NAME])?;
    name(stated, is_argument_name, ARGUMENT_NAME)
}

fn is_argument_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// How to mend names that clash.
pub(super) fn clash(names: &[&str]) -> String {
    format!(
        "the name {} is wanted by more than one argument; give one of them another with `{NAME}`",
        names.join(", ")
    )
}

fn spreads(stated: &Value) -> Result<bool, String> {
    match stated.get(BODY) {
        None => Ok(false),
        Some(Value::String(text)) if text == "arguments" => Ok(true),
        Some(other) => Err(format!(
            "`{BODY}` is {other}, and can be \"arguments\" only"
        )),
    }
}

fn truth(stated: &Value, key: &str) -> Result<Option<bool>, String> {
    match stated.get(key) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(other) => Err(format!("`{key}` is {other}, and can be true or false only")),
    }
}

fn name<'a>(
    stated: &'a Value,
    allowed: impl Fn(char) -> bool,
    of_what: &str,
) -> Result<Option<&'a str>, String> {
    let Some(stated) = stated.get(NAME) else {
        return Ok(None);
    };
    let named = stated
        .as_str()
        .filter(|name| (1..=MAX_NAME).contains(&name.len()) && name.chars().all(allowed));
    match named {
        Some(name) => Ok(Some(name)),
        None => Err(format!(
            "`{NAME}` is {stated}, and must have 1 to {MAX_NAME} {of_what}"
        )),
    }
}

fn only_known(stated: &Value, known: &[&str]) -> Result<(), String> {
    let keys = stated.as_object().into_iter().flatten().map(|(key, _)| key);
    for key in keys.filter(|key| key.starts_with(PREFIX)) {
        if known.contains(&key.as_str()) {
            continue;
        }
        let near = closest(key, known.iter().copied());
        let meant = near.map(|near| format!("; did you mean `{near}`?"));
        return Err(format!(
            "`{key}` is not known here{}",
            meant.unwrap_or_default()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_an_operation_says_is_read() {
        let operation = json!({
            "x-agent-tools-name": "find", "x-agent-tools-read-only": true, "x-agent-tools-destructive": false,
            "x-agent-tools-result": "/items", "x-other": 5, "operationId": "x",
        });
        let body = json!({"x-agent-tools-body": "arguments", "x-agent-tools-name": "data"});
        let said = Extensions::of(&operation, &body).unwrap();
        assert_eq!((said.name, said.spreads_body), (Some("find"), true));
        assert_eq!(said.body_name, Some("data"));
        assert_eq!(
            (said.read_only, said.destructive),
            (Some(true), Some(false))
        );
        assert!(said.projection.is_some());
        let nothing = Extensions::of(&Value::Null, &Value::Null).unwrap();
        assert!(!nothing.spreads_body && nothing.name.is_none());
        let parameter = json!({"x-agent-tools-name": "page.size"});
        assert_eq!(argument_name(&parameter).unwrap(), Some("page.size"));
    }

    #[test]
    fn what_cannot_be_is_said() {
        for (operation, want) in [
            (
                json!({"x-agent-tools-nam": "x"}),
                "did you mean `x-agent-tools-name`?",
            ),
            (
                json!({"x-agent-tools-name": "a b"}),
                "is \"a b\", and must have 1 to 64 letters",
            ),
            (json!({"x-agent-tools-name": "a.b"}), "is \"a.b\""),
            (json!({"x-agent-tools-name": ""}), "is \"\""),
            (json!({"x-agent-tools-name": 5}), "is 5"),
            (
                json!({"x-agent-tools-body": true}),
                "is true, and can be \"arguments\" only",
            ),
            (
                json!({"x-agent-tools-read-only": "yes"}),
                "true or false only",
            ),
            (
                json!({"x-agent-tools-result": "items"}),
                "`x-agent-tools-result`: ",
            ),
            (
                json!({"x-agent-tools-read-only": true, "x-agent-tools-destructive": true}),
                "exclude each other",
            ),
        ] {
            let what = Extensions::of(&operation, &Value::Null).unwrap_err();
            assert!(what.contains(want), "{what}");
        }
        assert!(argument_name(&json!({"x-agent-tools-body": "arguments"})).is_err());
        assert!(argument_name(&json!({"x-agent-tools-name": "a[b]"})).is_err());
    }
}
