//! Faults on request: what goes wrong between a site and its callers, one time or many.
//!
//! A request can bring its own (`X-Site-Fault: 429-seconds;seconds=2`), a test or the page can
//! set rules for those to come. `kind` says what each fault does.

mod kind;
pub mod rule;

use std::sync::{Mutex, PoisonError};

pub use kind::Kind;
pub use rule::Rule;

use crate::request::{Answer, Incoming};

/// The header that asks for one.
pub const HEADER: &str = "x-site-fault";

/// A fault that a request was chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: Kind,
    /// How long: until a retry is welcome, or until the connection is dropped.
    pub seconds: u64,
}

impl Fault {
    /// A fault that lasts as long as its kind does by itself.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            seconds: kind.usual_seconds(),
        }
    }

    /// The same for that many seconds.
    #[must_use]
    pub fn lasting(self, seconds: u64) -> Self {
        Self { seconds, ..self }
    }

    /// Reads `429-seconds` or `429-seconds;seconds=2`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let fault = Self::new(Kind::named(parts.next()?)?);
        let seconds = parts.find_map(|part| part.strip_prefix("seconds="));
        match seconds {
            Some(seconds) => Some(fault.lasting(seconds.parse().ok()?)),
            None => Some(fault),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.kind.name().to_owned()
    }

    /// The answer in place of the right one, where nothing is to be done at all.
    #[must_use]
    pub fn answer(&self, incoming: &Incoming) -> Option<Answer> {
        kind::instead(*self, incoming)
    }

    /// The right answer, spoilt.
    #[must_use]
    pub fn spoilt(&self, answer: Answer) -> Answer {
        kind::spoilt(*self, answer)
    }
}

/// The rules in force.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Vec<Rule>>);

impl Faults {
    /// Adds a rule.
    pub fn add(&self, rule: Rule) {
        self.lock().push(rule);
    }

    /// Takes all rules away.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// The rules in force.
    #[must_use]
    pub fn all(&self) -> Vec<Rule> {
        self.lock().clone()
    }

    /// The fault for a request; a rule that is used up is taken away. Parts of a batch have only
    /// such faults as are answers, for they have no connection of their own.
    pub fn take(&self, incoming: &Incoming, in_batch: bool) -> Option<Fault> {
        let fits = |fault: &Fault| !in_batch || fault.kind.is_answer();
        let asked = incoming.header(HEADER).and_then(Fault::read).filter(fits);
        if asked.is_some() {
            return asked;
        }
        let mut rules = self.lock();
        let mut chosen = None;
        for rule in rules.iter_mut() {
            if chosen.is_none() && fits(&rule.fault) && rule.matches(incoming) {
                chosen = rule.use_once();
            }
        }
        rules.retain(|rule| rule.times != Some(0));
        chosen
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Rule>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
