//! Values that nobody can guess, and PKCE (RFC 7636).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use crate::reply::{Code, Failure};

/// 256 random bits, as text that needs no encoding in a URL.
pub(super) fn random() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    rustls::crypto::ring::default_provider()
        .secure_random
        .fill(&mut bytes)
        .map_err(|_| Failure::new(Code::Internal, "the system gives no random numbers"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The challenge `S256` of a verifier.
pub(super) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_specification() {
        // RFC 7636, appendix B.
        assert_eq!(
            challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn random_values_are_long_and_differ() {
        let (a, b) = (random().unwrap(), random().unwrap());
        assert_ne!(a, b);
        assert_eq!(a.len(), 43);
    }
}
