//! JSON Schemas of the files that people write, for editors and for [`validate`](crate::validate()).
//!
//! They are made from the types that read the files, so they cannot say anything else. The published copies are beside
//! the Node package.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::plugin::{ConfigKeys, ManifestKeys};

/// Where the published copies are.
const BASE: &str = "https://unpkg.com/@rckflr/agent-tools-runtime/schemas";

/// The schema of `agent-tools.json`.
pub fn config_schema() -> Value {
    let mut schema = schema_of::<ConfigKeys>();
    describe(
        &mut schema,
        "agent-tools",
        "Configuration of agent-tools-runtime: services whose tools an agent is given",
    );
    schema
}

/// The schema of `plugin.json`: an Agent Plugins manifest with this runtime's extension, or the older flat form.
pub fn plugin_schema() -> Value {
    let mut schema = schema_of::<ManifestKeys>();
    let definitions = schema
        .as_object_mut()
        .and_then(|schema| schema.shift_remove("$defs"));
    let keys = schema.as_object_mut().map(|schema| {
        schema.shift_remove("$schema");
        schema.shift_remove("title");
        schema.clone()
    });
    let mut whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "anyOf": [
            {
                "title": "A manifest with this runtime's extension",
                "properties": {
                    "name": { "type": "string", "description": "The package's name." },
                    "description": { "type": "string", "description": "What the service is, in one sentence." },
                    "extensions": {
                        "type": "object",
                        "properties": { "dev.agent-tools-runtime": { "$ref": "#/$defs/Keys" } },
                        "required": ["dev.agent-tools-runtime"],
                    },
                },
                "required": ["extensions"],
            },
            { "title": "The older flat form", "$ref": "#/$defs/Keys" },
        ],
        "$defs": definitions.unwrap_or_else(|| json!({})),
    });
    whole["$defs"]["Keys"] = json!(keys);
    describe(
        &mut whole,
        "plugin",
        "Manifest of a plugin of agent-tools-runtime",
    );
    whole
}

/// The schema of what this runtime reads in a manifest.
pub(crate) fn manifest_keys_schema() -> Value {
    schema_of::<ManifestKeys>()
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12();
    settings.into_generator().into_root_schema_for::<T>().into()
}

fn describe(schema: &mut Value, file: &str, what: &str) {
    schema["$id"] = format!("{BASE}/{file}.schema.json").into();
    schema["title"] = what.into();
}
