//! Requests to services: the one place where HTTP clients are made, and where they may go.
//!
//! What the user has configured is asked wherever it is. What a service or a document names, a redirect or the address of an
//! authorization server, must be in the public internet, so that no service can use this machine to reach what only this
//! machine can reach (server-side request forgery). `network.allow` in the user's `agent-tools.json` names exceptions.

mod address;
mod addresses;
mod allowed;
mod client;
mod guard;
mod name;

pub(crate) use addresses::tried;
pub use allowed::{AllowedHost, NetworkSettings};
pub(crate) use client::{HttpClient, Network, Trusted};
pub(crate) use guard::Refused;
