use super::*;

fn document(schemas: Value) -> Document {
    let text = json!({"openapi": "3.0.0", "paths": {}, "components": {"schemas": schemas}});
    Document::parse(text.to_string().as_bytes(), None).unwrap()
}

fn converted(schemas: Value, schema: Value) -> (Value, Map<String, Value>) {
    let document = document(schemas);
    let mut converter = Converter::new(&document);
    let schema = converter.convert(&schema);
    (schema, converter.finish())
}

#[test]
fn references_are_written_out_and_what_only_documents_need_is_left_out() {
    let (schema, defs) = converted(
        json!({"Pet": {"type": "object", "title": "Pet", "x-go": 1, "example": {}, "properties": {
            "example": {"type": "string", "example": "kept as a property"}}}}),
        json!({"type": "array", "items": {"$ref": "#/components/schemas/Pet", "description": "One."}}),
    );
    assert_eq!(
        schema,
        json!({"type": "array", "items": {"type": "object", "title": "Pet", "description": "One.",
            "properties": {"example": {"type": "string"}}}})
    );
    assert!(defs.is_empty());
}

#[test]
fn what_refers_to_itself_goes_to_defs() {
    let (schema, defs) = converted(
        json!({"Node": {"type": "object", "properties": {
            "next": {"$ref": "#/components/schemas/Node"}, "other": {"$ref": "#/components/schemas/Pair"}}},
            "Pair": {"properties": {"node": {"$ref": "#/components/schemas/Node"}}}}),
        json!({"$ref": "#/components/schemas/Node"}),
    );
    assert_eq!(
        schema["properties"]["next"],
        json!({"$ref": "#/$defs/Node"})
    );
    assert_eq!(
        schema["properties"]["other"]["properties"]["node"],
        json!({"$ref": "#/$defs/Node"})
    );
    assert_eq!(
        defs["Node"]["properties"]["next"],
        json!({"$ref": "#/$defs/Node"})
    );
    let (circle, defs) = converted(
        json!({"A": {"$ref": "#/components/schemas/A"}}),
        json!({"$ref": "#/components/schemas/A"}),
    );
    assert_eq!(circle, json!({"$ref": "#/$defs/A"}));
    assert_eq!(defs.len(), 1);
}

#[test]
fn what_would_unfold_without_end_stays_small() {
    // Each level refers to the next one ten times.
    let mut schemas = Map::new();
    for level in 0..12 {
        let properties: Map<String, Value> = (0..10)
            .map(|n| {
                let target = format!("#/components/schemas/L{}", level + 1);
                (format!("p{n}"), json!({ "$ref": target }))
            })
            .collect();
        schemas.insert(format!("L{level}"), json!({ "properties": properties }));
    }
    schemas.insert("L12".into(), json!({"type": "string"}));
    let (schema, defs) = converted(
        Value::Object(schemas),
        json!({"$ref": "#/components/schemas/L0"}),
    );
    let size = schema.to_string().len() + Value::Object(defs).to_string().len();
    assert!(size < 300_000, "{size}");
}

#[test]
fn read_only_properties_are_left_out_and_no_longer_required() {
    let (schema, _) = converted(
        json!({"Id": {"type": "string", "readOnly": true}}),
        json!({"allOf": [
            {"properties": {"id": {"$ref": "#/components/schemas/Id"}, "at": {"readOnly": true}, "name": {"type": "string"}}},
            {"required": ["id", "name"]},
        ], "required": ["at"]}),
    );
    assert_eq!(
        schema,
        json!({"allOf": [{"properties": {"name": {"type": "string"}}}, {"required": ["name"]}]})
    );
}

#[test]
fn older_dialects_become_the_newest() {
    let cases = [
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
            json!({"type": "integer", "exclusiveMinimum": 1, "maximum": 9}),
        ),
        (
            json!({"type": "string", "nullable": true, "enum": ["a"]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"nullable": true, "allOf": [{"type": "string"}]}),
            json!({"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]}),
        ),
        (json!({"type": "any", "required": true}), json!({})),
        (json!({"$ref": "elsewhere.yaml#/x"}), json!({})),
        (json!({"type": "file"}), json!({"type": "string"})),
        (json!("nonsense"), json!({})),
        (json!(true), json!(true)),
    ];
    for (schema, want) in cases {
        assert_eq!(converted(json!({}), schema).0, want);
    }
}
