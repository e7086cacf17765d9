//! What a writer of a template has seen of it, so that nobody overwrites what they have not.
//!
//! The state of a template is named by a digest of its newest published version and its draft: it
//! travels as an HTTP entity tag, and is looked at in the transaction that writes. Called by
//! `services::template` and by both stores.

use checklist_shared::template::Template;
use checklist_shared::wire::admin::TemplateHistory;
use sha2::{Digest as _, Sha256};

/// What is expected to be there before a template is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// Whatever there is.
    #[default]
    Anything,
    /// No template of that id.
    Nothing,
    /// Some template of that id.
    Something,
    /// The template in one of these states.
    States(Vec<String>),
}

/// Why a template was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// There is no draft.
    NoDraft,
    /// It is not as expected.
    Stale,
}

impl Expected {
    /// Whether what is there is what was expected.
    ///
    /// # Errors
    /// `Stale`.
    pub fn hold(&self, present: Option<&TemplateHistory>) -> Result<(), NotWritten> {
        let holds = match self {
            Self::Anything => true,
            Self::Nothing => present.is_none(),
            Self::Something => present.is_some(),
            Self::States(states) => {
                present.is_some_and(|present| states.contains(&state_of(present)))
            }
        };
        if holds {
            Ok(())
        } else {
            Err(NotWritten::Stale)
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
    // A record of ours always becomes JSON.
    digest.update(serde_json::to_vec(&draft).unwrap_or_default());
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
            versions: Vec::new(),
        }
    }

    #[test]
    fn a_state_is_that_of_the_content() {
        let (one, other) = (history(Some("one")), history(Some("other")));
        let states = Expected::States(vec![state_of(&one)]);
        assert_eq!(states.hold(Some(&one)), Ok(()));
        for present in [Some(&other), Some(&history(None)), None] {
            assert_eq!(states.hold(present), Err(NotWritten::Stale));
        }
    }

    #[test]
    fn nothing_and_something_are_told_apart() {
        let one = history(Some("one"));
        assert_eq!(Expected::Nothing.hold(None), Ok(()));
        assert_eq!(Expected::Nothing.hold(Some(&one)), Err(NotWritten::Stale));
        assert_eq!(Expected::Something.hold(Some(&one)), Ok(()));
        assert_eq!(Expected::Something.hold(None), Err(NotWritten::Stale));
        assert_eq!(Expected::Anything.hold(None), Ok(()));
    }
}
