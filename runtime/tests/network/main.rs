//! Where requests go that services lead to, and that no credential goes with them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod credentials;
mod inner;
#[path = "../openapi/service.rs"]
#[allow(dead_code)] // Some of it is for the tests beside it.
mod service;
