//! Values that nobody can guess.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::reply::{Code, Failure};

/// 256 random bits, as text that needs no encoding in a URL.
pub(crate) fn text() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    rustls::crypto::ring::default_provider()
        .secure_random
        .fill(&mut bytes)
        .map_err(|_| Failure::new(Code::Internal, "the system gives no random numbers"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    #[test]
    fn random_values_are_long_and_differ() {
        let (a, b) = (super::text().unwrap(), super::text().unwrap());
        assert_ne!(a, b);
        assert_eq!(a.len(), 43);
    }
}
