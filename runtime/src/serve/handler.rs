//! The MCP server's answers, for whatever transport.

use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
        CustomResult, DiscoverResult, ErrorCode, GetSkillRequestParams, GetSkillResult,
        Implementation, InitializeRequestParams, InitializeResult, InputResponses,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
        ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ResultType,
        ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
    },
    service::{NotificationContext, Peer, RequestContext, SubscriptionContext},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{
    changed_lists::GivenList,
    client_approval::ClientApproval,
    elicitation::{ByRequest, ByRetry, Seal},
    skills,
};
use crate::{
    Call, Code, Failure, Reply, Runtime, View,
    adapter::{Progress, ProgressSink},
    audit::{Client, Door},
    reply::text_part,
};

/// The methods of every protocol version that is served.
const METHODS: [&str; 8] = [
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "skills/get",
    "skills/list",
    "tools/call",
    "tools/list",
];

/// How long a list of verbs may be kept, which changes with the plugins alone.
const VERBS_TTL_MS: u64 = 300_000;

/// Progress reports waiting to be sent.
const PROGRESS_BUFFER: usize = 16;

/// One runtime as an MCP server. On HTTP the view comes with each request; on stdio it is fixed.
#[derive(Clone)]
pub(super) struct Handler {
    runtime: Runtime,
    view: View,
    /// What the one client of a stdio session was given. Over HTTP nobody can tell clients apart, and it says nothing.
    given: Arc<GivenList>,
    /// Seals what its users are asked.
    seal: Arc<Seal>,
    /// Cancelled when that session ends.
    session_end: CancellationToken,
    /// Its clients ask their users themselves before they confirm a call.
    approved_by_client: bool,
}

impl Handler {
    pub(super) fn new(runtime: Runtime, view: View, seal: Arc<Seal>) -> Self {
        Self {
            runtime,
            view,
            seal,
            given: Arc::default(),
            session_end: CancellationToken::new(),
            approved_by_client: false,
        }
    }

    /// Whether clients ask their users themselves before they confirm a call.
    pub(super) fn approved_by_client(self, approved_by_client: bool) -> Self {
        Self {
            approved_by_client,
            ..self
        }
    }

    /// The handler of one client's session, which is over when `end` is cancelled.
    pub(super) fn for_session(self, end: CancellationToken) -> Self {
        Self {
            session_end: end,
            ..self
        }
    }

    fn view(&self, context: &RequestContext<RoleServer>) -> View {
        request_parts(context)
            .and_then(|parts| parts.extensions.get::<View>())
            .cloned()
            .unwrap_or_else(|| self.view.clone())
    }
}

/// How the user of a client can be asked.
enum Way {
    /// By a request, while the call waits.
    Request(Arc<ByRequest>),
    /// By the answer to the call, which is repeated.
    Retry(Arc<ByRetry>),
    /// The client has asked before it sent the call.
    Before,
    None,
}

impl Handler {
    fn way_to_ask(
        &self,
        context: &RequestContext<RoleServer>,
        session: &str,
        state: Option<String>,
        responses: Option<InputResponses>,
    ) -> Way {
        if self.approved_by_client {
            return Way::Before;
        }
        let asks = context
            .client_capabilities()
            .and_then(|capabilities| capabilities.elicitation)
            .is_some_and(|asks| asks.form.is_some() || asks.url.is_none());
        let retries = context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        match (asks, retries) {
            (true, true) => {
                let seal = self.seal.clone();
                Way::Retry(Arc::new(ByRetry::new(
                    seal,
                    session.to_owned(),
                    state,
                    responses,
                )))
            }
            // Over HTTP an older client has no session, and a request to it would never be answered.
            (true, false) if request_parts(context).is_none() => {
                Way::Request(Arc::new(ByRequest(context.peer.clone())))
            }
            _ => Way::None,
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("agent-tools-runtime", self.runtime.version().to_owned())
            .with_title("Agent tools runtime");
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_skills()
            .build();
        ServerConfig::new(capabilities)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
            .with_server_info(server)
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
            .given
            .give(&self.runtime, &view)
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
        result.ttl_ms = Some(match self.runtime.follows_services(&view).await {
            true => 0,
            false => VERBS_TTL_MS,
        });
        Ok(result)
    }

    /// Without sessions nothing can be sent to an older client over HTTP, so it is not promised.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        result.instructions = Some(self.runtime.instructions(&self.view(&context)).await);
        if request_parts(&context).is_some()
            && let Some(tools) = result.capabilities.tools.as_mut()
        {
            tools.list_changed = None;
        }
        context.peer.set_peer_info(request);
        Ok(result)
    }

