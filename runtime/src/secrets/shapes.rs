//! Texts that look like a token of a well-known service, whoever they belong to.

use std::{borrow::Cow, sync::LazyLock};

use regex::{Captures, Regex};

use super::scrub::MASK;

/// Tokens by their prefix. Each alternative names what issues it.
const TOKENS: &[&str] = &[
    r"gh[pousr]_[A-Za-z0-9]{20,}",                        // GitHub
    r"github_pat_[A-Za-z0-9_]{20,}",                      // GitHub, fine-grained
    r"gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_.\-]{16,}", // GitLab
    r"sk-[A-Za-z0-9_\-]{20,}",                            // OpenAI, Anthropic and others
    r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",              // Stripe
    r"whsec_[A-Za-z0-9+/=]{20,}",                         // webhook secrets
    r"xox[a-z]-[A-Za-z0-9\-]{10,}",                       // Slack
    r"xapp-[A-Za-z0-9\-]{20,}",                           // Slack, app level
    r"(?:AKIA|ASIA)[A-Z0-9]{16}",                         // AWS
    r"AIza[A-Za-z0-9_\-]{35}",                            // Google, API keys
    r"ya29\.[A-Za-z0-9_\-]{20,}",                         // Google, access tokens
    r"npm_[A-Za-z0-9]{30,}",                              // npm
    r"pypi-[A-Za-z0-9_\-]{40,}",                          // PyPI
    r"hf_[A-Za-z0-9]{30,}",                               // Hugging Face
    r"SG\.[A-Za-z0-9_\-]{20,}\.[A-Za-z0-9_\-]{20,}",      // SendGrid
    r"dop_v1_[a-f0-9]{64}",                               // DigitalOcean
    r"(?:secret|ntn)_[A-Za-z0-9]{40,}",                   // Notion
    r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}",                // Linear
    r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}", // JSON Web Tokens
];

static SHAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let tokens = TOKENS.join("|");
    let pattern = [
        format!(r"(?-u:\b)(?:{tokens})"),
        // To its end, or to that of the text where it was cut.
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.)*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)".into(),
        // After the scheme, or the user of a URL, which stay.
        r"(?P<scheme>(?i:(?-u:\b)(?:bearer|basic|token)\s+))(?P<value>[A-Za-z0-9._~+/=\-]{16,})"
            .into(),
        r"(?P<user>[a-z][a-z0-9+.\-]*://[^\s/:@?#]*:)(?P<password>[^\s/@?#]+)@".into(),
    ]
    .join("|");
    // A test shows that it compiles.
    Regex::new(&pattern).ok()
});

/// The text without what looks like a token.
pub(super) fn without_tokens(text: &str) -> Cow<'_, str> {
    let Some(shapes) = &*SHAPES else {
        return Cow::Borrowed(MASK);
    };
    shapes.replace_all(text, replacement)
}

fn replacement(found: &Captures<'_>) -> String {
    if let Some(user) = found.name("user") {
        return format!("{}{MASK}@", user.as_str());
    }
    match (found.name("scheme"), found.name("value")) {
        // "basic authentication-required" is no token: those have digits.
        (Some(_), Some(value)) if !value.as_str().contains(|c: char| c.is_ascii_digit()) => {
            found[0].to_owned()
        }
        (Some(scheme), _) => format!("{}{MASK}", scheme.as_str()),
        _ => MASK.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_seen_by_their_shape() {
        assert!(SHAPES.is_some());
        let a = |count| "a1".repeat(count);
        for token in [
            format!("ghp_{}", a(18)),
            format!("github_pat_{}", a(20)),
            format!("glpat-{}", a(10)),
            format!("sk-ant-{}", a(20)),
            format!("sk_live_{}", a(12)),
            format!("xoxb-1-{}", a(10)),
            "AKIAIOSFODNN7EXAMPLE".to_owned(),
            format!("AIza{}x", a(17)),
            format!("npm_{}", a(18)),
            format!("hf_{}", a(17)),
            format!("eyJ{}.eyJ{}.{}", a(8), a(8), a(8)),
            "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nx\n-----END RSA PRIVATE KEY-----".to_owned(),
        ] {
            let text = format!("got \"{token}\", failed");
            assert_eq!(
                without_tokens(&text),
                "got \"<redacted>\", failed",
                "{token}"
            );
        }
        assert_eq!(
            without_tokens("-----BEGIN PRIVATE KEY-----\nMIIB"),
            "<redacted>"
        );
    }

    #[test]
    fn the_scheme_and_the_user_stay() {
        assert_eq!(
            without_tokens(
                "Authorization: Bearer abcdefghijklmnop1, basic YWxhZGRpbjpvcGVuc2VzYW1l0="
            ),
            "Authorization: Bearer <redacted>, basic <redacted>"
        );
        assert_eq!(
            without_tokens("postgres://me:pass@db:5432/x, https://h/p?a=b@c"),
            "postgres://me:<redacted>@db:5432/x, https://h/p?a=b@c"
        );
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "Use basic authentication-required or bearer authentication-schemes.",
            "task-sk-1, risk-assessment-of-the-whole-company",
            "the key begins with ghp_ or sk-",
            "https://example.com:8080/a@b",
            "AKIA is a prefix",
        ] {
            assert!(
                matches!(without_tokens(text), Cow::Borrowed(same) if same == text)
                    || without_tokens(text) == text,
                "{text}"
            );
        }
    }
}
