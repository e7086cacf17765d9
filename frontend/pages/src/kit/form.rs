//! Forms bound by JSON pointer: the draft is the JSON that is sent, a field names its place in it,
//! and an error of the server finds its field by the same pointer.
//!
//! An error that no field claims is shown as an alert above the buttons.

use std::sync::Arc;

use checklist_shared::problem::ProblemCode;
use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::field::Flag;
use super::problem::{error_sentence, field_sentence};
use crate::api::{ApiError, FieldError};
use crate::app::{App, use_app};
use crate::dom::focus_first_error;
use crate::wording::Wording;

/// Says what is wrong with a field, if anything.
pub(super) type Check = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// Another sentence for a problem, by its code; with a pointer it is shown at that field.
type Explanation = (ProblemCode, Option<&'static str>, &'static str);

/// A form.
#[derive(Clone, Copy)]
pub struct Form {
    pub(super) app: App,
    pub(super) id: &'static str,
    draft: RwSignal<Value>,
    /// The draft as it was saved last.
    saved: RwSignal<Value>,
    /// Counts when the draft was replaced as a whole, so that the controls follow.
    pub(super) version: RwSignal<u32>,
    /// Whether somebody has tried to submit it: before that nothing missing is marked.
    is_submitted: RwSignal<bool>,
    /// What the server says about fields.
    errors: RwSignal<Vec<FieldError>>,
    /// What is wrong with the form as a whole.
    pub alert: RwSignal<Option<String>>,
    /// Whether it is being sent.
    pub busy: RwSignal<bool>,
    fields: StoredValue<Vec<(String, Check)>>,
    explanations: StoredValue<Vec<Explanation>>,
}

impl Form {
    /// A form with this draft; ids of controls start with `id`.
    #[must_use]
    pub fn new(id: &'static str, draft: &impl Serialize) -> Self {
        let draft = serde_json::to_value(draft).unwrap_or_default();
        Self {
            app: use_app(),
            id,
            saved: RwSignal::new(draft.clone()),
            draft: RwSignal::new(draft),
            version: RwSignal::new(0),
            is_submitted: RwSignal::new(false),
            errors: RwSignal::new(Vec::new()),
            alert: RwSignal::new(None),
            busy: RwSignal::new(false),
            fields: StoredValue::new(Vec::new()),
            explanations: StoredValue::new(Vec::new()),
        }
    }

    /// Says a problem with that code in other words.
    #[must_use]
    pub fn explain(self, code: ProblemCode, sentence: &'static str) -> Self {
        self.explanations
            .update_value(|own| own.push((code, None, sentence)));
        self
    }

    /// Says a problem with that code in other words, at a field.
    #[must_use]
    pub fn explain_at(
        self,
        code: ProblemCode,
        pointer: &'static str,
        sentence: &'static str,
    ) -> Self {
        self.explanations
            .update_value(|own| own.push((code, Some(pointer), sentence)));
        self
    }

    /// The truth value at a pointer.
    #[must_use]
    pub fn flag(self, pointer: &'static str) -> Flag {
        let is_on = move || {
            self.draft
                .with(|draft| draft.pointer(pointer) == Some(&Value::Bool(true)))
        };
        Flag::new(is_on, move |on| self.set(pointer, Value::Bool(on)))
    }

    /// Whether a string is in the array at a pointer.
    #[must_use]
    pub fn contains(self, pointer: &'static str, member: &str) -> Flag {
        let member = Value::from(member);
        let own = member.clone();
        let is_on = move || {
            self.value(pointer)
                .as_array()
                .is_some_and(|all| all.contains(&own))
        };
        let set = move |on| {
            let mut members = untrack(|| self.value(pointer))
                .as_array()
                .cloned()
                .unwrap_or_default();
            members.retain(|one| *one != member);
            if on {
                members.push(member.clone());
            }
            self.set(pointer, Value::Array(members));
        };
        Flag::new(is_on, set)
    }

    /// The value at a pointer; null where there is none. Tracked.
    #[must_use]
    pub fn value(self, pointer: &str) -> Value {
        self.draft
            .with(|draft| draft.pointer(pointer).cloned().unwrap_or_default())
    }

    /// Writes the value at a pointer.
    pub fn set(self, pointer: &str, value: Value) {
        self.draft.update(|draft| write(draft, pointer, value));
    }

    /// The draft as a typed value, as far as it is one. Tracked.
    #[must_use]
    pub fn read<T: DeserializeOwned>(self) -> Option<T> {
        self.draft
            .with(|draft| serde_json::from_value(draft.clone()).ok())
    }

    /// Replaces the draft: it is what the server has now. The controls follow.
    pub fn reset(self, draft: &impl Serialize) {
        let draft = serde_json::to_value(draft).unwrap_or_default();
        self.saved.set(draft.clone());
        self.draft.set(draft);
        self.is_submitted.set(false);
        self.errors.set(Vec::new());
        self.alert.set(None);
        self.version.update(|version| *version += 1);
    }

