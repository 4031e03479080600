//! OpenAPI documents as plugins: from the call of a model to the bytes on the wire and back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "openapi/answers.rs"]
mod answers;
#[path = "openapi/bodies.rs"]
mod bodies;
#[path = "openapi/documents.rs"]
mod documents;
#[path = "openapi/login.rs"]
mod login;
#[path = "openapi/renewal.rs"]
mod renewal;
#[path = "openapi/requests.rs"]
mod requests;
#[path = "openapi/service.rs"]
mod service;
#[path = "openapi/shaped.rs"]
mod shaped;
#[path = "openapi/trust.rs"]
mod trust;
