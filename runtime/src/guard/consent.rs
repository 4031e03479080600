//! A change needs consent.

use crate::{
    plugin::Manifest,
    reply::{Code, Failure},
};

/// Whether the caller agreed to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    /// `confirm: true` came with the call.
    Given,
    /// Nothing was said.
    NotGiven,
}

impl From<bool> for Consent {
    fn from(confirmed: bool) -> Self {
        if confirmed {
            Self::Given
        } else {
            Self::NotGiven
        }
    }
}

/// Refuses what may change something and was not agreed to. `retry` is the literal call that agrees.
pub(crate) fn require_consent(
    manifest: &Manifest,
    what: &str,
    read_only: bool,
    consent: Consent,
    retry: &str,
) -> Result<(), Failure> {
    if read_only || !manifest.require_confirm || consent == Consent::Given {
        return Ok(());
    }
    Err(Failure::new(
        Code::ConfirmRequired,
        format!("{what} may change something, and `confirm: true` was not given; nothing was sent"),
    )
    .with_hint(format!(
        "If the user wants this, repeat the same call with confirm at the top level: {retry}"
    )))
}
