//! What comes back from a call: results, failures and their codes.

mod binary;
mod code;
mod exact;
mod failure;
mod faithful;
mod fit;
mod kept;
mod tags;
mod upstream;

pub use code::Code;
pub(crate) use exact::{Exact, exact};
pub use failure::Failure;
pub(crate) use fit::{Cut, cut, page};
pub(crate) use kept::{Kept, in_session};
pub(crate) use tags::take_out_tags;
pub use upstream::UpstreamResult;

pub(crate) use binary::{holds_base64, replace_base64};

use crate::secrets::scrub_known_in;
use serde::Serialize;
use serde_json::{Value, json};

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
    /// Metadata for the client's program, not for the model.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
}

impl Reply {
    /// A reply whose text is `payload` as compact JSON.
    pub fn json(payload: &Value, is_error: bool) -> Self {
        Self {
            content: vec![text_part(payload.to_string())],
            structured_content: None,
            is_error,
            meta: None,
        }
    }

    /// Without known secrets. Tokens that nobody configured are what the user may have asked for.
    #[must_use]
    pub(crate) fn scrubbed(mut self) -> Self {
        let parts = self.content.iter_mut();
        let values = parts
            .chain(&mut self.structured_content)
            .chain(&mut self.meta);
        values.for_each(scrub_known_in);
        self
    }

    /// A reply of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![text_part(text.into())],
            structured_content: None,
            is_error: false,
            meta: None,
        }
    }
}

impl From<Failure> for Reply {
    fn from(failure: Failure) -> Self {
        let mut payload = failure.to_payload();
        // What a service says of a failure is as foreign as its results.
        if let Some(note) = take_out_tags([&mut payload]) {
            payload["notes"] = json!([note]);
        }
        Self::json(&payload, true)
    }
}

/// An MCP text block.
pub(crate) fn text_part(text: String) -> Value {
    json!({ "type": "text", "text": text })
}
