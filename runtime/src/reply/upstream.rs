//! The result of a tool as its service sent it.

use serde::Serialize;
use serde_json::{Value, json};

use super::faithful::faithful;

/// An MCP-like tool result, kept as JSON so that parts this program does not know survive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpstreamResult {
    /// Content blocks, verbatim.
    pub content: Vec<Value>,
    /// Structured content, verbatim; `null` is a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// Result metadata, verbatim.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// What the way to the service has to say about the result, besides the result.
    #[serde(skip)]
    pub notes: Vec<String>,
}

impl UpstreamResult {
    /// Reads a result leniently: a missing `content` is empty, a value that is no result becomes a text part.
    pub fn from_json(value: Value) -> Self {
        match value {
            Value::Object(mut map)
                if map.contains_key("content") || map.contains_key("structuredContent") =>
            {
                let content = match map.remove("content") {
                    Some(Value::Array(parts)) => parts.into_iter().map(part_of).collect(),
                    None | Some(Value::Null) => Vec::new(),
                    Some(other) => vec![text_of(&other)],
                };
                Self {
                    content,
                    structured_content: map.remove("structuredContent"),
                    is_error: map.get("isError").and_then(Value::as_bool) == Some(true),
                    meta: map.remove("_meta").filter(Value::is_object),
                    notes: Vec::new(),
                }
            }
            Value::Object(mut map) if map.get("isError") == Some(&Value::Bool(true)) => {
                map.remove("isError");
                Self {
                    meta: map.remove("_meta").filter(Value::is_object),
                    content: vec![text_of(&Value::Object(map))],
                    is_error: true,
                    ..Self::default()
                }
            }
            Value::Null => Self::default(),
            other => Self {
                content: vec![text_of(&other)],
                ..Self::default()
            },
        }
    }

    /// Splits into the `result` value of a facade payload and the parts that go behind it as content blocks.
    ///
    /// One text part is parsed as JSON where it is JSON, else `{"raw": text}`; several become `{"parts": […]}`.
    /// Structured content wins over text parts that only repeat it, or what it wraps: servers put what is no object into
    /// an object of one property, and write it as text besides. Known binary and resource parts become
    /// attachments; a part of an unknown type stays in the text, under `parts`, so that nothing is lost.
    pub(crate) fn into_result(self) -> (Value, Vec<Value>) {
        let mut texts = Vec::new();
        let mut unknown = Vec::new();
        let mut attachments = Vec::new();
        for part in self.content {
            match part.get("type").and_then(Value::as_str) {
                Some("text") if part.get("text").is_some_and(Value::is_string) => {
                    texts.push(Text::of(part["text"].as_str().unwrap_or_default()));
                }
                Some("image" | "audio" | "resource" | "resource_link") => attachments.push(part),
                _ => unknown.push(part),
            }
        }
        if let Some(structured) = &self.structured_content {
            drop_repeated(&mut texts, structured);
        }
        let attached = attachments.len();
        let mut result = match (self.structured_content, texts.len()) {
            (Some(structured), 0) => structured,
            (Some(structured), _) => {
                json!({ "structuredContent": structured, "parts": texts.into_iter().map(Text::into_part).collect::<Vec<_>>() })
            }
            (None, 0) if attached > 0 => json!({ "attached": attached }),
            (None, 0) => Value::Null,
            (None, 1) => texts.swap_remove(0).into_result(),
            (None, _) => {
                json!({ "parts": texts.into_iter().map(Text::into_part).collect::<Vec<_>>() })
            }
        };
        if !unknown.is_empty() {
            result = json!({ "result": result, "otherParts": unknown });
        }
        (result, attachments)
    }
}

fn drop_repeated(texts: &mut Vec<Text>, structured: &Value) {
    texts.retain(|text| !text.says(structured));
    let Some(wrapped) = sole_property(structured) else {
        return;
    };
    let items = wrapped.as_array().map_or(&[][..], Vec::as_slice);
    let one_by_one =
        items.len() == texts.len() && texts.iter().zip(items).all(|(text, item)| text.says(item));
    texts.retain(|text| !one_by_one && !text.says(wrapped));
}

fn sole_property(value: &Value) -> Option<&Value> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    map.values().next()
}

fn text_of(value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    json!({ "type": "text", "text": text })
}

/// A part that is no object is none that a client could be given.
fn part_of(value: Value) -> Value {
    match value {
        Value::Object(_) => value,
        other => text_of(&other),
    }
}

/// A text part, read.
enum Text {
    /// JSON that loses nothing when it is read.
    Json(Value),
    /// Any other text.
    Raw(String),
}

