//! A plugin from its manifest: which adapter calls its tools, and what runs its skills.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Manifest, Plugin, Source};
use crate::{
    adapter::{
        Adapter, Children, HostAdapter, HostBridge, McpAdapter, OpenApiAdapter, SkillRunner,
    },
    config::Deadlines,
    reply::{Code, Failure},
};

/// How a plugin's tools are called, and what runs its skills.
type Ways = (Option<Arc<dyn Adapter>>, Option<Arc<dyn SkillRunner>>);

/// What every plugin of one runtime is built with.
pub(crate) struct PluginBuilder {
    /// Answers for plugins whose code lives in the embedding program.
    pub bridge: Option<Arc<dyn HostBridge>>,
    /// Where child processes are kept.
    pub children: Arc<Children>,
    /// How long starting and listing may take.
    pub deadlines: Deadlines,
    /// The version that servers are told.
    pub version: String,
}

impl PluginBuilder {
    /// Builds a plugin. Nothing is started.
    pub fn build(&self, manifest: Manifest) -> Result<Plugin, Failure> {
        let (adapter, skills) = self.ways(&manifest)?;
        let deadline = match manifest.source {
            Source::Module { .. } | Source::Embedded => self.deadlines.module(),
            _ => self.deadlines.load(),
        };
        Ok(Plugin::new(manifest, adapter, skills, deadline))
    }

    fn ways(&self, manifest: &Manifest) -> Result<Ways, Failure> {
        let adapter: Option<Arc<dyn Adapter>> = match &manifest.source {
            Source::Module { .. } | Source::Embedded => {
                let host = self.host(manifest)?;
                return Ok((Some(host.clone()), Some(host)));
            }
            Source::McpStdio(server) => {
                let server = server.at(&manifest.dir);
                Some(Arc::new(McpAdapter::new(
                    server,
                    self.children.clone(),
                    &self.version,
                    manifest.idle_limit,
                    &manifest.prefix,
                )))
            }
            Source::McpHttp(server) => Some(Arc::new(McpAdapter::new(
                server.at(&manifest.prefix, &manifest.dir, &self.children),
                self.children.clone(),
                &self.version,
                manifest.idle_limit,
                &manifest.prefix,
            ))),
            Source::OpenApi(settings) => Some(Arc::new(OpenApiAdapter::new(
                (**settings).clone(),
                manifest.dir.clone(),
            ))),
            Source::None => None,
        };
        let skills = match manifest.skill_modules().next() {
            None => None,
            Some(_) => Some(self.host(manifest)? as Arc<dyn SkillRunner>),
        };
        Ok((adapter, skills))
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
        Ok(Arc::new(HostAdapter::new(
            bridge,
            &manifest.prefix,
            modules(manifest),
        )))
    }
}

/// What the embedding program is asked to load.
fn modules(manifest: &Manifest) -> Value {
    let (adapter, export) = match &manifest.source {
        Source::Module { adapter, export } => (Some(adapter), export.as_ref()),
        _ => (None, None),
    };
    json!({
        "plugin": manifest.prefix,
        "dir": manifest.dir,
        "adapter": adapter,
        "adapterExport": export,
        "skills": manifest.skill_modules().collect::<Vec<_>>(),
    })
}
