//! One JSON-RPC message, looked at before the protocol: what cannot be one is refused with a reason, on every transport
//! alike (JSON-RPC 2.0, sections 4 and 5.1; MCP has no batches since 2025-06-18).

use serde_json::{Value, json};

/// JSON-RPC: the text is no JSON.
const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: the JSON is no request.
const INVALID_REQUEST: i32 = -32600;

/// Why a message is not looked into.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    code: i32,
    id: Value,
    message: String,
}

impl Refusal {
    /// A refusal of something whose id is not known.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self {
            code: INVALID_REQUEST,
            id: Value::Null,
            message: message.into(),
        }
    }

    pub(super) fn with_id(self, id: Value) -> Self {
        Self { id, ..self }
    }

    /// The JSON-RPC error.
    pub(super) fn to_json(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": { "code": self.code, "message": self.message } })
    }
}

/// Reads one message; `None` when there is nothing but space.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Value>, Refusal> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let message: Value = serde_json::from_slice(bytes).map_err(|error| Refusal {
        code: PARSE_ERROR,
        id: Value::Null,
        message: format!("this is no JSON: {error}"),
    })?;
    let Value::Object(fields) = &message else {
        return Err(Refusal::invalid(if message.is_array() {
            "a batch is not supported; send each message by itself"
        } else {
            "this is no JSON-RPC message; it must be an object"
        }));
    };
    let id = match fields.get("id") {
        None => Value::Null,
        Some(Value::String(id)) => Value::String(id.clone()),
        Some(Value::Number(id)) if id.is_i64() => Value::Number(id.clone()),
        // A response to a message whose id could not be read.
        Some(Value::Null) if fields.contains_key("error") => Value::Null,
        Some(_) => return Err(Refusal::invalid("id must be a text or a whole number")),
    };
    if fields.get("jsonrpc") != Some(&json!("2.0")) {
        return Err(Refusal::invalid("jsonrpc must be \"2.0\"").with_id(id));
    }
    let is_response = fields.contains_key("result") || fields.contains_key("error");
    if !is_response && !fields.get("method").is_some_and(Value::is_string) {
        return Err(Refusal::invalid("method must be a text").with_id(id));
    }
    let params_fit = matches!(
        fields.get("params"),
        None | Some(Value::Null | Value::Object(_))
    );
    if !params_fit {
        return Err(Refusal::invalid("params must be an object").with_id(id));
    }
    Ok(Some(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (i32, Value) {
        let refusal = read(text.as_bytes()).unwrap_err();
        (refusal.code, refusal.id)
    }

    #[test]
    fn messages_pass_whatever_their_id() {
        for text in [
            r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"","method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/x","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":9007199254740993,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
        ] {
            let marked = format!("\u{feff} {text}\r");
            assert!(read(text.as_bytes()).unwrap().is_some(), "{text}");
            assert!(read(marked.as_bytes()).unwrap().is_some(), "{text}");
        }
        assert_eq!(read(b" \r"), Ok(None));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for text in ["{not json", "\u{1}", "{\"a\":1} {}"] {
            assert_eq!(refused(text), (-32700, Value::Null), "{text}");
        }
        for text in [
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "\"str\"",
            "1",
            "null",
            "{}",
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        ] {
            assert_eq!(refused(text), (-32600, Value::Null), "{text}");
        }
        for text in [
            r#"{"jsonrpc":"1.0","id":12,"method":"ping"}"#,
            r#"{"id":12,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":12}"#,
            r#"{"jsonrpc":"2.0","id":12,"method":5}"#,
            r#"{"jsonrpc":"2.0","id":12,"method":"ping","params":[]}"#,
        ] {
            assert_eq!(refused(text), (-32600, json!(12)), "{text}");
        }
    }
}
