//! Whatever a service answers is in the reply, or the reply says what is left out and leads to it.

use agent_tools_runtime::Reply;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{
    cases,
    reading::{Remains, instruction, read_on},
    service::{SKILL, Service, TOOL, payload},
    upstream::{Part, Upstream, structured, upstream},
};

/// What a facade reply's `result` stands for, read to its end.
fn whole(service: &Service, reply: &Reply) -> Result<Vec<Value>, String> {
    let payload = payload(reply);
    let result = payload["result"].clone();
    whole_of(service, &payload, result)
}

/// What `result` stands for, which is cut or of which data is left out as the payload says.
fn whole_of(
    service: &Service,
    payload: &Map<String, Value>,
    mut result: Value,
) -> Result<Vec<Value>, String> {
    let mut readings = Vec::new();
    if let Some(call) = result.get("readMore").and_then(Value::as_str) {
        let text = read_on(service, call);
        let end = |name: &str| result[name].as_str().unwrap_or_default();
        let remains = Remains {
            head: end("head"),
            omitted: end("omitted"),
            tail: end("tail"),
        };
        remains.are_of(&text)?;
        readings.extend(serde_json::from_str(&text).ok());
        result = Value::String(text);
    }
    let notes = payload
        .get("notes")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    for note in notes.filter_map(Value::as_str) {
        if let Some(call) = instruction(note, "binary data was left out; all of it: ", "\n") {
            // With the data in it.
            let text = read_on(service, call);
            readings.clear();
            readings.extend(serde_json::from_str(&text).ok());
            result = Value::String(text);
        }
    }
    readings.push(result);
    Ok(readings)
}

/// Whether a value is or holds one that passes.
fn holds(value: &Value, passes: &dyn Fn(&Value) -> bool) -> bool {
    passes(value)
        || match value {
            Value::Array(items) => items.iter().any(|item| holds(item, passes)),
            Value::Object(map) => map.values().any(|item| holds(item, passes)),
            _ => false,
        }
}

/// Whether a value is a text, as it is or as the JSON that it spells.
fn is_of(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) if own == text => true,
        value => compact(text) == Some(value.to_string()),
    }
}

