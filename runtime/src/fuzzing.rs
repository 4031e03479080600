//! Doors for the fuzz targets in `fuzz/`: what bytes from outside meet first. No part of the API.

#![allow(missing_docs)]

use serde_json::{Map, Value};
use tokio::io::AsyncRead;

use crate::{
    Failure,
    catalog::Schema,
    guard,
    lines::{Line, Lines},
};

pub use crate::{adapter::fuzzing::*, serve::fuzzing::*};

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
