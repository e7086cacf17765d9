//! Preconditions of a write to a template or a type, so that nobody overwrites changes that they
//! have not seen.
//!
//! The state of a template is identified by a digest of its newest published version and its draft,
//! the state of a type by a digest of all its fields. The digest is the HTTP entity tag (`ETag`).
//! The store checks it in the transaction that writes.

use checklist_shared::template::Template;
use checklist_shared::wire::admin::{TemplateHistory, Type};
use sha2::{Digest as _, Sha256};

/// The precondition of a write to a template or a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ExpectedState {
    /// No precondition.
    #[default]
    Anything,
    /// It does not exist.
    Nothing,
    /// It exists, in any state.
    Something,
    /// It exists, in one of these states.
    States(Vec<String>),
}

/// Why nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreconditionError {
    /// There is no draft.
    NoDraft,
    /// The precondition failed.
    Stale,
}

impl ExpectedState {
    /// Checks the precondition against the present template.
    ///
    /// # Errors
    /// `Stale`.
    pub fn hold(&self, present: Option<&TemplateHistory>) -> Result<(), PreconditionError> {
        self.hold_state(present, state_of)
    }

    /// Checks the precondition against the present type.
    ///
    /// # Errors
    /// `Stale`.
    pub fn hold_type(&self, present: Option<&Type>) -> Result<(), PreconditionError> {
        self.hold_state(present, state_of_type)
    }

    /// Checks the precondition against a row that exists and cannot be read: its state is unknown.
    ///
    /// # Errors
    /// `Stale`.
    pub const fn hold_unreadable(&self) -> Result<(), PreconditionError> {
        match self {
            Self::Anything | Self::Something => Ok(()),
            Self::Nothing | Self::States(_) => Err(PreconditionError::Stale),
        }
    }

    fn hold_state<T>(
        &self,
        present: Option<&T>,
        state: fn(&T) -> String,
    ) -> Result<(), PreconditionError> {
        let holds = match self {
            Self::Anything => true,
            Self::Nothing => present.is_none(),
            Self::Something => present.is_some(),
            Self::States(states) => present.is_some_and(|present| states.contains(&state(present))),
        };
        if holds {
            Ok(())
        } else {
            Err(PreconditionError::Stale)
        }
    }
}

/// The state of a template, 24 hexadecimal digits.
#[must_use]
pub fn state_of(history: &TemplateHistory) -> String {
    let newest = history.versions.first().map_or(0, |newest| newest.version);
    state(newest, history.draft.as_ref())
}

/// The state of a template right after that version was published.
#[must_use]
pub fn state_of_published(version: u32) -> String {
    state(version, None)
}

fn state(newest: u32, draft: Option<&Template>) -> String {
    let mut digest = Sha256::new_with_prefix(newest.to_be_bytes());
    // Serializing a template cannot fail.
    digest.update(serde_json::to_vec(&draft).unwrap_or_default());
    named_by(digest)
}

/// The state of a type, 24 hexadecimal digits.
#[must_use]
pub fn state_of_type(kind: &Type) -> String {
    named_by(Sha256::new_with_prefix(
        serde_json::to_vec(kind).unwrap_or_default(),
    ))
}

fn named_by(digest: Sha256) -> String {
    let digest = digest.finalize();
    digest[..12]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(name: Option<&str>) -> TemplateHistory {
        let draft = name.map(|name| {
            let draft = serde_json::json!({ "Key": name, "Name": { "en": name }, "Items": [] });
            serde_json::from_value::<Template>(draft).expect("a template")
        });
        TemplateHistory {
            id: "a".to_owned(),
            draft,
            published: None,
            retired_at: None,
            versions: Vec::new(),
        }
    }

    #[test]
    fn a_state_is_that_of_the_content() {
        let (one, other) = (history(Some("one")), history(Some("other")));
        let states = ExpectedState::States(vec![state_of(&one)]);
        assert_eq!(states.hold(Some(&one)), Ok(()));
        for present in [Some(&other), Some(&history(None)), None] {
            assert_eq!(states.hold(present), Err(PreconditionError::Stale));
        }
    }

    #[test]
    fn nothing_and_something_are_told_apart() {
        let one = history(Some("one"));
        assert_eq!(ExpectedState::Nothing.hold(None), Ok(()));
        assert_eq!(
            ExpectedState::Nothing.hold(Some(&one)),
            Err(PreconditionError::Stale)
        );
        assert_eq!(ExpectedState::Something.hold(Some(&one)), Ok(()));
        assert_eq!(
            ExpectedState::Something.hold(None),
            Err(PreconditionError::Stale)
        );
        assert_eq!(ExpectedState::Anything.hold(None), Ok(()));
    }

    #[test]
    fn what_cannot_be_read_is_there_in_a_state_that_nobody_knows() {
        let stale = Err(PreconditionError::Stale);
        assert_eq!(ExpectedState::Anything.hold_unreadable(), Ok(()));
        assert_eq!(ExpectedState::Something.hold_unreadable(), Ok(()));
        assert_eq!(ExpectedState::Nothing.hold_unreadable(), stale);
        let states = ExpectedState::States(vec!["0123".to_owned()]);
        assert_eq!(states.hold_unreadable(), stale);
    }
}
