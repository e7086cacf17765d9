//! Erasure of people: which rows and records name a person or repeat what they wrote.
//!
//! Pure: `sql` reads and writes. A row of the audit trail is erased by deleting value and salt of its
//! commitments, so its leaf stays. Elsewhere an erased actor takes the place of the person.

use std::collections::{BTreeSet, HashMap};

use checklist_shared::administration::{AdministrativeAct, Subject};
use checklist_shared::audit_trail::leaf;
use checklist_shared::context::Context;
use checklist_shared::event::{Event, What};
use checklist_shared::id::ItemId;
use checklist_shared::item::Actor;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::erasure::{ErasableText, Erasure, Retention};
use serde_json::{Map, Value};

use super::audit::{StoredRow, StoredValue};
use super::directory::ErasedPerson;
use super::sql::audit_rows::RowErasure;
use super::store::{Reply, Stamp};

/// Erases people, and what is older than a tenant's retention.
pub trait Erasures: Send + Sync {
    /// What the tenant has decided about names; `None` if nothing.
    fn retention<'a>(&'a self, tenant: &'a str) -> Reply<'a, Option<RetentionRecord>>;

    /// Writes what the tenant has decided, and audits it.
    fn put_retention<'a>(
        &'a self,
        tenant: &'a str,
        retention: Retention,
        stamp: Stamp,
    ) -> Reply<'a, ()>;

    /// Who was erased lately: what they have written since has to be erased as well.
    fn erased_people<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ErasedPerson>>;

    /// Erases a person everywhere: lists and records first, and at last the audit trail, by which
    /// the rest is found. So it can be repeated after a crash, and then does what is left.
    fn erase_person(&self, person: ErasedPerson) -> Reply<'_, Erasure>;

    /// Erases names, and words in the audit trail, from before a moment; audits how far, if it was
    /// further than before.
    fn erase_outdated<'a>(
        &'a self,
        tenant: &'a str,
        before: Timestamp,
        stamp: Stamp,
    ) -> Reply<'a, Erasure>;
}

/// What stands where a text was that cannot be empty.
pub(crate) const ERASED_TEXT: &str = "[erased]";

/// How long a tenant keeps names, and how far that is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetentionRecord {
    /// Names older than so many days are erased; `None` keeps them.
    pub personal_days: Option<u32>,
    /// Which texts are erased with names.
    pub texts: Vec<ErasableText>,
    /// The last row of the audit trail that was looked at.
    pub erased_to: u64,
    /// When names were erased last, since the decision.
    pub erased_at: Option<Timestamp>,
}

/// Where an item is: its list and its id.
pub(crate) type ItemPlace = (Context, ItemId);

/// What a person wrote in an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenTexts {
    pub(crate) texts: BTreeSet<String>,
    /// Whether the person has added the item.
    pub(crate) is_added: bool,
    /// Whether anybody has changed its help, in the rows of the whole trail so far.
    has_other_help: bool,
}

/// Everything that names a person in the audit trail, found row by row.
pub(crate) struct TrailSearch {
    person: ErasedPerson,
    texts: Vec<ErasableText>,
    /// The names under which the person acted.
    pub(crate) names: BTreeSet<String>,
    /// What they wrote, as far as it is to be erased.
    pub(crate) written: HashMap<ItemPlace, WrittenTexts>,
    /// What of the trail is to be erased.
    pub(crate) rows: Vec<RowErasure>,
}

impl TrailSearch {
    pub(crate) fn new(person: ErasedPerson, texts: Vec<ErasableText>) -> Self {
        Self {
            person,
            texts,
            names: BTreeSet::new(),
            written: HashMap::new(),
            rows: Vec::new(),
        }
    }

