//! Carries the word that a run is waiting to whoever can do the work: within this program, or to
//! every node of a shared PostgreSQL.
//!
//! The store holds the truth; what is carried here is only "look at this run". A word that is lost
//! costs time and nothing else, because workers also look by themselves. apalis does the carrying
//! (`docs/adr/0010-*`). Made by `cli`, told by `services::workflows`, heard by `workflow::worker`.

mod memory;
mod postgres;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::config::DatabaseUrl;

/// The name of the queue in the database.
const QUEUE: &str = "checklist.runs";

/// The word: there is a run to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Waiting {
    run: String,
}

/// Carries words to workers. Cheap to clone.
#[derive(Clone)]
pub struct Carrier(Arc<Way>);

enum Way {
    Memory(memory::Memory),
    Postgres(Box<postgres::Shared>),
}

impl Carrier {
    /// Within this program: `bell` is rung for every word.
    #[must_use]
    pub fn in_process(bell: Arc<Notify>) -> Self {
        Self(Arc::new(Way::Memory(memory::Memory::start(bell))))
    }

    /// Between the nodes of a database: `bell` is rung for the words that reach this one. Nothing
    /// is set up there before the first word.
    ///
    /// # Errors
    /// The URL cannot be read.
    pub fn shared(url: &DatabaseUrl, bell: Arc<Notify>) -> Result<Self, String> {
        let shared = postgres::Shared::new(url, bell)?;
        Ok(Self(Arc::new(Way::Postgres(Box::new(shared)))))
    }

    /// Listens from now on, where that needs a beginning. Called when there may be work, again
    /// and again.
    pub async fn listen(&self) {
        if let Way::Postgres(shared) = &*self.0 {
            shared.listen().await;
        }
    }

    /// Tells a worker that the run waits. Whoever cannot be told finds it a little later.
    pub async fn tell(&self, run: &str) {
        let word = Waiting {
            run: run.to_owned(),
        };
        match &*self.0 {
            Way::Memory(memory) => memory.tell(word),
            Way::Postgres(shared) => shared.tell(word).await,
        }
        tracing::debug!(run, "a run is waiting");
    }

    /// Lets go of what is held in the database.
    pub async fn close(&self) {
        if let Way::Postgres(shared) = &*self.0 {
            shared.close().await;
        }
    }
}

/// What hearing a word does: somebody looks.
fn heard(bell: &Notify, word: &Waiting) {
    tracing::debug!(run = word.run, "told of a run");
    bell.notify_one();
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_word_within_the_program_rings_the_bell() {
        let bell = Arc::new(Notify::new());
        let carrier = Carrier::in_process(Arc::clone(&bell));
        for run in ["a", "b"] {
            carrier.tell(run).await;
            tokio::time::timeout(Duration::from_secs(10), bell.notified())
                .await
                .expect("the bell rings");
        }
    }
}
