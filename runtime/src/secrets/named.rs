//! Values that are secrets by the name that they are configured under.

use std::collections::BTreeSet;

use base64::{Engine, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;
use reqwest::Url;
use serde_json::Value;

use super::{known::remember, shapes::without_tokens};

/// Words of names that hold a secret. `tokens` is none: it is a count.
const WORDS: &[&str] = &[
    "apikey",
    "auth",
    "authorization",
    "authtoken",
    "accesstoken",
    "bearer",
    "clientsecret",
    "cookie",
    "credential",
    "credentials",
    "dsn",
    "jwt",
    "key",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "pat",
    "privatekey",
    "pwd",
    "secret",
    "secretkey",
    "session",
    "sessionid",
    "sig",
    "signature",
    "token",
];

/// Registers the value of a variable, a header or a parameter, where its name says that it is a secret, and whatever the
/// name: users and passwords of addresses, and parts that have such a name of their own (`password=x`, `{"apiKey": "x"}`).
/// Values that cannot be told from ordinary text are not: a word of letters shorter than 8, a number shorter than 8, a path.
pub fn remember_named(name: &str, value: &str) {
    let value = value.trim();
    remember_parts(value);
    if says_secret(name) && !is_address(value) && is_distinct(value) {
        remember(value);
        // `Bearer x` and `session=x` are quoted without their beginning too.
        for part in value.split([' ', ';']) {
            let part =
                part.split_once('=')
                    .map_or(part, |(_, value)| match value.trim_matches('=') {
                        // The padding of base64.
                        "" => part,
                        _ => value,
                    });
            if is_distinct(part) {
                remember(part);
            }
        }
    }
}

/// As [`remember_named`], of a value that a configuration gives to a service: also where it looks random, as nobody writes
/// that who means no secret.
pub(crate) fn remember_given(name: &str, value: &str) {
    remember_named(name, value);
    let value = value.trim();
    if is_random(value) && !is_address(value) && is_distinct(value) {
        remember(value);
    }
}

/// Registers what follows an option whose name says that it is a secret: `--token x`, `--api-key=x`.
pub(crate) fn remember_arguments(arguments: &[String]) {
    let mut option: Option<&str> = None;
    for argument in arguments {
        let named = argument
            .starts_with('-')
            .then(|| argument.trim_start_matches('-'));
        match named.map(|named| named.split_once('=')) {
            Some(Some((name, value))) => remember_given(name, value),
            None => remember_given(option.unwrap_or_default(), argument),
            Some(None) => {}
        }
        // What follows `--api-key=x` is no value of it.
        option = named.filter(|named| !named.contains('='));
    }
}

/// Registers what the environment of this process holds under names that say that it is a secret.
pub fn remember_from_environment() {
    for (name, value) in std::env::vars_os() {
        if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
            remember_named(&name, &value);
        }
    }
}

