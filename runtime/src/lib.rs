//! One core that gives any agent thousands of tools for the context cost of three.
//!
//! [`Runtime`] is the one entry: open it, list the tools of a [`View`], call one. [`serve`] puts the same runtime behind
//! MCP, over stdio and Streamable HTTP. The crate knows nothing of Node, Pi or eve.
//!
//! ```
//! use agent_tools_runtime::{Options, Runtime, View};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let runtime = Runtime::open(Options::default(), None);
//! let tools = runtime.tools(&View::default()).await.unwrap();
//! assert_eq!(tools[0]["name"], "agent_tools_help");
//! runtime.close().await;
//! # }
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod adapter;
pub mod agent_skills;
pub mod approval;
pub mod audit;
pub mod catalog;
mod checksum;
pub mod config;
mod facade;
pub mod fault;
mod folders;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod lines;
mod network;
mod placeholder;
pub mod plugin;
pub mod policy;
mod private_file;
mod private_folder;
mod random;
mod redacted;
pub mod reply;
mod request;
mod runtime;
pub mod schemas;
pub mod secrets;
pub mod serve;
mod similar;
mod skill;
mod text_file;
mod tokens;
pub mod trust;
mod usage;
mod validate;
mod view;

pub use audit::AuditSettings;
pub use config::Options;
pub use facade::SearchOptions;
pub use network::{AllowedHost, NetworkSettings};
pub use reply::{Code, Failure, Reply};
pub use request::Call;
pub use runtime::Runtime;
pub use validate::{Problem, validate};
pub use view::{View, ViewKind};
