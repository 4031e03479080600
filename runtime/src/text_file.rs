//! Text files as editors of every system write them.

use std::path::Path;

/// The text of a UTF-8 file, without a byte order mark. The error is the end of a sentence that begins with the path.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    decode(&bytes)
}

/// As [`read_text`], of bytes at hand.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, String> {
    let text = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            return Err("the file is UTF-16; save it as UTF-8".into());
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => rest,
        text => text,
    };
    if is_utf16(text) {
        return Err("the file is UTF-16; save it as UTF-8".into());
    }
    match std::str::from_utf8(text) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "the file is not UTF-8 (byte {} is none); save it as UTF-8",
            error.valid_up_to()
        )),
    }
}

/// Without its mark: a NUL in the first or second byte, which no text in UTF-8 has.
fn is_utf16(bytes: &[u8]) -> bool {
    let (even, odd) = (bytes.first(), bytes.get(1));
    matches!((even, odd), (Some(0), Some(1..)) | (Some(1..), Some(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_dropped_and_other_encodings_named() {
        assert_eq!(decode(b"\xef\xbb\xbf{}").unwrap(), "{}");
        assert_eq!(decode("é".as_bytes()).unwrap(), "é");
        assert_eq!(decode(b"").unwrap(), "");
        for utf16 in [
            b"\xff\xfe{\0}\0".as_slice(),
            b"\xfe\xff\0{",
            b"{\0}\0",
            b"\0{\0}",
        ] {
            assert!(
                decode(utf16)
                    .unwrap_err()
                    .contains("UTF-16; save it as UTF-8"),
                "{utf16:?}"
            );
        }
        assert!(decode(b"{\xe9}").unwrap_err().contains("byte 1"));
    }
}
