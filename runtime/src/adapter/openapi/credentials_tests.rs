use serde_json::json;

use super::*;
use crate::{reply::Code, secrets::scrub_known};

fn credentials(settings: Value) -> Result<Credentials, Failure> {
    let root = json!({"openapi": "3.0.0", "paths": {}, "components": {"securitySchemes": {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "queryKey": {"type": "apiKey", "in": "query", "name": "api_key"},
        "session": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "login": {"type": "http", "scheme": "basic"},
        "token": {"type": "http", "scheme": "Bearer"},
        "oauth": {"type": "oauth2", "flows": {}},
        "digest": {"type": "http", "scheme": "Token"},
    }}});
    let document = Document::parse(root.to_string().as_bytes(), None).unwrap();
    let mut settings = settings;
    settings["document"] = json!("x");
    Credentials::read(&document, &serde_json::from_value(settings).unwrap())
}

fn security(alternatives: Value) -> Vec<Vec<String>> {
    serde_json::from_value(alternatives).unwrap()
}

#[test]
fn each_scheme_puts_its_credential_where_it_belongs() {
    let credentials = credentials(json!({"auth": {
        "key": "key-0000001", "queryKey": "q", "session": "s", "login": {"username": "u", "password": "p"},
        "token": "Bearer t", "digest": "d",
    }}))
    .unwrap();
    let applied = |names: Value| {
        credentials
            .applied(Some(&security(json!([names]))))
            .unwrap()
    };
    assert_eq!(applied(json!(["key"])).headers["x-key"], "key-0000001");
    assert_eq!(scrub_known("key-0000001 dTpw"), "<redacted> dTpw");
    assert_eq!(
        applied(json!(["queryKey", "session"])).query,
        [("api_key".into(), "q".into())]
    );
    assert_eq!(
        applied(json!(["queryKey", "session"])).cookies,
        [("sid".into(), "s".into())]
    );
    assert_eq!(
        applied(json!(["login"])).headers["authorization"],
        "Basic dTpw"
    );
    assert_eq!(
        applied(json!(["token"])).headers["authorization"],
        "Bearer t"
    );
    assert_eq!(
        applied(json!(["digest"])).headers["authorization"],
        "Token d"
    );
    assert!(applied(json!([])).headers.is_empty());
}

#[test]
fn an_empty_credential_is_none() {
    for value in ["", "${AGENT_TOOLS_TEST_NO_SUCH_TOKEN:-}"] {
        let credentials = credentials(json!({"auth": {"token": value, "key": value}})).unwrap();
        let applied = credentials.applied(None).unwrap();
        assert!(applied.headers.is_empty(), "{value}");
    }
}

#[test]
fn the_first_complete_alternative_is_taken() {
    let credentials = credentials(json!({"auth": {"oauth": "t0", "key": "k0"}})).unwrap();
    let applied = credentials
        .applied(Some(&security(json!([
            [],
            ["key", "token"],
            ["oauth"],
            ["key"]
        ]))))
        .unwrap();
    assert_eq!(applied.headers["authorization"], "Bearer t0");
    assert!(!applied.headers.contains_key("x-key"));
    let unsaid = credentials.applied(None).unwrap();
    assert!(unsaid.headers.contains_key("x-key") && unsaid.headers.contains_key("authorization"));
}

#[test]
fn a_missing_variable_is_named_and_an_unknown_scheme_too() {
    let missing =
        credentials(json!({"auth": {"token": "${AGENT_TOOLS_TEST_NO_SUCH_TOKEN}"}})).unwrap();
    let failure = missing.applied(None).unwrap_err();
    assert_eq!(failure.code, Code::ConfigInvalid);
    assert!(failure.error.contains("AGENT_TOOLS_TEST_NO_SUCH_TOKEN"));
    assert!(
        missing
            .advice(None)
            .contains("AGENT_TOOLS_TEST_NO_SUCH_TOKEN")
    );
    let failure = credentials(json!({"auth": {"tokn": "x"}})).unwrap_err();
    assert!(failure.hint.unwrap().contains("token"));
    let none = credentials(json!({})).unwrap();
    assert!(
        none.advice(Some(&security(json!([["token"]]))))
            .contains(r#""auth": {"token": "${TOKEN}"}"#)
    );
}

#[test]
fn what_is_configured_or_steers_the_request_is_no_argument() {
    let reserved = credentials(json!({"headers": {"X-Version": "1"}, "query": {"v": "1"}}))
        .unwrap()
        .reserved();
    for (location, name) in [
        (Location::Header, "x-version"),
        (Location::Header, "Authorization"),
        (Location::Header, "COOKIE"),
        (Location::Header, "Host"),
        (Location::Header, "X-HTTP-Method-Override"),
        (Location::Header, "x-key"),
        (Location::Query, "api_key"),
        (Location::Query, "v"),
        (Location::Cookie, "sid"),
    ] {
        assert!(reserved.holds(location, name), "{name}");
    }
    assert!(!reserved.holds(Location::Header, "X-Trace-Id"));
    assert!(!reserved.holds(Location::Query, "host"));
}

#[test]
fn a_value_with_a_line_break_is_refused_without_being_shown() {
    let failure = credentials(json!({"headers": {"X-Key2": "secret\r\nEvil: 1"}}))
        .unwrap()
        .applied(None)
        .unwrap_err();
    assert!(!failure.error.contains("secret"), "{}", failure.error);
}

#[test]
fn what_a_login_gives_goes_where_its_scheme_is_asked_for() {
    let login = json!({"path": "/login", "token": "/t", "scheme": "token", "body": {"u": "${env:AGENT_TOOLS_TEST_USER}", "p": ["${AGENT_TOOLS_TEST_PASSWORD}"]}});
    let credentials = credentials(json!({"auth": {"key": "k0"}, "login": login.clone()})).unwrap();
    let wants = |names: Value| credentials.wants_login(Some(&security(json!([names]))));
    assert!(wants(json!(["token"])) && wants(json!(["token", "key"])));
    assert!(!wants(json!(["key"])) && !wants(json!([])) && !wants(json!(["oauth"])));
    assert!(credentials.wants_login(None));
    let advice = credentials.advice(Some(&security(json!([["token"]]))));
    let named = "AGENT_TOOLS_TEST_USER and AGENT_TOOLS_TEST_PASSWORD:";
    assert!(advice.contains(named), "{advice}");

    let everywhere = json!({"login": {"path": "/login", "token": "/t", "header": "X-Session"}});
    let everywhere = super::tests::credentials(everywhere).unwrap();
    assert!(everywhere.wants_login(Some(&security(json!([])))));
    assert!(everywhere.reserved().holds(Location::Header, "x-session"));
    for wrong in [
        json!({"auth": {"token": "t"}, "login": login}),
        json!({"login": {"path": "/login", "token": "/t", "scheme": "tokn"}}),
    ] {
        assert!(super::tests::credentials(wrong).is_err());
    }
}
