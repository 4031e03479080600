//! Trust in what services say about their tools: what was seen first is pinned, what changes waits for a person, and what is
//! suspicious is told.

mod definition;
mod diff;
mod gate;
mod held;
mod imitation;
mod lock_file;
mod pins;
mod scan;
mod session;
mod settings;
mod source;
mod visible;
mod warnings;

pub(crate) use definition::Definition;
pub(crate) use gate::{Gate, Listed};
pub(crate) use imitation::imitations;
pub use settings::{Pinning, ScanLevel, TrustSettings};
pub(crate) use visible::visible;
pub(crate) use warnings::trust_warnings;
