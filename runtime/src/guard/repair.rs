//! Values that have exactly one other reading where they are not wanted: a text that spells a number, a boolean, a list
//! or an object, and a null that says nothing.

use jsonschema::{
    ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

/// Text in text in text is not looked into further.
const MAX_REPAIR_ROUNDS: usize = 4;

/// What one value is to become.
enum Repair {
    /// The value that its text spells.
    Read(Value),
    /// Nothing: a null where no null is wanted says that nothing is given.
    LeaveOut,
}

/// Mends every value that has one other reading where it is not wanted, and says so. What was read may hold more.
pub(super) fn repair_all(validator: &Validator, value: &mut Value) -> Vec<String> {
    let mut notes = Vec::new();
    for _ in 0..MAX_REPAIR_ROUNDS {
        let mut found = Vec::new();
        for error in validator.iter_errors(value) {
            find_repairs(&error, &mut found);
        }
        let before = notes.len();
        for (path, repair) in found {
            notes.extend(apply(value, &path, repair));
        }
        if notes.len() == before {
            break;
        }
    }
    notes
}

fn apply(value: &mut Value, path: &str, repair: Repair) -> Option<String> {
    match repair {
        Repair::Read(converted) => {
            let slot = value.pointer_mut(path).filter(|slot| slot.is_string())?;
            let note = format!("{path} was text; it was read as {converted}");
            *slot = converted;
            Some(note)
        }
        Repair::LeaveOut => {
            let (parent, key) = path.rsplit_once('/')?;
            let object = value.pointer_mut(parent)?.as_object_mut()?;
            let key = key.replace("~1", "/").replace("~0", "~");
            object.get(&key).filter(|value| value.is_null())?;
            object.shift_remove(&key);
            Some(format!("{path} was null; it was left out"))
        }
    }
}

fn find_repairs(error: &ValidationError<'_>, found: &mut Vec<(String, Repair)>) {
    let at = || error.instance_path().to_string();
    match error.kind() {
        // If the field is required, what is left does not fit either, and the call is refused.
        Kind::Type { .. } | Kind::Enum { .. } | Kind::AnyOf { .. } | Kind::OneOfNotValid { .. }
            if error.instance().is_null() =>
        {
            found.push((at(), Repair::LeaveOut));
        }
        Kind::Type { kind } => {
            found.extend(read(error, kind).map(|value| (at(), Repair::Read(value))));
        }
        // A union: a text has one reading as JSON, whichever branch wants it.
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            for error in context.iter().flatten() {
                find_repairs(error, found);
            }
        }
        _ => {}
    }
}

/// "5" for an integer, "true" for a boolean: only text that the value prints back to, letter by letter.
/// The JSON text of an array or object has one reading however it is spaced.
fn read(error: &ValidationError<'_>, kind: &TypeKind) -> Option<Value> {
    let text = error.instance().as_str()?;
    let converted: Value = serde_json::from_str(text).ok()?;
    let spelled_alike = serde_json::to_string(&converted).is_ok_and(|spelled| spelled == text);
    if !(converted.is_array() || converted.is_object() || spelled_alike) {
        return None;
    }
    let accepts = |name: &str| match kind {
        TypeKind::Single(wanted) => wanted.to_string() == name,
        TypeKind::Multiple(wanted) => wanted.iter().any(|one| one.to_string() == name),
    };
    let fits = match &converted {
        Value::Bool(_) => accepts("boolean"),
        Value::Number(number) => {
            accepts("number") || ((number.is_i64() || number.is_u64()) && accepts("integer"))
        }
        Value::Array(_) => accepts("array"),
        Value::Object(_) => accepts("object"),
        Value::Null | Value::String(_) => false,
    };
    fits.then_some(converted)
}
