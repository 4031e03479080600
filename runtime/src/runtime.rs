//! The one entry.

mod reload;

use std::{
    panic::AssertUnwindSafe,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use futures_util::FutureExt;
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::{
    adapter::{Children, HostBridge, Progress, ShowUrl},
    audit,
    catalog::CatalogueCache,
    config::Options,
    facade::{Facade, View, cancelled, unknown_outcome},
    folders,
    plugin::{Changes, Plugin, PluginBuilder, PluginSet, Watcher, find},
    reply::{Code, Failure, Reply, UpstreamResult},
    request::Call,
};

/// How long one plugin may take to close.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Plugins behind a facade. Cloning gives another handle to the same runtime.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

struct Inner {
    facade: Facade,
    /// The set that the facade shows.
    plugins: PluginSet,
    options: Options,
    builder: PluginBuilder,
    children: Arc<Children>,
    warnings: RwLock<Vec<String>>,
    /// What decides what the configuration says, as of the last look.
    configuration: Mutex<Vec<PathBuf>>,
    changes: Changes,
    reloading: Mutex<()>,
    watcher: Mutex<Option<Watcher>>,
    /// Where asynchronous work runs that nobody waits for, known since the first of it.
    handle: OnceLock<Handle>,
    version: String,
    shutdown: CancellationToken,
    closed: tokio::sync::OnceCell<()>,
}

impl Runtime {
    /// Finds the plugins. Nothing is started yet, and a broken plugin only becomes a warning in [`Runtime::status`].
    ///
    /// `bridge` answers for plugins whose code lives in the embedding program; without one they are left out.
    pub fn open(mut options: Options, bridge: Option<Arc<dyn HostBridge>>) -> Self {
        let mut found = find(&options);
        let configuration = std::mem::take(&mut found.watched);
        options.take_defaults(found.deadlines, found.repeats);
        let version = options
            .version
            .clone()
            .unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned());
        let children = Arc::new(Children::default());
        let changes = Changes::default();
        let builder = PluginBuilder {
            bridge,
            children: children.clone(),
            deadlines: options.deadlines,
            version: version.clone(),
            cache: cache(&options),
            changes: changes.clone(),
            built: Mutex::default(),
        };
        let (plugins, warnings) = builder.build_all(found, &[]);
        let plugins = PluginSet::new(plugins);
        let inner = Arc::new(Inner {
            facade: Facade::new(plugins.clone(), &options),
            plugins,
            builder,
            children,
            warnings: RwLock::default(),
            configuration: Mutex::new(configuration),
            changes,
            reloading: Mutex::default(),
            watcher: Mutex::default(),
            handle: OnceLock::new(),
            version,
            shutdown: CancellationToken::new(),
            closed: tokio::sync::OnceCell::new(),
            options,
        });
        inner.warn(warnings);
        if inner.options.watch {
            inner.watch();
        }
        Self { inner }
    }

    /// The tools of a view, as MCP tool objects.
    pub async fn tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        self.check_open()?;
        tokio::select! {
            biased;
            () = self.inner.shutdown.cancelled() => Err(closed()),
            tools = self.inner.facade.tools(view) => tools,
        }
    }

    /// Calls a tool. What goes wrong with the call is a reply; only a tool that does not exist is an error.
    pub async fn call(&self, call: Call) -> Result<Reply, Failure> {
        self.check_open()?;
        let record = audit::Record::begin(&call.view, &call.tool);
        let (tool, cancel, sent) = (call.tool.clone(), call.cancel.clone(), call.sent.clone());
        let dispatched = AssertUnwindSafe(self.inner.facade.dispatch(call)).catch_unwind();
        tokio::pin!(dispatched);
        let outcome = tokio::select! {
            biased;
            () = self.inner.shutdown.cancelled() => match sent.any() {
                true => Ok(unknown_outcome("the runtime was closed before the answer came", &tool).into()),
                false => Err(closed()),
            },
            reply = &mut dispatched => reply.unwrap_or_else(|_| Ok(panicked(&tool).into())),
            // Whatever the call waits for, a plugin that starts for example, its client does not.
            () = cancel.cancelled() => Ok(cancelled(&tool).into()),
        };
        record.end(&outcome);
        outcome
    }

    /// A tool call that a running skill makes; `call_id` names the run.
    pub async fn skill_call(
        &self,
        call_id: &str,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<UpstreamResult, Failure> {
        self.check_open()?;
        self.inner.facade.skill_call(call_id, tool, arguments).await
    }

    /// Progress that the embedding program reports for a call or a skill's run of its own plugin.
    pub fn report(&self, plugin: &str, call_id: &str, progress: Progress) {
        self.inner.facade.report(plugin, call_id, progress);
    }

    /// The plugins with their state, and what was left out. Starts nothing.
    pub fn status(&self) -> Value {
        let plugins = self.inner.facade.plugins();
        let plugins: Vec<Value> = plugins.iter().map(|plugin| plugin.status()).collect();
        json!({
            "version": self.inner.version,
            "plugins": plugins,
            "warnings": self.inner.warnings(),
            "children": self.inner.children.count(),
        })
    }

    /// Starts every plugin and lists what it offers, so that [`Runtime::status`] can count it. Failures are states.
    pub async fn load_all(&self) {
        let mut loading = tokio::task::JoinSet::new();
        for plugin in self.inner.facade.plugins().iter() {
            let plugin = plugin.clone();
            loading.spawn(async move {
                // A failure is kept as the plugin's state.
                let _ = plugin.catalogue().await;
            });
        }
        let loaded = async { while loading.join_next().await.is_some() {} };
        tokio::select! {
            () = self.inner.shutdown.cancelled() => {}
            () = loaded => {}
        }
    }

    /// Logs the user in to the service of a plugin: `show` is given the address to open in a browser, and the login is
    /// waited for five minutes. Answers `{server, issuer, scopes, keptIn, expiresAt?}`.
    pub async fn login(&self, prefix: &str, show: ShowUrl) -> Result<Value, Failure> {
        let plugin = self.plugin(prefix)?;
        tokio::select! {
            () = self.inner.shutdown.cancelled() => Err(closed()),
            outcome = plugin.adapter()?.login(show) => outcome,
        }
    }

    /// Forgets what a login has brought, here and at the service. Answers `{server, forgotten, revoked}`.
    pub async fn logout(&self, prefix: &str) -> Result<Value, Failure> {
        self.plugin(prefix)?.adapter()?.logout().await
    }

    fn plugin(&self, prefix: &str) -> Result<Arc<Plugin>, Failure> {
        self.check_open()?;
        self.inner.facade.plugin(prefix).ok_or_else(|| {
            let plugins = self.inner.facade.plugins();
            let all: Vec<&str> = plugins.iter().map(|plugin| plugin.prefix()).collect();
            Failure::new(
                Code::ConfigInvalid,
                format!("there is no plugin of the prefix {prefix:?}"),
            )
            .with_hint(format!("The plugins are: {}.", all.join(", ")))
        })
    }

    /// The version that clients and servers are told.
    pub fn version(&self) -> &str {
        &self.inner.version
    }

    /// Text for an MCP client's model: what this server is for and how to use it.
    pub fn instructions(&self, view: &View) -> String {
        let plugins = self.inner.facade.plugins();
        let plugins: Vec<&str> = plugins
            .iter()
            .filter(|plugin| {
                view.plugin
                    .as_deref()
                    .is_none_or(|only| only == plugin.prefix())
            })
            .map(|plugin| plugin.prefix())
            .collect();
        instructions(view, &plugins)
    }

    /// Whether a plugin of that prefix is loaded.
    pub fn has_plugin(&self, prefix: &str) -> bool {
        self.inner.facade.plugin(prefix).is_some()
    }

    /// Cancelled when the runtime closes.
    pub fn shutdown_token(&self) -> CancellationToken {
        self.inner.shutdown.clone()
    }

    /// Ends running calls, connections and children. Idempotent; returns when no child is left.
    pub async fn close(&self) {
        self.inner.shutdown.cancel();
        self.inner.stop_watching();
        self.inner
            .closed
            .get_or_init(|| async {
                let mut closing = tokio::task::JoinSet::new();
                for plugin in self.inner.facade.plugins().iter() {
                    let plugin = plugin.clone();
                    // A plugin that is busy starting is not waited for; its child is killed below.
                    closing.spawn(async move {
                        let _ = tokio::time::timeout(CLOSE_LIMIT, plugin.close()).await;
                    });
                }
                while closing.join_next().await.is_some() {}
                self.inner.children.kill_all();
                self.inner.facade.forget();
            })
            .await;
    }

    /// Kills every child at once, without waiting for anything: for exit hooks.
    pub fn close_now(&self) {
        self.inner.shutdown.cancel();
        self.inner.stop_watching();
        self.inner.children.kill_all();
        self.inner.facade.forget();
    }

    /// The child processes; an embedding program has its own watched here.
    pub fn children(&self) -> &Children {
        &self.inner.children
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.inner.changes
    }

    /// The tools of a view as far as they are known without starting anything.
    pub(crate) async fn known_tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        self.inner.facade.known_tools(view).await
    }

    fn check_open(&self) -> Result<(), Failure> {
        if let Ok(handle) = Handle::try_current() {
            let _ = self.inner.handle.set(handle);
        }
        if self.inner.shutdown.is_cancelled() {
            Err(closed())
        } else {
            Ok(())
        }
    }
}

