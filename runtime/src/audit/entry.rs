//! What a line says.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use crate::{
    reply::{Code, Failure, Reply},
    secrets::scrub,
};

/// Names come from clients and models; longer ones are cut, in characters.
const MAX_NAME: usize = 200;

/// Who calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// The way it came.
    pub door: Door,
    /// What it calls itself; nobody has checked that.
    pub name: Option<String>,
    /// Its version, as it says.
    pub version: Option<String>,
}

/// The ways to the runtime.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Door {
    /// A function call in the same process.
    #[default]
    InProcess,
    /// MCP on stdin and stdout.
    Stdio,
    /// MCP over HTTP.
    Http,
}

impl Door {
    /// As the log spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProcess => "in-process",
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

impl Client {
    pub(super) fn to_json(&self) -> Value {
        let mut client = Map::from_iter([("door".to_owned(), json!(self.door.as_str()))]);
        for (key, value) in [("name", &self.name), ("version", &self.version)] {
            if let Some(value) = value {
                client.insert(key.into(), json!(cut(value)));
            }
        }
        Value::Object(client)
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// With a result.
    Ok,
    /// The tool or skill ran and said that it failed.
    Error,
    /// Without its result.
    Failed(Code),
}

impl Ending {
    /// How what a plugin was asked to do has ended; `Ok` says whether its answer is an error.
    pub(crate) fn of(outcome: Result<bool, &Failure>) -> Self {
        match outcome {
            Ok(true) => Self::Error,
            Ok(false) => Self::Ok,
            Err(failure) => Self::Failed(failure.code),
        }
    }

    /// What a reply that no plugin had a part in says of itself.
    pub(crate) fn of_reply(reply: &Reply) -> Self {
        if !reply.is_error {
            return Self::Ok;
        }
        let text = reply.content.first().and_then(|part| part["text"].as_str());
        let payload = text.and_then(|text| serde_json::from_str::<Value>(text).ok());
        let code = payload.and_then(|payload| Code::parse(payload["code"].as_str()?));
        Self::Failed(code.unwrap_or(Code::Internal))
    }

    /// `ok`, `error`, `failed` when it was sent, else `refused`.
    pub(super) fn outcome(self, sent: bool) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Failed(_) if sent => "failed",
            Self::Failed(_) => "refused",
        }
    }

    pub(super) fn code(self) -> Option<Code> {
        match self {
            Self::Failed(code) => Some(code),
            Self::Ok | Self::Error => None,
        }
    }
}

/// The first fields of a line: `kind` and the time now.
pub(super) fn begin(kind: &str) -> Map<String, Value> {
    begin_at(kind, SystemTime::now())
}

pub(super) fn begin_at(kind: &str, time: SystemTime) -> Map<String, Value> {
    let time = DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true);
    Map::from_iter([
        ("time".to_owned(), json!(time)),
        ("kind".to_owned(), json!(kind)),
    ])
}

/// A name that may be anything, without secrets and of a length that the log can bear.
pub(super) fn cut(name: &str) -> String {
    let name = scrub(name);
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut(&"é".repeat(MAX_NAME)), "é".repeat(MAX_NAME));
        let long = cut(&"é".repeat(MAX_NAME + 1));
        assert_eq!(long, format!("{}…", "é".repeat(MAX_NAME)));
    }
}