impl Text {
    fn of(text: &str) -> Self {
        faithful(text).map_or_else(|| Self::Raw(text.to_owned()), Self::Json)
    }

    /// Whether it is that value, written as text.
    fn says(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Json(own), _) if own == value => true,
            (Self::Json(own), Value::String(text)) => faithful(text).as_ref() == Some(own),
            (Self::Raw(own), Value::String(text)) => own == text,
            _ => false,
        }
    }

    /// As a whole result: any text that is no JSON becomes `{"raw": text}`, as callers of the earlier runtime expect.
    fn into_result(self) -> Value {
        match self {
            Self::Json(value) => value,
            Self::Raw(text) => json!({ "raw": text }),
        }
    }

    /// As one part of several.
    fn into_part(self) -> Value {
        match self {
            Self::Json(value) => value,
            Self::Raw(text) => Value::String(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result_of(value: Value) -> (Value, Vec<Value>) {
        UpstreamResult::from_json(value).into_result()
    }

    #[test]
    fn one_json_text_is_parsed_and_other_text_is_raw() {
        assert_eq!(
            result_of(json!({"content":[{"type":"text","text":"{\"a\":1}"}]})).0,
            json!({"a":1})
        );
        assert_eq!(
            result_of(json!({"content":[{"type":"text","text":"hi"}]})).0,
            json!({"raw":"hi"})
        );
    }

    #[test]
    fn every_part_survives() {
        let image = json!({"type":"image","data":"AA==","mimeType":"image/png"});
        let (result, attachments) = result_of(
            json!({"content":[{"type":"text","text":"one"}, image, {"type":"text","text":"two"}, {"type":"hologram","x":1}]}),
        );
        assert_eq!(
            result,
            json!({"result":{"parts":["one","two"]},"otherParts":[{"type":"hologram","x":1}]})
        );
        assert_eq!(attachments, [image]);
    }

    #[test]
    fn json_among_several_texts_stays_as_it_is() {
        let text = |text: &str| json!({"type":"text","text":text});
        let (result, _) =
            result_of(json!({"content":[text("{\"raw\":5}"), text("{\"raw\":\"x\"}"), text("x")]}));
        assert_eq!(result, json!({"parts":[{"raw":5},{"raw":"x"},"x"]}));
    }

    #[test]
    fn what_cannot_stand_in_a_reply_is_text_or_left_out() {
        let odd = UpstreamResult::from_json(json!({"content":[5, null, "a", ["b"]],"_meta":"x"}));
        let texts: Vec<&Value> = odd.content.iter().map(|part| &part["text"]).collect();
        assert_eq!(texts, ["5", "null", "a", "[\"b\"]"]);
        assert_eq!(odd.meta, None);
    }

    #[test]
    fn what_structured_content_wraps_is_not_repeated() {
        let text = |text: &str| json!({"type":"text","text":text});
        for (content, structured) in [
            (vec![text("[DIR] a\n")], json!({"content":"[DIR] a\n"})),
            (vec![text("5")], json!({"result":5})),
            (vec![text("5")], json!({"result":"5"})),
            (vec![text("{\"a\": [1]}")], json!({"result":{"a":[1]}})),
            (vec![text("a"), text("2")], json!({"result":["a",2]})),
        ] {
            let reply = json!({"content": content, "structuredContent": structured});
            assert_eq!(result_of(reply).0, structured);
        }
        for (content, structured) in [
            (vec![text("a")], json!({"result":"b"})),
            (vec![text("a")], json!({"result":"a","more":1})),
            (vec![text("a"), text("b")], json!({"result":["a","c"]})),
        ] {
            let reply = json!({"content": content, "structuredContent": structured});
            assert_eq!(result_of(reply).0["structuredContent"], structured);
        }
    }

    #[test]
    fn structured_content_is_not_repeated() {
        let structured = json!({"sum":3});
        let same = json!({"content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":structured});
        assert_eq!(result_of(same).0, structured);
        let more =
            json!({"content":[{"type":"text","text":"three"}],"structuredContent":structured});
        assert_eq!(
            result_of(more).0,
            json!({"structuredContent":{"sum":3},"parts":["three"]})
        );
    }

    #[test]
    fn a_value_that_is_no_result_becomes_text() {
        assert_eq!(result_of(json!("plain")).0, json!({"raw":"plain"}));
        assert_eq!(result_of(json!({"rows":[1]})).0, json!({"rows":[1]}));
        assert_eq!(result_of(Value::Null).0, Value::Null);
        let failed = UpstreamResult::from_json(json!({"isError":true,"message":"boom"}));
        assert!(failed.is_error);
        assert_eq!(failed.into_result().0, json!({"message":"boom"}));
    }
}