impl Inner {
    /// What is wrong with plugins now. Only what was not wrong before is logged. True when it is not the same as before.
    fn warn(&self, warnings: Vec<String>) -> bool {
        let mut known = self
            .warnings
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        for warning in warnings.iter().filter(|warning| !known.contains(warning)) {
            tracing::warn!("{warning}");
        }
        let news = *known != warnings;
        *known = warnings;
        news
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.warnings.read().unwrap_or_else(PoisonError::into_inner);
        warnings.clone()
    }

    fn watcher(&self) -> MutexGuard<'_, Option<Watcher>> {
        self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop_watching(&self) {
        self.watcher().take();
        self.changes.forget_listeners();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.children.kill_all();
    }
}

/// Where what plugins offer is kept, unless that is not wanted or there is no place for it.
fn cache(options: &Options) -> Option<Arc<CatalogueCache>> {
    if options.cache == Some(false) {
        return None;
    }
    let dir = options.cache_dir.clone().or_else(folders::cache_dir)?;
    Some(Arc::new(CatalogueCache::below(&dir)))
}

/// The panic itself is on stderr.
fn panicked(tool: &str) -> Failure {
    Failure::new(
        Code::Internal,
        format!("{tool} met a fault of this program"),
    )
    .with_hint("Tell the user, who can report it with what the program wrote on stderr.")
}

fn closed() -> Failure {
    Failure::new(Code::Closed, "the runtime has been closed").with_hint("Open a new one.")
}

fn instructions(view: &View, plugins: &[&str]) -> String {
    use crate::facade::ViewKind;
    let list = if plugins.is_empty() {
        "none installed".to_owned()
    } else {
        plugins.join(", ")
    };
    match view.kind {
        ViewKind::Facade => format!(
            "Tools of other services, behind a few tools per plugin ({list}). Use them whenever a task concerns one of these \
             services: agent_tools_<prefix>_discover finds the right tool or skill by what you want to do, \
             agent_tools_<prefix>_call and agent_tools_<prefix>_run_skill run it. discover answers with a catalogue, not with \
             data. Pass confirm: true only for changes that the user wants. agent_tools_help explains the plugins."
        ),
        ViewKind::Flat => format!(
            "Tools and skills of {list}. A tool named skill_… is a ready-made recipe. Pass confirm: true only for changes \
             that the user wants."
        ),
    }
}

/// The TLS provider of every client in this process. Installing it twice is an error that says that it is there.
pub(crate) fn install_tls_provider() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
