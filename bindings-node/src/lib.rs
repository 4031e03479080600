//! The Node addon: a thin door to the core. JSON text crosses the border, never values.

mod bridge;
mod cancel;
mod error;
mod logging;
mod runtime;
mod tree;
mod validate;
