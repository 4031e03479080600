//! A failure a model or a person can act on.

use serde_json::{Map, Value, json};

use super::Code;
use crate::secrets::{scrub, scrub_json};

/// What failed (`error`), under which stable `code`, and what to do about it (`hint`).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// What failed, in one or two sentences.
    pub error: String,
    /// What to do next; a literal call wherever one exists.
    pub hint: Option<String>,
    /// More fields for the payload, for example `details` and `schema`.
    pub fields: Box<Map<String, Value>>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(code: Code, error: impl Into<String>) -> Self {
        Self {
            code,
            error: error.into(),
            hint: None,
            fields: Box::default(),
        }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a field to the payload.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// Without known secrets, and without what has the shape of a token.
    #[must_use]
    pub fn scrubbed(mut self) -> Self {
        self.error = scrub(&self.error).into_owned();
        self.hint = self.hint.map(|hint| scrub(&hint).into_owned());
        for field in self.fields.values_mut() {
            *field = scrub_json(field.take());
        }
        self
    }

    /// `{"isError":true,"code","error",…,"hint"?,"retryable"}`.
    pub fn to_payload(&self) -> Value {
        let mut payload = Map::new();
        payload.insert("isError".into(), json!(true));
        self.write_into(&mut payload);
        Value::Object(payload)
    }

    /// Writes code, error, the further fields, hint and whether repeating may help into `payload`.
    pub fn write_into(&self, payload: &mut Map<String, Value>) {
        payload.insert("code".into(), json!(self.code.as_str()));
        payload.insert("error".into(), json!(self.error));
        for (key, value) in self.fields.iter() {
            payload.insert(key.clone(), value.clone());
        }
        if let Some(hint) = &self.hint {
            payload.insert("hint".into(), json!(hint));
        }
        payload.insert("retryable".into(), json!(self.code.retryable()));
    }
}
