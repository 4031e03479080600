//! HTTP services described by an OpenAPI 3 or Swagger 2 document: a tool for each operation.

mod answer;
mod applied;
mod arguments;
mod assemble;
mod body_schema;
mod credentials;
mod decode;
mod description;
mod document;
mod exchange;
mod extensions;
mod file;
mod inputs;
mod jwt;
mod load;
mod login;
mod multipart;
mod names;
mod operation;
mod pages;
mod payload;
mod projection;
mod redirect;
mod request;
mod schema;
mod scheme;
mod selection;
mod sending;
mod servers;
mod settings;
mod shared_token;
mod spread;
mod template;
mod version2;
mod version3;
mod waiting;
mod writing;

pub use settings::{BasicCredential, Credential, LoginSettings, OpenApiSettings};

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use self::{answer::Reading, load::Api, request::Request, sending::Sending};
use super::{Adapter, CallContext};
use crate::{
    catalog::Tool,
    network::{HttpClient, Network, Trusted},
    reply::{Code, Failure, UpstreamResult},
};

/// An OpenAPI service as an adapter. The document is read when it is first needed, and once.
pub struct OpenApiAdapter {
    settings: OpenApiSettings,
    dir: PathBuf,
    network: Network,
    loaded: Mutex<Option<Loaded>>,
}

#[derive(Clone)]
struct Loaded {
    api: Arc<Api>,
    client: HttpClient,
}

impl OpenApiAdapter {
    /// A service whose relative paths start from `dir`. Nothing is read yet.
    pub(crate) fn new(settings: OpenApiSettings, dir: PathBuf, network: Network) -> Self {
        Self {
            settings,
            dir,
            network,
            loaded: Mutex::default(),
        }
    }

    async fn loaded(&self) -> Result<Loaded, Failure> {
        let mut slot = self.loaded.lock().await;
        if let Some(loaded) = slot.as_ref() {
            return Ok(loaded.clone());
        }
        let api = load::load(&self.settings, &self.dir, &self.network).await?;
        let trusted = Trusted {
            origins: api.configured.clone(),
            ..Trusted::default()
        };
        let loaded = Loaded {
            api: Arc::new(api),
            client: self.network.client(trusted, None)?,
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
        let sending = Sending {
            settings: &self.settings,
            api: &api,
            client: &client,
            operation,
            context,
        };
        let answer = sending.answer(&request).await?;
        let reading = Reading {
            operation,
            advice: &|| api.credentials.advice(security),
            max_response_bytes: self.settings.max_response_bytes,
        };
        reading.result(answer)
    }

    async fn close(&self) {}
}
