//! The document as it is: found, read and parsed, whatever its version.
//!
//! It stays a JSON value. Real documents break the rules of their version in many small ways, and versions 2.0, 3.0 and
//! 3.1 differ in ways that typed models of one version cannot hold: reading leniently what is needed loses nothing.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use reqwest::{Method, Url};
use serde_json::Value;

use super::{
    super::environment::{expand, from_process},
    redirect::redirect_target,
};
use crate::{
    adapter::causes::with_causes,
    network::{Network, Refused, Trusted},
    reply::{Code, Failure},
};

/// No known document is larger.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// How long fetching a document may take.
const FETCH_LIMIT: Duration = Duration::from_secs(30);
const MAX_REDIRECTS: usize = 5;
/// References that lead to references end here.
const MAX_HOPS: usize = 32;

/// The versions that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Swagger2,
    V3_0,
    V3_1,
}

/// A parsed document.
#[derive(Debug)]
pub(super) struct Document {
    pub root: Value,
    pub version: Version,
    /// Where it came from, when that was a URL.
    pub url: Option<Url>,
}

/// Where a document is.
#[derive(Debug, Clone, PartialEq)]
enum Place {
    File(PathBuf),
    Url(Url),
}

impl Document {
    /// Reads the document that a plugin in `dir` names.
    pub(super) async fn load(named: &str, dir: &Path, network: &Network) -> Result<Self, Failure> {
        let (bytes, url) = match Place::of(named, dir)? {
            Place::File(path) => (read(&path).await?, None),
            Place::Url(url) => (fetch(&url, network).await?, Some(url)),
        };
        // Parsing megabytes takes a while, and nothing else should wait for it.
        let parsed = tokio::task::spawn_blocking(move || Self::parse(&bytes, url)).await;
        parsed
            .unwrap_or_else(|error| Err(Failure::new(Code::Internal, error.to_string())))
            .map_err(|failure| Failure {
                error: format!("{named}: {}", failure.error),
                ..failure
            })
    }

    /// Parses JSON or YAML.
    pub(super) fn parse(bytes: &[u8], url: Option<Url>) -> Result<Self, Failure> {
        let text = String::from_utf8_lossy(bytes);
        // Editors on Windows write a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let root = match serde_json::from_str(text) {
            Ok(root) => root,
            Err(json) => yaml(text).map_err(|yaml| {
                let why = match text.trim_start().starts_with('{') {
                    true => format!("not JSON: {json}"),
                    false => format!("neither JSON nor YAML: {yaml}"),
                };
                invalid(why)
            })?,
        };
        let version = version(&root)?;
        if !root.get("paths").is_some_and(Value::is_object) {
            return Err(invalid("it has no `paths`"));
        }
        Ok(Self { root, version, url })
    }

    /// The value with references followed. A reference to another document, or to nothing, gives `None`.
    pub(super) fn resolved<'a>(&'a self, value: &'a Value) -> Option<&'a Value> {
        let mut value = value;
        for _ in 0..MAX_HOPS {
            match value.get("$ref").and_then(Value::as_str) {
                None => return Some(value),
                Some(target) => value = self.at(target)?,
            }
        }
        None
    }

    /// What a local reference points at.
    pub(super) fn at(&self, target: &str) -> Option<&Value> {
        let pointer = target.strip_prefix('#')?;
        self.root.pointer(pointer).or_else(|| {
            let decoded = percent_encoding::percent_decode_str(pointer).decode_utf8();
            self.root.pointer(&decoded.ok()?)
        })
    }
}

impl Place {
    fn of(named: &str, dir: &Path) -> Result<Self, Failure> {
        let named = expand(named, from_process)?;
        if !named.starts_with("http://") && !named.starts_with("https://") {
            return Ok(Self::File(dir.join(named)));
        }
        Url::parse(&named)
            .map(Self::Url)
            .map_err(|error| invalid(format!("`document` is no URL: {error}")))
    }
}

async fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: std::io::Error| {
        invalid(format!(
            "the document {} cannot be read: {error}",
            path.display()
        ))
    };
    let size = tokio::fs::metadata(path).await.map_err(unreadable)?.len();
    if size > MAX_BYTES as u64 {
        return Err(too_large());
    }
    tokio::fs::read(path).await.map_err(unreadable)
}

async fn fetch(url: &Url, network: &Network) -> Result<Vec<u8>, Failure> {
    tokio::time::timeout(FETCH_LIMIT, fetch_slowly(url, network))
        .await
        .unwrap_or_else(|_| {
            Err(Failure::new(
                Code::UpstreamUnreachable,
                format!(
                    "the document {} was not there within {} s",
                    shown(url),
                    FETCH_LIMIT.as_secs()
                ),
            ))
        })
}

