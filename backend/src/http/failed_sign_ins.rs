//! Lines in the log for sign-ins that have failed, with the address that they came from.
//!
//! What a watcher counts, and what an operator looks at when somebody cannot come in. A stranger
//! can cause them, so there are so many a second and no more, and nothing of the credential is in
//! them. Told by the extractor `Caller` and by the sign-in of the built-in pages.

use std::net::IpAddr;

use checklist_shared::problem::ProblemCode;

use crate::log_budget::LogBudget;

/// How many lines a second.
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
