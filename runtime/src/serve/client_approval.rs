//! Calls of a client that asks its user before it sends them.

use async_trait::async_trait;

use crate::approval::{Answer, Approver, Question};

/// The yes that came with the call.
pub(super) struct ClientApproval;

#[async_trait]
impl Approver for ClientApproval {
    async fn ask(&self, _question: &Question) -> Answer {
        Answer::ByClient
    }

    /// The client's user said yes to a skill, and has not seen what that calls.
    fn may_interrupt(&self) -> bool {
        false
    }
}
