//! Any JSON as a tool's input schema: it is listed, and arguments are checked against it without end or crash. What may
//! be sent stays as it is when it is checked again.
//!
//! The text is `[schema, arguments, arguments, …]`, or a schema alone.

#![no_main]

use agent_tools_runtime::{
    catalog::{
        Catalogue, Tool,
        search::{SearchIndex, Section, Server},
        signature,
    },
    fuzzing::checked_arguments,
};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    let (schema, arguments) = match value {
        Value::Array(mut items) if !items.is_empty() => (items.remove(0), items),
        schema => (schema, Vec::new()),
    };
    let Some(tool) = Tool::from_json(&json!({ "name": "act", "inputSchema": schema })) else {
        return;
    };
    let shown = signature(&tool.input_schema);
    assert!(shown.chars().count() <= 801, "{} characters", shown.len());
    let catalogue = Catalogue::new(vec![tool.clone()], Vec::new(), None);
    let section = Section::build(&Server::default(), &catalogue.documents());
    SearchIndex::new(vec![section.into()]).search("act", 5);

    let given = arguments
        .into_iter()
        .filter_map(|arguments| match arguments {
            Value::Object(map) => Some(map),
            _ => None,
        });
    for arguments in given.chain([Map::new()]) {
        match checked_arguments(&tool.input_schema, arguments) {
            Ok((sent, _)) => {
                let (again, notes) =
                    checked_arguments(&tool.input_schema, sent.clone()).expect("it was valid");
                assert_eq!(again, sent);
                assert!(notes.is_empty(), "{notes:?}");
            }
            Err(failure) => {
                assert!(failure.hint.is_some());
                serde_json::to_string(&failure.to_payload()).expect("a failure is JSON");
            }
        }
    }
});