    /// A pattern of `LIKE` that matches the JSON of everything that names the person, and more.
    pub(crate) fn pattern(&self) -> String {
        let json = Value::from(self.person.subject.as_str()).to_string();
        let mut pattern = String::from("%");
        for letter in json.trim_matches('"').chars() {
            if matches!(letter, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
        pattern.push('%');
        pattern
    }

    /// Whether the actor is the person, or acted for them.
    pub(crate) fn is_about(&self, actor: &Actor) -> bool {
        actor.involves(&self.person.issuer, &self.person.subject)
    }

    /// Takes the next row that may name the person.
    pub(crate) fn take(&mut self, row: &StoredRow) {
        let actor: Option<Actor> = present(&row.actor);
        let actor = actor.filter(|actor| self.is_about(actor));
        if let Some(actor) = &actor {
            let mut next = Some(actor);
            while let Some(one) = next {
                if one.id == self.person.subject {
                    self.names.insert(one.name.clone());
                }
                next = one.on_behalf_of.as_deref();
            }
        }
        let words = if row.object_type.is_empty() {
            act_of(row).is_some_and(|act| self.is_named_by(&act))
        } else {
            let is_assigned = self.is_assigned_by(row);
            (actor.is_some() && self.wrote(row)) || is_assigned
        };
        self.push(row, actor.is_some(), words);
    }

    fn push(&mut self, row: &StoredRow, actor: bool, words: bool) {
        let erasure = erasure_of(row, actor, words);
        self.rows.extend(erasure);
    }

    /// Whether an administrator's act is about the person, or names them.
    fn is_named_by(&self, act: &AdministrativeAct) -> bool {
        let ErasedPerson {
            issuer, subject, ..
        } = &self.person;
        let says = |field: &str, text: &str| {
            act.changes.iter().any(|change| {
                let values = [change.before.as_deref(), change.after.as_deref()];
                change.field == field && values.contains(&Some(text))
            })
        };
        match act.subject {
            Subject::User | Subject::Session => act.id == format!("{issuer} {subject}"),
            Subject::Passkey => says("Issuer", issuer) && says("Subject", subject),
            Subject::ServiceConnection => self.names.iter().any(|name| says("Owner", name)),
            _ => false,
        }
    }

    /// Whether an event names the person as an assignee, whoever has assigned them.
    fn is_assigned_by(&self, row: &StoredRow) -> bool {
        let event = event_of(row);
        event.is_some_and(|event| event.assignees().any(|id| id == self.person.subject))
    }

    /// Notes what the person wrote in an event of theirs. Whether its words are to be erased.
    fn wrote(&mut self, row: &StoredRow) -> bool {
        let Some(event) = event_of(row) else {
            return false;
        };
        let place = event.item_id.map(|id| (context_of(row), id));
        let is_added = |place: &Option<ItemPlace>| {
            let written = place.as_ref().and_then(|place| self.written.get(place));
            written.is_some_and(|written| written.is_added)
        };
        let given: Vec<Option<String>> = event.given().map(|text| Some(text.to_owned())).collect();
        let (kind, texts) = match event.what {
            What::NoteChanged => (ErasableText::Notes, vec![event.after]),
            _ if !given.is_empty() => (ErasableText::Reasons, given),
            What::Added => (ErasableText::AddedItems, vec![Some(event.text)]),
            What::TextChanged | What::HelpChanged if is_added(&place) => {
                (ErasableText::AddedItems, vec![event.after])
            }
            _ => return false,
        };
        if !self.texts.contains(&kind) {
            return false;
        }
        if let Some(place) = place {
            let written = self.written.entry(place).or_default();
            written.is_added |= event.what == What::Added;
            let texts = texts.into_iter().flatten();
            written.texts.extend(texts.filter(|text| !text.is_empty()));
        }
        true
    }

    /// Takes the next row of the whole trail, in case it repeats what the person wrote.
    pub(crate) fn take_repeated(&mut self, row: &StoredRow) {
        if row.object_type.is_empty() {
            return;
        }
        let Some(event) = event_of(row) else { return };
        let Some(id) = event.item_id else { return };
        let Some(written) = self.written.get_mut(&(context_of(row), id)) else {
            return;
        };
        // What an item is added with is told when somebody changes it first.
        if event.what == What::HelpChanged
            && !std::mem::replace(&mut written.has_other_help, true)
            && written.is_added
        {
            let help = event.before.iter().filter(|help| !help.is_empty());
            written.texts.extend(help.cloned());
        }
        if matches!(row.words, StoredValue::Erased(_)) {
            return;
        }
        let said = [Some(event.text), event.before, event.after];
        let repeats = said
            .into_iter()
            .flatten()
            .any(|text| written.texts.contains(&text));
        if repeats {
            self.push(row, false, true);
        }
    }

    /// Replaces the person, and what they wrote, in a JSON document. Whether anything was replaced.
    pub(crate) fn replace_in(&self, value: &mut Value) -> bool {
        let mut replaced = false;
        if let Some(initiator) = value.pointer_mut("/standing/Person") {
            // Of a run: whose permissions are checked again before each pass. Nobody has these.
            let is = |field: &str, text: &str| {
                initiator.get(field).and_then(Value::as_str) == Some(text)
            };
            if is("subject", &self.person.subject) && is("issuer", &self.person.issuer) {
                *initiator = serde_json::json!({ "issuer": null, "subject": "" });
                replaced = true;
            }
        }
        let is_about = |actor: &Actor| self.is_about(actor);
        let written = |id: &str| {
            let id: ItemId = id.parse().ok()?;
            let found = self.written.iter().find(|((_, of), _)| *of == id);
            found.map(|(_, written)| written)
        };
        let rules = Replacement {
            is_about: &is_about,
            written: &written,
            subject: &self.person.subject,
            reasons: self.texts.contains(&ErasableText::Reasons),
        };
        rules.replace(value, None, Words::None) || replaced
    }
}

/// Replaces everybody in a JSON document. Whether anybody was replaced.
pub(crate) fn replace_everybody_in(value: &mut Value) -> bool {
    let rules = Replacement {
        is_about: &Actor::is_personal,
        written: &|_| None,
        // Who is assigned stays: nobody has this id.
        subject: "",
        reasons: false,
    };
    rules.replace(value, None, Words::None)
}

/// What is replaced in a JSON document.
struct Replacement<'a> {
    is_about: &'a dyn Fn(&Actor) -> bool,
    /// What the person wrote in the item with that id.
    written: &'a dyn Fn(&str) -> Option<&'a WrittenTexts>,
    /// Who is assigned to nothing any more.
    subject: &'a str,
    /// Whether reasons of their locks and waivers are removed.
    reasons: bool,
}

/// Whether what stands in a place of a document are somebody's words. Elsewhere the same text is the name
/// of a status or a key: erased, it would make the document unreadable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    None,
    /// As a text.
    Text,
    /// As a text, or as one for each language.
    Languages,
}

