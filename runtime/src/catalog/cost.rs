//! How much work a schema can make of one value. References that fan out make a small schema exponentially large, and
//! one that also refers back to itself makes the work grow with the value's depth.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::dialect::NAMED;

/// A schema that is larger than this when its references are written out is not validated with.
const MAX_EXPANDED: u64 = 200_000;
/// A recursive schema may multiply the work by this much in all.
const MAX_WORK: f64 = 1e6;
/// References by other means than a JSON Pointer (`$id`, `$anchor`, `$dynamicRef`) are not followed; more of them than
/// this are too many.
const MAX_OPAQUE: u64 = 20;
/// Ways back to more schemas than this are not told apart.
const MAX_TARGETS: usize = 32;
/// Stands for the others.
const MANY: *const Value = std::ptr::null();
/// Values are never nested deeper than the JSON parser allows.
const MAX_DEPTH: usize = 128;

/// Keywords whose schemas apply to the very value that the schema itself applies to.
const IN_PLACE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// The deepest value that a schema may be applied to; `None` when it may be applied to none.
pub(super) fn deepest_value(schema: &Value) -> Option<usize> {
    let mut walk = Walk {
        root: schema,
        known: HashMap::new(),
        returns: 0,
        opaque: 0,
    };
    let cost = walk.cost(schema, 0)?;
    let returns = cost
        .returns
        .values()
        .fold(walk.returns, |sum, more| sum.saturating_add(*more));
    if Loops::new(schema).found(schema) {
        return None;
    }
    if cost.expanded > MAX_EXPANDED || walk.opaque > MAX_OPAQUE {
        return None;
    }
    if returns <= 1 {
        return Some(MAX_DEPTH);
    }
    // Each level of the value may be looked at `returns` times as often as the one above.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small positive numbers, and a rough estimate will do"
    )]
    let depth = (MAX_WORK.ln() / (returns as f64).ln()) as usize;
    Some(depth.max(2))
}

#[derive(Clone, Default)]
struct Cost {
    /// Parts, with every reference written out.
    expanded: u64,
    /// Ways back to each schema that is being looked at, by address.
    returns: HashMap<*const Value, u64>,
}

struct Walk<'a> {
    root: &'a Value,
    /// By address; `None` while a schema is being looked at.
    known: HashMap<*const Value, Option<Cost>>,
    /// Ways back to schemas that have been looked at. How often those are referred to from elsewhere makes no difference:
    /// the work that they make of one value does not multiply with each level of it.
    returns: u64,
    opaque: u64,
}

impl<'a> Walk<'a> {
    /// `None` for a schema that is nested too deep.
    fn cost(&mut self, schema: &'a Value, depth: usize) -> Option<Cost> {
        let address = std::ptr::from_ref(schema);
        match self.known.get(&address) {
            Some(Some(known)) => return Some(known.clone()),
            Some(None) => {
                return Some(Cost {
                    expanded: 1,
                    returns: HashMap::from([(address, 1)]),
                });
            }
            None => {}
        }
        if depth > 2 * MAX_DEPTH {
            return None;
        }
        self.known.insert(address, None);
        let mut cost = Cost {
            expanded: 1,
            returns: HashMap::new(),
        };
        match schema {
            Value::Object(map) => {
                for part in self.parts(map) {
                    self.add(&mut cost, part, depth)?;
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.add(&mut cost, item, depth)?;
                }
            }
            _ => {}
        }
        if let Some(returns) = cost.returns.remove(&address) {
            self.returns = self.returns.saturating_add(returns);
        }
        self.known.insert(address, Some(cost.clone()));
        Some(cost)
    }

    fn add(&mut self, cost: &mut Cost, part: &'a Value, depth: usize) -> Option<()> {
        let more = self.cost(part, depth + 1)?;
        cost.expanded = cost.expanded.saturating_add(more.expanded);
        for (address, returns) in more.returns {
            let is_open = address == MANY || matches!(self.known.get(&address), Some(None));
            if !is_open {
                continue;
            }
            let has_room = cost.returns.len() < MAX_TARGETS || cost.returns.contains_key(&address);
            let address = if has_room { address } else { MANY };
            let sum = cost.returns.entry(address).or_default();
            *sum = sum.saturating_add(returns);
        }
        Some(())
    }

    fn parts(&mut self, map: &'a Map<String, Value>) -> Vec<&'a Value> {
        let mut parts = Vec::new();
        for (key, value) in map {
            match value {
                // What is only defined makes no work.
                _ if ["$defs", "definitions"].contains(&key.as_str()) => {}
                Value::Object(schemas) if NAMED.contains(&key.as_str()) => {
                    parts.extend(schemas.values());
                }
                value => parts.push(value),
            }
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            match target(self.root, reference) {
                Some(target) => parts.push(target),
                None => self.opaque += 1,
            }
        }
        if map.contains_key("$dynamicRef") || map.contains_key("$recursiveRef") {
            self.opaque += 1;
        }
        parts
    }
}

fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    let decoded = percent_encoding::percent_decode_str(pointer)
        .decode_utf8()
        .ok()?;
    root.pointer(&decoded)
}

