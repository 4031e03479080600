//! OAuth 2.1 as MCP wants it ("Authorization"): a user's login in the browser, and the login of a program itself.
//!
//! It is written here over the HTTP client: the protocol crate's own logs codes, keeps no client secret and revokes nothing.
//! Rules that hold for every request: https or this machine, no redirect, bounded answers, no secret in any message.

mod challenge;
mod client;
mod client_credentials;
mod discovery;
mod exchange;
mod login;
mod pkce;
mod reach;
mod record;
mod redirect;
mod refusal;
mod store;
mod token;

pub(super) use client_credentials::ClientCredentials;
pub use login::{AuthState, ShowUrl};
pub(super) use login::{Login, no_login};

/// Fields as `application/x-www-form-urlencoded`.
fn form(fields: &[(&str, &str)]) -> String {
    // The URL parser's own encoder; the address is never used.
    let Ok(mut url) = reqwest::Url::parse("http://form/") else {
        return String::new();
    };
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}