/// What stands in a value under a name of its own: in JSON, a query, a connection string, an address.
fn remember_parts(value: &str) {
    if let Ok(json @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(value) {
        return remember_fields("", &json);
    }
    for piece in value.split_whitespace() {
        remember_user_of(piece);
    }
    for pair in value.split([' ', ';', '&', '?', ',']) {
        let Some((name, value)) = pair.split_once('=') else {
            continue;
        };
        let value = value.trim_matches(['"', '\'']);
        if says_secret(name) && is_distinct(value) {
            remember(value);
            remember(&decoded(value));
        }
    }
}

fn remember_fields(name: &str, value: &Value) {
    match value {
        Value::String(text) => remember_named(name, text),
        Value::Array(items) => items.iter().for_each(|item| remember_fields(name, item)),
        Value::Object(fields) => {
            for (name, value) in fields {
                remember_fields(name, value);
            }
        }
        _ => {}
    }
}

/// The password of an address, and its user where that is a token: `https://u:p@h`, `https://token@h`, also of several hosts.
fn remember_user_of(address: &str) {
    let Some((_, rest)) = address.split_once("://") else {
        return;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((credentials, _)) = authority.rsplit_once('@') else {
        return;
    };
    let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    let (user, password) = (decoded(user), decoded(password));
    let is_name = user.len() < 20 && !user.bytes().any(|byte| byte.is_ascii_digit());
    if is_random(&user) || password.is_empty() && !is_name && is_distinct(&user) {
        remember(&user);
    }
    if !password.is_empty() {
        remember(&password);
        // As HTTP sends it, should it be short.
        remember(&STANDARD.encode(format!("{user}:{password}")));
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn is_address(value: &str) -> bool {
    Url::parse(value).is_ok_and(|url| url.has_host())
}

/// Whether a variable of this process is to be taken for a secret: its name says so, or what it holds looks like a token or
/// has a password in it.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    let holds_secret = |value: String| without_tokens(&value) != value;
    says_secret(name) || std::env::var(name).is_ok_and(holds_secret)
}

/// Whether one of the words of a name is one of a secret: `GITHUB_TOKEN`, `X-Api-Key`, `apiKey`.
pub(super) fn says_secret(name: &str) -> bool {
    words(name).any(|word| WORDS.contains(&word.as_str()))
}

fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for character in name.chars() {
        let begins = character.is_uppercase() && before.is_lowercase();
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words.into_iter()
}

/// Whether a value is unlike what stands in ordinary texts.
fn is_distinct(value: &str) -> bool {
    let is_short = value.len() < 8;
    let is_word = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let is_path = value.starts_with(['/', '~', '.']) && value.matches('/').count() > 1
        || value.get(1..3) == Some(":\\");
    !(is_short && (is_word || is_number) || is_path)
}

/// Whether letters and digits are mixed in it as no name or number has them. A UUID is none: it may be anything's id.
fn is_random(value: &str) -> bool {
    let runs = value.split(|c: char| !c.is_ascii_alphanumeric());
    runs.filter(|run| run.len() >= 16).any(|run| {
        let digits: Vec<bool> = run.bytes().map(|byte| byte.is_ascii_digit()).collect();
        let changes = digits.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let letters: BTreeSet<u8> = run.bytes().collect();
        changes >= 4 && letters.len() >= 8
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::scrub_known;

    #[test]
    fn names_say_what_is_secret() {
        for name in [
            "GITHUB_TOKEN",
            "X-Api-Key",
            "apiKey",
            "Authorization",
            "DB_PASSWORD",
            "clientSecret",
            "Cookie",
            "APIKEY",
        ] {
            assert!(says_secret(name), "{name}");
        }
        for name in [
            "MAX_TOKENS",
            "Accept",
            "KEYBOARD",
            "PATH",
            "monkey",
            "AUTHOR",
        ] {
            assert!(!says_secret(name), "{name}");
        }
    }

    #[test]
    fn only_what_is_unlike_ordinary_text_is_looked_for() {
        for (name, value, text, want) in [
            ("A_TOKEN", "named-1a", "x named-1a", "x <redacted>"),
            (
                "Authorization",
                "Bearer named-2a",
                "x named-2a",
                "x <redacted>",
            ),
            (
                "Cookie",
                "sid=named-3a; b=c",
                "x named-3a b",
                "x <redacted> b",
            ),
            ("AUTH_MODE", "default", "by default", "by default"),
            ("KEY_ID", "123457", "123457", "123457"),
            (
                "KEY_FILE",
                "/home/me/named.json",
                "/home/me/named.json",
                "/home/me/named.json",
            ),
            ("PLAIN", "named-4a", "named-4a", "named-4a"),
            (
                "DATABASE_URL",
                "postgres://u:named-5%2Fa@h/d",
                "named-5/a",
                "<redacted>",
            ),
            (
                "TOKEN_URL",
                "https://named.example/token",
                "https://named.example/token",
                "https://named.example/token",
            ),
        ] {
            remember_named(name, value);
            assert_eq!(scrub_known(text), want, "{name}");
        }
    }

    #[test]
    fn parts_with_a_name_of_their_own_are_found_under_any_name() {
        for (value, text, want) in [
            (
                "Server=named;Password='named-7a';",
                "x named-7a",
                "x <redacted>",
            ),
            (
                "jdbc:pg://h/d?user=u&password=named-8%2Fa",
                "named-8/a",
                "<redacted>",
            ),
            (
                r#"{"a":[{"apiKey":"named-9a"}],"b":"named-9b"}"#,
                "named-9a named-9b",
                "<redacted> named-9b",
            ),
            (
                "mongodb://u:named-10a@h1:1,h2:2/d",
                "named-10a",
                "<redacted>",
            ),
            ("--db postgres://u:named-11a@h/d", "named-11a", "<redacted>"),
            ("https://named-12a:@h/", "named-12a", "<redacted>"),
            ("https://named-13a@h/", "named-13a", "<redacted>"),
            ("postgres://postgres@h/", "postgres", "postgres"),
            ("https://u:p14@h/", "Basic dTpwMTQ=", "Basic <redacted>"),
            ("https://h/?sig=named-15a", "named-15a", "<redacted>"),
        ] {
            remember_named("ANY", value);
            assert_eq!(scrub_known(text), want, "{value}");
        }
    }

    #[test]
    fn what_is_given_to_a_service_and_looks_random_is_a_secret_under_any_name() {
        for (value, is_secret) in [
            ("8f14e45fceea167a5a36dedd4bea2543", true),
            ("named-q7Xw2Lk9Pz4Vb8Nc1-x", true),
            ("550e8400-e29b-41d4-a716-446655440000", false),
            ("my-project-1234567890123456", false),
            ("20260102T030405Z", false),
            ("named-production-eu-west-1", false),
            ("/var/8f14e45fceea167a5a36dedd4bea2544/x", false),
        ] {
            remember_given("X-Any", value);
            assert_eq!(scrub_known(value) == "<redacted>", is_secret, "{value}");
        }
    }

    #[test]
    fn what_follows_an_option_with_its_value_is_no_secret() {
        let arguments = ["--api-key=named-6a", "named-6b", "--token", "named-6c"];
        remember_arguments(&arguments.map(str::to_owned));
        assert_eq!(
            scrub_known("named-6a named-6b named-6c"),
            "<redacted> named-6b <redacted>"
        );
    }
}
