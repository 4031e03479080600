//! The prompts of a server (MCP specification, "Prompts"), each as a tool `prompt_<name>` that gives its messages.

use rmcp::model::{ClientRequest, GetPromptRequest, GetPromptRequestParams, ListPromptsRequest};
use serde_json::{Map, Value, json};

use super::{
    Connection, McpAdapter,
    listing::{Items, Offer, line},
};
use crate::{
    catalog::Tool,
    reply::{Failure, UpstreamResult},
};

const PREFIX: &str = "prompt_";
/// The longest description of a prompt or of its argument, in characters.
const MAX_WORDS: usize = 500;

/// Whether a tool of that name can be one of these.
pub(super) fn may_be_named(tool: &str) -> bool {
    tool.contains(PREFIX)
}

pub(super) async fn list(adapter: &McpAdapter, connection: &Connection) -> Result<Items, Failure> {
    let request = |params| {
        ClientRequest::ListPromptsRequest(ListPromptsRequest {
            params,
            ..ListPromptsRequest::default()
        })
    };
    adapter.all_pages(connection, "prompts", request).await
}

/// A tool for each prompt that has a name.
pub(super) fn tools(prompts: &[Value]) -> Vec<(Offer, Tool)> {
    prompts.iter().filter_map(tool).collect()
}

fn tool(prompt: &Value) -> Option<(Offer, Tool)> {
    let text = |value: &Value, key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.map(|text| line(text, MAX_WORDS))
            .filter(|text| !text.is_empty())
    };
    let name = prompt
        .get("name")?
        .as_str()
        .filter(|name| !name.is_empty())?;
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let arguments = prompt.get("arguments").and_then(Value::as_array);
    for argument in arguments.into_iter().flatten() {
        let Some(name) = argument.get("name").and_then(Value::as_str) else {
            continue;
        };
        let mut schema = json!({"type": "string"});
        if let Some(words) = text(argument, "description").or_else(|| text(argument, "title")) {
            schema["description"] = words.into();
        }
        properties.insert(name.to_owned(), schema);
        if argument.get("required") == Some(&Value::Bool(true)) {
            required.push(name);
        }
    }
    let mut schema =
        json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let words: Vec<String> = [text(prompt, "title"), text(prompt, "description")]
        .into_iter()
        .flatten()
        .collect();
    let mut description = format!("Gives the server's prompt {name:?}, instructions to follow.");
    if !words.is_empty() {
        description = format!("{description} {}", words.join(": "));
    }
    let tool = Tool::from_json(&json!({
        "name": tool_name(name),
        "description": description,
        "inputSchema": schema,
        "annotations": {"readOnlyHint": true},
    }))?;
    Some((Offer::Prompt(name.to_owned()), tool))
}

/// Names of prompts may have any character, those of tools may not.
fn tool_name(prompt: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name = prompt.chars().map(|c| if allowed(c) { c } else { '_' });
    PREFIX.chars().chain(name).collect()
}

pub(super) async fn get(
    adapter: &McpAdapter,
    connection: &Connection,
    name: String,
    arguments: Map<String, Value>,
) -> Result<UpstreamResult, Failure> {
    let mut params = GetPromptRequestParams::new(name);
    params.arguments = Some(arguments).filter(|arguments| !arguments.is_empty());
    let request = ClientRequest::GetPromptRequest(GetPromptRequest::new(params));
    Ok(messages(adapter.ask(connection, request).await?))
}

/// The content of every message. Who says it stands in front, unless the user says the only one.
fn messages(mut answer: Value) -> UpstreamResult {
    let Some(Value::Array(messages)) = answer.get_mut("messages").map(Value::take) else {
        return UpstreamResult::from_json(answer);
    };
    let several = messages.len() > 1;
    let mut parts = Vec::new();
    for mut message in messages {
        let role = message
            .get("role")
            .and_then(Value::as_str)
            .unwrap_or("user")
            .to_owned();
        let mut content = message
            .get_mut("content")
            .map(Value::take)
            .unwrap_or_default();
        let text = content.get("text").and_then(Value::as_str);
        if several || role != "user" {
            match text {
                Some(text) => content["text"] = format!("{role}: {text}").into(),
                None => parts.push(json!({"type": "text", "text": format!("{role}:")})),
            }
        }
        parts.push(content);
    }
    UpstreamResult::from_json(json!({"content": parts, "_meta": answer.get("_meta")}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_a_tool_with_its_arguments() {
        let prompts = [
            json!({"name": "code review!", "title": "Review", "description": "Reviews\ncode.", "arguments": [
                {"name": "code", "description": "The code.", "required": true},
                {"name": "style"},
                {"description": "nameless"},
            ]}),
            json!({"name": "plain"}),
            json!({"description": "nameless"}),
        ];
        let words: Vec<Value> = tools(&prompts)
            .into_iter()
            .map(|(offer, tool)| {
                assert!(tool.hints.read_only);
                json!({
                    "offer": format!("{offer:?}"),
                    "name": tool.name,
                    "description": tool.description,
                    "inputSchema": *tool.input_schema,
                })
            })
            .collect();
        insta::assert_json_snapshot!(words);
    }

    #[test]
    fn every_message_is_kept_and_its_role_said() {
        let text = |role: &str, text: &str| json!({"role": role, "content": {"type": "text", "text": text}});
        let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
        let read = |given: Value| messages(json!({"messages": given})).content;
        assert_eq!(
            read(json!([text("user", "do it")])),
            [json!({"type": "text", "text": "do it"})]
        );
        assert_eq!(
            read(
                json!([text("user", "a"), text("assistant", "b"), {"role": "user", "content": image}])
            ),
            [
                json!({"type": "text", "text": "user: a"}),
                json!({"type": "text", "text": "assistant: b"}),
                json!({"type": "text", "text": "user:"}),
                image,
            ]
        );
    }
}
