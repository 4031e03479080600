//! What of a JSON answer is given: a part of it, some fields of its items, under a key with others beside it.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What of an answer is given.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Projection {
    /// A JSON pointer; the whole answer when empty.
    #[serde(default)]
    from: String,
    /// The fields that are kept of the object there, or of each item; all when absent.
    #[serde(default)]
    keep: Option<Vec<String>>,
    /// The key that it is put under.
    #[serde(default, rename = "as")]
    key: Option<String>,
    /// Fields beside that key, each by its pointer.
    #[serde(default, rename = "with")]
    beside: IndexMap<String, String>,
}

impl Projection {
    pub(super) fn read(stated: &Value) -> Result<Self, String> {
        let projection = match stated {
            Value::String(from) => Self {
                from: from.clone(),
                ..Self::default()
            },
            Value::Object(_) => Self::deserialize(stated).map_err(|error| error.to_string())?,
            other => return Err(format!("{other} is no JSON pointer and no object")),
        };
        for pointer in projection.beside.values().chain([&projection.from]) {
            if !pointer.is_empty() && !pointer.starts_with('/') {
                return Err(format!(
                    "{pointer:?} is no JSON pointer; one begins with `/`"
                ));
            }
        }
        match &projection.key {
            None if !projection.beside.is_empty() => {
                return Err("`with` needs `as`, beside which its fields stand".into());
            }
            Some(key) if projection.beside.contains_key(key) => {
                return Err(format!("`as` and `with` both have {key:?}"));
            }
            _ => {}
        }
        match &projection.keep {
            Some(keep) if keep.is_empty() || keep.iter().any(String::is_empty) => {
                Err("`keep` names no field".into())
            }
            _ => Ok(projection),
        }
    }

    /// The part of an answer. When there is nothing where it is looked for, says so.
    pub(super) fn of(&self, answer: &Value) -> Result<Value, String> {
        let found = answer
            .pointer(&self.from)
            .ok_or_else(|| format!("the answer has no {}; it is given whole", self.from))?;
        let part = match &self.keep {
            None => found.clone(),
            Some(keep) => kept(found, keep),
        };
        let Some(key) = &self.key else {
            return Ok(part);
        };
        let mut whole = Map::from_iter([(key.clone(), part)]);
        for (name, pointer) in &self.beside {
            if let Some(value) = answer.pointer(pointer) {
                whole.insert(name.clone(), value.clone());
            }
        }
        Ok(Value::Object(whole))
    }
}

fn kept(value: &Value, keep: &[String]) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| kept(item, keep)).collect(),
        Value::Object(_) => keep
            .iter()
            .filter_map(|path| Some((path.clone(), at(value, path)?)))
            .collect(),
        plain => plain.clone(),
    }
}

/// The field at a dotted path; through a list, those of its items. A name may hold dots itself.
fn at(value: &Value, path: &str) -> Option<Value> {
    match value {
        Value::Array(items) => Some(items.iter().filter_map(|item| at(item, path)).collect()),
        Value::Object(fields) => fields.get(path).cloned().or_else(|| {
            path.match_indices('.')
                .find_map(|(dot, _)| at(fields.get(&path[..dot])?, &path[dot + 1..]))
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(stated: Value, answer: Value) -> Result<Value, String> {
        Projection::read(&stated).unwrap().of(&answer)
    }

    #[test]
    fn a_part_is_found_by_its_pointer() {
        let answer = json!({"items": [{"a": 1}], "total": 7});
        assert_eq!(of(json!("/items"), answer.clone()), Ok(json!([{"a": 1}])));
        assert_eq!(of(json!("/items/0/a"), answer.clone()), Ok(json!(1)));
        assert_eq!(of(json!(""), answer.clone()), Ok(answer.clone()));
        assert_eq!(
            of(json!("/none"), answer),
            Err("the answer has no /none; it is given whole".into())
        );
    }

    #[test]
    fn fields_are_kept_of_each_item() {
        let issues = json!([
            {"number": 1, "title": "t", "user": {"login": "ann", "id": 5}, "labels": [{"name": "bug"}, {"name": "ui"}, {}], "x.y": 1},
            {"number": 2, "user": null, "labels": [], "title": null},
            "no object",
        ]);
        let keep = json!({"keep": ["number", "title", "user.login", "labels.name", "x.y"]});
        assert_eq!(
            of(keep, issues),
            Ok(json!([
                {"number": 1, "title": "t", "user.login": "ann", "labels.name": ["bug", "ui"], "x.y": 1},
                {"number": 2, "title": null, "labels.name": []},
                "no object",
            ]))
        );
        assert_eq!(
            of(
                json!({"from": "/data", "keep": ["id"]}),
                json!({"data": {"id": 1, "more": 2}})
            ),
            Ok(json!({"id": 1}))
        );
    }

    #[test]
    fn it_is_put_under_a_key_with_others_beside_it() {
        let stated = json!({"from": "/items", "keep": ["n"], "as": "issues", "with": {"total": "/total_count", "next": "/meta/next"}});
        assert_eq!(
            of(
                stated,
                json!({"items": [{"n": 1, "m": 2}], "total_count": 9})
            ),
            Ok(json!({"issues": [{"n": 1}], "total": 9}))
        );
    }

    #[test]
    fn what_cannot_be_is_said() {
        for (stated, want) in [
            (json!(5), "5 is no JSON pointer"),
            (json!("items"), "begins with `/`"),
            (json!({"form": "/items"}), "unknown field `form`"),
            (json!({"keep": []}), "`keep` names no field"),
            (json!({"keep": "a"}), "invalid type"),
            (json!({"with": {"a": "/a"}}), "`with` needs `as`"),
            (json!({"as": "a", "with": {"a": "/a"}}), "both have \"a\""),
            (
                json!({"as": "a", "with": {"b": "b"}}),
                "\"b\" is no JSON pointer",
            ),
        ] {
            let what = Projection::read(&stated).unwrap_err();
            assert!(what.contains(want), "{what}");
        }
    }
}
