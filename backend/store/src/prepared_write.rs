//! A decision on a writing call, serialized for the database.
//!
//! Both stores build one from what a service decides.

use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::write::WriteAnswer;
use serde::Serialize;

use super::audit::{Committed, NewEvent};
use super::store::{Decision, StoreError};
use crate::error::ServiceError;

/// A decision with its serialized parts.
pub(super) struct PreparedWrite {
    pub(super) outcome: Result<Decision, ServiceError>,
    /// The answer or problem for a repeat, as JSON; empty if the operation has no id.
    pub(super) answer: String,
    /// The undo record as JSON; empty if the operation has no id.
    pub(super) undo: String,
    /// The actor; empty if nothing changed.
    pub(super) actor: Committed,
    /// The events; none if nothing changed.
    pub(super) events: Vec<NewEvent>,
}

impl PreparedWrite {
    /// Serializes a decision; `named` if the operation has an id.
    pub(super) fn of(
        outcome: Result<Decision, ServiceError>,
        named: bool,
    ) -> Result<Self, StoreError> {
        let mut made = Self {
            outcome,
            answer: String::new(),
            undo: String::new(),
            actor: Committed::default(),
            events: Vec::new(),
        };
        let save = match &made.outcome {
            Ok(decision) => decision.save.as_ref(),
            Err(_) => None,
        };
        if named {
            let answer: Result<&WriteAnswer, &ServiceError> =
                made.outcome.as_ref().map(|decision| &decision.answer);
            made.answer = json(&answer)?;
            made.undo = match save {
                Some(save) => json(&save.undo)?,
                None => json(&UndoRecord::default())?,
            };
        }
        if let Some(save) = save {
            made.actor = Committed::of(json(&save.actor)?)?;
            made.events = save
                .events
                .iter()
                .map(NewEvent::of)
                .collect::<Result<_, _>>()?;
        }
        Ok(made)
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Broken(error.to_string()))
}
