//! A rule: which of the coming requests a fault is made of.
//!
//! Built by tests in one line, and by the page from its form.

use super::{Fault, Kind};
use crate::request::Incoming;
use crate::rest::write::verb;

/// A fault, and whom it meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub fault: Fault,
    /// Only requests that want this done: `GET`, `POST`, `MERGE`, `PATCH`, `DELETE`.
    pub method: Option<String>,
    /// Only requests whose path and query hold this.
    pub contains: Option<String>,
    /// How many of those are let through first.
    pub skip: u32,
    /// How many are met; none means all that come.
    pub times: Option<u32>,
}

impl Rule {
    /// A fault for the next request.
    #[must_use]
    pub fn once(kind: Kind) -> Self {
        Self {
            fault: Fault::new(kind),
            method: None,
            contains: None,
            skip: 0,
            times: Some(1),
        }
    }

    /// The same for requests that want this done.
    #[must_use]
    pub fn of_method(mut self, method: &str) -> Self {
        self.method = Some(method.to_ascii_uppercase());
        self
    }

    /// The same for requests whose path and query hold this, in whatever case.
    #[must_use]
    pub fn containing(mut self, text: &str) -> Self {
        self.contains = Some(text.to_lowercase());
        self
    }

    /// The same, after so many were let through.
    #[must_use]
    pub fn after(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }

    /// The same for so many requests.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// The same for as long as nobody takes it away.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.times = None;
        self
    }

    /// The same, lasting so many seconds.
    #[must_use]
    pub fn lasting(mut self, seconds: u64) -> Self {
        self.fault = self.fault.lasting(seconds);
        self
    }

    /// Whether a request is one of those meant. Those for the page of faults never are.
    #[must_use]
    pub fn matches(&self, incoming: &Incoming) -> bool {
        let target = incoming.target().to_lowercase();
        let ours = target == "/" || target.starts_with("/faults") || target.starts_with("/lists/");
        let method = self.method.as_deref();
        !ours
            && method.is_none_or(|method| verb(incoming).as_str() == method)
            && self
                .contains
                .as_deref()
                .is_none_or(|text| target.contains(text))
    }

    /// Counts a request that is meant; the fault, when it is its turn.
    pub(super) fn use_once(&mut self) -> Option<Fault> {
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        if let Some(times) = &mut self.times {
            *times = times.saturating_sub(1);
        }
        Some(self.fault)
    }
}
