//! A field of a form: its place in the draft, how its value is written as text, and what is said
//! where it is missing or invalid.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;

use super::field::Binding;
use super::form::Form;
use crate::app::App;
use crate::wording::Wording;

/// How a JSON value is written as text. `None` from `parse`: the text is not such a value.
#[derive(Clone, Copy)]
pub struct Conversion {
    /// The text of a value.
    pub format: fn(&Value) -> String,
    /// The value of a text that is not empty.
    pub parse: fn(&str) -> Option<Value>,
}

/// A string without blanks around it.
pub const TEXT: Conversion = Conversion {
    format: |value| value.as_str().unwrap_or_default().to_owned(),
    parse: |text| Some(text.trim().into()),
};

/// A string as it is, such as a password.
pub const VERBATIM: Conversion = Conversion {
    parse: |text| Some(text.into()),
    ..TEXT
};

/// An array of strings, one a line.
pub const LINES: Conversion = Conversion {
    format: |value| {
        let lines = value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        lines.collect::<Vec<_>>().join("\n")
    },
    parse: |text| {
        Some(
            text.lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect(),
        )
    },
};

/// A field of a form, to be bound to a control.
pub struct FormField {
    form: Form,
    pointer: String,
    id: Option<&'static str>,
    empty: Value,
    /// The sentence where it is empty.
    required: Option<&'static str>,
    conversion: Conversion,
    /// Says what is wrong with a value that is not empty.
    check: Option<fn(App, &Value) -> Option<String>>,
    /// Sentences for codes of errors.
    sentences: Vec<(&'static str, &'static str)>,
}

impl Form {
    /// The field at a pointer, to be bound to a control.
    #[must_use]
    pub fn at(self, pointer: impl Into<String>) -> FormField {
        FormField {
            form: self,
            pointer: pointer.into(),
            id: None,
            empty: Value::String(String::new()),
            required: None,
            conversion: TEXT,
            check: None,
            sentences: Vec::new(),
        }
    }
}

impl FormField {
    /// Another id than the form's with the pointer in kebab case.
    #[must_use]
    pub fn id(self, id: &'static str) -> Self {
        Self {
            id: Some(id),
            ..self
        }
    }

    /// Nothing is sent while it is empty.
    #[must_use]
    pub fn required(self) -> Self {
        let sentence = self.form.app.language.frame().fault_required;
        self.required_with(sentence)
    }

    /// The same with a sentence of its own.
    #[must_use]
    pub fn required_with(self, sentence: &'static str) -> Self {
        Self {
            required: Some(sentence),
            ..self
        }
    }

    /// Left empty it is `null`, not an empty string.
    #[must_use]
    pub fn optional(self) -> Self {
        Self {
            empty: Value::Null,
            ..self
        }
    }

    /// Written in another way than as one string.
    #[must_use]
    pub fn converted(self, conversion: Conversion) -> Self {
        Self { conversion, ..self }
    }

    /// Nothing is sent while the check says something.
    #[must_use]
    pub fn checked(self, check: fn(App, &Value) -> Option<String>) -> Self {
        Self {
            check: Some(check),
            ..self
        }
    }

    /// What is said where the text or, to the server, the value is invalid.
    #[must_use]
    pub fn invalid(self, sentence: &'static str) -> Self {
        self.explain("Invalid", sentence)
    }

    /// What is said where the server finds it missing.
    #[must_use]
    pub fn missing(self, sentence: &'static str) -> Self {
        self.explain("Required", sentence)
    }

    fn explain(mut self, code: &'static str, sentence: &'static str) -> Self {
        self.sentences.push((code, sentence));
        self
    }
}

impl From<FormField> for Binding {
    fn from(field: FormField) -> Self {
        let FormField {
            form,
            pointer,
            id,
            empty,
            required,
            conversion,
            check: rule,
            sentences,
        } = field;
        let invalid = sentences.iter().find(|(code, _)| *code == "Invalid");
        let invalid = invalid.map_or("", |(_, sentence)| *sentence);
        let Conversion { format, parse } = conversion;
        let id = id.map_or_else(|| [form.id, &kebab(&pointer)].concat(), str::to_owned);
        // What was typed and is not a value yet is not in the draft.
        let is_misread = RwSignal::new(false);
        let own = pointer.clone();
        let check = move || {
            if is_misread.get() {
                return Some(invalid.to_owned());
            }
            let value = form.value(&own);
            if is_blank(&value) {
                return required.map(str::to_owned);
            }
            rule.and_then(|rule| rule(form.app, &value))
        };
        let error = form.bind_error(pointer.clone(), Arc::new(check), sentences);
        let own = pointer.clone();
        let text = move || {
            form.version.track();
            untrack(|| format(&form.value(&own)))
        };
        let set = move |text: String| {
            let value = if text.trim().is_empty() {
                Some(empty.clone())
            } else {
                parse(&text)
            };
            is_misread.set(value.is_none());
            if let Some(value) = value {
                form.set(&pointer, value);
            }
        };
        Self {
            error: Some(error),
            ..Self::new(id, text, set)
        }
    }
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(members) => members.is_empty(),
        _ => false,
    }
}

/// `/PublicKey` as `-public-key`.
fn kebab(pointer: &str) -> String {
    let mut id = String::new();
    for letter in pointer.chars() {
        if (letter == '/' || letter.is_ascii_uppercase()) && !id.ends_with('-') {
            id.push('-');
        }
        if letter != '/' {
            id.push(letter.to_ascii_lowercase());
        }
    }
    id
}
