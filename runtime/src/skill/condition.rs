//! Conditions: what is asked of values.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::{
    expression::Expression,
    names::Names,
    path::kind,
    problem::{At, Problems},
    scope::{Scope, Trouble},
    template::{Template, read_expression},
};
use crate::guard::closest;

/// Conditions nested deeper than this are refused.
const MAX_DEPTH: usize = 16;

/// What holds or does not.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    Compare(Comparison, Template, Template),
    Exists(Expression),
    Empty(Expression),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// What is asked of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equals,
    NotEquals,
    In,
    Contains,
    Greater,
    AtLeast,
    Less,
    AtMost,
}

const COMPARISONS: [(&str, Comparison); 8] = [
    ("equals", Comparison::Equals),
    ("notEquals", Comparison::NotEquals),
    ("in", Comparison::In),
    ("contains", Comparison::Contains),
    ("gt", Comparison::Greater),
    ("gte", Comparison::AtLeast),
    ("lt", Comparison::Less),
    ("lte", Comparison::AtMost),
];

const OTHERS: [&str; 5] = ["exists", "empty", "not", "all", "any"];

impl Condition {
    /// Reads a condition; what is wrong with it is added to `problems`.
    pub(super) fn read(
        value: &Value,
        at: &At,
        names: &Names,
        problems: &mut Problems,
    ) -> Option<Self> {
        read(value, at, names, problems, 0)
    }

    /// Whether it holds.
    pub(super) fn holds(&self, scope: &Scope) -> Result<bool, Trouble> {
        match self {
            Self::Compare(comparison, left, right) => {
                compare(*comparison, &*left.look(scope)?, &*right.look(scope)?)
            }
            Self::Exists(expression) => Ok(!expression.evaluate_leniently(scope)?.is_null()),
            Self::Empty(expression) => Ok(is_empty(&*expression.evaluate_leniently(scope)?)),
            Self::Not(inner) => Ok(!inner.holds(scope)?),
            Self::All(inner) => every(inner, true, scope),
            Self::Any(inner) => every(inner, false, scope).map(|none| !none),
        }
    }
}

/// Whether each condition comes out as `wanted`; the first that does not decides.
fn every(conditions: &[Condition], wanted: bool, scope: &Scope) -> Result<bool, Trouble> {
    for condition in conditions {
        if condition.holds(scope)? != wanted {
            return Ok(false);
        }
    }
    Ok(true)
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<bool, Trouble> {
    match comparison {
        Comparison::Equals => Ok(same(left, right)),
        Comparison::NotEquals => Ok(!same(left, right)),
        Comparison::In => holds_member(right, left, "in"),
        Comparison::Contains => holds_member(left, right, "contains"),
        Comparison::Greater => Ok(order(left, right)?.is_gt()),
        Comparison::AtLeast => Ok(order(left, right)?.is_ge()),
        Comparison::Less => Ok(order(left, right)?.is_lt()),
        Comparison::AtMost => Ok(order(left, right)?.is_le()),
    }
}

/// Whether a list has an item, or a text a part.
fn holds_member(container: &Value, member: &Value, name: &str) -> Result<bool, Trouble> {
    match (container, member) {
        (Value::Array(items), member) => Ok(items.iter().any(|item| same(item, member))),
        (Value::String(text), Value::String(part)) => Ok(text.contains(part.as_str())),
        (container, member) => Err(Trouble::Unfit(format!(
            "`{name}` looks for an item in a list or for a text in a text, not for {} in {}",
            kind(member),
            kind(container)
        ))),
    }
}

/// Equal as JSON, where 1 and 1.0 are one number.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => order(left, right).is_ok_and(Ordering::is_eq),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, left)| right.get(key).is_some_and(|right| same(left, right)))
        }
        (left, right) => left == right,
    }
}

fn order(left: &Value, right: &Value) -> Result<Ordering, Trouble> {
    let ordering = match (left, right) {
        (Value::Number(left), Value::Number(right)) => match (left.as_i128(), right.as_i128()) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => left
                .as_f64()
                .zip(right.as_f64())
                .and_then(|(left, right)| left.partial_cmp(&right)),
        },
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    };
    ordering.ok_or_else(|| {
        Trouble::Unfit(format!(
            "two numbers or two texts can be compared, not {} with {}",
            kind(left),
            kind(right)
        ))
    })
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn read(
    value: &Value,
    at: &At,
    names: &Names,
    problems: &mut Problems,
    depth: usize,
) -> Option<Condition> {
    if depth > MAX_DEPTH {
        problems.add(
            at,
            format!("nested deeper than {MAX_DEPTH} levels; use a `test` step"),
        );
        return None;
    }
    let map = value.as_object().cloned().unwrap_or_else(Map::new);
    let mut entries = map.iter();
    let (Some((name, operand)), None) = (entries.next(), entries.next()) else {
        problems.add(
            at,
            "a condition is an object with one key, such as {\"equals\": [\"{{a.state}}\", \"open\"]}; join several with `all` or `any`",
        );
        return None;
    };
    let at = &at.key(name);
    if let Some((_, comparison)) = COMPARISONS.iter().find(|(known, _)| known == name) {
        let Some([left, right]) = operand.as_array().map(Vec::as_slice) else {
            problems.add(
                at,
                format!("needs a list of two values: {{\"{name}\": [<left>, <right>]}}"),
            );
            return None;
        };
        let left = Template::read(left, &at.item(0), names, problems);
        let right = Template::read(right, &at.item(1), names, problems);
        return Some(Condition::Compare(*comparison, left, right));
    }
    match name.as_str() {
        "exists" => read_expression(operand, at, names, problems).map(Condition::Exists),
        "empty" => read_expression(operand, at, names, problems).map(Condition::Empty),
        "not" => read(operand, at, names, problems, depth + 1)
            .map(|inner| Condition::Not(Box::new(inner))),
        "all" => read_list(operand, at, names, problems, depth).map(Condition::All),
        "any" => read_list(operand, at, names, problems, depth).map(Condition::Any),
        unknown => {
            let known = || COMPARISONS.iter().map(|(name, _)| *name).chain(OTHERS);
            let hint = match closest(unknown, known()) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!(
                    "the conditions are {}",
                    known().collect::<Vec<_>>().join(", ")
                ),
            };
            problems.add(at, format!("no such condition; {hint}"));
            None
        }
    }
}

