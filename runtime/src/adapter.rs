//! The ways to a service. A new kind of service is one file here.

mod backoff;
mod causes;
pub(crate) mod children;
mod cli;
mod confinement;
mod descendants;
mod environment;
mod event_stream;
mod host;
mod mcp;
mod mcp_http;
mod mcp_lines;
mod mcp_sse;
mod mcp_stdio;
mod mend;
mod oauth;
mod openapi;
mod pending;
mod program;
mod program_output;
mod scrubbed;
mod secret_value;
mod stray;
mod usage;
mod watchdog;

#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;

pub use async_trait::async_trait;
pub use children::{Children, kill_group};
pub(crate) use cli::Argument;
pub use cli::{CliAdapter, CliSettings};
pub use confinement::{ChildLimits, Confinement, SandboxSettings};
pub(crate) use environment::steering;
pub(crate) use environment::{expand, from_process};
pub use host::{HostAdapter, HostBridge};
pub use mcp::{McpAdapter, ProtocolEra};
pub use mcp_http::{
    ClientCredentialsSettings, HttpAuth, HttpServer, HttpTransport, OauthSettings, Secret,
};
pub use mcp_stdio::StdioServer;
pub(crate) use mcp_stdio::{Owner, installed_package};
pub use oauth::{AuthState, ShowUrl};
pub use openapi::{BasicCredential, Credential, LoginSettings, OpenApiAdapter, OpenApiSettings};
pub(crate) use program::is_installed;
pub(crate) use scrubbed::Scrubbed;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::{
    approval::{Approver, DecisionSlot},
    audit::Recording,
    catalog::{Skill, Tool},
    reply::{Failure, UpstreamResult},
};

/// What a tool says while it works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Grows with every report.
    pub progress: f64,
    /// Where it will end, when that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// What is being done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Takes progress towards the client.
pub type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// Called when a service says that its tools may have changed, from within the asynchronous runtime.
pub type ChangeSignal = Arc<dyn Fn() + Send + Sync>;

/// What travels with a call from the door to the service.
#[derive(Clone)]
pub struct CallContext {
    /// Cancelled when the client no longer wants the answer, or the runtime closes.
    pub cancel: CancellationToken,
    /// Names the client's session.
    pub session: Arc<str>,
    /// Several clients may be behind that name.
    pub shared_session: bool,
    /// Where progress goes; nowhere when the client does not want it.
    pub progress: Option<ProgressSink>,
    /// The changes that were sent and not answered yet.
    pub sent: Arc<InFlight>,
    /// Asks the person who uses the client; nobody can be asked without one.
    pub approver: Option<Arc<dyn Approver>>,
    /// Where it is written down what was decided about the call.
    pub decided: DecisionSlot,
    /// The call's record.
    pub(crate) recording: Arc<Recording>,
}

/// Counts the changes of one call that are under way, so that who ends the call knows what may have happened.
#[derive(Debug, Default)]
pub struct InFlight(AtomicUsize);

impl InFlight {
    /// A change is sent; it is under way until the value is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> UnderWay {
        self.0.fetch_add(1, Ordering::Relaxed);
        UnderWay(self.clone())
    }

    /// Whether a change is under way.
    pub fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// One change under way.
pub(crate) struct UnderWay(Arc<InFlight>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A way to one service.
///
/// Every method may be called at any time and concurrently; an adapter connects when it is first needed.
#[async_trait]
pub trait Adapter: Send + Sync {
    /// Every tool of the service.
    async fn list_tools(&self) -> Result<Vec<Tool>, Failure>;

    /// Why the last list lacks a part, when it does.
    fn list_incomplete(&self) -> Option<Failure> {
        None
    }

    /// Whether the last list holds everything that the service has.
    fn lists_everything(&self) -> bool {
        self.list_incomplete().is_none()
    }

    /// Whether the description of a listed tool lists what the service holds at the moment, and so changes with it.
    fn lists_data(&self, _tool: &str) -> bool {
        false
    }

    /// One tool that the list may not hold. `None` when the service does not know it.
    async fn describe(&self, _tool: &str) -> Option<Tool> {
        None
    }

    /// Context to show with every discover reply.
    async fn discover_context(&self) -> Option<Value> {
        None
    }

    /// Calls a tool. Deadline and cancellation are the caller's; dropping the future must cancel the call upstream.
    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<UpstreamResult, Failure>;

    /// What the embedding program calls the plugin that it answers for.
    fn host_name(&self) -> Option<&str> {
        None
    }

    /// Progress that the embedding program reports for a call that runs.
    fn report(&self, _call_id: &str, _progress: Progress) {}

    /// Grows whenever the tools may have changed (`list_changed`, a restart).
    fn generation(&self) -> u64 {
        0
    }

    /// Has `changed` called whenever the service says that its tools may have changed; before the first use, once.
    fn on_change(&self, _changed: ChangeSignal) {}

    /// How long a listing stays true for a service that does not announce changes.
    fn listing_lifetime(&self) -> Option<Duration> {
        None
    }

    /// Whether a process or a connection is held at the moment; `None` for a way that holds neither.
    fn running(&self) -> Option<bool> {
        None
    }

    /// How long a call that has reached its limit may take to end by itself, and so to say more than that it was late.
    fn winding_up(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether a person has to log in, from what is kept here; `None` where nothing is configured that proves who asks.
    fn auth(&self) -> Option<AuthState> {
        None
    }

    /// Logs the user in: shows an address and waits until the browser has come back from it.
    async fn login(&self, _show: ShowUrl) -> Result<Value, Failure> {
        Err(oauth::no_login())
    }

    /// Forgets what a login has brought, here and at the service.
    async fn logout(&self) -> Result<Value, Failure> {
        Err(oauth::no_login())
    }

    /// Ends the connection and every child process, gracefully where that is quick.
    async fn close(&self);
}

/// Something that runs a plugin's skills.
#[async_trait]
pub trait SkillRunner: Send + Sync {
    /// The skills and what they say about themselves.
    async fn list_skills(&self) -> Result<Vec<Skill>, Failure>;

    /// Runs a skill. `call_id` names the run when the skill calls tools.
    async fn run_skill(
        &self,
        call_id: &str,
        skill: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<Value, Failure>;

    /// Ends what runs the skills.
    async fn close(&self);
}
