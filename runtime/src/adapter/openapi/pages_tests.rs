use super::*;
use crate::adapter::openapi::load;

fn operation(parameters: &[(&str, &str)]) -> Operation {
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|(name, kind)| json!({"name": name, "in": "query", "schema": {"type": kind}}))
        .collect();
    load::operations_of(
        json!({"openapi": "3.0.0", "servers": [{"url": "http://127.0.0.1:9"}],
            "paths": {"/items": {"get": {"operationId": "list", "parameters": parameters}}}}),
        json!({}),
    )
    .unwrap()
    .remove(0)
}

fn next(parameters: &[(&str, &str)], link: Option<&str>, body: Value) -> Option<Value> {
    let mut headers = HeaderMap::new();
    if let Some(link) = link {
        headers.insert(LINK, link.parse().unwrap());
    }
    let asked = Url::parse("http://127.0.0.1:9/items?state=open&page=1").unwrap();
    let note = next_page(&operation(parameters), &headers, Some(&body), &asked)?;
    let arguments = note
        .strip_prefix("there is more: call list again with the same arguments and ")
        .unwrap();
    Some(serde_json::from_str(arguments).unwrap())
}

#[test]
fn a_link_to_the_next_page_becomes_its_arguments() {
    let link = r#"<https://api.test/x?page=1>; rel="prev", <https://api.test/repositories/1/items?state=open&page=3&x=a,b>; rel="next last""#;
    let page = [("page", "integer"), ("state", "string")];
    assert_eq!(next(&page, Some(link), json!([])), Some(json!({"page": 3})));
    assert_eq!(next(&[("after", "string")], Some(link), json!([])), None);
    assert_eq!(
        next(
            &page,
            Some(r#"<https://api.test/x?page=2>; rel="last""#),
            json!([])
        ),
        None
    );
}

#[test]
fn cursors_in_the_body_become_arguments() {
    let cases = [
        (
            ("cursor", "string"),
            json!({"next_cursor": "abc"}),
            json!({"cursor": "abc"}),
        ),
        (
            ("cursor", "string"),
            json!({"response_metadata": {"next_cursor": "abc"}}),
            json!({"cursor": "abc"}),
        ),
        (
            ("pageToken", "string"),
            json!({"nextPageToken": "1"}),
            json!({"pageToken": "1"}),
        ),
        (
            ("page", "integer"),
            json!({"next_page": 2}),
            json!({"page": 2}),
        ),
        (
            ("after", "string"),
            json!({"paging": {"next": {"after": "x"}}}),
            json!({"after": "x"}),
        ),
        (
            ("after", "string"),
            json!({"pageInfo": {"endCursor": "x", "hasNextPage": true}}),
            json!({"after": "x"}),
        ),
        (
            ("$skiptoken", "string"),
            json!({"@odata.nextLink": "http://h.test/items?$skiptoken=q"}),
            json!({"$skiptoken": "q"}),
        ),
        (
            ("page[after]", "string"),
            json!({"links": {"next": "/items?page%5Bafter%5D=q"}}),
            json!({"page[after]": "q"}),
        ),
        (
            ("continue", "string"),
            json!({"metadata": {"continue": "c"}}),
            json!({"continue": "c"}),
        ),
        (
            ("starting_after", "string"),
            json!({"has_more": true, "data": [{"id": "a"}, {"id": "b"}]}),
            json!({"starting_after": "b"}),
        ),
    ];
    for (parameter, body, want) in cases {
        assert_eq!(next(&[parameter], None, body.clone()), Some(want), "{body}");
    }
}

#[test]
fn a_cursor_may_belong_into_a_body_that_is_spread_out() {
    let schema = json!({"properties": {"start_cursor": {"type": "string"}}});
    let operation = load::operations_of(
        json!({"openapi": "3.0.0", "servers": [{"url": "http://127.0.0.1:9"}], "paths": {"/search": {"post": {
            "operationId": "search", "x-agent-tools-body": "arguments",
            "requestBody": {"content": {"application/json": {"schema": schema}}}}}}}),
        json!({}),
    )
    .unwrap()
    .remove(0);
    let asked = Url::parse("http://127.0.0.1:9/search").unwrap();
    let body = json!({"next_cursor": "abc"});
    let note = next_page(&operation, &HeaderMap::new(), Some(&body), &asked).unwrap();
    assert!(note.ends_with(r#"and {"start_cursor":"abc"}"#), "{note}");
}

#[test]
fn the_last_page_says_nothing() {
    for body in [
        json!({"next_cursor": null}),
        json!({"next_cursor": ""}),
        json!({"has_more": false, "next_cursor": "x"}),
        json!({"pageInfo": {"endCursor": "x", "hasNextPage": false}}),
        json!({"next": {"page": 1}}),
        json!([1]),
    ] {
        assert_eq!(
            next(&[("cursor", "string"), ("after", "string")], None, body),
            None
        );
    }
}