/// JSON text without the space between its parts, and with its texts escaped in one way.
fn compact(text: &str) -> Option<String> {
    serde_json::from_str::<Value>(text).ok()?;
    let mut compact = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            compact.push_str(&Value::from(texts.next()?.ok()?).to_string());
            rest = &rest[texts.byte_offset()..];
        } else {
            if !c.is_ascii_whitespace() {
                compact.push(c);
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(compact)
}

/// A part that is no object cannot be one of a reply; its text can.
fn as_part(part: &Part) -> Value {
    match part {
        Part::Bare(Value::String(text)) => json!({"type": "text", "text": text}),
        Part::Bare(value) => json!({"type": "text", "text": value.to_string()}),
        part => part.json(),
    }
}

fn text_of(part: &Part) -> Option<String> {
    let text = as_part(part)["text"].as_str().map(str::to_owned);
    text.filter(|_| part.text().is_some() || matches!(part, Part::Bare(_)))
}

fn check_meta(upstream: &Upstream, reply: &Reply) -> Result<(), TestCaseError> {
    let mut meta = reply.meta.clone().unwrap_or_else(|| json!({}));
    meta.as_object_mut()
        .unwrap()
        .shift_remove("agent-tools/receipt");
    match &upstream.meta {
        Some(Value::Object(sent)) => prop_assert_eq!(&meta, &Value::Object(sent.clone())),
        _ => prop_assert_eq!(meta, json!({})),
    }
    Ok(())
}

#[test]
fn a_long_error_is_cut_once() {
    let text = "\"".repeat(40 * 1024);
    let parts = json!([{"type": "text", "text": text}, {"type": "text", "text": ""}]);
    let answer = json!({"content": parts, "isError": true});
    let service = Service::new(json!({}), true, answer);
    let reply = service.call("agent_tools_p_call", json!({"toolName": TOOL}));
    let readings = whole(&service, &reply).unwrap();
    assert_eq!(readings[0], json!({"parts": [text, ""]}));
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn the_facade_loses_nothing_of_a_result(upstream in upstream()) {
        let service = Service::new(json!({}), true, upstream.json());
        let reply = service.call("agent_tools_p_call", json!({"toolName": TOOL}));
        prop_assert_eq!(reply.is_error, upstream.is_error == Some(true));
        check_meta(&upstream, &reply)?;

        let attached: Vec<Value> =
            upstream.parts.iter().filter(|part| part.is_known()).map(Part::json).collect();
        prop_assert_eq!(&reply.content[1..], &attached);

        let readings = whole(&service, &reply).map_err(TestCaseError::fail)?;
        let is_told = |passes: &dyn Fn(&Value) -> bool| readings.iter().any(|reading| holds(reading, passes));
        if let Some(structured) = &upstream.structured {
            let structured = structured.json();
            prop_assert!(is_told(&|value| *value == structured), "the structured content is lost");
        }
        for part in upstream.all_parts() {
            match text_of(&part) {
                Some(text) => prop_assert!(is_told(&|value| is_of(value, &text)), "{:?} is lost", part),
                None if part.is_known() => {}
                None => prop_assert!(is_told(&|value| *value == part.json()), "{:?} is lost", part),
            }
        }
    }

    #[test]
    fn the_flat_view_loses_nothing_of_a_result(upstream in upstream()) {
        let service = Service::new(json!({}), true, upstream.json());
        let reply = service.call_flat(TOOL, json!({}));
        prop_assert_eq!(reply.is_error, upstream.is_error == Some(true));
        check_meta(&upstream, &reply)?;

        let parts = upstream.all_parts();
        let own = &reply.content[parts.len()..];
        for (sent, told) in parts.iter().zip(&reply.content) {
            let sent = as_part(sent);
            if sent == *told {
                continue;
            }
            let (Some(text), Some(told)) = (sent["text"].as_str(), told["text"].as_str()) else {
                return Err(TestCaseError::fail(format!("{sent} became {told}")));
            };
            let all = "\n[binary data was left out; all of it: ";
            let on = " left out; read on: ";
            let (cut, data) = match told.rsplit_once(all) {
                Some((cut, call)) => (cut, Some(read_on(&service, call.trim_end_matches(']')))),
                None => (told, None),
            };
            let read = match instruction(cut, on, " …]\n") {
                Some(call) => {
                    let text = read_on(&service, call);
                    let (head, behind) = cut.rsplit_once("\n[… ").unwrap();
                    let (omitted, behind) = behind.split_once(on).unwrap();
                    let (_, tail) = behind.split_once(" …]\n").unwrap();
                    Remains { head, omitted, tail }.are_of(&text).map_err(TestCaseError::fail)?;
                    Some(text)
                }
                None => None,
            };
            prop_assert_eq!(data.or(read), Some(text.to_owned()));
        }

        let structured = upstream.structured.as_ref().map(|structured| structured.json());
        if structured == reply.structured_content {
            prop_assert!(own.is_empty(), "{:?}", own);
            return Ok(());
        }
        let notes = own[0]["text"].as_str().unwrap();
        let call = instruction(notes, "structured content; all of it: ", "\"]}");
        let call = call.expect("what is left out is told").replace("\\\"", "\"");
        prop_assert_eq!(serde_json::from_str(&read_on(&service, &call)).ok(), structured);
    }

    #[test]
    fn the_facade_loses_nothing_that_a_skill_returns(returned in structured()) {
        let returned = returned.json();
        let service = Service::new(json!({}), true, returned.clone());
        let reply = service.call("agent_tools_p_run_skill", json!({"skill": SKILL}));
        prop_assert_eq!(reply.is_error, returned.get("isError") == Some(&json!(true)));
        let payload = payload(&reply);
        // It is the payload itself, or its `result`.
        let mut own = payload.clone();
        own.retain(|key, _| !["calls", "notes", "receipt"].contains(&key.as_str()));
        if returned.get("isError").is_none() {
            own.shift_remove("isError");
        }
        let mut readings = whole_of(&service, &payload, Value::Object(own)).map_err(TestCaseError::fail)?;
        if let Some(result) = payload.get("result") {
            readings.extend(whole_of(&service, &payload, result.clone()).map_err(TestCaseError::fail)?);
        }
        prop_assert!(readings.contains(&returned), "{:?}", payload);
    }
}