impl Words {
    /// What stands below a member of an object that is at such a place.
    fn below(self, name: &str) -> Self {
        match name {
            "Text" | "TemplateText" | "Help" => Self::Languages,
            "Note" | "Reason" | "Before" | "After" | "Name" | "Url" | "Value" | "Label" => {
                Self::Text
            }
            _ if self == Self::Languages => Self::Text,
            _ => Self::None,
        }
    }
}

impl<'a> Replacement<'a> {
    fn is_person(&self, value: Option<&Value>) -> bool {
        let Some(Value::Object(members)) = value else {
            return false;
        };
        let is_actor = ["Id", "Name", "Kind"]
            .iter()
            .all(|name| members.get(*name).is_some_and(Value::is_string));
        is_actor
            && serde_json::from_value(Value::Object(members.clone()))
                .is_ok_and(|actor: Actor| (self.is_about)(&actor))
    }

    /// Removes the person as an assignee of an item. A request may have named them by their id alone.
    fn unassign(&self, members: &mut Map<String, Value>) -> bool {
        let id = match members.get("Assignee") {
            Some(Value::Object(assignee)) => assignee.get("Id").and_then(Value::as_str),
            Some(assignee) => assignee.as_str(),
            None => None,
        };
        id == Some(self.subject) && members.remove("Assignee").is_some()
    }

    /// Replaces actors and texts below a value, which is within an item.
    fn replace(&self, value: &mut Value, within: Option<&'a WrittenTexts>, words: Words) -> bool {
        if self.is_person(Some(value)) {
            *value = serde_json::to_value(Actor::erased()).unwrap_or_default();
            return true;
        }
        match value {
            Value::Object(members) => {
                if self.reasons && self.is_person(members.get("By")) {
                    members.remove("Reason");
                }
                let own = ["Id", "ItemId"].into_iter().find_map(|name| {
                    let id = members.get(name).and_then(Value::as_str)?;
                    (self.written)(id)
                });
                let within = own.or(within);
                let mut replaced = self.unassign(members);
                for (name, member) in members.iter_mut() {
                    replaced |= self.replace(member, within, words.below(name));
                }
                replaced
            }
            Value::Array(values) => {
                let mut replaced = false;
                for value in values {
                    replaced |= self.replace(value, within, words);
                }
                replaced
            }
            Value::String(text) => {
                let is_written =
                    within.is_some_and(|written| written.texts.contains(text.as_str()));
                let is_erased = is_written && words != Words::None;
                if is_erased {
                    ERASED_TEXT.clone_into(text);
                }
                is_erased
            }
            _ => false,
        }
    }
}