    async fn discover(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let instructions = self.runtime.instructions(&self.view(&context)).await;
        let server = self.get_info().with_instructions(instructions);
        Ok(DiscoverResult::from_server_info(versions, server))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let handler = self.clone();
        tokio::spawn(async move {
            let tell = || async { context.peer.notify_tool_list_changed().await.is_ok() };
            tokio::select! {
                () = handler.session_end.cancelled() => {}
                () = handler.given.follow(&handler.runtime, &handler.view, tell) => {}
            }
        });
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        // What is not among the capabilities is taken out by the protocol crate.
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let view = self.view(context.request_context());
        let given = match GivenList::like(&self.given) {
            Some(given) => given,
            None => GivenList::of_now(&self.runtime, &view).await,
        };
        let wanted = context.accepted().tools_list_changed == Some(true);
        let tell = || async { !wanted || context.sink().notify_tool_list_changed().await.is_ok() };
        tokio::select! {
            () = context.cancelled() => {}
            () = self.session_end.cancelled() => {}
            () = given.follow(&self.runtime, &view, tell) => {}
        }
        Ok(())
    }

    // There are no prompts and no templates, and the files of skills are listed by `skills/list` alone: clients that know
    // only resources have no use for them. Clients that ask all the same fail on an error, and not on an empty list.

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::default())
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::default())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::default())
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = skills::read(&self.runtime, &self.view(&context), &params.uri).await;
        read.map(Into::into)
    }

    async fn list_skills(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        skills::list(&self.runtime, &self.view(&context)).await
    }

    async fn get_skill(
        &self,
        params: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        skills::get(&self.runtime, &self.view(&context), &params.uri).await
    }

    /// Accepted, as older clients take a refusal for a broken server. Log messages stay on the host's side.
    #[expect(deprecated, reason = "older protocol versions have it")]
    async fn set_level(
        &self,
        _params: rmcp::model::SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    /// The protocol crate takes a request whose params it cannot read for one of its own kind.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        if !METHODS.contains(&method) {
            let message = format!("there is no method {method:?} here");
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None));
        }
        let params = request.params.unwrap_or_else(|| json!({}));
        let problem = match method {
            "tools/call" => serde_json::from_value::<CallToolRequestParams>(params)
                .err()
                .map(|error| format!(": {error}")),
            _ => None,
        };
        let why = problem.unwrap_or_default();
        let message = format!("the params of {method} are not what the protocol says{why}");
        Err(ErrorData::invalid_params(message, None))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let view = self.view(&context);
        let session = session(&context);
        let (state, responses) = (params.request_state, params.input_responses);
        let way = self.way_to_ask(&context, session.name(), state, responses);
        let arguments = params.arguments.map_or(Value::Null, Value::Object);
        let call = Call::to(params.name)
            .client(client(&context))
            .arguments(arguments)
            .view(view)
            .cancelled_by(context.ct.clone());
        let call = match &session {
            Session::Own(name) => call.session(name),
            Session::Shared(name) => call.shared_session(name),
        };
        let call = match &way {
            Way::None => call,
            Way::Before => call.approver(Arc::new(ClientApproval)),
            Way::Request(approver) => call.approver(approver.clone()),
            Way::Retry(approver) => call.approver(approver.clone()),
        };
        let outcome = match context.meta.get_progress_token() {
            None => self.runtime.call(call).await,
            Some(token) => {
                let (sink, forwarding) = forward_progress(token, context.peer.clone());
                let outcome = self.runtime.call(call.progress(sink)).await;
                // The last report goes out before the answer, which ends the client's interest.
                let _ = forwarding.await;
                outcome
            }
        };
        if let Way::Retry(approver) = &way
            && let Some(question) = approver.take_question()
        {
            return Ok(question.into());
        }
        match outcome {
            Ok(reply) => result(reply).map(Into::into),
            Err(failure) => Err(protocol_error(&failure)),
        }
    }
}

