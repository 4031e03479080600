//! What must hold before a call reaches a service.

mod arguments;
mod consent;
mod correction;
mod envelope;
mod idempotency;
mod output;
mod repair;
mod repeats;
mod similar;

pub(crate) use arguments::{checked_arguments, nested_in};
pub(crate) use consent::{Consent, require_consent};
pub(crate) use envelope::{CallEnvelope, SkillEnvelope};
pub(crate) use idempotency::{add_key, has_key};
pub(crate) use output::output_problem;
pub(crate) use repeats::{Repeats, Seen, fingerprint, refusal};
pub(crate) use similar::closest;
