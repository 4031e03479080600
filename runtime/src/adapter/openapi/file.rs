//! Content that a caller gives as bytes: in the call itself, or by the path of a file in one allowed folder.

use std::path::{Path, PathBuf};

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde_json::Value;

use crate::reply::{Code, Failure};

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Content to upload.
#[derive(Debug, PartialEq)]
pub(super) struct FileContent {
    pub content: Content,
    pub filename: Option<String>,
    pub content_type: Option<String>,
}

/// Where the bytes are.
#[derive(Debug, PartialEq)]
pub(super) enum Content {
    Bytes(Vec<u8>),
    /// A file inside the allowed folder, and its size.
    Path(PathBuf, u64),
}

impl FileContent {
    /// Reads `{base64 | text | path, filename?, contentType?}`.
    pub(super) async fn read(value: &Value, folder: Option<&Path>) -> Result<Self, Failure> {
        let map = value.as_object().ok_or_else(shape)?;
        let text = |key: &str| map.get(key).and_then(Value::as_str);
        let content = match (text("base64"), text("text"), text("path")) {
            (Some(base64), None, None) => Content::Bytes(decoded(base64)?),
            (None, Some(text), None) => Content::Bytes(text.as_bytes().to_vec()),
            (None, None, Some(path)) => inside(folder, path).await?,
            _ => return Err(shape()),
        };
        let of_path = text("path").and_then(|path| path.rsplit(['/', '\\']).next());
        Ok(Self {
            content,
            filename: text("filename").or(of_path).map(str::to_owned),
            content_type: text("contentType").map(str::to_owned),
        })
    }
}

fn shape() -> Failure {
    refused("a file is an object with exactly one of `base64`, `text` and `path`")
}

fn decoded(base64: &str) -> Result<Vec<u8>, Failure> {
    let compact: String = base64.split_ascii_whitespace().collect();
    STANDARD
        .decode(&compact)
        .or_else(|_| URL_SAFE.decode(&compact))
        .map_err(|error| refused(format!("`base64` cannot be decoded: {error}")))
}

/// A file that is really inside the folder, links included.
async fn inside(folder: Option<&Path>, path: &str) -> Result<Content, Failure> {
    let Some(folder) = folder else {
        return Err(refused("this plugin has no folder that files may be read from").with_hint(
            "Give the content as `base64` or `text`. To allow paths, set `filesFolder` in the plugin's `openapi`.",
        ));
    };
    // Whether a file outside exists is nobody's business either.
    let outside = || {
        refused(format!(
            "{path:?} is no file in the plugin's folder of files"
        ))
        .with_hint("Give a path relative to that folder.")
    };
    let folder = tokio::fs::canonicalize(folder).await.map_err(|error| {
        Failure::new(
            Code::ConfigInvalid,
            format!("`filesFolder` cannot be read: {error}"),
        )
    })?;
    let real = tokio::fs::canonicalize(folder.join(path))
        .await
        .map_err(|_| outside())?;
    let metadata = tokio::fs::metadata(&real).await.map_err(|_| outside())?;
    if !real.starts_with(&folder) || !metadata.is_file() {
        return Err(outside());
    }
    Ok(Content::Path(real, metadata.len()))
}

fn refused(what: impl Into<String>) -> Failure {
    Failure::new(
        Code::ArgValidationFailed,
        format!("{}; nothing was sent", what.into()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn bytes_are_exact_and_bad_shapes_are_refused() {
        for (base64, want) in [
            ("AAEC/w==", vec![0, 1, 2, 255]),
            ("AAEC_w", vec![0, 1, 2, 255]),
            ("", vec![]),
        ] {
            let file = FileContent::read(&json!({ "base64": base64 }), None)
                .await
                .unwrap();
            assert_eq!(file.content, Content::Bytes(want));
        }
        for wrong in [
            json!("AAEC"),
            json!({}),
            json!({"base64": "A", "text": "b"}),
            json!({"base64": "*"}),
            json!({"path": "x"}),
        ] {
            let failure = FileContent::read(&wrong, None).await.unwrap_err();
            assert_eq!(failure.code, Code::ArgValidationFailed, "{wrong}");
        }
    }

    #[tokio::test]
    async fn a_path_stays_in_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("files");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::write(folder.join("sub/a.bin"), [1, 2, 3]).unwrap();
        std::fs::write(dir.path().join("secret"), "s").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(dir.path().join("secret"), folder.join("link")).unwrap();
        let read = |path: String| {
            let folder = folder.clone();
            async move { FileContent::read(&json!({ "path": path }), Some(&folder)).await }
        };
        let file = read("sub/a.bin".into()).await.unwrap();
        assert!(matches!(file.content, Content::Path(_, 3)));
        assert_eq!(file.filename.as_deref(), Some("a.bin"));
        for outside in ["../secret", "link", "sub", "none", "/etc/hostname"] {
            assert!(read(outside.into()).await.is_err(), "{outside}");
        }
    }
}
