//! What stands between `{{` and `}}`: a path, and what to take where it has no value.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    path::{Path, Picked, Segment, is_plain_key},
    scope::{Scope, Trouble},
};

/// `path ?? path ?? default`: the first alternative that has a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expression {
    pub alternatives: Vec<Operand>,
}

/// One alternative.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Path(Path),
    /// JSON, which also is how `{{` itself is written: `{{"{{"}}`.
    Literal(Value),
    /// Leaves out the key or item that the expression stands for.
    Omit,
}

impl Expression {
    /// Parses what follows `{{`, up to its `}}`, and says how many bytes that were.
    pub(super) fn parse(text: &str) -> Result<(Self, usize), String> {
        let mut parser = Parser { text, at: 0 };
        let mut alternatives = vec![parser.operand()?];
        loop {
            parser.skip_space();
            if parser.eat("}}") {
                return Ok((Self { alternatives }, parser.at));
            }
            if !parser.eat("??") {
                return Err(parser.unexpected("`}}` or `?? <default>`"));
            }
            alternatives.push(parser.operand()?);
        }
    }

    /// The value; `None` is left out. A path without a value is passed over where an alternative follows.
    pub(super) fn evaluate<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> Result<Option<Cow<'a, Value>>, Trouble> {
        let last = self.alternatives.len().saturating_sub(1);
        for (index, operand) in self.alternatives.iter().enumerate() {
            let value = match operand {
                Operand::Omit => return Ok(None),
                Operand::Literal(value) => Cow::Borrowed(value),
                Operand::Path(path) => match pick(path, scope) {
                    Ok(value) => value,
                    Err(Trouble::Missing(_)) if index < last => continue,
                    Err(trouble) => return Err(trouble),
                },
            };
            if index == last || !value.is_null() {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The value, with `null` for one that is missing.
    pub(super) fn evaluate_leniently<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> Result<Cow<'a, Value>, Trouble> {
        match self.evaluate(scope) {
            Ok(value) => Ok(value.unwrap_or(Cow::Owned(Value::Null))),
            Err(Trouble::Missing(_)) => Ok(Cow::Owned(Value::Null)),
            Err(trouble) => Err(trouble),
        }
    }
}

fn pick<'a>(path: &Path, scope: &'a Scope) -> Result<Cow<'a, Value>, Trouble> {
    let root = scope
        .get(&path.root)
        .ok_or_else(|| Trouble::Missing(format!("{{{{{path}}}}} has no value")))?;
    match path.follow(root) {
        Ok(Picked::One(value)) => Ok(value),
        Ok(Picked::Many(values)) => {
            for value in &values {
                scope.charge(value)?;
            }
            let list = values.into_iter().map(Cow::into_owned).collect();
            Ok(Cow::Owned(Value::Array(list)))
        }
        Err(end) => Err(Trouble::Missing(path.explain(&end))),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn unexpected(&self, wanted: &str) -> String {
        let rest: String = self.rest().chars().take(12).collect();
        if rest.is_empty() {
            format!("the template ends where {wanted} is expected")
        } else {
            format!("{wanted} is expected before {rest:?}")
        }
    }

    fn operand(&mut self) -> Result<Operand, String> {
        self.skip_space();
        let word = self.word();
        match word.as_str() {
            "omit" => Ok(Operand::Omit),
            "null" => Ok(Operand::Literal(Value::Null)),
            "true" => Ok(Operand::Literal(Value::Bool(true))),
            "false" => Ok(Operand::Literal(Value::Bool(false))),
            "" => self.literal(),
            word if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                self.at -= word.len();
                self.literal()
            }
            _ => self.path(word),
        }
    }

    fn word(&mut self) -> String {
        let word: String = self
            .rest()
            .chars()
            .take_while(|c| is_plain_key(*c))
            .collect();
        self.at += word.len();
        word
    }

    fn literal(&mut self) -> Result<Operand, String> {
        let wanted = "a path such as issue.title, or JSON";
        let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(Operand::Literal(value))
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn path(&mut self, root: String) -> Result<Operand, String> {
        let mut segments = Vec::new();
        loop {
            if self.eat(".") {
                let key = self.word();
                if key.is_empty() {
                    return Err(self.unexpected("a key behind the dot"));
                }
                segments.push(Segment::Key(key));
            } else if self.eat("[") {
                segments.push(self.bracket()?);
            } else {
                return Ok(Operand::Path(Path { root, segments }));
            }
        }
    }

    fn bracket(&mut self) -> Result<Segment, String> {
        let wanted = "[*], [0] or [\"key\"]";
        self.skip_space();
        let segment = if self.eat("*") {
            Segment::Each
        } else {
            match self.literal() {
                Ok(Operand::Literal(Value::String(key))) => Segment::Key(key),
                Ok(Operand::Literal(Value::Number(index))) => match index.as_i64() {
                    Some(index) => Segment::Index(index),
                    None => return Err(format!("{wanted} is expected, not [{index}]")),
                },
                _ => return Err(self.unexpected(wanted)),
            }
        };
        self.skip_space();
        if self.eat("]") {
            Ok(segment)
        } else {
            Err(self.unexpected("`]`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn scope() -> Scope {
        let mut scope = Scope::default();
        let issues = json!([
            {"number": 1, "labels": ["a", "b"], "assignee": null},
            {"number": 2, "labels": ["c"], "a key": "quoted", "length": 9},
        ]);
        scope.set("issues", issues);
        scope
    }

    fn evaluated(text: &str) -> Result<Option<Value>, String> {
        let (expression, used) = Expression::parse(text)?;
        assert_eq!(used, text.len(), "{text}");
        match expression.evaluate(&scope()) {
            Ok(value) => Ok(value.map(Cow::into_owned)),
            Err(trouble) => Err(trouble.to_string()),
        }
    }

    #[test]
    fn paths_lead_to_values() {
        for (text, want) in [
            ("issues[0].number}}", json!(1)),
            ("issues[-1].number}}", json!(2)),
            ("issues.length}}", json!(2)),
            ("issues[1].length}}", json!(9)),
            ("issues[1][\"a key\"].length}}", json!(6)),
            (" issues[*].number }}", json!([1, 2])),
            ("issues[*].labels[*]}}", json!(["a", "b", "c"])),
            ("issues[*].labels.length}}", json!([2, 1])),
            ("issues[0].assignee}}", json!(null)),
            (
                "issues[0].assignee.login ?? issues[7] ?? \"}}\"}}",
                json!("}}"),
            ),
            ("issues[0].assignee ?? {}}}", json!({})),
            ("-1.5e1}}", json!(-15.0)),
            ("\"{{\"}}", json!("{{")),
        ] {
            assert_eq!(evaluated(text), Ok(Some(want)), "{text}");
        }
        assert_eq!(evaluated("issues[5] ?? omit}}"), Ok(None));
    }

    #[test]
    fn a_missing_value_is_named_with_what_is_there() {
        let missing = |text| evaluated(text).unwrap_err();
        insta::assert_snapshot!(
            [
                missing("issues[0].title}}"),
                missing("issues[0].assignee.login}}"),
                missing("issues[2]}}"),
                missing("issues.number}}"),
                missing("issues[0].number[*]}}"),
                missing("issues[*][\"a key\"]}}"),
                missing("others}}"),
            ]
            .join("\n")
        );
    }

    #[test]
    fn any_text_is_parsed_or_refused() {
        let parts = [
            "}}", "a", ".", "[", "]", "*", "\"", "??", "0", "-", " ", "é", "{",
        ];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            texts = texts
                .iter()
                .flat_map(|text| parts.map(|part| format!("{text}{part}")))
                .collect();
            for text in &texts {
                if let Ok((_, used)) = Expression::parse(text) {
                    assert!(text[..used].ends_with("}}"), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_syntax_that_is_not_understood_is_explained() {
        let wrong = |text: &str| Expression::parse(text).unwrap_err();
        insta::assert_snapshot!(
            [
                wrong(""),
                wrong("}}"),
                wrong("a."),
                wrong("a.b c}}"),
                wrong("a | upper}}"),
                wrong("a[}}"),
                wrong("a['b']}}"),
                wrong("a[1.5]}}"),
                wrong("a[0}}"),
                wrong("a ?? }}"),
                wrong("a ?? 'x'}}"),
                wrong("1 + 1}}"),
            ]
            .join("\n")
        );
    }
}