/// Redirects may lead elsewhere, as nothing secret is sent along; never from https to http.
async fn fetch_slowly(url: &Url, network: &Network) -> Result<Vec<u8>, Failure> {
    let unreachable = |error: reqwest::Error| {
        if let Some(refused) = Refused::cause_of(&error) {
            return refused.clone().into();
        }
        Failure::new(
            Code::UpstreamUnreachable,
            format!(
                "the document {} cannot be fetched: {}",
                shown(url),
                with_causes(&error.without_url())
            ),
        )
        .with_hint(
            "Check the URL in `document`, or put the file into the plugin's folder and name that.",
        )
    };
    let trusted = Trusted {
        origins: vec![url.origin()],
        ..Trusted::default()
    };
    let client = network.client(trusted, None)?;
    let mut target = url.clone();
    for _ in 0..=MAX_REDIRECTS {
        let mut response = client
            .request(Method::GET, target.clone())?
            .send()
            .await
            .map_err(unreachable)?;
        if let Some(next) = redirect_target(&response) {
            if target.scheme() == "https" && next.scheme() != "https" {
                return Err(invalid("its URL redirects from https to http"));
            }
            target = next;
            continue;
        }
        if !response.status().is_success() {
            return Err(Failure::new(
                Code::UpstreamUnreachable,
                format!("the document {} answered {}", shown(url), response.status()),
            ));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        return Ok(bytes);
    }
    Err(invalid(format!(
        "its URL redirects more than {MAX_REDIRECTS} times"
    )))
}

/// A URL without what may be secret in it.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

fn yaml(text: &str) -> Result<Value, String> {
    // Aliases that unfold to gigabytes end at the limits of the parser; repeated keys are common and the last one counts.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: 5_000_000,
            max_events: 10_000_000,
            max_total_scalar_bytes: MAX_BYTES,
        },
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())
}

fn version(root: &Value) -> Result<Version, Failure> {
    let text = |key: &str| match root.get(key) {
        Some(Value::String(text)) => text.clone(),
        // `swagger: 2.0` in YAML is a number.
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let (swagger, openapi) = (text("swagger"), text("openapi"));
    match (swagger.as_str(), openapi.as_str()) {
        (two, "") if two.starts_with('2') => Ok(Version::Swagger2),
        (_, three) if three.starts_with("3.0") || three == "3" => Ok(Version::V3_0),
        (_, three) if three.starts_with("3.") => Ok(Version::V3_1),
        ("", "") => Err(invalid(
            "it is no OpenAPI document: neither `openapi` nor `swagger` says a version",
        )),
        (swagger, openapi) => Err(invalid(format!(
            "version {}{} is not known; 2.0, 3.0, 3.1 and 3.2 are",
            swagger, openapi
        ))),
    }
}

pub(super) fn invalid(what: impl Into<String>) -> Failure {
    Failure::new(Code::ConfigInvalid, what)
        .with_hint("Correct `openapi` in the plugin's manifest or the document, then try again.")
}

fn too_large() -> Failure {
    invalid(format!(
        "the document is larger than {} MB",
        MAX_BYTES / 1024 / 1024
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Document, Failure> {
        Document::parse(text.as_bytes(), None)
    }

    #[test]
    fn json_and_yaml_of_every_version_are_read() {
        let json = "\u{feff}{\"openapi\":\"3.1.0\",\"paths\":{}}";
        assert_eq!(parse(json).unwrap().version, Version::V3_1);
        let yaml = "# comment\nopenapi: 3.0.3\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: &d ok}\n        404: {description: *d}\n        default: {x: no, d: 2020-01-01}\n";
        let document = parse(yaml).unwrap();
        assert_eq!(document.version, Version::V3_0);
        let responses = &document.root["paths"]["/a"]["get"]["responses"];
        assert_eq!(responses["404"]["description"], "ok");
        assert_eq!(responses["default"]["x"], "no");
        assert_eq!(responses["default"]["d"], "2020-01-01");
        assert_eq!(
            parse("swagger: 2.0\npaths: {}").unwrap().version,
            Version::Swagger2
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, want) in [
            ("{\"openapi\": \"3.0.0\",", "not JSON"),
            ("a: b: c", "neither JSON nor YAML"),
            ("", "no OpenAPI document"),
            ("<html>hello</html>", "no OpenAPI document"),
            ("[]", "no OpenAPI document"),
            ("{\"openapi\":\"3.0.0\"}", "no `paths`"),
            ("{\"openapi\":\"4.0.0\",\"paths\":{}}", "4.0.0 is not known"),
        ] {
            let failure = parse(text).unwrap_err();
            assert_eq!(failure.code, Code::ConfigInvalid);
            assert!(failure.error.contains(want), "{text}: {}", failure.error);
        }
    }

    #[test]
    fn aliases_that_unfold_without_end_are_refused() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for n in 1..12 {
            let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
            bomb.push_str(&format!("a{n}: &a{n} [{aliases}]\n"));
        }
        assert!(parse(&bomb).is_err());
    }

    #[test]
    fn references_are_followed_and_circles_end() {
        let document = parse(
            r##"{"openapi":"3.0.0","paths":{"/a b":{"x":1}},"a":{"$ref":"#/b"},"b":{"$ref":"#/paths/~1a%20b"},
            "c":{"$ref":"#/c"},"d":{"$ref":"other.yaml#/x"}}"##,
        )
        .unwrap();
        assert_eq!(document.resolved(&document.root["a"]).unwrap()["x"], 1);
        assert_eq!(document.resolved(&document.root["c"]), None);
        assert_eq!(document.resolved(&document.root["d"]), None);
    }

    #[tokio::test]
    async fn a_missing_file_is_named() {
        let failure = Document::load("none.yaml", Path::new("/nowhere"), &Network::default())
            .await
            .unwrap_err();
        assert!(failure.error.contains("none.yaml"), "{}", failure.error);
    }
}
