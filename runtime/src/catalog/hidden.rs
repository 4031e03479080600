//! Characters that a person does not see and a model reads. What models are shown of a tool has none of them.

use serde_json::{Map, Value};

use super::{Schema, Tool};

/// What a flag of a region begins with: tag characters behind it say which, and so are seen.
const FLAG: char = '\u{1f3f4}';

/// The keywords of a schema whose text only explains. Any other text of a schema is a name or a value, and has to arrive
/// as it is.
const PROSE: [&str; 3] = ["description", "title", "$comment"];

/// Zero width, direction, tags, variants, private use, controls.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
        || (c.is_control() && !c.is_whitespace())
}

/// Whether it is a tag: an invisible copy of an ASCII character.
fn is_tag(c: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&c)
}

/// The text without tags that belong to no flag, and those tags. `None` where there are none.
pub(crate) fn split_tags(text: &str) -> Option<(String, String)> {
    if !text.contains(is_tag) {
        return None;
    }
    let (mut kept, mut tags) = (String::with_capacity(text.len()), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let seen = if c == FLAG { flag(rest) } else { c.len_utf8() };
        match is_tag(c) {
            true => tags.push(c),
            false => kept.push_str(&rest[..seen]),
        }
        rest = &rest[seen..];
    }
    (!tags.is_empty()).then_some((kept, tags))
}

/// How long the flag is that the text begins with: a region has at most six letters and digits.
fn flag(text: &str) -> usize {
    let behind = &text[FLAG.len_utf8()..];
    let region = |c: char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let letters: usize = behind
        .chars()
        .take(6)
        .take_while(|c| region(*c))
        .map(char::len_utf8)
        .sum();
    let whole = letters > 0 && behind[letters..].starts_with('\u{e007f}');
    match whole {
        true => FLAG.len_utf8() + letters + '\u{e007f}'.len_utf8(),
        false => FLAG.len_utf8(),
    }
}

/// What tags say.
pub(crate) fn tagged_text(tags: &str) -> String {
    tags.chars()
        .filter_map(|c| char::from_u32(u32::from(c) - 0xe0000))
        .filter(|c| !c.is_control())
        .collect()
}

/// The text without the characters that a person does not see.
pub(crate) fn without_hidden(text: &str) -> String {
    text.chars().filter(|c| !is_hidden(*c)).collect()
}

fn has_hidden(text: &str) -> bool {
    text.chars().any(is_hidden)
}

impl Tool {
    /// The same tool, without what nobody sees in its title, its description and what its schemas explain.
    pub(crate) fn without_hidden(mut self) -> Self {
        let texts = self.title.iter_mut().chain([&mut self.description]);
        for text in texts.filter(|text| has_hidden(text)) {
            *text = without_hidden(text);
        }
        let schemas = [Some(&mut self.input_schema), self.output_schema.as_mut()];
        for schema in schemas.into_iter().flatten() {
            if prose_hidden(schema) || schema.values().any(explains_hidden) {
                let mut cleaned = Map::clone(schema);
                clean(&mut cleaned);
                *schema = Schema::new(cleaned);
            }
        }
        self
    }
}

fn prose_hidden(map: &Map<String, Value>) -> bool {
    let mut texts = PROSE.iter().filter_map(|key| map.get(*key)?.as_str());
    texts.any(has_hidden)
}

fn explains_hidden(value: &Value) -> bool {
    match value {
        Value::Object(map) => prose_hidden(map) || map.values().any(explains_hidden),
        Value::Array(items) => items.iter().any(explains_hidden),
        _ => false,
    }
}

fn clean(map: &mut Map<String, Value>) {
    for (key, value) in map {
        match value {
            Value::String(text) if PROSE.contains(&key.as_str()) => *text = without_hidden(text),
            other => clean_below(other),
        }
    }
}

fn clean_below(value: &mut Value) {
    match value {
        Value::Object(map) => clean(map),
        Value::Array(items) => items.iter_mut().for_each(clean_below),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_explains_is_cleaned_and_what_is_sent_is_not() {
        let tool = Tool::from_json(&json!({
            "name": "add\u{200b}",
            "title": "A\u{e0041}dd",
            "description": "Adds\u{202e} two\nnumbers",
            "inputSchema": {"type": "object", "title": "x\u{200b}", "properties": {
                "a\u{200b}": {"enum": ["x\u{200b}"], "anyOf": [{"description": "one\u{e0042}"}]},
            }},
            "outputSchema": {"properties": {"sum": {"description": "the\u{feff} sum"}}},
        }));
        let clean = tool.unwrap().without_hidden();
        assert_eq!(
            clean.to_json(),
            json!({
                "name": "add\u{200b}",
                "title": "Add",
                "description": "Adds two\nnumbers",
                "inputSchema": {"type": "object", "title": "x", "properties": {
                    "a\u{200b}": {"enum": ["x\u{200b}"], "anyOf": [{"description": "one"}]},
                }},
                "outputSchema": {"properties": {"sum": {"description": "the sum"}}},
                "annotations": {"readOnlyHint": false},
            })
        );
    }

    #[test]
    fn tags_can_be_read() {
        let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        assert_eq!(split_tags(&format!("a {scotland} b")), None);
        assert_eq!(split_tags("é"), None);
        let (kept, tags) = split_tags(&format!("a\u{e0048}{scotland}b\u{e0069}\u{e007f}")).unwrap();
        assert_eq!(
            (kept.as_str(), tagged_text(&tags).as_str()),
            (format!("a{scotland}b").as_str(), "Hi")
        );
        // A flag that goes on and on is none.
        let long = "\u{e0061}".repeat(40);
        let (kept, tags) = split_tags(&format!("\u{1f3f4}{long}\u{e007f}")).unwrap();
        assert_eq!((kept.as_str(), tags.chars().count()), ("\u{1f3f4}", 41));
    }
}