    /// Whether something is not saved. Tracked.
    #[must_use]
    pub fn is_changed(self) -> bool {
        self.draft
            .with(|draft| self.saved.with(|saved| draft != saved))
    }

    /// Nobody leaves the page without being asked while something is not saved.
    #[must_use]
    pub fn guarded(self) -> Self {
        Effect::new(move |_| self.app.unsaved.set(self.is_changed()));
        self
    }

    /// An error at a pointer: what a check of the page says once it was submitted, or the server.
    /// Registers the check, so that nothing is sent while it fails.
    pub fn error_at(
        self,
        pointer: impl Into<String>,
        check: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> Signal<Option<String>> {
        self.bind_error(pointer.into(), Arc::new(check), Vec::new())
    }

    pub(super) fn bind_error(
        self,
        pointer: String,
        check: Check,
        sentences: Vec<(&'static str, &'static str)>,
    ) -> Signal<Option<String>> {
        self.fields
            .update_value(|fields| fields.push((pointer.clone(), Arc::clone(&check))));
        let own = Arc::clone(&check);
        on_cleanup(move || {
            self.fields
                .try_update_value(|fields| fields.retain(|(_, check)| !Arc::ptr_eq(check, &own)));
        });
        Signal::derive(move || {
            let own = if self.is_submitted.get() {
                check()
            } else {
                None
            };
            own.or_else(|| {
                self.errors.with(|errors| {
                    let error = errors
                        .iter()
                        .find(|error| is_at(&error.pointer, &pointer))?;
                    let own = sentences.iter().find(|(code, _)| *code == error.code);
                    Some(match own {
                        Some((_, sentence)) => (*sentence).to_owned(),
                        None => field_sentence(self.app, error),
                    })
                })
            })
        })
    }

    /// Sends the draft if no check fails. The answer goes to `done`; an error goes to the fields.
    pub fn submit<T, R>(self, request: impl FnOnce(Value) -> R, done: impl FnOnce(T) + 'static)
    where
        T: 'static,
        R: Future<Output = Result<T, ApiError>> + 'static,
    {
        if self.busy.get_untracked() || !self.is_valid() {
            return;
        }
        let request = request(self.draft.get_untracked());
        self.app
            .send_once(self.busy, request, move |answer| match answer {
                Ok(answer) => done(answer),
                Err(error) => self.show_error(&error),
            });
    }

    /// Whether no check fails; from now on what is missing is marked.
    pub fn is_valid(self) -> bool {
        self.is_submitted.set(true);
        self.errors.set(Vec::new());
        self.alert.set(None);
        let checks = self.fields.get_value();
        let is_valid = untrack(|| checks.iter().all(|(_, check)| check().is_none()));
        if !is_valid {
            focus_first_error();
        }
        is_valid
    }

    /// Shows why it was not saved: at the fields as far as there are any, else as an alert.
    pub fn show_error(self, error: &ApiError) {
        let mut errors = error.errors.clone();
        let explanations = self.explanations.get_value();
        let mut explained = explanations.iter().filter(|(code, ..)| error.is(*code));
        let sentence = match explained.next() {
            Some((code, Some(pointer), sentence)) => {
                errors.push(FieldError {
                    pointer: (*pointer).to_owned(),
                    code: code.name().to_owned(),
                    detail: (*sentence).to_owned(),
                    phrase: None,
                });
                self.app.language.frame().failed_fields.to_owned()
            }
            Some((_, None, sentence)) => (*sentence).to_owned(),
            None => error_sentence(self.app, error),
        };
        let has_field = |error: &&FieldError| {
            self.fields.with_value(|fields| {
                fields
                    .iter()
                    .any(|(pointer, _)| is_at(&error.pointer, pointer))
            })
        };
        let unplaced = errors.iter().filter(|error| !has_field(error));
        let unplaced: Vec<String> = unplaced
            .map(|error| field_sentence(self.app, error))
            .collect();
        self.alert.set(Some(if unplaced.is_empty() {
            sentence
        } else {
            unplaced.join(" ")
        }));
        self.errors.set(errors);
        focus_first_error();
    }
}

/// Whether an error is about a field: about its value, or about something inside.
fn is_at(error: &str, field: &str) -> bool {
    error
        .strip_prefix(field)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Writes a value at a pointer into objects, which come into being where they are missing.
fn write(mut place: &mut Value, pointer: &str, value: Value) {
    for token in pointer.split('/').skip(1) {
        if !place.is_array() && !place.is_object() {
            *place = Value::Object(serde_json::Map::new());
        }
        place = match place {
            Value::Array(members) => {
                let member = token
                    .parse()
                    .ok()
                    .and_then(|index: usize| members.get_mut(index));
                let Some(member) = member else { return };
                member
            }
            object => &mut object[token.replace("~1", "/").replace("~0", "~")],
        };
    }
    *place = value;
}
