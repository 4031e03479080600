//! The Node addon: a thin door to the core. JSON text crosses the border, never values.

mod audit;
mod bridge;
mod cancel;
mod error;
mod logging;
mod runtime;
mod secrets;
mod tree;
mod validate;

use agent_tools_runtime::{fault::scrub_panics, secrets::remember_from_environment};

/// Before anything else is done here that could show something.
#[napi_derive::module_init]
fn init() {
    scrub_panics();
    remember_from_environment();
}
