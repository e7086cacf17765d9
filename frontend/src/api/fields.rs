//! What the browser has parsed, field by field.
//!
//! Each kind of value is fetched by one function that is never inlined: answers have many fields,
//! and each costs the download no more than its name. Called by `read`, `saved` and whoever reads
//! an object of the page.

use checklist_shared::item::{Actor, ActorKind, ActorSource, Kind, Status};
use checklist_shared::patch::Patch;
use checklist_shared::template::CompletionRule;
use checklist_shared::{Due, ItemId, Timestamp};
use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::browser;

/// A parsed object.
#[derive(Clone, Debug)]
pub struct Fields(JsValue);

impl Fields {
    /// The fields of a value; one that is no object has none.
    #[must_use]
    pub fn of(value: &JsValue) -> Self {
        Self(value.clone())
    }

    /// A value of any kind.
    #[must_use]
    pub fn get(&self, name: &str) -> JsValue {
        if self.0.is_object() {
            Reflect::get(&self.0, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
        } else {
            JsValue::UNDEFINED
        }
    }

    /// A text.
    #[must_use]
    #[inline(never)]
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).as_string()
    }

    /// A text, empty where there is none.
    #[must_use]
    #[inline(never)]
    pub fn said(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    /// Which of some words a text is.
    #[must_use]
    #[inline(never)]
    pub fn word(&self, name: &str, words: &[&str]) -> Option<usize> {
        let text = self.text(name)?;
        words.iter().position(|word| *word == text)
    }

    /// A number.
    #[must_use]
    #[inline(never)]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).as_f64()
    }

    /// A number that counts something; nothing where there is none.
    #[must_use]
    #[inline(never)]
    pub fn count(&self, name: &str) -> u32 {
        self.number(name).unwrap_or(0.0) as u32
    }

    /// Whether it says `true`.
    #[must_use]
    #[inline(never)]
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).as_bool().unwrap_or(false)
    }

    /// An object inside.
    #[must_use]
    pub fn fields(&self, name: &str) -> Option<Self> {
        let value = self.get(name);
        value.is_object().then_some(Self(value))
    }

    /// The entries of an array.
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<JsValue> {
        self.get(name)
            .dyn_into::<Array>()
            .map(|array| array.iter().collect())
            .unwrap_or_default()
    }

    /// The id of an item.
    #[must_use]
    #[inline(never)]
    pub fn id(&self, name: &str) -> Option<ItemId> {
        self.text(name)?.parse().ok()
    }

    /// A point in time.
    #[must_use]
    #[inline(never)]
    pub fn time(&self, name: &str) -> Option<Timestamp> {
        browser::parse_time(&self.text(name)?)
    }

    /// A due date: a moment, or a day.
    #[must_use]
    #[inline(never)]
    pub fn due(&self, name: &str) -> Option<Due> {
        browser::parse_due(&self.text(name)?)
    }

    /// Somebody.
    #[must_use]
    pub fn actor(&self, name: &str) -> Option<Actor> {
        let actor = self.fields(name)?;
        let kind = match actor.word("Kind", &["Automation", "Api"]) {
            Some(0) => ActorKind::Automation,
            Some(_) => ActorKind::Api,
            None => ActorKind::Person,
        };
        let source = match actor.word("Source", &["EmbedToken", "IdentityProvider"]) {
            Some(0) => Some(ActorSource::EmbedToken),
            Some(_) => Some(ActorSource::IdentityProvider),
            // The others are nobody at a screen.
            None => None,
        };
        Some(Actor {
            source,
            issuer: actor.text("Issuer"),
            ..Actor::of(kind, &actor.said("Id"), &actor.said("Name"))
        })
    }

    /// What is to become of a field: absent leaves it, `null` clears it.
    pub fn patch<T>(&self, name: &str, read: impl FnOnce(&Self) -> Option<T>) -> Patch<T> {
        let value = self.get(name);
        if value.is_undefined() {
            Patch::Keep
        } else {
            read(self).map_or(Patch::Clear, Patch::Set)
        }
    }

    /// The kind of an item.
    #[must_use]
    #[inline(never)]
    pub fn kind(&self) -> Kind {
        match self.word("Kind", &["Section", "Info"]) {
            Some(0) => Kind::Section,
            Some(_) => Kind::Info,
            None => Kind::Item,
        }
    }

    /// The status of an item.
    #[must_use]
    #[inline(never)]
    pub fn status(&self) -> Option<Status> {
        const ALL: [Status; 3] = [Status::Open, Status::Done, Status::NotApplicable];
        let at = self.word("Status", &["Open", "Done", "NotApplicable"])?;
        ALL.get(at).copied()
    }

    /// When a list is completed.
    #[must_use]
    pub fn completion_rule(&self) -> CompletionRule {
        match self.word("CompletionRule", &["Required"]) {
            Some(_) => CompletionRule::Required,
            None => CompletionRule::All,
        }
    }
}
