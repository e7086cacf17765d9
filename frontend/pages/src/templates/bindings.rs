//! Bindings of fields and switches to what they edit in a draft.

use std::sync::Arc;

use checklist_shared::template::{CompletionRule, CountedIn, OnTextChange, RefreshPolicy};
use serde_json::json;

use super::editor::Editor;
use super::errors::row_place;
use crate::draft::{Comparison, Draft, Join, Operator, Row, Texts, ValueType, text_in, write_text};
use crate::duration::{in_words, to_iso};
use crate::kit::*;

impl Editor {
    /// Binds a field to something of the draft.
    pub fn bind<T: Editable>(
        self,
        id: impl Into<String>,
        place: impl Into<String>,
        part: impl Fn(&mut Draft) -> Option<&mut T> + Send + Sync + 'static,
        key: T::Key,
    ) -> Binding {
        let place: String = place.into();
        let (part, own) = (Arc::new(part), place.clone());
        let (get, own_key) = (Arc::clone(&part), key.clone());
        let text = move || {
            self.version.track();
            let mut draft = self.draft.get_untracked();
            get(&mut draft).map_or_else(String::new, |part| part.text(&own_key))
        };
        let set = move |typed: String| {
            self.change(&place, |draft| {
                if let Some(part) = part(draft) {
                    part.set(&key, &typed);
                }
            });
        };
        Binding::new(id, text, set).error(move || self.error_at(&own))
    }

    /// Binds a field to something of a row; `part` ends its id.
    pub fn bind_row<T: Editable>(
        self,
        number: u32,
        id: &str,
        field: &str,
        part: fn(&mut Row) -> &mut T,
        key: T::Key,
    ) -> Binding {
        let id = format!("row-{number}-{id}");
        let place = row_place(number, field);
        self.bind(id, place, move |draft| draft.row_mut(number).map(part), key)
    }

    /// Shows a duration in words, and takes words and ISO 8601. What is neither stays as it was typed,
    /// for the validation to refuse.
    pub fn duration(self, bind: Binding) -> Binding {
        let (tag, text, set) = (self.app.language.tag(), bind.text, bind.set);
        let set = move |(typed,): (String,)| set.run((to_iso(tag, &typed).unwrap_or(typed),));
        Binding {
            text: Signal::derive(move || in_words(tag, &text.get())),
            set: Callback::new(set),
            ..bind
        }
    }

    /// Binds a switch to a truth value of a row.
    pub fn flag(self, number: u32, field: &str, part: fn(&mut Row) -> &mut bool) -> Flag {
        let place = row_place(number, field);
        let set = move |on| {
            self.change(&place, |draft| {
                if let Some(row) = draft.row_mut(number) {
                    *part(row) = on;
                }
            });
        };
        Flag::new(move || self.row(number, |row| *part(&mut row.clone())), set)
    }
}

/// Something of a draft that a field edits as text.
pub trait Editable: 'static {
    /// What of it: the language of a text.
    type Key: Clone + Send + Sync + 'static;
    /// The text.
    fn text(&self, key: &Self::Key) -> String;
    /// Takes what was typed or chosen.
    fn set(&mut self, key: &Self::Key, typed: &str);
}

impl Editable for String {
    type Key = ();

    fn text(&self, (): &()) -> String {
        self.clone()
    }

    fn set(&mut self, (): &(), typed: &str) {
        typed.trim().clone_into(self);
    }
}

impl Editable for Texts {
    type Key = String;

    fn text(&self, tag: &String) -> String {
        text_in(self, tag).to_owned()
    }

    fn set(&mut self, tag: &String, typed: &str) {
        write_text(self, tag, typed);
    }
}

/// What is chosen of a comparison; its value follows.
#[derive(Clone, Copy)]
pub enum ComparisonChoice {
    Operator,
    ValueType,
}

impl Editable for Comparison {
    type Key = ComparisonChoice;

    fn text(&self, choice: &ComparisonChoice) -> String {
        match choice {
            ComparisonChoice::Operator => self.operator.text(&()),
            ComparisonChoice::ValueType => self.value_type.text(&()),
        }
    }

    fn set(&mut self, choice: &ComparisonChoice, chosen: &str) {
        let (mut operator, mut value_type) = (self.operator, self.value_type);
        match choice {
            ComparisonChoice::Operator => {
                operator.set(&(), chosen);
                self.set_operator(operator);
            }
            ComparisonChoice::ValueType => {
                value_type.set(&(), chosen);
                self.set_value_type(value_type);
            }
        }
    }
}

/// Choices, by their names on the wire.
macro_rules! choices {
    ($($choice:ty),*) => {$(
        impl Editable for $choice {
            type Key = ();

            fn text(&self, (): &()) -> String {
                json!(self).as_str().unwrap_or_default().to_owned()
            }

            fn set(&mut self, (): &(), chosen: &str) {
                if let Ok(choice) = serde_json::from_value(chosen.into()) {
                    *self = choice;
                }
            }
        }
    )*};
}
choices!(
    CompletionRule,
    CountedIn,
    RefreshPolicy,
    OnTextChange,
    Join,
    Operator,
    ValueType
);
