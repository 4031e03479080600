//! What must hold before a call reaches a service.

mod answers;
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
pub(crate) use consent::{Consent, Consents, Wanted, denied};
pub(crate) use envelope::{Addressee, CallEnvelope, SkillEnvelope, take_plugin};
pub(crate) use idempotency::{add_key, has_key};
pub(crate) use output::output_problem;
pub(crate) use repeats::{Repeats, Seen, fingerprint, refusal};
