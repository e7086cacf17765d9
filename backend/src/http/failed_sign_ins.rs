//! Logs failed sign-ins with the client's address, for monitoring and for support.
//!
//! Unauthenticated clients can cause these lines, so their rate is limited. Invariant: they contain
//! nothing of the credential.

use std::net::IpAddr;

use checklist_shared::problem::ProblemCode;

use checklist_runtime::log_budget::LogBudget;

/// The maximum number of lines per second.
const EACH_SECOND: u32 = 10;

/// Tells of failed sign-ins.
pub struct FailedSignIns(LogBudget);

impl Default for FailedSignIns {
    fn default() -> Self {
        Self(LogBudget::new(EACH_SECOND))
    }
}

impl FailedSignIns {
    /// One has failed. Tokens end all the time and the store may be busy: that is no failure.
    pub fn tell(&self, address: Option<IpAddr>, code: ProblemCode, reason: &str) {
        if !matches!(
            code,
            ProblemCode::Unauthenticated | ProblemCode::OriginRefused
        ) {
            return;
        }
        if let Some(left_out) = self.0.take() {
            let address = address.map(tracing::field::display);
            tracing::warn!(address, ?code, reason, left_out, "a sign-in has failed");
        }
    }
}
