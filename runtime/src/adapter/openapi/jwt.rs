//! What a token says of itself, where it is a JSON Web Token (RFC 7519). Its signature is the service's business.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::Value;

/// When the token ends.
pub(super) fn expiry(token: &str) -> Option<SystemTime> {
    let claims = token.split('.').nth(1)?;
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
    let seconds = claims.get("exp")?.as_f64()?;
    UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_token_is_read_where_it_says_one() {
        let of = |claims: &str| expiry(&format!("h.{}.s", URL_SAFE_NO_PAD.encode(claims)));
        let end = |seconds| Some(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(of(r#"{"exp":1796325822,"id":"x"}"#), end(1_796_325_822));
        assert_eq!(of(r#"{"exp":1.0}"#), end(1));
        for none in [
            r#"{"id":"x"}"#,
            r#"{"exp":"soon"}"#,
            r#"{"exp":-1}"#,
            r#"{"exp":1e300}"#,
            "[]",
            "x",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
        for token in ["", "opaque", "a.b.c", "a.%%.c"] {
            assert_eq!(expiry(token), None, "{token}");
        }
    }
}
