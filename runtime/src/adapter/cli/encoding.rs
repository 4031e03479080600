//! The bytes of a program as text. It never fails: what cannot be read is replaced and counted.

use encoding_rs::{Encoding, UTF_8};

/// A text, and how many characters of it stand for what could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub text: String,
    pub replaced: usize,
}

/// Reads bytes in the encoding that the plugin names. Otherwise they are UTF-8, or UTF-16 with a byte order mark; where
/// they are not, `fallback`.
pub(super) fn decoded(
    bytes: &[u8],
    named: Option<&'static Encoding>,
    fallback: Option<&'static Encoding>,
) -> Decoded {
    let encoding = named
        .or_else(|| Encoding::for_bom(bytes).map(|(encoding, _)| encoding))
        .unwrap_or_else(|| match fallback {
            Some(fallback) if std::str::from_utf8(bytes).is_err() => fallback,
            _ => UTF_8,
        });
    let (text, replaced_some) = encoding.decode_with_bom_removal(bytes);
    // A program may write the replacement character itself; then there are a few too many.
    let replaced = match replaced_some {
        true => text.matches(char::REPLACEMENT_CHARACTER).count(),
        false => 0,
    };
    Decoded {
        text: text.into_owned(),
        replaced,
    }
}

/// What programs of this system write that do not write UTF-8: the active code page on Windows, nothing elsewhere.
pub(super) fn system_encoding() -> Option<&'static Encoding> {
    #[cfg(windows)]
    return of_code_page(active_code_page());
    #[cfg(not(windows))]
    None
}

#[cfg(windows)]
#[allow(unsafe_code)] // The standard library does not say which code page is active.
fn active_code_page() -> u32 {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        safe fn GetACP() -> u32;
    }
    GetACP()
}

/// The encoding of a Windows code page, as far as the Encoding Standard knows it.
#[cfg(any(windows, test))]
fn of_code_page(page: u32) -> Option<&'static Encoding> {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, IBM866, KOI8_R, KOI8_U, SHIFT_JIS};
    match page {
        866 => Some(IBM866),
        874 | 1250..=1258 => Encoding::for_label(format!("windows-{page}").as_bytes()),
        932 => Some(SHIFT_JIS),
        936 => Some(GBK),
        949 => Some(EUC_KR),
        950 => Some(BIG5),
        20866 => Some(KOI8_R),
        21866 => Some(KOI8_U),
        28591..=28606 => Encoding::for_label(format!("iso-8859-{}", page - 28590).as_bytes()),
        51932 => Some(EUC_JP),
        54936 => Some(GB18030),
        65001 => Some(UTF_8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{GBK, WINDOWS_1252};

    fn read(bytes: &[u8]) -> (String, usize) {
        let Decoded { text, replaced } = decoded(bytes, None, None);
        (text, replaced)
    }

    #[test]
    fn utf8_is_read_and_what_is_none_is_replaced_and_counted() {
        assert_eq!(read("né".as_bytes()), ("né".into(), 0));
        assert_eq!(read(b"\xef\xbb\xbfx"), ("x".into(), 0));
        assert_eq!(read(b"\xff\xfeh\0i\0"), ("hi".into(), 0));
        assert_eq!(read(b"a\xe9b\xff"), ("a\u{fffd}b\u{fffd}".into(), 2));
    }

    #[test]
    fn a_named_encoding_wins_and_the_system_s_stands_in_for_utf8() {
        let gbk = decoded(b"\xc4\xe3\xba\xc3", Some(GBK), None);
        assert_eq!((&*gbk.text, gbk.replaced), ("你好", 0));
        let fallback = |bytes| decoded(bytes, None, Some(WINDOWS_1252)).text;
        assert_eq!(fallback(b"caf\xe9"), "café");
        assert_eq!(fallback("café".as_bytes()), "café");
    }

    #[test]
    fn code_pages_are_known() {
        for (page, name) in [
            (1252, "windows-1252"),
            (932, "Shift_JIS"),
            (936, "GBK"),
            (874, "windows-874"),
            (28592, "ISO-8859-2"),
            (65001, "UTF-8"),
        ] {
            assert_eq!(of_code_page(page).map(Encoding::name), Some(name));
        }
        assert_eq!(of_code_page(437), None);
    }
}
