//! The resources of a server (MCP specification, "Resources") as two tools: `list_resources` and `read_resource`.

use rmcp::model::{
    ClientRequest, ListResourceTemplatesRequest, ListResourcesRequest, ReadResourceRequest,
    ReadResourceRequestParams,
};
use serde_json::{Map, Value, json};

use super::{
    Connection, McpAdapter,
    listing::{Offer, line},
};
use crate::{
    catalog::Tool,
    reply::{Code, Failure, UpstreamResult},
};

const LIST: &str = "list_resources";
const READ: &str = "read_resource";
/// So many are named in a description; the others are found with `list_resources`.
const NAMED: usize = 10;
/// The longest name and description of a resource in a tool's description, in characters.
const MAX_WORDS: usize = 80;

/// Resources and templates as the server lists them.
#[derive(Debug, Default)]
pub(super) struct Resources {
    resources: Vec<Value>,
    templates: Vec<Value>,
}

/// Whether a tool of that name can be one of these.
pub(super) fn may_be_named(tool: &str) -> bool {
    tool.contains(LIST) || tool.contains(READ)
}

pub(super) async fn list(
    adapter: &McpAdapter,
    connection: &Connection,
) -> Result<Resources, Failure> {
    let resources = adapter.all_pages(connection, "resources", |params| {
        ClientRequest::ListResourcesRequest(ListResourcesRequest {
            params,
            ..ListResourcesRequest::default()
        })
    });
    let templates = adapter.all_pages(connection, "resourceTemplates", |params| {
        ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest {
            params,
            ..ListResourceTemplatesRequest::default()
        })
    });
    let (resources, templates) = tokio::join!(resources, templates);
    Ok(Resources {
        resources: resources?.items,
        // Templates are optional, and older servers do not know the method.
        templates: templates.map_or(Vec::new(), |templates| templates.items),
    })
}

/// The tools for these resources; none where there are none.
pub(super) fn tools(listed: &Resources) -> Vec<(Offer, Tool)> {
    if listed.resources.is_empty() && listed.templates.is_empty() {
        return Vec::new();
    }
    let shown = |items: &[Value], key: &str| {
        let named = items.iter().take(NAMED).map(|item| named(item, key));
        let mut text = named.collect::<Vec<_>>().join("; ");
        if items.len() > NAMED {
            text = format!("{text}; and {} more, see {LIST}", items.len() - NAMED);
        }
        text
    };
    let mut description = "Reads a resource of this server by its URI.".to_owned();
    if !listed.resources.is_empty() {
        description = format!(
            "{description} Resources: {}.",
            shown(&listed.resources, "uri")
        );
    }
    if !listed.templates.is_empty() {
        let templates = shown(&listed.templates, "uriTemplate");
        description = format!("{description} Templates, to be filled in: {templates}.");
    }
    let read = json!({
        "name": READ,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": {"uri": {"type": "string", "description": format!("As {LIST} gives it, or a template filled in.")}},
            "required": ["uri"],
            "additionalProperties": false,
        },
        "annotations": {"readOnlyHint": true},
    });
    let list = json!({
        "name": LIST,
        "description": format!("Lists the resources of this server, and the templates of their URIs, for {READ}."),
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
        "annotations": {"readOnlyHint": true},
    });
    [(Offer::ListResources, list), (Offer::ReadResource, read)]
        .into_iter()
        .filter_map(|(offer, tool)| Some((offer, Tool::from_json(&tool)?)))
        .collect()
}

/// `uri (title: description)`
fn named(item: &Value, key: &str) -> String {
    let text = |key: &str| {
        item.get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let uri = line(text(key).unwrap_or("?"), 2 * MAX_WORDS);
    let words: Vec<&str> = [text("title").or(text("name")), text("description")]
        .into_iter()
        .flatten()
        .collect();
    match words.is_empty() {
        true => uri,
        false => format!("{uri} ({})", line(&words.join(": "), MAX_WORDS)),
    }
}

/// What `list_resources` answers: both lists as the server has them now.
pub(super) async fn listed(
    adapter: &McpAdapter,
    connection: &Connection,
) -> Result<UpstreamResult, Failure> {
    let listed = list(adapter, connection).await?;
    Ok(UpstreamResult::from_json(json!({
        "structuredContent": {"resources": listed.resources, "resourceTemplates": listed.templates},
    })))
}

pub(super) async fn read(
    adapter: &McpAdapter,
    connection: &Connection,
    arguments: &Map<String, Value>,
) -> Result<UpstreamResult, Failure> {
    let uri = arguments.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| Failure::new(Code::ArgValidationFailed, "`uri` is missing"))?;
    let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
    let answer = adapter
        .ask(connection, ClientRequest::ReadResourceRequest(request))
        .await?;
    Ok(contents(uri, answer))
}

/// The text of the resource itself is a text; every other content keeps its URI and type.
fn contents(uri: &str, mut answer: Value) -> UpstreamResult {
    let Some(Value::Array(contents)) = answer.get_mut("contents").map(Value::take) else {
        return UpstreamResult::from_json(answer);
    };
    let alone = contents.len() == 1;
    let part = |item: Value| match item.get("text").and_then(Value::as_str) {
        Some(text)
            if alone
                && item
                    .get("uri")
                    .and_then(Value::as_str)
                    .is_none_or(|own| own == uri) =>
        {
            json!({"type": "text", "text": text})
        }
        _ => json!({"type": "resource", "resource": item}),
    };
    let parts: Vec<Value> = contents.into_iter().map(part).collect();
    UpstreamResult::from_json(json!({"content": parts, "_meta": answer.get("_meta")}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_name_some_resources() {
        let resource = |number: usize| json!({"uri": format!("file:///{number}.md"), "name": format!("n{number}"), "description": "A file.\nLong."});
        let listed = Resources {
            resources: (1..=12).map(resource).collect(),
            templates: vec![json!({"uriTemplate": "db://{table}/{id}", "title": "Row"})],
        };
        let words: Vec<Value> = tools(&listed)
            .into_iter()
            .map(|(_, tool)| {
                json!({
                    "name": tool.name,
                    "description": tool.description,
                    "inputSchema": *tool.input_schema,
                    "readOnly": tool.hints.read_only,
                })
            })
            .collect();
        insta::assert_json_snapshot!(words);
        assert!(tools(&Resources::default()).is_empty());
    }

    #[test]
    fn contents_become_parts_and_none_is_lost() {
        let read = |contents: Value| super::contents("a:b", json!({"contents": contents})).content;
        let text = json!({"uri": "a:b", "mimeType": "text/plain", "text": "hello"});
        let blob = json!({"uri": "a:b", "mimeType": "image/png", "blob": "AAAA"});
        assert_eq!(
            read(json!([text])),
            [json!({"type": "text", "text": "hello"})]
        );
        assert_eq!(
            read(json!([blob])),
            [json!({"type": "resource", "resource": blob})]
        );
        assert_eq!(read(json!([text, blob])).len(), 2);
        assert_eq!(read(json!([])), [] as [Value; 0]);
    }
}