/// Looks for schemas that apply themselves to the same value for ever.
struct Loops<'a> {
    root: &'a Value,
    /// By address: whether the schema has been looked at to its end.
    done: HashMap<*const Value, bool>,
}

impl<'a> Loops<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            done: HashMap::new(),
        }
    }

    /// Whether one begins anywhere in `schema`.
    fn found(&mut self, schema: &'a Value) -> bool {
        let inner: Vec<&Value> = match schema {
            Value::Object(map) => map.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => return false,
        };
        self.is_loop(schema) || inner.into_iter().any(|inner| self.found(inner))
    }

    fn is_loop(&mut self, schema: &'a Value) -> bool {
        let Value::Object(map) = schema else {
            return false;
        };
        match self.done.insert(std::ptr::from_ref(schema), false) {
            Some(true) => {
                self.done.insert(std::ptr::from_ref(schema), true);
                return false;
            }
            Some(false) => return true,
            None => {}
        }
        let reference = map.get("$ref").and_then(Value::as_str);
        let referred = reference.and_then(|reference| target(self.root, reference));
        let inner = IN_PLACE.iter().filter_map(|keyword| map.get(*keyword));
        let inner: Vec<&Value> = inner
            .flat_map(|inner| match inner {
                Value::Array(items) => items.iter().collect(),
                one => vec![one],
            })
            .chain(referred)
            .collect();
        let found = inner.into_iter().any(|inner| self.is_loop(inner));
        self.done.insert(std::ptr::from_ref(schema), true);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// `levels` definitions, each of which refers to the next one twice, inside `wrap`.
    fn doubling(levels: usize, wrap: fn(Value) -> Value) -> Value {
        let mut definitions = Map::new();
        for level in 0..levels {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            definitions.insert(format!("d{level}"), wrap(next));
        }
        definitions.insert(format!("d{levels}"), json!({"type": "integer"}));
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    }

    #[test]
    fn references_that_fan_out_are_counted_written_out() {
        let twice = |next: Value| json!({"anyOf": [next, next]});
        assert_eq!(deepest_value(&doubling(10, twice)), Some(MAX_DEPTH));
        assert_eq!(deepest_value(&doubling(40, twice)), None);
        let nested = |next: Value| json!({"properties": {"a": next, "b": next}});
        assert_eq!(deepest_value(&doubling(40, nested)), None);
        let once = |next: Value| json!({"allOf": [next]});
        assert_eq!(deepest_value(&doubling(60, once)), Some(MAX_DEPTH));
        let mut field = doubling(40, twice);
        let reference = field.as_object_mut().unwrap().remove("$ref");
        field["properties"] = json!({"definitions": {"$ref": reference}});
        assert_eq!(deepest_value(&field), None, "a field of that name");
    }

    #[test]
    fn a_recursive_schema_bounds_the_depth_of_its_values() {
        let list = json!({"$ref": "#/$defs/N", "$defs": {"N": {"properties": {"next": {"$ref": "#/$defs/N"}}}}});
        assert_eq!(deepest_value(&list), Some(MAX_DEPTH));
        let fields: Map<String, Value> = (0..20)
            .map(|n| (format!("f{n}"), json!({"$ref": "#/$defs/N"})))
            .collect();
        let often = json!({"properties": fields, "$defs": list["$defs"]});
        assert_eq!(deepest_value(&often), Some(MAX_DEPTH), "used often");
        let next = json!({"properties": {"next": {"$ref": "#/$defs/N"}}});
        let twice = json!({"$ref": "#/$defs/N", "$defs": {"N": {"anyOf": [next, next]}}});
        assert_eq!(deepest_value(&twice), Some(19));
        let back = json!({"properties": {"back": {"$ref": "#/$defs/N"}}});
        let two_steps = json!({"$ref": "#/$defs/N", "$defs": {
            "N": {"anyOf": [{"$ref": "#/$defs/M"}, {"$ref": "#/$defs/M"}]}, "M": {"anyOf": [back, back]}}});
        assert_eq!(deepest_value(&two_steps), Some(9), "twice two ways back");
    }

    #[test]
    fn a_schema_that_never_ends_is_refused() {
        for schema in [
            json!({"$ref": "#"}),
            json!({"properties": {"a": {"allOf": [{"$ref": "#/properties/a"}]}}}),
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}}),
        ] {
            assert_eq!(deepest_value(&schema), None, "{schema}");
        }
    }
}
