//! What holds for every call and every result, whatever a model or a service makes up.
//!
//! `PROPTEST_CASES=5000 cargo test -p agent-tools-runtime --test properties` looks harder.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod arguments;
mod call;
mod dice;
mod json;
mod reading;
mod results;
mod schema;
mod service;
mod upstream;

use proptest::test_runner::Config;

/// So many cases, or as many as `PROPTEST_CASES` says.
fn cases(default: u32) -> Config {
    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = default;
    }
    config
}
