//! JSON text that can be read without losing anything: every number prints back letter by letter, and no key is used twice.

use std::{collections::HashSet, fmt, ops::Range};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// The value of the text; `None` when it is no JSON or when reading it would lose something.
pub(crate) fn faithful(text: &str) -> Option<Value> {
    let value = serde_json::from_str(text).ok()?;
    (numbers_survive(text) && !repeats_keys(text)).then_some(value)
}

/// Whether an object of a JSON text uses a key twice.
pub(super) fn repeats_keys(text: &str) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    UniqueKeys.deserialize(&mut reader).is_err()
}

/// Whether each number of a JSON text prints back as it is written.
fn numbers_survive(text: &str) -> bool {
    numbers(text).all(|range| {
        let number = &text[range];
        number
            .parse::<Number>()
            .is_ok_and(|read| read.to_string() == number)
    })
}

/// Where the numbers of a JSON text stand.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => at = end_of_text(bytes, at),
                b'-' | b'0'..=b'9' => {
                    let start = at;
                    let length = bytes[start..]
                        .iter()
                        .position(|byte| !b"+-.0123456789Ee".contains(byte));
                    at = length.map_or(bytes.len(), |length| start + length);
                    return Some(start..at);
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// The position behind the text that begins at `start`.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Reads any value and fails on an object that has a key twice.
struct UniqueKeys;

impl<'de> DeserializeSeed<'de> for UniqueKeys {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(UniqueKeys)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            if !seen.insert(key) {
                return Err(serde::de::Error::custom("a key is used twice"));
            }
            fields.next_value_seed(UniqueKeys)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_lose_something_is_left_as_text() {
        for text in [
            "1.10",
            "1e5",
            "12345678901234567890123",
            "-0",
            "{\"a\":1,\"a\":2}",
            "[{\"b\":{\"c\":1.0e2}}]",
            "not json",
            "",
        ] {
            assert_eq!(faithful(text), None, "{text}");
        }
        for text in [
            "{\"a\":1,\"b\":{\"a\":-2.5}}",
            " [1, 2.0, 9007199254740993, true, null] ",
            "{\"text\":\"1.10 \\\" 1e5\"}",
            "0",
        ] {
            assert!(faithful(text).is_some(), "{text}");
        }
    }
}
