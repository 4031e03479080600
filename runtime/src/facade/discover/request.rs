//! What `discover` is asked for.

use serde_json::{Map, Value, json};

use super::Scope;
use crate::{
    catalog::one_line,
    facade::verbs::Reach,
    guard::nested_in,
    reply::{Code, Failure},
};

/// So many hits unless more or fewer are asked for.
pub(super) const DEFAULT_LIMIT: usize = 5;
/// A longer text is not repeated whole.
const QUERY_CHARS: usize = 80;
/// So many at most.
pub(super) const MAX_LIMIT: usize = 20;

/// How much is said of each hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// One sentence and the call.
    Signature,
    /// Everything: the whole description and the schemas.
    Schema,
}

/// The arguments of `discover`.
pub(super) struct Request {
    pub query: Option<String>,
    pub limit: usize,
    pub detail: Detail,
    /// What was repaired.
    pub notes: Vec<String>,
}

impl Request {
    pub(super) fn read(arguments: Map<String, Value>, scope: &Scope<'_>) -> Result<Self, Failure> {
        let misread = |error: String| {
            let retry = scope.discover(json!({ "query": "what you want to do" }));
            Failure::new(Code::BadCallShape, error).with_hint(format!("Search like this: {retry}"))
        };
        let mut notes = Vec::new();
        let arguments = nested_in(arguments, false, &mut notes);
        let mut request = Self {
            query: None,
            limit: DEFAULT_LIMIT,
            detail: Detail::Signature,
            notes,
        };
        for (key, value) in &arguments {
            match (key.as_str(), value) {
                ("query" | "limit" | "detail", Value::Null) => {}
                ("query", Value::String(text)) => {
                    let text = text.trim();
                    request.query = (!text.is_empty()).then(|| text.to_owned());
                }
                ("query", other) => {
                    return Err(misread(format!("`query` must be text, not {other}")));
                }
                ("limit", value) => {
                    request.limit = limit(value, &mut request.notes).ok_or_else(|| {
                        misread(format!(
                            "`limit` must be a number from 1 to {MAX_LIMIT}, not {value}"
                        ))
                    })?;
                }
                ("detail", Value::String(text)) if text == "schema" => {
                    request.detail = Detail::Schema
                }
                ("detail", Value::String(text)) if text == "signature" => {}
                ("detail", other) => {
                    return Err(misread(format!(
                        "`detail` must be \"schema\" or left out, not {other}"
                    )));
                }
                // Clients whose users consent elsewhere add it to every call.
                ("confirm", _) => {}
                (stray, _) => {
                    let takes = match scope.reach() {
                        Reach::Own => "`query`, `limit` and `detail`",
                        Reach::Shared => "`query`, `plugin`, `limit` and `detail`",
                    };
                    let failure = misread(format!(
                        "discover takes {takes}, and no `{}`",
                        one_line(stray, 40)
                    ));
                    return Err(match value.as_str() {
                        Some(text) if !arguments.contains_key("query") => {
                            let meant = json!({ "query": one_line(text, QUERY_CHARS) });
                            let call = scope.discover(meant);
                            failure.with_hint(format!("Did you mean `query`? {call}"))
                        }
                        _ => failure,
                    });
                }
            }
        }
        Ok(request)
    }
}

fn limit(value: &Value, notes: &mut Vec<String>) -> Option<usize> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    if number.fract() != 0.0 || number < 1.0 {
        return None;
    }
    if number > MAX_LIMIT as f64 {
        notes.push(format!("`limit` is {MAX_LIMIT} at most"));
        return Some(MAX_LIMIT);
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to 20"
    )]
    Some(number as usize)
}
