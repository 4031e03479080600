//! HTTP services described by an OpenAPI 3 or Swagger 2 document: a tool for each operation.

mod answer;
mod arguments;
mod assemble;
mod body_schema;
mod client;
mod credentials;
mod decode;
mod description;
mod document;
mod exchange;
mod file;
mod load;
mod multipart;
mod names;
mod operation;
mod pages;
mod payload;
mod request;
mod schema;
mod selection;
mod servers;
mod settings;
mod template;
mod version2;
mod version3;
mod waiting;
mod writing;

pub use settings::{BasicCredential, Credential, OpenApiSettings};

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use self::{answer::Reading, exchange::Exchange, load::Api, request::Request};
use super::{Adapter, CallContext};
use crate::{
    catalog::Tool,
    reply::{Code, Failure, UpstreamResult},
};

/// An OpenAPI service as an adapter. The document is read when it is first needed, and once.
pub struct OpenApiAdapter {
    settings: OpenApiSettings,
    dir: PathBuf,
    loaded: Mutex<Option<Loaded>>,
}

#[derive(Clone)]
struct Loaded {
    api: Arc<Api>,
    client: reqwest::Client,
}

impl OpenApiAdapter {
    /// A service whose relative paths start from `dir`. Nothing is read yet.
    pub(crate) fn new(settings: OpenApiSettings, dir: PathBuf) -> Self {
        Self {
            settings,
            dir,
            loaded: Mutex::default(),
        }
    }

    async fn loaded(&self) -> Result<Loaded, Failure> {
        let mut slot = self.loaded.lock().await;
        if let Some(loaded) = slot.as_ref() {
            return Ok(loaded.clone());
        }
        let loaded = Loaded {
            api: Arc::new(load::load(&self.settings, &self.dir).await?),
            client: client::client()?,
        };
        *slot = Some(loaded.clone());
        Ok(loaded)
    }
}

#[async_trait]
impl Adapter for OpenApiAdapter {
    async fn list_tools(&self) -> Result<Vec<Tool>, Failure> {
        let loaded = self.loaded().await?;
        let operations = loaded.api.operations.values();
        Ok(operations.map(|operation| operation.tool.clone()).collect())
    }

    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<UpstreamResult, Failure> {
        let Loaded { api, client } = self.loaded().await?;
        let operation = api.operations.get(tool).ok_or_else(|| {
            Failure::new(Code::UnknownTool, format!("the document has no {tool}"))
        })?;
        let security = operation.security.as_deref();
        let given = arguments::sorted(operation, arguments)?;
        let folder = self.settings.files_folder.as_ref();
        let folder = folder.map(|folder| self.dir.join(folder));
        let request = Request::of(operation, given, folder.as_deref()).await?;
        let applied = api.credentials.applied(security)?;
        let exchange = Exchange {
            client: &client,
            applied: &applied,
            follow_redirects: self.settings.follow_redirects,
            max_response_bytes: self.settings.max_response_bytes,
            max_wait: Duration::from_millis(self.settings.max_retry_wait_ms),
            only_reads: operation.only_reads(),
            context,
        };
        let answer = exchange.answer(&request).await?;
        let reading = Reading {
            operation,
            secrets: &applied.secrets,
            advice: &|| api.credentials.advice(security),
            max_response_bytes: self.settings.max_response_bytes,
        };
        reading.result(answer)
    }

    async fn close(&self) {}
}
