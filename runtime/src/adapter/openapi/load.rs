//! From the settings to operations that can be called.

use std::path::Path;

use url::Origin;

use super::{
    assemble::operations, credentials::Credentials, document::Document, login::Login,
    operation::Operation, servers::Servers, settings::OpenApiSettings,
};
use crate::{
    network::Network,
    reply::{Code, Failure},
};

/// What a document offers, by the tools' names.
#[derive(Debug)]
pub(super) struct Api {
    pub operations: indexmap::IndexMap<String, Operation>,
    pub credentials: Credentials,
    pub login: Option<Login>,
    /// Where the user has said that the service is.
    pub configured: Vec<Origin>,
}

/// Reads the document and everything in it that the settings offer.
pub(super) async fn load(
    settings: &OpenApiSettings,
    dir: &Path,
    network: &Network,
) -> Result<Api, Failure> {
    let document = Document::load(&settings.document, dir, network).await?;
    let settings = settings.clone();
    let assembled = tokio::task::spawn_blocking(move || assembled(&document, &settings)).await;
    assembled.unwrap_or_else(|error| Err(Failure::new(Code::Internal, error.to_string())))
}

fn assembled(document: &Document, settings: &OpenApiSettings) -> Result<Api, Failure> {
    let servers = Servers::read(document, settings)?;
    let credentials = Credentials::read(document, settings)?;
    let operations = operations(document, settings, &servers, &credentials.reserved())?;
    let login = Login::read(settings, &credentials, &servers)?;
    Ok(Api {
        operations: operations
            .into_iter()
            .map(|operation| (operation.tool.name.clone(), operation))
            .collect(),
        credentials,
        login,
        configured: servers.configured(),
    })
}

/// The operations of a document that stands in a test.
#[cfg(test)]
pub(super) fn operations_of(
    document: serde_json::Value,
    mut settings: serde_json::Value,
) -> Result<Vec<Operation>, Failure> {
    settings["document"] = "test".into();
    let settings = serde_json::from_value(settings)
        .map_err(|error| Failure::new(Code::ConfigInvalid, error.to_string()))?;
    let document = Document::parse(document.to_string().as_bytes(), None)?;
    Ok(assembled(&document, &settings)?
        .operations
        .into_values()
        .collect())
}
