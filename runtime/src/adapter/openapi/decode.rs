//! Bytes of an answer as they were meant: decompressed within a limit, and as text in their charset.

use std::io::Read;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// Why bytes cannot be decompressed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Undecodable {
    TooLarge,
    Broken(String),
}

/// Nobody compresses more often. What decompresses to itself would go on as long as a header can be.
const MAX_LAYERS: usize = 3;

/// Undoes a content encoding. What unfolds to more than `limit` bytes is given up at that point.
pub(super) fn decompressed(
    mut bytes: Vec<u8>,
    encoding: &str,
    limit: usize,
) -> Result<Vec<u8>, Undecodable> {
    if encoding.split(',').count() > MAX_LAYERS {
        let why = format!("it is compressed more than {MAX_LAYERS} times");
        return Err(Undecodable::Broken(why));
    }
    // Encodings are listed in the order in which they were put on.
    for encoding in encoding.split(',').rev() {
        let encoding = encoding.trim().to_ascii_lowercase();
        bytes = match encoding.as_str() {
            "" | "identity" => bytes,
            "gzip" | "x-gzip" => within(MultiGzDecoder::new(bytes.as_slice()), limit)?,
            // Some send it without the header that the standard wants.
            "deflate" => match within(ZlibDecoder::new(bytes.as_slice()), limit) {
                Err(Undecodable::Broken(_)) => {
                    within(DeflateDecoder::new(bytes.as_slice()), limit)?
                }
                other => other?,
            },
            other => return Err(Undecodable::Broken(format!("{other} is not supported"))),
        };
    }
    Ok(bytes)
}

fn within(decoder: impl Read, limit: usize) -> Result<Vec<u8>, Undecodable> {
    let mut out = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    decoder
        .take(most)
        .read_to_end(&mut out)
        .map_err(|error| Undecodable::Broken(error.to_string()))?;
    match out.len() > limit {
        true => Err(Undecodable::TooLarge),
        false => Ok(out),
    }
}

/// Bytes as text: a byte order mark wins, then the stated charset, then UTF-8, then what the web falls back to.
pub(super) fn text(bytes: &[u8], charset: Option<&str>) -> String {
    let stated = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let encoding = match stated {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _, _) = encoding.decode(bytes);
    text.into_owned()
}

/// The charset of a content type.
pub(super) fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, read::GzEncoder, read::ZlibEncoder};

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        GzEncoder::new(bytes, Compression::best())
            .read_to_end(&mut out)
            .unwrap();
        out
    }

    #[test]
    fn compressed_bytes_come_back_and_bombs_end_at_the_limit() {
        assert_eq!(decompressed(gzip(b"hello"), "gzip", 5).unwrap(), b"hello");
        assert_eq!(
            decompressed(gzip(&gzip(b"x")), "GZIP, x-gzip", 100).unwrap(),
            b"x"
        );
        let mut zlib = Vec::new();
        ZlibEncoder::new(&b"hello"[..], Compression::fast())
            .read_to_end(&mut zlib)
            .unwrap();
        assert_eq!(decompressed(zlib, "deflate", 100).unwrap(), b"hello");
        let often = (0..4).fold(b"x".to_vec(), |bytes, _| gzip(&bytes));
        assert!(matches!(
            decompressed(often, "gzip, gzip, gzip, gzip", 100),
            Err(Undecodable::Broken(_))
        ));
        let bomb = gzip(&vec![0; 10_000_000]);
        assert!(bomb.len() < 20_000);
        assert_eq!(
            decompressed(bomb, "gzip", 1_000_000),
            Err(Undecodable::TooLarge)
        );
        for (bytes, encoding) in [(b"no".to_vec(), "gzip"), (b"no".to_vec(), "br")] {
            assert!(matches!(
                decompressed(bytes, encoding, 9),
                Err(Undecodable::Broken(_))
            ));
        }
    }

    #[test]
    fn text_is_read_in_its_charset() {
        assert_eq!(
            charset("text/plain; Charset=\"ISO-8859-1\"; x=y"),
            Some("ISO-8859-1")
        );
        assert_eq!(charset("text/plain"), None);
        assert_eq!(text(b"\xefk \xe9", Some("iso-8859-1")), "ïk é");
        assert_eq!(text("é".as_bytes(), None), "é");
        assert_eq!(text(b"\xe9", None), "é");
        assert_eq!(text(b"\xef\xbb\xbfx", Some("utf-8")), "x");
        assert_eq!(text(b"\xff\xfex\0", None), "x");
        assert_eq!(text(b"\x82\xa0", Some("shift_jis")), "あ");
    }
}
