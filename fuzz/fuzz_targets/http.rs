//! Any bytes as what a client sends to the HTTP transport, requests one behind the other included. Every answer is a whole
//! one, and none is a fault of ours or meant for a page of the web. Without the token, by another name of the host and for a
//! page of another origin nothing is done.

#![no_main]

use std::sync::{Arc, LazyLock};

use agent_tools_runtime::{Runtime, fuzzing, serve::HttpOptions};
use agent_tools_runtime_fuzz::{HttpAnswer, Service, http_answers};
use libfuzzer_sys::fuzz_target;

const TOKEN: &str = "token-of-the-fuzz-target";
/// Each name of this machine, and one of another that is as long, so that the lengths of bodies stay right.
const OTHERS: [(&str, &str); 3] = [
    ("localhost", "evil.host"),
    ("127.0.0.1", "evil.host"),
    ("[::1]", "ev.ix"),
];

struct Fixture {
    service: Arc<Service>,
    runtime: Runtime,
    executor: tokio::runtime::Runtime,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let (service, runtime) = Service::start();
    // Where nothing more can happen, its clock goes on to what is waited for.
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("an executor");
    Fixture {
        service,
        runtime,
        executor,
    }
});

fuzz_target!(|sent: &[u8]| {
    for answer in ask(sent, None) {
        assert!(answer.status < 500, "{answer:?}");
        assert!(!answer.head.contains("\r\naccess-control"), "{answer:?}");
    }
    if find(sent, TOKEN.as_bytes()).is_none() {
        assert_refused(&ask(sent, Some(TOKEN.to_owned())));
    }
    assert_refused(&ask(&by_another_name(sent), None));
    assert_refused(&ask(&of_another_origin(sent), None));
});

fn ask(sent: &[u8], token: Option<String>) -> Vec<HttpAnswer> {
    let options = HttpOptions {
        token,
        metrics: true,
        ..HttpOptions::default()
    };
    FIXTURE.service.take_calls();
    let answers = fuzzing::http_answers(&FIXTURE.runtime, &options, sent);
    let answers = FIXTURE.executor.block_on(answers);
    http_answers(&answers).unwrap_or_else(|what| panic!("{what}"))
}

fn assert_refused(answers: &[HttpAnswer]) {
    let done = |answer: &HttpAnswer| (200..300).contains(&answer.status);
    assert!(!answers.iter().any(done), "{answers:?}");
    assert_eq!(FIXTURE.service.take_calls(), 0);
}

/// The same with another name wherever this machine has one.
fn by_another_name(sent: &[u8]) -> Vec<u8> {
    let mut changed = sent.to_vec();
    for (name, other) in OTHERS {
        while let Some(at) = find(&changed, name.as_bytes()) {
            changed[at..at + name.len()].copy_from_slice(other.as_bytes());
        }
    }
    changed
}

/// The same with another origin before every line that may name the host, without which nothing is served.
fn of_another_origin(sent: &[u8]) -> Vec<u8> {
    let mut changed = Vec::new();
    let mut rest = sent;
    while let Some(at) = find(rest, b"\nhost") {
        changed.extend_from_slice(&rest[..=at]);
        changed.extend_from_slice(b"origin: http://evil.host\r\nhost");
        rest = &rest[at + "\nhost".len()..];
    }
    changed.extend_from_slice(rest);
    changed
}

/// Where `wanted` is, in whatever case.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(wanted.len());
    windows.position(|part| part.eq_ignore_ascii_case(wanted))
}
