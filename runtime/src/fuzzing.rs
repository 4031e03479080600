//! Doors for the fuzz targets in `fuzz/`: what bytes from outside meet first. No part of the API.

#![allow(missing_docs)]

use std::sync::LazyLock;

use serde_json::{Map, Value};
use tokio::io::AsyncRead;

use crate::{
    AuditSettings, Failure, NetworkSettings,
    adapter::expand,
    catalog::Schema,
    guard,
    lines::{Line, Lines},
    network::{HttpClient, Network, Trusted},
    placeholder::written_parts,
    plugin::Found,
};

pub use crate::{adapter::fuzzing::*, policy::fuzzing::*, serve::fuzzing::*};

/// What the files that were read say of the network, and of the call log.
pub fn network_and_audit(found: &Found) -> (NetworkSettings, AuditSettings) {
    let network = found.defaults.network.clone().unwrap_or_default();
    (network, found.defaults.audit.clone())
}

/// A configured text as it is where no variable is set, and the pieces that it is written in.
pub fn expanded(text: &str) -> (Result<String, Failure>, Vec<&str>) {
    let pieces = written_parts(text).map(|(_, piece)| piece).collect();
    (expand(text, |_| None), pieces)
}

/// Whether a service may name this address, where nothing is configured.
pub fn may_be_named(url: &str) -> bool {
    static CLIENT: LazyLock<Option<HttpClient>> = LazyLock::new(|| {
        let network = Network::new(&NetworkSettings::default());
        network.client(Trusted::default(), None).ok()
    });
    let (Some(client), Ok(url)) = (&*CLIENT, reqwest::Url::parse(url)) else {
        return false;
    };
    client.request(reqwest::Method::GET, url).is_ok()
}

/// The arguments as they would be sent, and what was repaired.
pub fn checked_arguments(
    schema: &Schema,
    arguments: Map<String, Value>,
) -> Result<(Map<String, Value>, Vec<String>), Failure> {
    let mut notes = Vec::new();
    let retry = |arguments: &Value| arguments.to_string();
    let arguments = guard::checked_arguments(schema, arguments, &mut notes, retry)?;
    Ok((arguments, notes))
}

/// Each line, and whether it is whole.
pub async fn lines(stream: impl AsyncRead + Unpin, limit: usize) -> Vec<(bool, Vec<u8>)> {
    let mut lines = Lines::new(stream, limit);
    let mut read = Vec::new();
    while let Ok(Some(line)) = lines.next().await {
        read.push(match line {
            Line::Whole(line) => (true, line),
            Line::TooLong(beginning) => (false, beginning),
        });
    }
    read
}