fn read_list(
    value: &Value,
    at: &At,
    names: &Names,
    problems: &mut Problems,
    depth: usize,
) -> Option<Vec<Condition>> {
    let Some(items) = value.as_array().filter(|items| !items.is_empty()) else {
        problems.add(at, "needs a list of at least one condition");
        return None;
    };
    let read: Vec<Option<Condition>> = items
        .iter()
        .enumerate()
        .map(|(index, item)| read(item, &at.item(index), names, problems, depth + 1))
        .collect();
    read.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(condition: Value) -> Result<bool, String> {
        let mut scope = Scope::default();
        let value = json!({"n": 3, "f": 3.0, "s": "open issue", "list": [1, "x"], "none": [], "nil": null, "at": "2026-01-02"});
        scope.set("a", value);
        let names = Names::default().and("a");
        let mut problems = Problems::default();
        let read = Condition::read(&condition, &At::default(), &names, &mut problems);
        match read {
            Some(condition) if problems.is_empty() => condition
                .holds(&scope)
                .map_err(|trouble| trouble.to_string()),
            _ => Err(problems.to_string()),
        }
    }

    #[test]
    fn each_condition_holds_where_it_should() {
        for (condition, want) in [
            (json!({"equals": ["{{a.n}}", "{{a.f}}"]}), true),
            (json!({"equals": ["{{a.n}}", "3"]}), false),
            (json!({"equals": ["{{a}}", "{{a}}"]}), true),
            (json!({"notEquals": ["{{a.s}}", "closed"]}), true),
            (json!({"in": ["{{a.n}}", [1, 2, 3.0]]}), true),
            (json!({"in": ["issue", "{{a.s}}"]}), true),
            (json!({"contains": ["{{a.list}}", "x"]}), true),
            (json!({"contains": ["{{a.s}}", "shut"]}), false),
            (json!({"gt": ["{{a.n}}", 2.5]}), true),
            (json!({"gte": ["{{a.n}}", 3]}), true),
            (json!({"lt": ["{{a.at}}", "2026-01-10"]}), true),
            (json!({"lte": ["{{a.n}}", 2]}), false),
            (json!({"gt": [u64::MAX, i64::MAX]}), true),
            (json!({"exists": "{{a.nil}}"}), false),
            (json!({"exists": "{{a.no.such}}"}), false),
            (json!({"exists": "{{a.none}}"}), true),
            (json!({"empty": "{{a.none}}"}), true),
            (json!({"empty": "{{a.no.such}}"}), true),
            (json!({"empty": "{{a.n}}"}), false),
            (json!({"not": {"empty": "{{a.list}}"}}), true),
            (
                json!({"all": [{"exists": "{{a.n}}"}, {"exists": "{{a.nil}}"}]}),
                false,
            ),
            (
                json!({"any": [{"exists": "{{a.nil}}"}, {"exists": "{{a.n}}"}]}),
                true,
            ),
            // The first that decides ends it: what follows may have no value.
            (
                json!({"any": [{"exists": "{{a.n}}"}, {"equals": ["{{a.no}}", 1]}]}),
                true,
            ),
        ] {
            assert_eq!(asked(condition.clone()), Ok(want), "{condition}");
        }
    }

    #[test]
    fn what_cannot_be_asked_is_explained() {
        let failed = |condition| asked(condition).unwrap_err();
        insta::assert_snapshot!(
            [
                failed(json!({"gt": ["{{a.n}}", "2"]})),
                failed(json!({"in": ["{{a.n}}", "{{a.s}}"]})),
                failed(json!({"equals": ["{{a.no}}", 1]})),
                failed(json!({"equal": ["{{a.n}}", 1]})),
                failed(json!({"matches": "x"})),
                failed(json!({"equals": ["{{a.n}}"]})),
                failed(json!({"exists": "a.n"})),
                failed(json!({"exists": "{{a.n"})),
                failed(json!({"all": []})),
                failed(json!({"exists": "{{a}}", "empty": "{{a}}"})),
                failed(json!(true)),
                failed(json!({"not": {"any": [{"equals": ["{{b}}", 1]}]}})),
            ]
            .join("\n")
        );
    }
}
