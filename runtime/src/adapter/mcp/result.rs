//! What a server answered, as this program keeps it.

use rmcp::model::ServerResult;
use serde_json::{Value, json};

use crate::reply::{Code, Failure, UpstreamResult};

pub(super) fn to_json(result: &ServerResult) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|error| {
        Failure::new(
            Code::UpstreamProtocol,
            format!("unreadable result: {error}"),
        )
    })
}

/// What a tool answered. An unknown content type makes the whole result an untyped one; nothing of it is lost.
pub(in crate::adapter) fn upstream_result(
    result: &ServerResult,
) -> Result<UpstreamResult, Failure> {
    to_json(result).map(|result| UpstreamResult::from_json(without_result_type(result)))
}

/// `resultType` belongs to the protocol, not to the tool; a result of nothing else is an empty one.
fn without_result_type(mut result: Value) -> Value {
    if let Some(map) = result.as_object_mut() {
        map.remove("resultType");
        if map.keys().all(|key| key == "isError" || key == "_meta") {
            map.insert("content".into(), json!([]));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_a_form_of_its_own_is_kept() {
        let read = |result: Value| {
            let result: ServerResult = serde_json::from_value(result).unwrap();
            upstream_result(&result).unwrap().content
        };
        assert_eq!(
            read(json!({"resultType": "complete", "rows": [1]})),
            [json!({"type": "text", "text": "{\"rows\":[1]}"})]
        );
        for nothing in [
            json!({}),
            json!({"_meta": {"a": 1}}),
            json!({"isError": false}),
        ] {
            assert_eq!(read(nothing.clone()), [] as [Value; 0], "{nothing}");
        }
    }
}
