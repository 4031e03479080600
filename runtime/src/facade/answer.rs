//! What the model gets back: results that fit its context and lose nothing.

use std::{sync::LazyLock, time::SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use super::{Facade, verbs::Spelling};
use crate::{
    adapter::CallContext,
    catalog::{Schema, Tool},
    guard::{checked_arguments, output_problem},
    reply::{
        Code, Cut, Failure, Reply, UpstreamResult, cut, holds_base64, page, replace_base64,
        take_out_tags, text_part,
    },
};

/// The keys that are the runtime's own in a skill's answer.
const OWN_KEYS: [&str; 3] = ["calls", "notes", "receipt"];

/// The name under which every plugin's `_call` reads on in a long result.
pub(super) const READ_MORE: &str = "read_more";

/// What [`READ_MORE`] takes.
pub(super) static READ_MORE_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    Schema::new(Map::from_iter([
        ("type".into(), json!("object")),
        (
            "properties".into(),
            json!({ "id": { "type": "string" }, "page": { "type": "integer", "minimum": 1 } }),
        ),
        ("required".into(), json!(["id"])),
        ("additionalProperties".into(), json!(false)),
    ]))
});

/// How a long result is read on: the call, spelled out.
pub(super) type ReadOn<'a> = &'a dyn Fn(&str, usize) -> String;

/// Proof that a call was made: the call log knows its id.
#[derive(Debug, Clone)]
pub(super) struct Receipt {
    id: String,
    tool: String,
    at: String,
}

impl Receipt {
    pub(super) fn to_json(&self) -> Value {
        json!({ "id": self.id, "tool": self.tool, "at": self.at })
    }
}

impl Facade {
    /// A receipt for a call that is about to be made.
    pub(super) fn receipt(&self, plugin: &str, target: &str, context: &CallContext) -> Receipt {
        let receipt = Receipt {
            id: self.receipts.next(),
            tool: format!("{plugin}:{target}"),
            at: DateTime::<Utc>::from(SystemTime::now())
                .to_rfc3339_opts(SecondsFormat::Millis, true),
        };
        context.recording.has_receipt(&receipt.id);
        tracing::info!(receipt = receipt.id, tool = receipt.tool, "called");
        receipt
    }

    /// The facade's answer to a tool that ran: the service's text as `result`, every other part behind it.
    pub(super) fn answer(
        &self,
        spelling: Spelling<'_>,
        tool: Option<&Tool>,
        mut upstream: UpstreamResult,
        mut notes: Vec<String>,
        receipt: &Receipt,
    ) -> Reply {
        let failed = upstream.is_error;
        notes.extend(tool.and_then(|tool| output_problem(tool, &upstream)));
        notes.append(&mut upstream.notes);
        let meta = upstream.meta.clone();
        let (mut result, mut attachments) = upstream.into_result();
        notes.extend(take_out_tags(attachments.iter_mut().chain([&mut result])));
        let mut payload = Map::new();
        payload.insert("isError".into(), Value::Bool(failed));
        if failed {
            Failure::new(
                Code::ToolFailed,
                format!("{} reported an error; `result` holds what it said", receipt.tool),
            )
            .with_hint("Read `result`. Change what it complains about, or tell the user; the same call will fail again.")
            .write_into(&mut payload);
        }
        self.fit(&mut result, &mut notes, &read_on_by_call(spelling));
        payload.insert("result".into(), result);
        let mut reply = close(payload, notes, receipt, failed, attachments);
        reply.meta = meta;
        reply
    }

