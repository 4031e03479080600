//! The request body as bytes.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    description::{Writing, essence, is_json},
    file::{Content, FileContent},
    multipart::Form,
    operation::{Body, BodyKind},
    writing::{encoded, pairs, plain},
};
use crate::{
    adapter::openapi::description::Style,
    reply::{Code, Failure},
};

/// What is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Payload {
    pub content_type: String,
    pub content: PayloadContent,
}

/// Where the bytes are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PayloadContent {
    Bytes(Vec<u8>),
    /// Read while it is sent, so that it need not fit into memory.
    File(PathBuf, u64),
}

impl Payload {
    /// Writes a body as its operation wants it.
    pub(super) async fn of(
        plan: &Body,
        body: Value,
        folder: Option<&Path>,
    ) -> Result<Self, Failure> {
        let bytes = |content: Vec<u8>| Self {
            content_type: concrete(&plan.media_type),
            content: PayloadContent::Bytes(content),
        };
        match plan.kind {
            BodyKind::Json => Ok(bytes(body.to_string().into_bytes())),
            BodyKind::Text => Ok(bytes(match body {
                Value::String(text) => text.into_bytes(),
                other => other.to_string().into_bytes(),
            })),
            BodyKind::Form => Ok(bytes(form(plan, &body)?.into_bytes())),
            BodyKind::Binary => {
                let file = FileContent::read(&body, folder).await?;
                let content_type = match file.content_type {
                    // A document that takes anything leaves the choice to the caller.
                    Some(own) if plan.media_type.contains('*') => own,
                    _ => concrete(&plan.media_type),
                };
                Ok(Self {
                    content_type,
                    content: match file.content {
                        Content::Bytes(bytes) => PayloadContent::Bytes(bytes),
                        Content::Path(path, size) => PayloadContent::File(path, size),
                    },
                })
            }
            BodyKind::Multipart => {
                let form = multipart(plan, &body, folder).await?;
                Ok(Self {
                    content_type: form.content_type(),
                    content: PayloadContent::Bytes(form.into_bytes()),
                })
            }
        }
    }
}

/// A media type that can be sent: a range is none.
fn concrete(media_type: &str) -> String {
    match essence(media_type).as_str() {
        "*/*" | "application/*" => "application/json".into(),
        range if range.contains('*') => "application/octet-stream".into(),
        _ => media_type.to_owned(),
    }
}

fn object(body: &Value) -> Result<&serde_json::Map<String, Value>, Failure> {
    body.as_object().ok_or_else(|| {
        Failure::new(
            Code::ArgValidationFailed,
            "the body is a form, so `body` must be an object of its fields; nothing was sent",
        )
    })
}

fn form(plan: &Body, body: &Value) -> Result<String, Failure> {
    let mut written = Vec::new();
    for (name, value) in object(body)? {
        let encoding = plan.fields.get(name);
        match encoding.and_then(|encoding| encoding.writing.as_ref()) {
            Some(writing) => written.extend(pairs(name, value, writing)),
            None if value.is_object() => {
                written.push(format!("{}={}", encoded(name), encoded(&value.to_string())));
            }
            None => written.extend(pairs(
                name,
                value,
                &Writing::Styled {
                    style: Style::COMMAS,
                    explode: true,
                    allow_reserved: false,
                },
            )),
        }
    }
    Ok(written.join("&"))
}

async fn multipart(plan: &Body, body: &Value, folder: Option<&Path>) -> Result<Form, Failure> {
    let mut form = Form::default();
    for (name, value) in object(body)? {
        let stated = plan
            .fields
            .get(name)
            .and_then(|encoding| encoding.content_type.clone())
            // A list of types is a choice, not a type.
            .filter(|content_type| !content_type.contains([',', '*']));
        if plan.files.contains(name) {
            let files = match value {
                Value::Array(files) => files.iter().collect(),
                Value::Null => Vec::new(),
                one => vec![one],
            };
            for file in files {
                let file = FileContent::read(file, folder).await?;
                form.file(name, file, stated.as_deref()).await?;
            }
            continue;
        }
        match value {
            Value::Array(items)
                if !stated
                    .as_deref()
                    .is_some_and(|kind| is_json(&essence(kind))) =>
            {
                for item in items {
                    field(&mut form, name, item, stated.as_deref());
                }
            }
            value => field(&mut form, name, value, stated.as_deref()),
        }
    }
    Ok(form)
}

