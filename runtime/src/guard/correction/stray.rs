//! Where a model has put a value that is missing where it belongs.

use std::collections::VecDeque;

use serde_json::Value;

use super::closest;

/// Parts of the arguments beyond this are not searched.
const MAX_PARTS: usize = 2_000;

/// A value in the wrong place.
pub(super) struct Stray {
    /// JSON Pointer of the value.
    pub at: String,
}

/// Looks for `name`, missing in the object at `path`: under that very name anywhere else, or in the same object under a
/// name that is much like it and that the object's schema does not declare.
pub(super) fn find(name: &str, path: &str, owner: Option<&Value>, sent: &Value) -> Option<Stray> {
    let object = sent.pointer(path)?.as_object()?;
    let declared = owner.and_then(|owner| owner.get("properties"));
    let undeclared = object
        .keys()
        .filter(|key| declared.is_none_or(|declared| declared.get(key.as_str()).is_none()));
    if let Some(alike) = closest(name, undeclared.map(String::as_str)) {
        return Some(Stray {
            at: format!("{path}/{}", escaped(alike)),
        });
    }
    let mut queue = VecDeque::from([(String::new(), sent)]);
    for _ in 0..MAX_PARTS {
        let (at, value) = queue.pop_front()?;
        let Some(object) = value.as_object() else {
            continue;
        };
        if object.contains_key(name) {
            return Some(Stray {
                at: format!("{at}/{}", escaped(name)),
            });
        }
        for (key, value) in object {
            queue.push_back((format!("{at}/{}", escaped(key)), value));
        }
    }
    None
}

/// Takes the value at `pointer` out of its object, and the objects around it that are empty then.
pub(super) fn take(arguments: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, key) = pointer.rsplit_once('/')?;
    let object = arguments.pointer_mut(parent)?.as_object_mut()?;
    let value = object.remove(&key.replace("~1", "/").replace("~0", "~"))?;
    if object.is_empty() && !parent.is_empty() {
        take(arguments, parent);
    }
    Some(value)
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
