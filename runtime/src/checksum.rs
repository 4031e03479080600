//! Checksums that are the same on every machine and in every version, as published names depend on them.

use sha2::{Digest, Sha256};

/// Tells texts apart, whoever made them.
pub(crate) fn whole(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// The same as 64 hexadecimal digits.
pub(crate) fn hex(text: &str) -> String {
    hexadecimal(&whole(text))
}

/// Two hexadecimal digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What [`hexadecimal`] made of a checksum.
pub(crate) fn from_hexadecimal(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

/// Eight hexadecimal digits: enough to tell names apart, no proof of anything.
pub(crate) fn short(text: &str) -> String {
    hexadecimal(&whole(text)[..4])
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_never_changes() {
        assert_eq!(super::short("abc"), "ba7816bf");
    }
}
