//! Secrets: which values are known to be one, and how they are kept out of whatever leaves the runtime.
//!
//! Every value that is given to a service as a credential is registered here when it is first used. What leaves the
//! runtime passes one of two filters: [`scrub`] for what stays (logs, errors, the call log, caches), which also takes out
//! whatever has the shape of a token, and [`scrub_known`] for results, where a token that nobody configured is data that
//! the user may have asked for.

mod definition;
pub(crate) mod file;
mod forms;
#[cfg(any(target_os = "macos", windows))]
pub(crate) mod keyring;
mod known;
mod named;
mod scope;
mod scrub;
mod shapes;
mod source;
pub mod store;

pub(crate) use definition::{Definitions, SecretDefinition};
pub use known::remember;
pub(crate) use named::{is_secret_variable, remember_arguments, remember_given};
pub use named::{remember_from_environment, remember_named};
pub(crate) use scope::{OwnSecrets, Scope};
pub(crate) use scrub::scrub_known_in;
pub use scrub::{MASK, scrub, scrub_json, scrub_known};
pub(crate) use source::Source;
