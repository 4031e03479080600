//! The MCP server's answers, for whatever transport.

use std::borrow::Cow;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
        PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{Code, Failure, Reply, Runtime, View, ViewKind};

/// One runtime as an MCP server. On HTTP the view comes with each request; on stdio it is fixed.
#[derive(Clone)]
pub(super) struct Handler {
    runtime: Runtime,
    view: View,
}

impl Handler {
    pub(super) fn new(runtime: Runtime, view: View) -> Self {
        Self { runtime, view }
    }

    fn view(&self, context: &RequestContext<RoleServer>) -> View {
        context
            .extensions
            .get::<axum::http::request::Parts>()
            .and_then(|parts| parts.extensions.get::<View>())
            .cloned()
            .unwrap_or_else(|| self.view.clone())
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("agent-tools-runtime", self.runtime.version().to_owned())
            .with_title("Agent tools runtime");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
            .with_server_info(server)
            .with_instructions(self.runtime.instructions(&self.view))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let view = self.view(&context);
        let tools = self
            .runtime
            .tools(&view)
            .await
            .map_err(|failure| protocol_error(&failure))?;
        let tools: Vec<Tool> = tools
            .into_iter()
            .map(serde_json::from_value)
            .collect::<Result<_, _>>()
            .map_err(|error| {
                ErrorData::internal_error(format!("a tool cannot be shown: {error}"), None)
            })?;
        // One page: clients that read only the first would miss the rest.
        let mut result = ListToolsResult::with_all_items(tools);
        result.ttl_ms = Some(if view.kind == ViewKind::Facade {
            300_000
        } else {
            0
        });
        Ok(result)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let view = self.view(&context);
        let arguments = params.arguments.map_or(Value::Null, Value::Object);
        match self
            .runtime
            .call_tool(&view, &params.name, arguments, context.ct.clone())
            .await
        {
            Ok(reply) => result(reply).map(Into::into),
            Err(failure) => Err(protocol_error(&failure)),
        }
    }
}

fn result(reply: Reply) -> Result<CallToolResult, ErrorData> {
    let mut value = serde_json::to_value(&reply).map_err(|error| {
        ErrorData::internal_error(format!("a reply cannot be written: {error}"), None)
    })?;
    if let Ok(result) = serde_json::from_value(value.clone()) {
        return Ok(result);
    }
    // The protocol crate's types do not know one of the parts. Its text is kept, so that nothing is lost.
    if let Some(parts) = value.get_mut("content").and_then(Value::as_array_mut) {
        for part in parts {
            if serde_json::from_value::<rmcp::model::ContentBlock>(part.clone()).is_err() {
                *part = json!({ "type": "text", "text": part.to_string() });
            }
        }
    }
    serde_json::from_value(value).map_err(|error| {
        ErrorData::internal_error(format!("a reply cannot be written: {error}"), None)
    })
}

fn protocol_error(failure: &Failure) -> ErrorData {
    let message = match &failure.hint {
        Some(hint) => format!("{} {hint}", end_of_sentence(&failure.error)),
        None => failure.error.clone(),
    };
    let data = Some(failure.to_payload());
    match failure.code {
        Code::UnknownFacadeTool => ErrorData::invalid_params(message, data),
        _ => ErrorData::internal_error(message, data),
    }
}

fn end_of_sentence(text: &str) -> Cow<'_, str> {
    if text.ends_with(['.', '!', '?']) {
        text.into()
    } else {
        format!("{text}.").into()
    }
}
