//! A plugin from its manifest: which adapter calls its tools, and what runs its skills.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    Changes, Found, Identity, Manifest, Plugin, Source, configured::ConfigEntry, instance::Shared,
};
use crate::{
    adapter::{
        Adapter, Children, CliAdapter, HostAdapter, HostBridge, McpAdapter, OpenApiAdapter, Owner,
        Scrubbed, SkillRunner, expand, from_process,
    },
    catalog::CatalogueCache,
    config::Deadlines,
    network::Network,
    placeholder::SECRET,
    policy::Policy,
    reply::{Code, Failure},
    secrets::remember,
    trust::{Gate, TrustSettings},
};

/// How a plugin's tools are called, and what runs its skills.
type Ways = (Option<Arc<dyn Adapter>>, Option<Arc<dyn SkillRunner>>);

/// What every plugin of one runtime is built with.
pub(crate) struct PluginBuilder {
    /// Answers for plugins whose code lives in the embedding program.
    pub bridge: Option<Arc<dyn HostBridge>>,
    /// Where child processes are kept.
    pub children: Arc<Children>,
    /// Where services may lead to.
    pub network: Network,
    /// How long starting and listing may take.
    pub deadlines: Deadlines,
    /// The version that servers are told.
    pub version: String,
    /// How much is asked of definitions, and the folder in which those that are trusted are kept.
    pub trust: TrustSettings,
    pub data_dir: Option<PathBuf>,
    /// Where what plugins offer is kept.
    pub cache: Option<Arc<CatalogueCache>>,
    /// Where their changes are announced.
    pub changes: Changes,
    /// How many plugins of each prefix the embedding program was given.
    pub built: Mutex<HashMap<String, u32>>,
}

impl PluginBuilder {
    /// The plugins that were found, and what is wrong with others. Of the `old` ones those that are as they were go on,
    /// and those that cannot be built anew too. Nothing is started.
    pub fn build_all(&self, found: Found, old: &[Arc<Plugin>]) -> (Vec<Arc<Plugin>>, Vec<String>) {
        let mut warnings = [found.warnings, found.notes].concat();
        let mut plugins: Vec<Arc<Plugin>> = Vec::new();
        // While a file is being written its rules are those that were known before.
        let policy = match old.first().filter(|_| !found.policy.is_whole()) {
            Some(former) => former.shared_policy(),
            None => Arc::new(found.policy),
        };
        for manifest in found.manifests {
            let shortfalls = manifest.confinement.shortfalls().into_iter();
            warnings
                .extend(shortfalls.map(|what| format!("the plugin {}: {what}", manifest.prefix)));
            let identity = Identity::of(&manifest, &self.version, &policy);
            let former = old.iter().find(|old| old.prefix() == manifest.prefix);
            match former {
                Some(former) if former.identity == identity => plugins.push(former.clone()),
                _ => match self.build(manifest, identity, policy.clone()) {
                    Ok(plugin) => plugins.push(plugin),
                    Err(failure) => {
                        warnings.push(failure.error);
                        plugins.extend(former.cloned());
                    }
                },
            }
        }
        for (position, former) in old.iter().enumerate() {
            let prefix = former.prefix();
            if !plugins.iter().any(|plugin| plugin.prefix() == prefix)
                && (former.manifest.has_become_unreadable()
                    || is_unreadable(&found.unreadable, &former.manifest))
            {
                warnings.push(format!("the plugin {prefix} goes on as it was before"));
                plugins.insert(position.min(plugins.len()), former.clone());
            }
        }
        (plugins, warnings)
    }

    /// Builds a plugin. Nothing is started.
    fn build(
        &self,
        manifest: Manifest,
        identity: Identity,
        policy: Arc<Policy>,
    ) -> Result<Arc<Plugin>, Failure> {
        remember_secrets(&manifest);
        let (adapter, skills) = self.ways(&manifest)?;
        let adapter = adapter.map(|inner| Arc::new(Scrubbed::new(inner)) as Arc<dyn Adapter>);
        let skills = skills.map(|inner| Arc::new(Scrubbed::new(inner)) as Arc<dyn SkillRunner>);
        let deadline = match manifest.source {
            Source::Module { .. } | Source::Embedded => self.deadlines.module(),
            _ => self.deadlines.load(),
        };
        let shared = Shared {
            identity,
            policy,
            gate: Gate::new(&manifest, &self.trust, self.data_dir.as_deref()),
            cache: self.cache.clone(),
            changes: self.changes.clone(),
            load_deadline: manifest.timeouts.start().unwrap_or(deadline),
        };
        let plugin = Arc::new(Plugin::new(manifest, adapter, skills, shared));
        plugin.follow_changes();
        Ok(plugin)
    }