fn field(form: &mut Form, name: &str, value: &Value, stated: Option<&str>) {
    let has_parts = value.is_object() || value.is_array();
    let content_type = stated.or(has_parts.then_some("application/json"));
    if let Some(text) = plain(value) {
        form.field(name, &text, content_type);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indexmap::IndexMap;
    use serde_json::json;

    fn plan(media_type: &str, kind: BodyKind) -> Body {
        Body {
            name: "body".into(),
            required: true,
            media_type: media_type.into(),
            kind,
            fields: IndexMap::new(),
            files: ["file".to_owned()].into(),
            spread: false,
            properties: Vec::new(),
        }
    }

    async fn written(plan: &Body, body: Value) -> (String, String) {
        let payload = Payload::of(plan, body, None).await.unwrap();
        let PayloadContent::Bytes(bytes) = payload.content else {
            panic!("no bytes")
        };
        (payload.content_type, String::from_utf8(bytes).unwrap())
    }

    #[tokio::test]
    async fn json_is_sent_as_given() {
        let plan = plan("application/merge-patch+json", BodyKind::Json);
        for body in [
            json!([1, 2]),
            json!(null),
            json!("x"),
            json!({"b": 1, "a": 2}),
        ] {
            let (content_type, text) = written(&plan, body.clone()).await;
            assert_eq!(content_type, "application/merge-patch+json");
            assert_eq!(text, body.to_string());
        }
    }

    #[tokio::test]
    async fn forms_follow_their_encodings() {
        let mut plan = plan("application/x-www-form-urlencoded", BodyKind::Form);
        plan.fields.insert(
            "meta".into(),
            super::super::description::FieldEncoding {
                writing: Some(Writing::Styled {
                    style: Style::DeepObject,
                    explode: true,
                    allow_reserved: false,
                }),
                content_type: None,
            },
        );
        let (_, text) = written(
            &plan,
            json!({"a": "x y&z", "list": [1, 2], "object": {"k": 1}, "meta": {"k": "v"}, "none": null}),
        )
        .await;
        assert_eq!(
            text,
            "a=x%20y%26z&list=1&list=2&object=%7B%22k%22%3A1%7D&meta%5Bk%5D=v"
        );
        assert!(Payload::of(&plan, json!([1]), None).await.is_err());
    }

    #[tokio::test]
    async fn multipart_forms_hold_fields_and_files() {
        let plan = plan("multipart/form-data", BodyKind::Multipart);
        let (content_type, text) = written(
            &plan,
            json!({"name": "n", "tags": ["a", "b"], "meta": {"k": 1}, "file": {"text": "hi", "filename": "a\"b\r\n.txt"}}),
        )
        .await;
        let boundary = content_type
            .strip_prefix("multipart/form-data; boundary=")
            .unwrap();
        let part = |head: &str, content: &str| {
            format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n")
        };
        assert_eq!(
            text,
            format!(
                "{}{}{}{}{}--{boundary}--\r\n",
                part("name=\"name\"", "n"),
                part("name=\"tags\"", "a"),
                part("name=\"tags\"", "b"),
                part(
                    "name=\"meta\"\r\nContent-Type: application/json",
                    "{\"k\":1}"
                ),
                part(
                    "name=\"file\"; filename=\"a%22b%0D%0A.txt\"\r\nContent-Type: application/octet-stream",
                    "hi"
                ),
            )
        );
    }
}
