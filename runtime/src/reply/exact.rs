//! Text that is meant to be JSON as a value that loses no digit: a number that no number here can hold stands in it as
//! text, written as it was.

use serde::de::IgnoredAny;
use serde_json::{Number, Value};

use super::faithful::{numbers, repeats_keys};

/// A double tells as many digits apart; what is rounded beyond them was one to whoever wrote it.
const DIGITS_OF_A_DOUBLE: usize = 17;

/// JSON, read.
#[derive(Debug, PartialEq)]
pub(crate) struct Exact {
    pub value: Value,
    /// How many numbers are given as text.
    pub as_text: usize,
    /// Whether each number prints back as it was written.
    pub verbatim: bool,
    /// Whether an object uses a key twice; the last one counts.
    pub repeats_keys: bool,
}

/// The value of a text; `None` when it is no JSON.
pub(crate) fn exact(text: &str) -> Option<Exact> {
    // Takes numbers of any size.
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut held = String::new();
    let (mut copied, mut as_text, mut verbatim) = (0, 0, true);
    for range in numbers(text) {
        let number = &text[range.clone()];
        let read = number.parse::<Number>().ok();
        let printed = read.map(|read| read.to_string());
        verbatim &= printed.as_deref() == Some(number);
        if printed.is_some_and(|printed| holds(number, &printed)) {
            continue;
        }
        held.push_str(&text[copied..range.start]);
        held.push_str(&format!("\"{number}\""));
        copied = range.end;
        as_text += 1;
    }
    held.push_str(&text[copied..]);
    Some(Exact {
        value: serde_json::from_str(&held).ok()?,
        as_text,
        verbatim,
        repeats_keys: repeats_keys(&held),
    })
}

/// Whether what is printed of a number that was read is that number.
fn holds(written: &str, printed: &str) -> bool {
    let (Some(written_as), Some(printed_as)) = (Decimal::of(written), Decimal::of(printed)) else {
        return false;
    };
    let fraction = written.contains(['.', 'e', 'E']);
    let is_rounded = fraction
        && written_as.digits.len() <= DIGITS_OF_A_DOUBLE
        && written_as.digits.is_empty() == printed_as.digits.is_empty();
    is_rounded || written_as == printed_as
}

/// A number by its digits: 1.10 and 11e-1 are one.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    /// Without zeros at either end.
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(number: &str) -> Option<Self> {
        let negative = number.starts_with('-');
        let (mantissa, exponent) = match number.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
            None => (number, 0_i64),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{}{fraction}", whole.trim_start_matches('-'));
        let digits = all.trim_end_matches('0');
        let behind = i64::try_from(all.len() - digits.len()).ok()?;
        let exponent = exponent
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(behind)?;
        let digits = digits.trim_start_matches('0').to_owned();
        Some(Self {
            negative,
            exponent: if digits.is_empty() { 0 } else { exponent },
            digits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_number_of_json_is_read_and_none_loses_a_digit() {
        for (text, value) in [
            ("1.10", json!(1.1)),
            ("1e2", json!(100.0)),
            ("-1.50E+3", json!(-1500.0)),
            ("-0", json!(-0.0)),
            ("0.0", json!(0.0)),
            ("52.520006599999998", json!(52.520006599999995)),
            ("18446744073709551615", json!(u64::MAX)),
            (" [1, 2.50] ", json!([1, 2.5])),
            (r#"{"a\"1.10": "1.10 1e5"}"#, json!({"a\"1.10": "1.10 1e5"})),
        ] {
            let read = exact(text).unwrap();
            assert_eq!((read.value, read.as_text), (value, 0), "{text}");
        }
        for number in [
            "12345678901234567890123",
            "-9223372036854775809000",
            "0.12345678901234567890123",
            "1e400",
            "1e-400",
            "1e99999999999999999999",
        ] {
            let read = exact(&format!(r#"{{"a": [{number}, 1]}}"#)).unwrap();
            assert_eq!(read.value, json!({"a": [number, 1]}));
            assert_eq!((read.as_text, read.verbatim), (1, false), "{number}");
        }
    }

    #[test]
    fn what_is_no_json_is_none_and_keys_that_are_there_twice_are_seen() {
        for text in ["", "oops", "01", "1.", "+1", "[1,]", "NaN", "1 2"] {
            assert_eq!(exact(text), None, "{text}");
        }
        let read = exact(r#"[{"a": 1, "a": 2.0}]"#).unwrap();
        assert!(read.repeats_keys && read.verbatim);
        assert!(!exact(r#"[{"a": 1}, {"a": 1e1}]"#).unwrap().repeats_keys);
    }
}