    /// The facade's answer to a skill that returned `value`.
    ///
    /// An object that says `isError: true` by itself stays the payload, as plugins of the earlier runtime expect.
    pub(super) fn skill_answer(
        &self,
        spelling: Spelling<'_>,
        mut value: Value,
        calls: Vec<Value>,
        mut notes: Vec<String>,
        receipt: &Receipt,
    ) -> Reply {
        let failed = value.get("isError").and_then(Value::as_bool) == Some(true);
        notes.extend(take_out_tags([&mut value]));
        self.fit(&mut value, &mut notes, &read_on_by_call(spelling));
        let mut payload = match value {
            // What the runtime adds must not overwrite what the skill says.
            Value::Object(map) if !OWN_KEYS.iter().any(|key| map.contains_key(*key)) => map,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        payload
            .entry("isError")
            .or_insert_with(|| Value::Bool(failed));
        payload.insert("calls".into(), Value::Array(calls));
        close(payload, notes, receipt, failed, Vec::new())
    }

    /// The answer to a tool called by its flat name: the service's own result, part by part.
    pub(super) fn flat_answer(
        &self,
        tool: Option<&Tool>,
        mut upstream: UpstreamResult,
        mut notes: Vec<String>,
        receipt: &Receipt,
        read_on: ReadOn<'_>,
    ) -> Reply {
        notes.extend(tool.and_then(|tool| output_problem(tool, &upstream)));
        notes.append(&mut upstream.notes);
        notes.extend(take_out_tags(
            upstream
                .content
                .iter_mut()
                .chain(&mut upstream.structured_content),
        ));
        let mut content = upstream.content;
        for part in &mut content {
            if let Some(Value::String(text)) = part.get_mut("text") {
                self.fit_text(text, read_on);
            }
        }
        let mut structured_content = upstream.structured_content;
        if let Some(structured) = structured_content
            .as_mut()
            .filter(|value| holds_base64(value))
        {
            let kept = self.kept.keep(&readable(structured));
            let more = kept.map_or_else(String::new, |id| {
                format!("; all of it: {}", read_on(&id, 1))
            });
            notes.push(format!(
                "binary data was left out of the structured content{more}"
            ));
            replace_base64(structured);
        }
        let mut meta = match upstream.meta {
            Some(Value::Object(meta)) => meta,
            _ => Map::new(),
        };
        meta.insert("agent-tools/receipt".into(), receipt.to_json());
        if !notes.is_empty() {
            content.push(text_part(json!({ "notes": notes }).to_string()));
        }
        Reply {
            content,
            structured_content,
            is_error: upstream.is_error,
            meta: Some(Value::Object(meta)),
        }
    }

    /// Makes a value fit: binary data is named instead of written out, and what is too long is cut.
    pub(super) fn fit(&self, value: &mut Value, notes: &mut Vec<String>, read_on: ReadOn<'_>) {
        if holds_base64(value) {
            let whole = readable(value);
            replace_base64(value);
            notes.push(match self.kept.keep(&whole) {
                Some(id) => format!("binary data was left out; all of it: {}", read_on(&id, 1)),
                None => "binary data was left out".into(),
            });
        }
        // Written compactly nearly everything fits, and then nothing else needs doing.
        if raw_text(value).is_none() && cut(&value.to_string()).is_none() {
            return;
        }
        if self.fit_fields(value, read_on) {
            return;
        }
        let text = readable(value);
        if let Some(ends) = cut(&text) {
            let more = self.kept.keep(&text).map(|id| read_on(&id, 1));
            *value = ends.to_json(more);
        }
    }

    /// Cuts the long texts of an object one by one, so that their lines stay lines, where that is enough.
    fn fit_fields(&self, value: &mut Value, read_on: ReadOn<'_>) -> bool {
        if raw_text(value).is_some() {
            return false;
        }
        let Value::Object(fields) = value else {
            return false;
        };
        let mut shorter = fields.clone();
        let mut long = Vec::new();
        for (key, field) in &mut shorter {
            let ends = field.as_str().and_then(cut).map(|ends| ends.to_json(None));
            if let Some(ends) = ends {
                *field = ends;
                long.push(key.clone());
            }
        }
        if long.is_empty() || cut(&Value::Object(shorter.clone()).to_string()).is_some() {
            return false;
        }
        for key in long {
            let kept = fields[&key]
                .as_str()
                .and_then(|whole| self.kept.keep(whole));
            if let Some(id) = kept {
                shorter[&key]["readMore"] = json!(read_on(&id, 1));
            }
        }
        *fields = shorter;
        true
    }

    /// As [`Facade::fit`], for a text part.
    pub(super) fn fit_text(&self, text: &mut String, read_on: ReadOn<'_>) {
        let mut value = Value::String(std::mem::take(text));
        let left_out = holds_base64(&value).then(|| {
            let whole = readable(&value);
            replace_base64(&mut value);
            self.kept.keep(&whole)
        });
        let Value::String(mut whole) = value else {
            return;
        };
        if let Some(ends) = cut(&whole) {
            let more = self.kept.keep(&whole).map(|id| read_on(&id, 1));
            whole = ends.to_text(more);
        }
        if let Some(Some(id)) = left_out {
            whole.push_str(&format!(
                "\n[binary data was left out; all of it: {}]",
                read_on(&id, 1)
            ));
        }
        *text = whole;
    }

    /// A failure whose parts fit: an error message or a schema may be as long as a result.
    pub(super) fn fitting_failure(&self, reply: Reply, read_on: ReadOn<'_>) -> Reply {
        let first = reply.content.first().and_then(|part| part.get("text"));
        let Some(text) = first
            .and_then(Value::as_str)
            .filter(|text| cut(text).is_some())
        else {
            return reply;
        };
        let Ok(Value::Object(mut payload)) = serde_json::from_str(text) else {
            return reply;
        };
        let mut notes = Vec::new();
        for (key, value) in payload.iter_mut() {
            // What a tool said fits already: what is left of it must not be cut once more.
            if key != "result" {
                self.fit(value, &mut notes, read_on);
            }
        }
        let mut fitting = Reply::json(&Value::Object(payload), true);
        fitting.content.extend(reply.content.into_iter().skip(1));
        fitting.meta = reply.meta;
        fitting
    }

    /// A page of a long result that was cut.
    pub(super) fn read_more(&self, arguments: &Map<String, Value>, read_on: ReadOn<'_>) -> Reply {
        let mut notes = Vec::new();
        let retry = |meant: &Value| {
            let id = meant.get("id").and_then(Value::as_str).unwrap_or("<id>");
            read_on(id, 1)
        };
        let arguments =
            match checked_arguments(&READ_MORE_SCHEMA, arguments.clone(), &mut notes, retry) {
                Ok(arguments) => arguments,
                Err(failure) => return failure.into(),
            };
        let id = arguments
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let number = arguments.get("page").and_then(Value::as_u64).unwrap_or(1);
        let text = match self.kept.read(id) {
            Ok(text) => text,
            Err(failure) => return failure.into(),
        };
        let (wanted, pages) = page(&text, usize::try_from(number).unwrap_or(usize::MAX));
        let Some(wanted) = wanted else {
            return Failure::new(
                Code::ResultGone,
                format!("{id} has {pages} pages, and no page {number}"),
            )
            .with_hint(read_on(id, 1))
            .into();
        };
        let mut payload =
            json!({ "isError": false, "id": id, "page": number, "pages": pages, "text": wanted });
        if number < pages as u64 {
            payload["next"] = json!(read_on(id, usize::try_from(number + 1).unwrap_or(pages)));
        }
        if !notes.is_empty() {
            payload["notes"] = json!(notes);
        }
        Reply::json(&payload, false)
    }
}

/// The text of a result that is one text.
fn raw_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Object(map) if map.len() == 1 => map.get("raw").and_then(Value::as_str),
        _ => None,
    }
}

