//! What an authorization server says when it refuses (RFC 6749, section 5.2).

use super::exchange::Answer;

/// A longer explanation is cut.
const MAX_CHARS: usize = 300;

/// The answer in words. What a server may repeat of the request's `secrets` is left out.
pub(super) fn refusal(answer: &Answer, secrets: &[&str]) -> String {
    let text = |key: &str| answer.body.get(key).and_then(|value| value.as_str());
    let said = match (text("error"), text("error_description")) {
        (Some(error), Some(why)) => format!("{error}: {why}"),
        (Some(error), None) => error.to_owned(),
        (None, _) => return format!("HTTP {}", answer.status),
    };
    readable(&said, secrets)
}

/// Text of a stranger: one line of bounded length, without the secrets.
pub(super) fn readable(text: &str, secrets: &[&str]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "<redacted>");
    }
    text.chars()
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
            body: json!({"error": "invalid_grant", "error_description": "no CANARY\u{1b}[2J\nhere"}),
        };
        assert_eq!(
            refusal(&answer, &["CANARY", ""]),
            "invalid_grant: no <redacted> [2J here"
        );
        let other = Answer {
            status: 503,
            body: json!("CANARY"),
        };
        assert_eq!(refusal(&other, &[]), "HTTP 503");
        assert_eq!(readable(&"x".repeat(1000), &[]).len(), MAX_CHARS);
    }
}
