//! An idempotency key: a service that knows it does the same thing once, however often it is asked.

use serde_json::{Map, Value};

use crate::catalog::Tool;

/// The tool's own field for the key, however it is spelled: `idempotency_key`, `Idempotency-Key`, ….
fn field(tool: &Tool) -> Option<&str> {
    let properties = tool.input_schema.get("properties")?.as_object()?;
    properties.keys().map(String::as_str).find(|name| {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        letters
            .map(|letter| letter.to_ascii_lowercase())
            .eq("idempotencykey".chars())
    })
}

/// Puts the key where the tool takes it. A tool that takes none is called without, and that is noted.
pub(crate) fn add_key(
    tool: &Tool,
    arguments: &mut Map<String, Value>,
    key: String,
    notes: &mut Vec<String>,
) {
    match field(tool) {
        Some(field) if !arguments.contains_key(field) => {
            notes.push(format!("idempotencyKey was sent as {field}"));
            arguments.insert(field.to_owned(), Value::String(key));
        }
        Some(field) => notes.push(format!(
            "idempotencyKey was left out: the arguments have {field}"
        )),
        None => notes.push(format!(
            "idempotencyKey was left out: {} takes none",
            tool.name
        )),
    }
}

/// Whether the call carries a key, so that sending it twice is sending it once.
pub(crate) fn has_key(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    field(tool).is_some_and(|field| arguments.get(field).is_some_and(|key| !key.is_null()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_key_goes_where_the_tool_takes_it() {
        for (declared, sent, arguments) in [
            (
                "Idempotency-Key",
                json!({}),
                json!({"Idempotency-Key": "k"}),
            ),
            (
                "idempotency_key",
                json!({"idempotency_key": "own"}),
                json!({"idempotency_key": "own"}),
            ),
            ("key", json!({}), json!({})),
        ] {
            let tool = Tool::from_json(
                &json!({"name": "t", "inputSchema": {"properties": {declared: {}}}}),
            );
            let tool = tool.unwrap();
            let mut map = sent.as_object().unwrap().clone();
            let mut notes = Vec::new();
            add_key(&tool, &mut map, "k".into(), &mut notes);
            assert_eq!(has_key(&tool, &map), declared != "key");
            assert_eq!((Value::Object(map), notes.len()), (arguments, 1));
        }
    }
}
