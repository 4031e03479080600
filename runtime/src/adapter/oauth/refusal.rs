//! What an authorization server says when it refuses (RFC 6749, section 5.2).

use super::exchange::Answer;
use crate::secrets::scrub;

/// A longer explanation is cut.
const MAX_CHARS: usize = 300;

/// The answer in words. What a server repeats of the request's secrets is left out.
pub(super) fn refusal(answer: &Answer) -> String {
    let text = |key: &str| answer.body.get(key).and_then(|value| value.as_str());
    let said = match (text("error"), text("error_description")) {
        (Some(error), Some(why)) => format!("{error}: {why}"),
        (Some(error), None) => error.to_owned(),
        (None, _) => return format!("HTTP {}", answer.status),
    };
    readable(&said)
}

/// Text of a stranger: one line of bounded length, without secrets.
pub(super) fn readable(text: &str) -> String {
    // Before it is cut, as half a secret would not be known.
    scrub(text)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_echoed_secret_and_control_characters_are_left_out() {
        let answer = Answer {
            status: 400,
            body: json!({"error": "invalid_grant", "error_description": "no refusal-CANARY\u{1b}[2J\nhere"}),
        };
        crate::secrets::remember("refusal-CANARY");
        assert_eq!(refusal(&answer), "invalid_grant: no <redacted> [2J here");
        let other = Answer {
            status: 503,
            body: json!("CANARY"),
        };
        assert_eq!(refusal(&other), "HTTP 503");
        assert_eq!(readable(&"x".repeat(1000)).len(), MAX_CHARS);
        let cut = readable(&("x".repeat(MAX_CHARS - 12) + "refusal-CANARY"));
        assert!(cut.ends_with("x<redacted>"), "{cut}");
    }
}
