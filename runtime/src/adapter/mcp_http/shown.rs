//! URLs and texts of others as they may be shown: without what could be a secret.

use std::fmt;

use reqwest::{Url, header::HeaderMap};

use crate::secrets::scrub;

/// Stands where something is left out. It says nothing of its length.
const MASK: &str = "***";
/// Shorter values are too common to be looked for in texts.
const MIN_SECRET: usize = 6;
/// So much of an answer is quoted, in characters.
const MAX_EXCERPT: usize = 300;

/// A URL without its user, password, fragment and values of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::adapter) struct Shown(String);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&Url> for Shown {
    fn from(url: &Url) -> Self {
        let mut shown = format!("{}{}", url.origin().ascii_serialization(), url.path());
        for (index, pair) in url
            .query()
            .into_iter()
            .flat_map(|query| query.split('&'))
            .enumerate()
        {
            shown.push(if index == 0 { '?' } else { '&' });
            // A pair without a name could be a key as a whole.
            match pair.split_once('=') {
                Some((name, _)) => shown.push_str(&format!("{name}={MASK}")),
                None => shown.push_str(MASK),
            }
        }
        Self(shown)
    }
}

/// A URL as a manifest has it, which may hold `${VAR}` and need not be one.
pub(in crate::adapter) fn shown_text(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) if url.has_host() => Shown::from(&url).to_string(),
        _ => MASK.to_owned(),
    }
}

/// The beginning of a server's text on one line, without the values of these headers and of this URL.
pub(super) fn excerpt(text: &str, headers: &HeaderMap, url: &Url) -> String {
    // Before it is cut, as half a secret would not be known.
    let mut text = scrub(text.trim());
    for secret in secrets(headers, url) {
        if text.contains(&secret) {
            text = text.replace(&secret, MASK).into();
        }
    }
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_EXCERPT) {
        line.truncate(end);
        line.push('…');
    }
    line
}

fn secrets(headers: &HeaderMap, url: &Url) -> Vec<String> {
    let mut secrets = Vec::new();
    for value in headers.values().filter_map(|value| value.to_str().ok()) {
        // `Bearer x` and `key=x` are quoted without their beginning.
        secrets.extend(
            [value, value.rsplit([' ', '=']).next().unwrap_or_default()].map(str::to_owned),
        );
    }
    secrets.extend(url.query_pairs().map(|(_, value)| value.into_owned()));
    secrets.extend(url.password().map(str::to_owned));
    secrets.retain(|secret| secret.len() >= MIN_SECRET);
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{AUTHORIZATION, HeaderValue};

    #[test]
    fn user_password_and_query_are_masked() {
        for (url, shown) in [
            (
                "http://user:CANARY-6@127.0.0.1:8080/mcp?tavilyApiKey=CANARY-7&x=1#CANARY-8",
                "http://127.0.0.1:8080/mcp?tavilyApiKey=***&x=***",
            ),
            (
                "https://example.com/mcp?CANARY",
                "https://example.com/mcp?***",
            ),
            ("http://[::1]:99/mcp", "http://[::1]:99/mcp"),
            ("not a url with CANARY", "***"),
        ] {
            assert_eq!(shown_text(url), shown);
        }
    }

    #[test]
    fn a_quoted_text_has_no_credential_and_an_end() {
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static("Bearer t-SECRET"))]);
        let url = Url::parse("http://u:p-SECRET@h/mcp?key=q-SECRET").unwrap();
        let text = excerpt(
            " no: Bearer t-SECRET,\n t-SECRET, p-SECRET, q-SECRET",
            &headers,
            &url,
        );
        assert_eq!(text, "no: ***, ***, ***, ***");
        let long = excerpt(&"é".repeat(1000), &headers, &url);
        assert!(long.chars().count() == 301 && long.ends_with('…'));
    }
}
