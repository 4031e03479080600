use super::*;
use serde_json::json;

fn servers(root: Value, settings: Value, url: Option<&str>) -> Result<Servers, Failure> {
    let url = url.map(|url| Url::parse(url).unwrap());
    let document = Document::parse(root.to_string().as_bytes(), url).unwrap();
    let mut settings = settings;
    settings["document"] = json!("x");
    Servers::read(&document, &serde_json::from_value(settings).unwrap())
}

fn v3(servers: Value) -> Value {
    json!({"openapi": "3.0.0", "paths": {}, "servers": servers})
}

fn base_of(root: Value, settings: Value, url: Option<&str>) -> String {
    servers(root, settings, url).unwrap().base.to_string()
}

#[test]
fn the_base_is_found_in_every_version() {
    let none = json!({});
    assert_eq!(
        base_of(
            v3(
                json!([{"url": "https://{r}.x.test/{v}/", "variables": {"r": {"default": "eu"}, "v": {"default": 2}}}])
            ),
            json!({"serverVariables": {"r": "us"}}),
            None
        ),
        "https://us.x.test/2"
    );
    assert_eq!(
        base_of(
            v3(json!([{"url": "../v1"}])),
            none.clone(),
            Some("https://h.test/docs/api.json")
        ),
        "https://h.test/v1"
    );
    let swagger = json!({"swagger": "2.0", "paths": {}, "host": "s.test", "basePath": "v2", "schemes": ["http", "https"]});
    assert_eq!(base_of(swagger.clone(), none, None), "https://s.test/v2");
    assert_eq!(
        base_of(swagger, json!({"baseUrl": "http://127.0.0.1:9/p"}), None),
        "http://127.0.0.1:9/p"
    );
}

#[test]
fn what_is_missing_is_said() {
    for (root, want) in [
        (v3(json!([])), "no full http"),
        (v3(json!([{"url": "/v1"}])), "no full http"),
        (v3(json!([{"url": "https://{host}/"}])), "variable host"),
        (v3(json!([{"url": "ftp://x.test"}])), "no full http"),
        (
            v3(json!([{"url": "https://u:p@x.test"}])),
            "user or a password",
        ),
    ] {
        let failure = servers(root, json!({}), None).unwrap_err();
        assert_eq!(failure.code, Code::ConfigInvalid);
        assert!(failure.error.contains(want), "{}", failure.error);
    }
}

#[test]
fn a_base_of_a_variable_is_taken_as_people_write_it() {
    let with = |url: &str| {
        let base_url = format!("${{AGENT_TOOLS_TEST_NONE:-{url}}}");
        servers(v3(json!([])), json!({ "baseUrl": base_url }), None)
    };
    for (url, want) in [
        ("https://x.test", "https://x.test/"),
        ("https://x.test/", "https://x.test/"),
        ("https://x.test///", "https://x.test/"),
        (" https://x.test/api// ", "https://x.test/api"),
    ] {
        let servers = with(url).unwrap();
        assert_eq!(servers.base.as_str(), want);
        let path = want.trim_end_matches('/');
        let login = servers.at("/login?x=1").unwrap();
        assert_eq!(login.as_str(), format!("{path}/login?x=1"));
    }
    for wrong in ["", "/api", "x.test/api", "localhost:8090", "http:///"] {
        let failure = with(wrong).unwrap_err();
        assert_eq!(failure.code, Code::ConfigInvalid);
        let named = "`baseUrl` (from the environment variable AGENT_TOOLS_TEST_NONE): ";
        assert!(failure.error.starts_with(named), "{}", failure.error);
    }
    let unset = json!({"baseUrl": "${AGENT_TOOLS_TEST_NONE}"});
    let failure = servers(v3(json!([])), unset, None).unwrap_err();
    assert!(failure.error.contains("AGENT_TOOLS_TEST_NONE is not set"));
    let servers = with("https://x.test").unwrap();
    assert!(servers.at("login").is_err() && servers.at("@evil.test/").is_err());
}

#[test]
fn a_document_from_the_network_does_not_choose_who_gets_credentials() {
    let root = v3(json!([{"url": "https://elsewhere.test"}]));
    let auth = json!({"headers": {"X-Key": "k"}});
    let from = Some("https://docs.test/api.json");
    let failure = servers(root.clone(), auth, from).unwrap_err();
    assert!(failure.hint.unwrap().contains("baseUrl"));
    assert!(servers(root.clone(), json!({}), from).is_ok());
    assert!(
        servers(
            root,
            json!({"headers": {"X-Key": "k"}, "credentialOrigins": ["https://elsewhere.test"]}),
            from
        )
        .is_ok()
    );
}

#[test]
fn another_origin_needs_to_be_allowed() {
    let own = |settings: Value, url: &str| {
        servers(v3(json!([{"url": "https://a.test/v1"}])), settings, None)
            .unwrap()
            .of_operation(Some(&json!({ "url": url })))
            .map(|target| (target.base.to_string(), target.trusted))
    };
    let none = json!({});
    assert_eq!(
        own(none.clone(), "https://a.test/v2").unwrap(),
        ("https://a.test/v2".into(), true)
    );
    assert_eq!(
        own(none.clone(), "/v3").unwrap(),
        ("https://a.test/v3".into(), true)
    );
    let failure = own(none, "https://b.test/v9").unwrap_err();
    assert!(failure.hint.unwrap().contains("allowedOrigins"));
    let allowed = json!({"allowedOrigins": ["https://b.test"]});
    assert_eq!(
        own(allowed, "https://b.test/v9").unwrap(),
        ("https://b.test/v9".into(), false)
    );
    let trusted = json!({"credentialOrigins": ["https://b.test/"]});
    assert_eq!(
        own(trusted, "https://b.test/v9").unwrap(),
        ("https://b.test/v9".into(), true)
    );
    let stands_in = json!({"baseUrl": "http://127.0.0.1:9"});
    assert_eq!(
        own(stands_in, "https://a.test/v2").unwrap(),
        ("http://127.0.0.1:9/v2".into(), true)
    );
}
