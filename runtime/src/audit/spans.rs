//! A span for each call, sent to a collector by OTLP over HTTP. Attributes are those of the semantic conventions for tools of
//! agents. Arguments and results are never among them.

use std::{
    collections::HashMap,
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use opentelemetry::{
    Context, KeyValue,
    trace::{SpanKind, Status, TraceContextExt, Tracer, TracerProvider},
};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use tokio::runtime::Handle;

use super::{
    entry::Ending,
    facts::Facts,
    telemetry::{OtlpSettings, TelemetrySettings},
};

const SCOPE: &str = "agent-tools-runtime";
/// A collector that is slower is given up; the calls themselves never wait for it.
const SEND_LIMIT: Duration = Duration::from_secs(10);
/// The service's own name for itself goes before ours.
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";

/// What sends spans, if that is wanted.
pub(super) struct Spans {
    settings: Option<OtlpSettings>,
    version: String,
    /// Made with the first call, as it needs the asynchronous runtime that calls run on.
    exporting: OnceLock<Result<Exporting, String>>,
}

struct Exporting {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Spans {
    pub(super) fn new(settings: &TelemetrySettings, version: &str) -> Self {
        Self {
            settings: settings.otlp.clone(),
            version: version.to_owned(),
            exporting: OnceLock::new(),
        }
    }

    /// The span of a call that arrived at that time; below that of the skill's run which makes it.
    pub(super) fn start(&self, parent: Option<&Span>, arrived: SystemTime) -> Option<Span> {
        let settings = self.settings.as_ref()?;
        let handle = Handle::try_current().ok()?;
        let exporting = self
            .exporting
            .get_or_init(|| Exporting::to(settings, &self.version, handle));
        let tracer = &exporting.as_ref().ok()?.tracer;
        let none = Context::new();
        let parent = parent.map_or(&none, |span| &span.0);
        let span = tracer
            .span_builder("execute_tool")
            .with_kind(SpanKind::Internal)
            .with_start_time(arrived)
            .start_with_context(tracer, parent);
        Some(Span(none.with_span(span)))
    }

    /// Why no spans are sent although that is wanted.
    pub(super) fn problem(&self) -> Option<String> {
        self.exporting.get()?.as_ref().err().cloned()
    }

    /// Sends what has not been sent, for as long as the limit allows. It waits: not for threads of the asynchronous runtime.
    pub(super) fn close(&self, limit: Duration) {
        if let Some(Ok(exporting)) = self.exporting.get() {
            // The second time there is nothing left.
            let _ = exporting.provider.shutdown_with_timeout(limit);
        }
    }
}

impl Exporting {
    fn to(settings: &OtlpSettings, version: &str, handle: Handle) -> Result<Self, String> {
        let wrong = |error: &dyn std::error::Error| format!("telemetry.otlp: {error}");
        let headers: HashMap<String, String> = settings.expanded_headers()?.into_iter().collect();
        let sender = Sender::new(handle).map_err(|error| wrong(&error))?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(sender)
            .with_headers(headers)
            .with_protocol(Protocol::HttpJson)
            .with_timeout(SEND_LIMIT)
            // Where it is empty, the variables of OpenTelemetry say.
            .with_endpoint(settings.traces_endpoint().unwrap_or_default())
            .build()
            .map_err(|error| wrong(&error))?;
        let mut resource = Resource::builder()
            .with_attribute(KeyValue::new("service.version", version.to_owned()));
        if std::env::var_os(SERVICE_NAME).is_none() {
            resource = resource.with_service_name(SCOPE);
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build())
            .build();
        let tracer = provider.tracer(SCOPE);
        Ok(Self { provider, tracer })
    }
}

/// One call's span. Cloning gives another handle to the same.
#[derive(Clone)]
pub(super) struct Span(Context);

impl Span {
    pub(super) fn end(self, facts: &Facts<'_>) {
        let span = self.0.span();
        let text = |key: &'static str, value: &str| KeyValue::new(key, value.to_owned());
        if !facts.name.is_empty() {
            span.update_name(format!("execute_tool {}", facts.name));
            span.set_attribute(text("gen_ai.tool.name", facts.name));
        }
        span.set_attributes([
            text("gen_ai.operation.name", "execute_tool"),
            text("gen_ai.tool.type", "extension"),
            text("agent_tools.plugin", facts.plugin),
            text("agent_tools.kind", facts.kind),
            text("agent_tools.door", facts.door),
            text("agent_tools.outcome", facts.ending.outcome(facts.sent)),
        ]);
        let optional = [
            ("gen_ai.tool.call.id", facts.receipt),
            ("agent_tools.decision", facts.decision),
        ];
        span.set_attributes(
            optional
                .into_iter()
                .filter_map(|(key, value)| Some(text(key, value?))),
        );
        let error = match facts.ending {
            Ending::Ok => None,
            Ending::Error => Some("tool_error"),
            Ending::Failed(code) => Some(code.as_str()),
        };
        if let Some(error) = error {
            span.set_attribute(text("error.type", error));
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

/// Sends requests on the threads of the asynchronous runtime: who exports waits on a thread of its own.
#[derive(Debug)]
struct Sender {
    client: reqwest::Client,
    handle: Handle,
}

impl Sender {
    fn new(handle: Handle) -> reqwest::Result<Self> {
        crate::runtime::install_tls_provider();
        #[expect(
            clippy::disallowed_methods,
            reason = "the user alone names the collector, and no redirect is followed"
        )]
        let client = reqwest::Client::builder()
            // The headers may be credentials.
            .redirect(reqwest::redirect::Policy::none())
            .timeout(SEND_LIMIT)
            .build()?;
        Ok(Self { client, handle })
    }
}

#[async_trait::async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sending = self.handle.spawn(async move {
            let answer = client.execute(reqwest::Request::try_from(request)?).await?;
            let status = answer.status();
            // What a collector has to say about parts that it did not take is not read.
            let body = match status.is_success() {
                true => Bytes::from_static(b"{}"),
                false => Bytes::new(),
            };
            Ok::<_, HttpError>(Response::builder().status(status).body(body)?)
        });
        sending.await?
    }
}
