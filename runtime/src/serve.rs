//! The runtime behind MCP, over stdio and Streamable HTTP. One handler serves every protocol version.

mod access;
mod body;
mod capacity;
mod changed_lists;
mod client;
mod client_approval;
mod connections;
mod elicitation;
mod handler;
mod http;
mod line_transport;
mod listener;
mod message;
mod metrics;
mod origin;
mod page;
mod skills;
mod standard_streams;
mod stdio;

#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;

pub use http::{HttpOptions, HttpServer, serve_http};
pub use stdio::serve_stdio;
