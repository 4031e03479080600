//! What must hold before a call reaches a service.

mod arguments;
mod consent;
mod correction;
mod envelope;
mod idempotency;
mod output;
mod repair;
mod repeats;

pub(crate) use crate::similar::closest;
pub(crate) use arguments::{checked_arguments, nested_in};
pub(crate) use consent::{Consent, require_consent};
pub(crate) use envelope::{CallEnvelope, SkillEnvelope};
pub(crate) use idempotency::{add_key, has_key};
pub(crate) use output::output_problem;
pub(crate) use repeats::{Repeats, Seen, fingerprint, refusal};
