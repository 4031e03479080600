//! What comes back from a call: results, failures and their codes.

mod code;
mod failure;
mod upstream;

pub use code::Code;
pub use failure::Failure;
pub use upstream::UpstreamResult;

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The answer to one facade or flat tool call, in the shape of an MCP `CallToolResult`.
///
/// Every door serialises exactly this, which is what makes their answers identical.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// MCP content blocks, as JSON.
    pub content: Vec<Value>,
    /// Set in the flat view when the upstream tool returned structured content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl Reply {
    /// A reply whose text is `payload` as compact JSON.
    pub fn json(payload: &Value, is_error: bool) -> Self {
        Self {
            content: vec![text_part(payload.to_string())],
            structured_content: None,
            is_error,
        }
    }

    /// A reply of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![text_part(text.into())],
            structured_content: None,
            is_error: false,
        }
    }

    /// The facade's answer to a tool that ran: the upstream's text as `result`, every other part behind it.
    ///
    /// `{"isError":false,"result":…,"notes":[…]}`, or, where the upstream said `isError`, a `TOOL_FAILED`.
    pub fn of_upstream(upstream: UpstreamResult, notes: Vec<String>, tool: &str) -> Self {
        let failed = upstream.is_error;
        let (result, attachments) = upstream.into_result();
        let mut payload = Map::new();
        payload.insert("isError".into(), Value::Bool(failed));
        if failed {
            let failure = Failure::new(
                Code::ToolFailed,
                format!("{tool} reported an error; `result` holds what it said"),
            )
            .with_hint("Read `result`. Change what it complains about, or tell the user; the same call will fail again.");
            failure.write_into(&mut payload);
        }
        payload.insert("result".into(), result);
        insert_notes(&mut payload, notes);
        let mut reply = Self::json(&Value::Object(payload), failed);
        reply.content.extend(attachments);
        reply
    }

    /// The facade's answer to a skill that returned `value`.
    ///
    /// An object that says `isError: true` by itself stays the payload, as plugins of the earlier runtime expect.
    pub fn of_skill(value: Value, notes: Vec<String>) -> Self {
        let failed = value.get("isError").and_then(Value::as_bool) == Some(true);
        let mut payload = match value {
            Value::Object(map) => map,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        payload
            .entry("isError")
            .or_insert_with(|| Value::Bool(failed));
        insert_notes(&mut payload, notes);
        Self::json(&Value::Object(payload), failed)
    }
}

impl From<Failure> for Reply {
    fn from(failure: Failure) -> Self {
        Self::json(&failure.to_payload(), true)
    }
}

fn insert_notes(payload: &mut Map<String, Value>, notes: Vec<String>) {
    if !notes.is_empty() {
        payload.insert("notes".into(), json!(notes));
    }
}

fn text_part(text: String) -> Value {
    json!({ "type": "text", "text": text })
}
