//! Tokens of a login that are good no more.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::service::{Plugin, Service, json_answer};

/// A service whose login gives `token`, and that refuses its third request with `status`.
async fn service(token: String, status: u16) -> Service {
    Service::start(move |seen, number| match seen.line.as_str() {
        "POST /login/people" => json_answer(200, json!({"token": token})),
        _ if number == 2 => json_answer(status, json!({"message": "who?"})),
        _ => json_answer(200, json!({"ok": true})),
    })
    .await
}

fn plugin(service: &Service, more: Value) -> Plugin {
    let mut login =
        json!({"path": "/login/${AGENT_TOOLS_TEST_NO_SUCH_NAME:-people}", "token": "/token"});
    login
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let paths = json!({"/s": {"post": {"operationId": "s"}}});
    Plugin::new(&service.url, paths, json!({ "login": login }))
}

#[tokio::test]
async fn the_settings_say_which_answers_mean_that() {
    for (status, more, want) in [
        (403, json!({"renewOn": [401, 403]}), json!({"ok": true})),
        (401, json!({}), json!({"ok": true})),
        (403, json!({}), Value::Null),
    ] {
        let service = service("opaque-token".into(), status).await;
        let plugin = plugin(&service, more);
        plugin.call("s", json!({})).await;
        let reply = plugin.call("s", json!({})).await;
        assert_eq!(reply["result"], want, "{status} {reply}");
        let logins = service
            .lines()
            .iter()
            .filter(|line| line.contains("login"))
            .count();
        assert_eq!(logins, if want.is_null() { 1 } else { 2 }, "{status}");
    }
}

#[tokio::test]
async fn one_that_says_that_it_has_ended_is_not_sent() {
    let claims = |exp: u64| URL_SAFE_NO_PAD.encode(json!({ "exp": exp }).to_string());
    for (exp, logins) in [(1, 2), (99_999_999_999, 1)] {
        let service = service(format!("head.{}.signature", claims(exp)), 200).await;
        let plugin = plugin(&service, json!({}));
        plugin.call("s", json!({})).await;
        plugin.call("s", json!({})).await;
        let count = service
            .lines()
            .iter()
            .filter(|line| line.contains("login"))
            .count();
        assert_eq!(count, logins, "{exp}");
    }
}
