//! Unicode tags in results: invisible copies of ASCII characters, which a person never sees and a model reads. Nothing but
//! some flags is written with them, and those stay.

use serde_json::Value;

use crate::catalog::split_tags;

/// Takes tags out of every text, and says how many there were.
pub(crate) fn take_out_tags<'a>(values: impl IntoIterator<Item = &'a mut Value>) -> Option<String> {
    let count: usize = values.into_iter().map(take_out).sum();
    let (what, was) = match count {
        0 => return None,
        1 => ("character", "was"),
        _ => ("characters", "were"),
    };
    Some(format!(
        "{count} invisible {what} (Unicode tags) {was} taken out of what the tool returned"
    ))
}

fn take_out(value: &mut Value) -> usize {
    match value {
        Value::String(text) => match split_tags(text) {
            None => 0,
            Some((kept, tags)) => {
                *text = kept;
                tags.chars().count()
            }
        },
        Value::Array(items) => items.iter_mut().map(take_out).sum(),
        Value::Object(fields) => fields.values_mut().map(take_out).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_tags_are_taken_out() {
        let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        let rest = format!("a\u{200b}\u{202e}b {scotland}");
        let mut value = json!({"a": [format!("{rest}\u{e0049}\u{e0067}"), 1], "b": "x\u{e0041}"});
        let note = take_out_tags([&mut value]);
        assert_eq!(value, json!({"a": [rest, 1], "b": "x"}));
        assert_eq!(
            note.unwrap(),
            "3 invisible characters (Unicode tags) were taken out of what the tool returned"
        );
        assert_eq!(take_out_tags([&mut value]), None);
    }
}
