//! A result against the tool's output schema. What does not fit is noted, never refused: it is what there is.

use crate::{catalog::Tool, reply::UpstreamResult};

/// What is wrong with the structured content of a success, in one sentence.
pub(crate) fn output_problem(tool: &Tool, result: &UpstreamResult) -> Option<String> {
    let schema = tool.output_schema.as_ref()?;
    if result.is_error {
        return None;
    }
    let Some(structured) = &result.structured_content else {
        return Some("the tool declares an outputSchema, but sent no structured content".into());
    };
    let error = schema
        .validator_of(structured)?
        .iter_errors(structured)
        .next()?;
    let path = error.instance_path().to_string();
    Some(format!(
        "the structured content does not fit the tool's outputSchema: {}: {}",
        if path.is_empty() { "/" } else { &path },
        error.masked_with("the value")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_success_that_does_not_fit_is_noted_and_an_error_is_not() {
        let tool = Tool::from_json(&json!({"name": "t", "outputSchema": {
            "type": "object", "required": ["things"], "properties": {"things": {"type": "array"}}}}))
        .unwrap();
        let problem = |result: Value| output_problem(&tool, &UpstreamResult::from_json(result));
        assert_eq!(
            problem(json!({"content": [], "structuredContent": {"things": []}})),
            None
        );
        assert!(
            problem(json!({"content": [], "structuredContent": {"things": 1}}))
                .unwrap()
                .contains("/things")
        );
        assert!(
            problem(json!({"content": []}))
                .unwrap()
                .contains("no structured content")
        );
        assert_eq!(
            problem(json!({"content": [], "isError": true, "structuredContent": {"err": 1}})),
            None
        );
    }
}
