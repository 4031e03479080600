//! What is suspicious in what a tool says about itself.
//!
//! A finding is a reason to look, no proof. What is looked for, and why, is in `docs/trust.md`.

mod characters;
mod phrases;

pub(crate) use characters::looks_like;

use std::collections::HashSet;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    catalog::{Tool, one_line},
    checksum,
    trust::visible::visible,
};

/// Of a longer text only the beginning is looked at, in bytes.
const MAX_TEXT: usize = 256 * 1024;
/// Findings of one tool that are kept.
const MAX_FINDINGS: usize = 20;
/// How much of the text is shown, in characters.
const EXCERPT: usize = 100;

/// What kind of thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Kind {
    /// Characters that a person does not see and a model reads.
    HiddenCharacters,
    /// A letter that looks like another one in a name.
    LookAlike,
    /// A sentence that tells the model what to do beyond the tool.
    Instructions,
    /// Another plugin's tool is talked of as one to replace.
    OtherTool,
    /// It is shaped like a credential.
    Secret,
    /// An address that takes along what a model fills in.
    Link,
}

impl Kind {
    /// As part of a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::HiddenCharacters => "hidden characters",
            Self::LookAlike => "letters that look like others",
            Self::Instructions => "instructions to the model",
            Self::OtherTool => "talk of another tool",
            Self::Secret => "text shaped like a credential",
            Self::Link => "a link that would carry data away",
        }
    }
}

/// Something suspicious.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    pub tool: String,
    pub kind: Kind,
    /// Where in the tool: `name`, `description`, `inputSchema.properties.q.description`.
    pub place: String,
    /// What stands there, in one line that hides nothing.
    pub text: String,
}

/// Looks at everything in a tool that a model reads. `own` are the names of all tools of its plugin.
pub(crate) fn scan(tool: &Tool, own: &HashSet<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut look = |place: &str, text: &str| {
        let text = excerpt(text, 0, MAX_TEXT);
        let found = characters::scan(text)
            .into_iter()
            .chain(phrases::scan(text, own));
        for (kind, text) in found {
            add(&mut findings, tool, kind, place, text);
        }
    };
    for (place, text) in [
        ("name", Some(&tool.name)),
        ("title", tool.title.as_ref()),
        ("description", Some(&tool.description)),
    ] {
        if let Some(text) = text {
            look(place, text);
        }
    }
    for (place, schema) in [
        ("inputSchema", Some(&tool.input_schema)),
        ("outputSchema", tool.output_schema.as_ref()),
    ] {
        if let Some(schema) = schema {
            each_text(schema, place, &mut look);
        }
    }
    if let Some(text) = characters::look_alike(&tool.name) {
        add(&mut findings, tool, Kind::LookAlike, "name", text);
    }
    findings
}

/// What a person accepts who accepts these.
pub(crate) fn checksum_of(findings: &[Finding]) -> String {
    let text = serde_json::to_string(findings).unwrap_or_default();
    checksum::hex(&text)
}

fn add(findings: &mut Vec<Finding>, tool: &Tool, kind: Kind, place: &str, text: String) {
    let is_known = |finding: &Finding| finding.kind == kind && finding.place == visible(place);
    // One of a kind at a place is enough to look there.
    if findings.len() < MAX_FINDINGS && !findings.iter().any(is_known) {
        findings.push(Finding {
            tool: visible(&tool.name),
            kind,
            place: visible(place),
            text: one_line(&text, EXCERPT),
        });
    }
}

/// Every text and every name of a property.
fn each_text(map: &Map<String, Value>, place: &str, look: &mut impl FnMut(&str, &str)) {
    for (key, value) in map {
        let place = format!("{place}.{key}");
        look(&place, key);
        each_text_of(value, &place, look);
    }
}

fn each_text_of(value: &Value, place: &str, look: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => look(place, text),
        Value::Object(map) => each_text(map, place, look),
        Value::Array(items) => items
            .iter()
            .for_each(|item| each_text_of(item, place, look)),
        _ => {}
    }
}

/// The text from one byte to another, as far as there is one, and no half character.
fn excerpt(text: &str, start: usize, end: usize) -> &str {
    let is_start = |at: &usize| text.is_char_boundary(*at);
    let start = (0..=start.min(text.len()))
        .rev()
        .find(is_start)
        .unwrap_or(0);
    let end = (0..=end.min(text.len())).rev().find(is_start).unwrap_or(0);
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests;
