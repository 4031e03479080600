//! JSON with `{{…}}` in it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    expression::{Expression, Operand},
    names::Names,
    problem::{At, Problems},
    scope::{Scope, Trouble},
};

/// Templates nested deeper than this are refused.
const MAX_DEPTH: usize = 32;

/// JSON whose texts may hold expressions.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Template {
    Constant(Value),
    /// A text that is exactly one expression: the value keeps its type.
    Whole(Expression),
    /// A text with expressions in it.
    Text(Vec<Piece>),
    List(Vec<Template>),
    Object(Vec<(String, Template)>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Literal(String),
    Expression(Expression),
}

/// Where a template stands, which decides whether it may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Alone,
    InContainer,
}

impl Template {
    /// Reads a template; what is wrong with it is added to `problems`.
    pub(super) fn read(value: &Value, at: &At, names: &Names, problems: &mut Problems) -> Self {
        read(value, at, names, problems, Place::Alone, 0)
    }

    /// The value. What is to be left out is `null` where there is nothing to leave it out of.
    pub(super) fn render(&self, scope: &Scope) -> Result<Value, Trouble> {
        Ok(self.render_or_omit(scope)?.unwrap_or(Value::Null))
    }

    /// The value, to be looked at only: what is there already is not copied.
    pub(super) fn look<'a>(&'a self, scope: &'a Scope) -> Result<Cow<'a, Value>, Trouble> {
        match self {
            Self::Constant(value) => Ok(Cow::Borrowed(value)),
            Self::Whole(expression) => {
                let value = expression.evaluate(scope)?;
                Ok(value.unwrap_or(Cow::Owned(Value::Null)))
            }
            _ => self.render(scope).map(Cow::Owned),
        }
    }

    fn render_or_omit(&self, scope: &Scope) -> Result<Option<Value>, Trouble> {
        let made = match self {
            Self::Constant(value) => value.clone(),
            Self::Whole(expression) => {
                let Some(value) = expression.evaluate(scope)? else {
                    return Ok(None);
                };
                scope.charge(&value)?;
                return Ok(Some(value.into_owned()));
            }
            Self::Text(pieces) => Value::String(text(pieces, scope)?),
            Self::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    list.extend(item.render_or_omit(scope)?);
                }
                return Ok(Some(Value::Array(list)));
            }
            Self::Object(entries) => {
                let mut map = Map::new();
                for (key, template) in entries {
                    if let Some(value) = template.render_or_omit(scope)? {
                        map.insert(key.clone(), value);
                    }
                }
                return Ok(Some(Value::Object(map)));
            }
        };
        scope.charge(&made)?;
        Ok(Some(made))
    }
}

fn text(pieces: &[Piece], scope: &Scope) -> Result<String, Trouble> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(literal) => text.push_str(literal),
            Piece::Expression(expression) => {
                let Some(value) = expression.evaluate(scope)? else {
                    continue;
                };
                scope.charge(&value)?;
                match value.as_ref() {
                    Value::String(inner) => text.push_str(inner),
                    other => text.push_str(&other.to_string()),
                }
            }
        }
    }
    Ok(text)
}

fn read(
    value: &Value,
    at: &At,
    names: &Names,
    problems: &mut Problems,
    place: Place,
    depth: usize,
) -> Template {
    if depth > MAX_DEPTH {
        problems.add(
            at,
            format!("nested deeper than {MAX_DEPTH} levels; split it into steps"),
        );
        return Template::Constant(Value::Null);
    }
    match value {
        Value::String(text) => read_text(text, at, names, problems, place),
        Value::Array(items) => Template::List(
            items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    let at = at.item(index);
                    read(item, &at, names, problems, Place::InContainer, depth + 1)
                })
                .collect(),
        ),
        Value::Object(map) => Template::Object(
            map.iter()
                .map(|(key, value)| {
                    let at = at.key(key);
                    if key.contains("{{") {
                        problems.add(&at, "a key is taken as it stands; use {{…}} in values only");
                    }
                    let template = read(value, &at, names, problems, Place::InContainer, depth + 1);
                    (key.clone(), template)
                })
                .collect(),
        ),
        other => Template::Constant(other.clone()),
    }
}

fn read_text(
    text: &str,
    at: &At,
    names: &Names,
    problems: &mut Problems,
    place: Place,
) -> Template {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((literal, after)) = rest.split_once("{{") {
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal.to_owned()));
        }
        match Expression::parse(after) {
            Ok((expression, used)) => {
                names.check(&expression, at, problems);
                pieces.push(Piece::Expression(expression));
                rest = &after[used..];
            }
            Err(why) => {
                problems.add(at, format!("in {text:?}, {why}"));
                return Template::Constant(Value::Null);
            }
        }
    }
    if pieces.is_empty() {
        return Template::Constant(Value::from(text));
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    let whole = match pieces.as_slice() {
        [Piece::Expression(expression)] => Some(expression.clone()),
        _ => None,
    };
    let omits = pieces.iter().any(|piece| {
        matches!(piece, Piece::Expression(expression) if expression.alternatives.contains(&Operand::Omit))
    });
    if omits && (whole.is_none() || place == Place::Alone) {
        problems.add(
            at,
            "`omit` leaves out a key of an object or an item of a list, and here is none; use another default, such as \"\" or null",
        );
    }
    whole.map_or(Template::Text(pieces), Template::Whole)
}

/// Reads what must be exactly one `{{…}}`.
pub(super) fn read_expression(
    value: &Value,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> Option<Expression> {
    match Template::read(value, at, names, problems) {
        Template::Whole(expression) => Some(expression),
        // What is malformed has been reported.
        Template::Constant(Value::Null) if value.is_string() => None,
        _ => {
            problems.add(
                at,
                "must be exactly one path, such as \"{{issue.closedAt}}\"",
            );
            None
        }
    }
}
