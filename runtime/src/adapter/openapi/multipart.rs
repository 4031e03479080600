//! `multipart/form-data`.

use std::{
    hash::{BuildHasher, RandomState},
    path::Path,
};

use super::file::{Content, FileContent};
use crate::reply::{Code, Failure};

/// Forms are put together in memory; larger files go as a body of their own.
const MAX_FILE: u64 = 100 * 1024 * 1024;

/// A form that is being written.
#[derive(Debug)]
pub(super) struct Form {
    boundary: String,
    bytes: Vec<u8>,
}

impl Default for Form {
    fn default() -> Self {
        // Unguessable, so that no content can hold it.
        let random = || RandomState::new().hash_one(0);
        Self {
            boundary: format!("form-{:016x}{:016x}", random(), random()),
            bytes: Vec::new(),
        }
    }
}

impl Form {
    pub(super) fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    pub(super) fn field(&mut self, name: &str, text: &str, content_type: Option<&str>) {
        self.part(name, None, content_type, text.as_bytes());
    }

    pub(super) async fn file(
        &mut self,
        name: &str,
        file: FileContent,
        stated: Option<&str>,
    ) -> Result<(), Failure> {
        let bytes = match file.content {
            Content::Bytes(bytes) => bytes,
            Content::Path(path, size) => read(&path, size).await?,
        };
        let content_type = file
            .content_type
            .as_deref()
            .or(stated)
            .unwrap_or("application/octet-stream");
        let filename = file.filename.as_deref().unwrap_or(name);
        self.part(name, Some(filename), Some(content_type), &bytes);
        Ok(())
    }

    fn part(
        &mut self,
        name: &str,
        filename: Option<&str>,
        content_type: Option<&str>,
        content: &[u8],
    ) {
        let mut head = format!(
            "--{}\r\nContent-Disposition: form-data; name=\"{}\"",
            self.boundary,
            quoted(name)
        );
        if let Some(filename) = filename {
            head.push_str(&format!("; filename=\"{}\"", quoted(filename)));
        }
        if let Some(content_type) = content_type {
            // A line break would be the next header.
            let one_line: String = content_type.chars().filter(|c| !c.is_control()).collect();
            head.push_str(&format!("\r\nContent-Type: {one_line}"));
        }
        head.push_str("\r\n\r\n");
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(content);
        self.bytes.extend_from_slice(b"\r\n");
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes
            .extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        self.bytes
    }
}

async fn read(path: &Path, size: u64) -> Result<Vec<u8>, Failure> {
    let refused = |what: String| {
        Failure::new(
            Code::ArgValidationFailed,
            format!("{what}; nothing was sent"),
        )
    };
    if size > MAX_FILE {
        return Err(refused(format!(
            "the file has more than {} MB",
            MAX_FILE / 1024 / 1024
        )));
    }
    tokio::fs::read(path)
        .await
        .map_err(|error| refused(format!("the file cannot be read: {error}")))
}

/// As browsers write names of fields and files.
fn quoted(text: &str) -> String {
    text.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