/// The HTTP request; over stdio there is none.
fn request_parts(context: &RequestContext<RoleServer>) -> Option<&axum::http::request::Parts> {
    context.extensions.get()
}

/// Who calls, as it says: in the request itself, else when the session began; over HTTP older clients say it in a header.
fn client(context: &RequestContext<RoleServer>) -> Client {
    let parts = request_parts(context);
    let said = context.meta.client_info();
    let said = said.or_else(|| {
        let info = context.peer.peer_info().filter(|_| parts.is_none());
        info.map(|info| info.client_info.clone())
    });
    let agent = || {
        let agent = parts?.headers.get("user-agent")?.to_str().ok()?;
        Some(agent.to_owned())
    };
    Client {
        door: match parts {
            Some(_) => Door::Http,
            None => Door::Stdio,
        },
        version: said.as_ref().map(|said| said.version.clone()),
        name: said.map(|said| said.name).or_else(agent),
    }
}

/// Whose failures are counted together.
enum Session {
    /// One client's.
    Own(String),
    /// Those of all clients that look alike.
    Shared(String),
}

impl Session {
    fn name(&self) -> &str {
        match self {
            Self::Own(name) | Self::Shared(name) => name,
        }
    }
}

/// A stdio client is one session. Over HTTP there are none, so clients are told apart by what they send along.
fn session(context: &RequestContext<RoleServer>) -> Session {
    let Some(parts) = request_parts(context) else {
        return Session::Own(String::new());
    };
    let header = |name: &str| {
        let value = parts.headers.get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    match header("mcp-session-id") {
        Some(id) => Session::Own(id),
        None => Session::Shared(header("user-agent").unwrap_or_default()),
    }
}

/// Sends progress to the client in order. Reports that come faster than they can be sent are left out.
fn forward_progress(
    token: ProgressToken,
    peer: Peer<RoleServer>,
) -> (ProgressSink, tokio::task::JoinHandle<()>) {
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<Progress>(PROGRESS_BUFFER);
    let forwarding = tokio::spawn(async move {
        while let Some(progress) = receiver.recv().await {
            let mut params = ProgressNotificationParam::new(token.clone(), progress.progress);
            params.total = progress.total;
            params.message = progress.message;
            if peer.notify_progress(params).await.is_err() {
                return;
            }
        }
    });
    let sink = move |progress| {
        let _ = sender.try_send(progress);
    };
    (Arc::new(sink), forwarding)
}

fn result(reply: Reply) -> Result<CallToolResult, ErrorData> {
    let unwritable = |error: serde_json::Error| {
        ErrorData::internal_error(format!("a reply cannot be written: {error}"), None)
    };
    let mut value = serde_json::to_value(&reply).map_err(unwritable)?;
    if let Some(parts) = value.get_mut("content").and_then(Value::as_array_mut) {
        for part in parts {
            // The protocol crate's types do not know this part. Its text is kept, so that nothing is lost.
            if ContentBlock::deserialize(&*part).is_err() {
                *part = text_part(part.to_string());
            }
        }
    }
    let mut result: CallToolResult = serde_json::from_value(value).map_err(unwritable)?;
    // The newest protocol wants it said; for older clients the protocol crate takes it out again.
    result.result_type = Some(ResultType::COMPLETE);
    Ok(result)
}

pub(super) fn protocol_error(failure: &Failure) -> ErrorData {
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
