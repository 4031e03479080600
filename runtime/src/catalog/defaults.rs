//! Defaults that a schema's own type forbids: `"type": "array", "default": null`, as generators write for arguments that may
//! be left out. A client that fills defaults in would send, or refuse, what nobody has asked for.

use serde_json::{Map, Value};

/// Takes a `null` default out wherever the type beside it allows no `null`.
pub(crate) fn drop_impossible_defaults(schema: &mut Map<String, Value>) {
    if schema.get("default") == Some(&Value::Null) && !may_be_null(schema.get("type")) {
        schema.remove("default");
    }
    for (keyword, part) in schema.iter_mut() {
        match (keyword.as_str(), part) {
            (
                "properties" | "patternProperties" | "$defs" | "definitions",
                Value::Object(schemas),
            ) => schemas.values_mut().for_each(of_part),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(of_part);
            }
            ("items" | "additionalProperties", part) => of_part(part),
            _ => {}
        }
    }
}

fn of_part(part: &mut Value) {
    if let Value::Object(schema) = part {
        drop_impossible_defaults(schema);
    }
}

/// A schema that names no type may take anything.
fn may_be_null(kind: Option<&Value>) -> bool {
    match kind {
        Some(Value::String(kind)) => kind == "null",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "null"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_null_that_the_type_forbids_is_taken_out() {
        let Value::Object(mut schema) = json!({ "type": "object", "properties": {
            "tags": { "type": "array", "default": null, "items": { "type": "string", "default": null } },
            "size": { "type": ["integer", "null"], "default": null },
            "any": { "default": null },
            "either": { "anyOf": [{ "type": "string", "default": null }, { "type": "null" }], "default": null },
            "limit": { "type": "integer", "default": 5 },
            "default": { "type": "string" },
        }}) else {
            unreachable!()
        };
        drop_impossible_defaults(&mut schema);
        assert_eq!(
            Value::Object(schema),
            json!({ "type": "object", "properties": {
                "tags": { "type": "array", "items": { "type": "string" } },
                "size": { "type": ["integer", "null"], "default": null },
                "any": { "default": null },
                "either": { "anyOf": [{ "type": "string" }, { "type": "null" }], "default": null },
                "limit": { "type": "integer", "default": 5 },
                "default": { "type": "string" },
            }})
        );
    }
}
