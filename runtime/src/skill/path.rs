//! A path into a value: `issues[*].labels[0]`.

use std::{borrow::Cow, fmt};

use serde_json::Value;

/// A missing key is explained with at most this many keys that are there.
const SHOWN_KEYS: usize = 10;

/// `root` and what is followed from there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Path {
    pub root: String,
    pub segments: Vec<Segment>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Segment {
    /// `.key` or `["key"]`.
    Key(String),
    /// `[0]`; `[-1]` is the last.
    Index(i64),
    /// `[*]`.
    Each,
}

/// What a path leads to.
#[derive(Debug)]
pub(super) enum Picked<'a> {
    One(Cow<'a, Value>),
    /// What `[*]` gathered: one flat list, however many `[*]` there are.
    Many(Vec<Cow<'a, Value>>),
}

/// Where a path ended early: the part that still has a value, and why it goes no further.
#[derive(Debug, PartialEq)]
pub(super) struct DeadEnd {
    remaining: usize,
    why: String,
}

impl Path {
    /// Follows the path from the value of its root.
    pub(super) fn follow<'a>(&self, root: &'a Value) -> Result<Picked<'a>, DeadEnd> {
        walk(root, &self.segments)
    }

    /// Says where the path ended.
    pub(super) fn explain(&self, end: &DeadEnd) -> String {
        let reached = self.segments.len() - end.remaining;
        let prefix = Self {
            root: self.root.clone(),
            segments: self.segments[..reached].to_vec(),
        };
        format!("{{{{{self}}}}} has no value: {prefix} {}", end.why)
    }
}

fn walk<'a>(value: &'a Value, segments: &[Segment]) -> Result<Picked<'a>, DeadEnd> {
    let Some((first, rest)) = segments.split_first() else {
        return Ok(Picked::One(Cow::Borrowed(value)));
    };
    let end = |why: String| DeadEnd {
        remaining: segments.len(),
        why,
    };
    match first {
        Segment::Key(key) => match value.get(key) {
            Some(inner) => walk(inner, rest),
            None => match length(value).filter(|_| key == "length" && rest.is_empty()) {
                Some(length) => Ok(Picked::One(Cow::Owned(Value::from(length)))),
                None => Err(end(no_key(value, key))),
            },
        },
        Segment::Index(index) => {
            let Some(items) = value.as_array() else {
                return Err(end(format!("is {}, not a list", kind(value))));
            };
            match item(items, *index) {
                Some(inner) => walk(inner, rest),
                None => Err(end(format!("has {} items", items.len()))),
            }
        }
        Segment::Each => {
            let Some(items) = value.as_array() else {
                return Err(end(format!("is {}, not a list", kind(value))));
            };
            let mut gathered = Vec::new();
            for inner in items {
                match walk(inner, rest)? {
                    Picked::One(one) => gathered.push(one),
                    Picked::Many(many) => gathered.extend(many),
                }
            }
            Ok(Picked::Many(gathered))
        }
    }
}

fn item(items: &[Value], index: i64) -> Option<&Value> {
    let position = if index < 0 {
        items.len().checked_sub(usize::try_from(-index).ok()?)?
    } else {
        usize::try_from(index).ok()?
    };
    items.get(position)
}

fn length(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) => Some(items.len()),
        Value::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

fn no_key(value: &Value, key: &str) -> String {
    let Value::Object(map) = value else {
        return format!("is {}, which has no {key:?}", kind(value));
    };
    if map.is_empty() {
        return format!("is an empty object, without {key:?}");
    }
    let mut keys: Vec<&str> = map.keys().take(SHOWN_KEYS).map(String::as_str).collect();
    if map.len() > SHOWN_KEYS {
        keys.push("…");
    }
    format!("has no {key:?}; it has {}", keys.join(", "))
}

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Whether a key can be written behind a dot.
pub(super) fn is_plain_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$')
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        self.segments
            .iter()
            .try_for_each(|segment| write!(f, "{segment}"))
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) if !key.is_empty() && key.chars().all(is_plain_key) => {
                write!(f, ".{key}")
            }
            Self::Key(key) => write!(f, "[{}]", Value::from(key.as_str())),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Each => f.write_str("[*]"),
        }
    }
}