/// A value as text with lines, to be cut and read on in.
fn readable(value: &Value) -> String {
    match raw_text(value) {
        Some(text) => text.to_owned(),
        None => serde_json::to_string_pretty(value).unwrap_or_default(),
    }
}

impl Cut<'_> {
    fn omitted(&self) -> String {
        format!(
            "{} characters in {} lines",
            self.omitted_chars, self.omitted_lines
        )
    }

    fn to_json(&self, more: Option<String>) -> Value {
        let mut cut =
            json!({ "cut": true, "head": self.head, "omitted": self.omitted(), "tail": self.tail });
        cut["readMore"] =
            json!(more.unwrap_or_else(|| "it is too long to be kept; ask for less at once".into()));
        cut
    }

    fn to_text(&self, more: Option<String>) -> String {
        let more = more.map_or_else(
            || "ask for less at once".into(),
            |call| format!("read on: {call}"),
        );
        format!(
            "{}\n[… {} left out; {more} …]\n{}",
            self.head,
            self.omitted(),
            self.tail
        )
    }
}

pub(super) fn read_on_by_call(spelling: Spelling<'_>) -> impl Fn(&str, usize) -> String {
    move |id, page| spelling.call(READ_MORE, &json!({ "id": id, "page": page }), false)
}

pub(super) fn read_on_flat(id: &str, page: usize) -> String {
    format!("{READ_MORE} {}", json!({ "id": id, "page": page }))
}

fn close(
    mut payload: Map<String, Value>,
    notes: Vec<String>,
    receipt: &Receipt,
    failed: bool,
    attachments: Vec<Value>,
) -> Reply {
    if !notes.is_empty() {
        payload.insert("notes".into(), json!(notes));
    }
    payload.insert("receipt".into(), receipt.to_json());
    let mut reply = Reply::json(&Value::Object(payload), failed);
    reply.content.extend(attachments);
    reply
}