    fn ways(&self, manifest: &Manifest) -> Result<Ways, Failure> {
        let adapter: Option<Arc<dyn Adapter>> = match &manifest.source {
            Source::Module { .. } | Source::Embedded => {
                let host = self.host(manifest)?;
                return Ok((Some(host.clone()), Some(host)));
            }
            Source::McpStdio(server) => {
                let server = server.of(Owner {
                    prefix: manifest.prefix.as_str().into(),
                    dir: manifest.dir.clone(),
                    chosen_by: manifest.chosen_by,
                    confinement: manifest.confinement.clone(),
                });
                Some(Arc::new(McpAdapter::new(
                    server,
                    self.children.clone(),
                    &self.version,
                    manifest.idle_limit,
                    &manifest.prefix,
                )))
            }
            Source::McpHttp(server) => Some(Arc::new(McpAdapter::new(
                server.at(
                    &manifest.prefix,
                    &manifest.dir,
                    &self.children,
                    &self.network,
                ),
                self.children.clone(),
                &self.version,
                manifest.idle_limit,
                &manifest.prefix,
            ))),
            Source::OpenApi(settings) => Some(Arc::new(OpenApiAdapter::new(
                (**settings).clone(),
                manifest.dir.clone(),
                self.network.clone(),
            ))),
            Source::Cli(settings) => Some(Arc::new(CliAdapter::new(
                settings,
                manifest.dir.clone(),
                manifest.confinement.clone(),
                self.children.clone(),
                |tool| self.limit(manifest, tool),
            ))),
            Source::None => None,
        };
        let skills = match manifest.skill_modules().next() {
            None => None,
            Some(_) => Some(self.host(manifest)? as Arc<dyn SkillRunner>),
        };
        Ok((adapter, skills))
    }

    /// What the embedding program calls the plugin: its prefix, and a number where another one of that prefix was there
    /// before, whose calls may still run.
    fn host_name(&self, prefix: &str) -> String {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let count = built.entry(prefix.to_owned()).or_insert(0_u32);
        *count += 1;
        match *count {
            1 => prefix.to_owned(),
            count => format!("{prefix}@{count}"),
        }
    }

    /// How long a call that makes no progress may take.
    fn limit(&self, manifest: &Manifest, tool: &str) -> Duration {
        let timeouts = &manifest.timeouts;
        let quiet = timeouts.of_tool(tool).unwrap_or(self.deadlines.call());
        quiet.min(timeouts.total().unwrap_or(self.deadlines.total()))
    }

    fn host(&self, manifest: &Manifest) -> Result<Arc<HostAdapter>, Failure> {
        let bridge = self.bridge.clone().ok_or_else(|| {
            Failure::new(
                Code::ConfigInvalid,
                format!(
                    "the plugin {} has modules, which this program cannot run; it was left out",
                    manifest.prefix
                ),
            )
        })?;
        let name = self.host_name(&manifest.prefix);
        Ok(Arc::new(HostAdapter::new(
            bridge,
            &name,
            modules(manifest, &name),
        )))
    }
}

/// Whether the configuration still names the plugin, but cannot be used where it does.
fn is_unreadable(unreadable: &[ConfigEntry], manifest: &Manifest) -> bool {
    let entry = manifest.configured.as_ref();
    entry.is_some_and(|entry| unreadable.iter().any(|broken| broken.covers(entry)))
}

/// What the manifest calls a secret is one before anything has used it. Values that are kept elsewhere are known when they
/// are fetched.
fn remember_secrets(manifest: &Manifest) {
    let own = manifest.own_variables();
    for name in manifest.needs.secret_names() {
        let text = own.get(name).filter(|text| !text.contains(SECRET));
        if let Some(Ok(value)) = text.map(|text| expand(text, from_process)) {
            remember(&value);
        }
    }
}

/// What the embedding program is asked to load.
fn modules(manifest: &Manifest, name: &str) -> Value {
    let (adapter, export) = match &manifest.source {
        Source::Module { adapter, export } => (Some(adapter), export.as_ref()),
        _ => (None, None),
    };
    json!({
        "plugin": name,
        "dir": manifest.dir,
        "adapter": adapter,
        "adapterExport": export,
        "skills": manifest.skill_modules().collect::<Vec<_>>(),
        "env": manifest.env,
        // A plugin that says which variables it reads sees no others.
        "inheritEnv": manifest.needs.environment.is_empty(),
    })
}