/// What of a row is older than a tenant's retention allows.
pub(crate) fn outdated(row: &StoredRow, texts: &[ErasableText]) -> Option<RowErasure> {
    let actor: Option<Actor> = present(&row.actor);
    let actor = actor.is_some_and(|actor| actor.is_personal());
    let words = if row.object_type.is_empty() {
        act_of(row).is_some_and(|act| match act.subject {
            Subject::User | Subject::Session | Subject::Passkey => true,
            Subject::ServiceConnection => act.changes.iter().any(|change| change.field == "Owner"),
            _ => false,
        })
    } else {
        event_of(row).is_some_and(|event| match event.what {
            What::AssigneeChanged => true,
            What::NoteChanged if texts.contains(&ErasableText::Notes) => true,
            _ if texts.contains(&ErasableText::Reasons) && event.given().next().is_some() => true,
            // Which items were added by hand is not looked up: any of them may have been.
            _ => texts.contains(&ErasableText::AddedItems) && event.item_id.is_some(),
        })
    };
    erasure_of(row, actor, words)
}

/// What is left to erase of a row.
fn erasure_of(row: &StoredRow, actor: bool, words: bool) -> Option<RowErasure> {
    let of = |value: &StoredValue, wanted: bool| {
        let is_there = matches!(value, StoredValue::Present(..));
        (wanted && is_there).then(|| value.commitment())
    };
    let erasure = RowErasure {
        sequence: row.sequence,
        actor: of(&row.actor, actor),
        words: of(&row.words, words),
    };
    (erasure.actor.is_some() || erasure.words.is_some()).then_some(erasure)
}

/// A value that is still there and can be read.
fn present<T: serde::de::DeserializeOwned>(value: &StoredValue) -> Option<T> {
    match value {
        StoredValue::Present(value, _) => serde_json::from_str(value).ok(),
        StoredValue::Erased(_) => None,
    }
}

fn words_of(row: &StoredRow) -> &str {
    match &row.words {
        StoredValue::Present(words, _) => words,
        StoredValue::Erased(_) => "{}",
    }
}

fn event_of(row: &StoredRow) -> Option<Event> {
    leaf::join(&row.event, words_of(row)).ok()
}

fn act_of(row: &StoredRow) -> Option<AdministrativeAct> {
    leaf::join(&row.event, words_of(row)).ok()
}

fn context_of(row: &StoredRow) -> Context {
    Context::new(&row.object_type, &row.object_id, &row.purpose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::item::ActorSource;
    use serde_json::json;

    fn search(texts: &[ErasableText]) -> TrailSearch {
        let person = ErasedPerson {
            tenant: "acme".to_owned(),
            issuer: "https://portal.example".to_owned(),
            subject: "50%_\"a\\b".to_owned(),
            erased_at: Timestamp::from_millis(0),
        };
        TrailSearch::new(person, texts.to_vec())
    }

    fn anna(issuer: &str) -> Actor {
        Actor::person("50%_\"a\\b", "Anna").vouched_for_by(ActorSource::EmbedToken, Some(issuer))
    }

    #[test]
    fn what_a_pattern_means_by_itself_is_escaped() {
        let pattern = search(&[]).pattern();
        let json = r#"%50\%\_\\"a\\\\b%"#;
        assert_eq!(pattern, json, "as JSON, and then for LIKE");
    }

    #[test]
    fn the_person_is_replaced_in_a_document_and_whoever_has_the_same_id_elsewhere_is_not() {
        let (own, other) = (
            anna("https://portal.example"),
            anna("https://other.example"),
        );
        let mut agent = Actor::of(checklist_shared::item::ActorKind::Agent, "finch", "Finch");
        agent.on_behalf_of = Some(Box::new(own.clone()));
        let mut document = json!({ "Locked": { "By": own }, "By": [agent, other] });
        assert!(search(&[]).replace_in(&mut document));
        let erased = json!(Actor::erased());
        assert_eq!(
            document,
            json!({ "Locked": { "By": erased }, "By": [erased, other] })
        );
        assert!(!search(&[]).replace_in(&mut document), "nothing is left");
    }

    #[test]
    fn a_text_is_replaced_in_its_item_and_nowhere_else() {
        let mut search = search(&[ErasableText::Notes]);
        let (one, two) = (ItemId::from_bytes([1; 16]), ItemId::from_bytes([2; 16]));
        let written = WrittenTexts {
            texts: BTreeSet::from(["call her".to_owned()]),
            ..WrittenTexts::default()
        };
        let place = (Context::new("incident", "1", ""), one);
        search.written.insert(place, written);
        let item = |id: ItemId, note| json!({ "Id": id, "Note": note });
        let mut document = json!([
            item(one, "call her"),
            item(one, "wait"),
            item(two, "call her")
        ]);
        assert!(search.replace_in(&mut document));
        let expected = json!([
            item(one, ERASED_TEXT),
            item(one, "wait"),
            item(two, "call her")
        ]);
        assert_eq!(document, expected);
    }
}
