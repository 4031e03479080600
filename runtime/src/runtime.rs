//! The one entry.

mod observed;
mod reload;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use serde_json::{Map, Value, json};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::{
    adapter::{Children, HostBridge, Progress, ShowUrl},
    agent_skills::{self, AgentSkill, AgentSkillOptions, Written, agent_skills},
    audit::{Door, Recorder},
    catalog::CatalogueCache,
    checksum,
    config::Options,
    facade::{Facade, SearchOptions, cancelled, unknown_outcome},
    fault, folders,
    network::Network,
    plugin::{Changes, Plugin, PluginBuilder, PluginSet, PluginState, Watcher, broken_links, find},
    reply::{Code, Failure, Reply, UpstreamResult},
    request::Call,
    secrets,
    trust::{imitations, trust_warnings},
    usage::Usage,
    view::{View, ViewKind},
};

/// How long one plugin may take to close.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
/// How long a collector of spans may take to hear of the last calls, and how long where everything ends at once.
const REPORT_LIMIT: Duration = Duration::from_secs(1);
const LAST_REPORT_LIMIT: Duration = Duration::from_millis(200);

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
    recorder: Arc<Recorder>,
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
        secrets::remember_from_environment();
        let mut found = find(&options);
        let configuration = std::mem::take(&mut found.watched);
        options.take_defaults(std::mem::take(&mut found.defaults));
        let version = options
            .version
            .clone()
            .unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned());
        let children = Arc::new(Children::default());
        let changes = Changes::default();
        let builder = PluginBuilder {
            bridge,
            children: children.clone(),
            network: Network::new(&options.network),
            deadlines: options.deadlines,
            version: version.clone(),
            trust: options.trust.clone().unwrap_or_default(),
            data_dir: options.data_dir.clone().or_else(folders::data_dir),
            cache: cache(&options),
            changes: changes.clone(),
            built: Mutex::default(),
        };
        let (plugins, warnings) = builder.build_all(found, &[]);
        let plugins = PluginSet::new(plugins);
        let inner = Arc::new(Inner {
            facade: Facade::new(plugins.clone(), &options, Usage::below(cache_dir(&options))),
            plugins,
            builder,
            children,
            recorder: Recorder::new(&options, &version),
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
            tools = self.inner.facade.tools(view) => scrubbed(tools),
        }
    }

    /// The tools of a view as far as they are known without starting anything.
    pub async fn known_tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        scrubbed(self.inner.facade.known_tools(view).await)
    }

    /// Calls a tool. What goes wrong with the call is a reply; only a tool that does not exist is an error.
    pub async fn call(&self, mut call: Call) -> Result<Reply, Failure> {
        self.check_open()?;
        if call.client.door == Door::InProcess
            && let Some(host) = &self.inner.options.client
        {
            call.client.name = Some(host.name.clone());
            call.client.version.clone_from(&host.version);
        }
        let begun = self.inner.recorder.begin(&call);
        let (tool, cancel, sent) = (call.tool.clone(), call.cancel.clone(), call.sent.clone());
        let dispatched = self.inner.facade.dispatch(call, begun.recording());
        let dispatched = fault::contained_in(&tool, dispatched);
        tokio::pin!(dispatched);
        let outcome = tokio::select! {
            biased;
            () = self.inner.shutdown.cancelled() => match sent.any() {
                true => Ok(unknown_outcome("the runtime was closed before the answer came", &tool).into()),
                false => Err(closed()),
            },
            reply = &mut dispatched => reply.unwrap_or_else(|fault| Ok(fault.into())),
            // Whatever the call waits for, a plugin that starts for example, its client does not.
            () = cancel.cancelled() => Ok(cancelled(&tool).into()),
        };
        let outcome = outcome.map(Reply::scrubbed).map_err(Failure::scrubbed);
        begun.end(&outcome);
        outcome
    }

    /// Searches tools and skills as `discover` does, and answers with the ranking: `{query, fits, hits: [{plugin, kind,
    /// name, score, explanation?}], nearest}`. Plugins are listed for it, which may start them.
    pub async fn search(&self, query: &str, options: &SearchOptions) -> Result<Value, Failure> {
        self.check_open()?;
        tokio::select! {
            biased;
            () = self.inner.shutdown.cancelled() => Err(closed()),
            ranking = self.inner.facade.ranking(query, options) => ranking.map(secrets::scrub_json),
        }
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
        let states: Vec<Value> = plugins.iter().map(|plugin| plugin.status()).collect();
        let mut warnings = self.inner.warnings();
        warnings.extend(broken_links(&plugins));
        warnings.extend(self.inner.facade.warnings());
        warnings.extend(self.inner.recorder.problems());
        warnings.extend(trust_warnings(&plugins));
        let mut status = json!({
            "version": self.inner.version,
            "plugins": states,
            "warnings": warnings,
            "children": self.inner.children.count(),
        });
        if let Some(view) = self.configured_view() {
            status["view"] = json!(view.to_string());
        }
        if let Some(chosen) = self.inner.facade.chosen() {
            status["auto"] = chosen;
        }
        secrets::scrub_json(status)
    }

    /// What was counted of calls, with the plugins by their state, in the text format of Prometheus (0.0.4).
    pub(crate) fn metrics(&self) -> Option<String> {
        let plugins = self.inner.facade.plugins();
        let states = plugins.iter().map(|plugin| plugin.state().name());
        self.inner
            .recorder
            .metrics(states, self.inner.children.count())
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

    /// What the policy says of a tool or skill, and why. The plugin is started for it.
    pub async fn explain_policy(&self, prefix: &str, name: &str) -> Result<Value, Failure> {
        let plugin = self.plugin(prefix)?;
        tokio::select! {
            biased;
            () = self.inner.shutdown.cancelled() => Err(closed()),
            explanation = self.inner.facade.explain(&plugin, name) => explanation.map(secrets::scrub_json),
        }
    }

    /// Forgets that the user allowed a tool or skill for good. Answers `{forgotten}`.
    pub fn forget_decision(&self, prefix: &str, name: &str) -> Result<Value, Failure> {
        let forgotten = self.inner.facade.forget_decision(prefix, name)?;
        Ok(json!({ "forgotten": forgotten }))
    }

    /// What is held back of the plugins, or of one, and why; they are listed for it, which starts them. Answers `{plugins:
    /// [{prefix, pinned, held: [{tool, why, reason, findings, diff: [{part, lines}]}], findings: [{tool, kind, place,
    /// text}], digest, problem?, failed?}], imitations: [sentence]}`.
    pub async fn trust(&self, prefix: Option<&str>) -> Result<Value, Failure> {
        let plugins = match prefix {
            Some(prefix) => vec![self.plugin(prefix)?],
            None => self.inner.facade.plugins().to_vec(),
        };
        let mut listing = tokio::task::JoinSet::new();
        for plugin in &plugins {
            let plugin = plugin.clone();
            listing.spawn(async move {
                // A failure is kept as the plugin's state.
                let _ = plugin.fresh_catalogue().await;
            });
        }
        tokio::select! {
            () = self.inner.shutdown.cancelled() => return Err(closed()),
            () = async { while listing.join_next().await.is_some() {} } => {}
        }
        let reports: Vec<Value> = plugins.iter().map(|plugin| report(plugin)).collect();
        let trust = json!({ "plugins": reports, "imitations": imitations(&plugins) });
        Ok(secrets::scrub_json(trust))
    }

    /// Trusts what is held back of a plugin, as the report with that `digest` showed it, and lists the plugin again, so that
    /// it can be called. Answers `{prefix, accepted: [tool]}`.
    pub async fn accept(&self, prefix: &str, digest: Option<&str>) -> Result<Value, Failure> {
        let plugin = self.plugin(prefix)?;
        let (accepting, digest) = (plugin.clone(), digest.map(str::to_owned));
        let accepted =
            tokio::task::spawn_blocking(move || accepting.gate().accept(digest.as_deref())).await;
        let accepted = accepted
            .map_err(|error| Failure::new(Code::Internal, error.to_string()))?
            .map_err(|error| {
                Failure::new(Code::ConfigInvalid, error.to_string()).with_hint(
                    "Make it a file that you may read and write, or name another folder in AGENT_TOOLS_DATA_DIR.",
                )
            })?;
        let accepted = accepted.ok_or_else(|| {
            Failure::new(
                Code::DefinitionChanged,
                format!(
                    "the tools of {prefix} have changed since they were shown; nothing was accepted"
                ),
            )
            .with_hint("Look at them again.")
        })?;
        let _ = plugin.catalogue().await;
        Ok(json!({ "prefix": prefix, "accepted": accepted }))
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

    /// Text for an MCP client's model: what this server is for and how to use it. Starts no plugin.
    pub async fn instructions(&self, view: &View) -> String {
        let text = self.inner.facade.instructions(view).await;
        secrets::scrub(&text).into_owned()
    }

    /// The view that the options or the configuration file name for servers.
    pub fn configured_view(&self) -> Option<ViewKind> {
        self.inner.options.view
    }

    /// The plugins as `SKILL.md` files, for clients that find skills. Starts nothing.
    pub async fn agent_skills(
        &self,
        options: &AgentSkillOptions,
    ) -> Result<Vec<AgentSkill>, Failure> {
        let (view, plugins) = self.inner.facade.settled(&options.view).await?;
        let options = AgentSkillOptions {
            view,
            ..options.clone()
        };
        let mut skills = agent_skills(&plugins, &options).await;
        for skill in &mut skills {
            skill.description = secrets::scrub(&skill.description).into_owned();
            skill.text = secrets::scrub(&skill.text).into_owned();
        }
        Ok(skills)
    }

    /// Writes them into a folder, or into one of their own below the cache folder, which only they are in.
    pub async fn write_agent_skills(
        &self,
        options: &AgentSkillOptions,
        folder: Option<PathBuf>,
        prune: bool,
    ) -> Result<Written, Failure> {
        let skills = self.agent_skills(options).await?;
        let own = folder.is_none();
        let folder = match folder {
            Some(folder) => folder,
            None => self.own_skill_folder(options, &skills)?,
        };
        let written = tokio::task::spawn_blocking(move || {
            agent_skills::write(&folder, &skills, prune || own)
        });
        let failed =
            |error: tokio::task::JoinError| Failure::new(Code::Internal, error.to_string());
        written.await.map_err(failed)?
    }

    /// One for each set of plugins, as runtimes with different ones may be open at a time.
    fn own_skill_folder(
        &self,
        options: &AgentSkillOptions,
        skills: &[AgentSkill],
    ) -> Result<PathBuf, Failure> {
        let cache = cache_dir(&self.inner.options).ok_or_else(|| {
            Failure::new(
                Code::ConfigInvalid,
                "there is no folder for what can be made again",
            )
            .with_hint("Set AGENT_TOOLS_CACHE_DIR, or allow the cache.")
        })?;
        let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
        let set = checksum::short(&format!("{options:?} {names:?}"));
        Ok(cache.join("agent-skills").join(set))
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
        self.inner.facade.stop_loading();
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
                self.inner.facade.keep_usage().await;
                let recorder = self.inner.recorder.clone();
                let reported = move || recorder.close(REPORT_LIMIT);
                let _ = tokio::task::spawn_blocking(reported).await;
            })
            .await;
    }

    /// Kills every child at once, without waiting for anything: for exit hooks.
    pub fn close_now(&self) {
        self.inner.shutdown.cancel();
        self.inner.facade.stop_loading();
        self.inner.stop_watching();
        self.inner.children.kill_all();
        self.inner.facade.forget();
        self.inner.recorder.close(LAST_REPORT_LIMIT);
    }

    /// The child processes; an embedding program has its own watched here.
    pub fn children(&self) -> &Children {
        &self.inner.children
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.inner.changes
    }

    /// Whether what services list makes the list of a view another one.
    pub(crate) async fn follows_services(&self, view: &View) -> bool {
        self.inner.facade.follows_services(view).await
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
        let warnings: Vec<String> = warnings
            .iter()
            .map(|warning| secrets::scrub(warning).into_owned())
            .collect();
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

/// The folder for what is kept, unless that is not wanted or there is no place for it.
fn cache_dir(options: &Options) -> Option<PathBuf> {
    if options.cache == Some(false) {
        return None;
    }
    options.cache_dir.clone().or_else(folders::cache_dir)
}

/// Where what plugins offer is kept.
fn cache(options: &Options) -> Option<Arc<CatalogueCache>> {
    Some(Arc::new(CatalogueCache::below(&cache_dir(options)?)))
}

/// A list of tools for a client: manifests may hold what services never said.
fn scrubbed(tools: Result<Vec<Value>, Failure>) -> Result<Vec<Value>, Failure> {
    let mut tools = tools.map_err(Failure::scrubbed)?;
    tools.iter_mut().for_each(secrets::scrub_known_in);
    Ok(tools)
}

/// What of a plugin is trusted and what waits; of one that could not be listed, why.
fn report(plugin: &Plugin) -> Value {
    let mut report = plugin.gate().report();
    match plugin.state() {
        PluginState::Failed(why) => report["failed"] = json!(why),
        PluginState::NeedsSetUp(what) => report["failed"] = json!(format!("needs set-up: {what}")),
        PluginState::Idle | PluginState::Starting | PluginState::Ready => {}
    }
    report
}

fn closed() -> Failure {
    Failure::new(Code::Closed, "the runtime has been closed").with_hint("Open a new one.")
}

/// The TLS provider of every client in this process. Installing it twice is an error that says that it is there.
pub(crate) fn install_tls_provider() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
