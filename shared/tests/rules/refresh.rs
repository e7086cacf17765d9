//! What a refresh says of each item, and how far it may fill a list.
//!
//! Run with the other tests of the rules; what it does to the items is told by `refresh.json` of the
//! vectors, and by `properties`.

use super::desk::{as_somebody, empty, id, new_item};
use checklist_shared::change::{Change, ItemPatch, Session, apply};
use checklist_shared::item::{Actor, Kind, Status};
use checklist_shared::limits::Limits;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::proposal::Decision;
use checklist_shared::refresh::{self, Refreshed};
use checklist_shared::template::Template;
use checklist_shared::wire::write::RefreshCase;
use checklist_shared::{Checklist, Context, Timestamp, projection};
use serde_json::{Value, json};

fn template(version: u32, texts: &[(&str, &str)]) -> Template {
    let item = |(key, text): &(&str, &str)| json!({ "Key": key, "Text": { "de": format!("{text} (de)"), "en": text } });
    template_of(version, texts.iter().map(item).collect())
}

fn template_of(version: u32, items: Vec<Value>) -> Template {
    let template = json!({ "Id": "t", "Key": "k", "Name": { "en": "Standard" }, "Version": version,
        "Status": "Published", "Items": items });
    serde_json::from_value(template).expect("a template")
}

fn list_of(template: &Template) -> Checklist {
    let context = Context::new("incident", "INC-1", "");
    projection::project(&context, Some(template), Timestamp::from_millis(0))
}

/// A refresh of a list that may hold so many items.
fn refresh(
    list: &mut Checklist,
    from: &Template,
    to: &Template,
    room: usize,
) -> Result<Refreshed, ItemProblemCode> {
    let limits = Limits {
        items: room,
        ..Limits::default()
    };
    as_somebody("ada", |session| {
        let session = Session {
            limits: &limits,
            ..*session
        };
        refresh::refresh(list, Some(from), to, &session)
    })
}

#[test]
fn each_text_is_told_as_it_was_and_as_it_is_in_the_language_of_who_refreshes() {
    let old = template(1, &[("a", "Ask"), ("gone", "Go"), ("same", "Stay")]);
    let new = template(2, &[("a", "Ask twice"), ("same", "Stay"), ("new", "Come")]);
    let done = refresh(&mut list_of(&old), &old, &new, 100).expect("it fits");
    let mut told: Vec<_> = done
        .changes
        .iter()
        .map(|change| {
            let texts = (change.before.as_deref(), change.after.as_deref());
            (change.template_key.as_str(), change.case, texts)
        })
        .collect();
    told.sort_by_key(|(key, ..)| *key);
    assert_eq!(
        told,
        [
            ("a", RefreshCase::Updated, (Some("Ask"), Some("Ask twice"))),
            ("gone", RefreshCase::Removed, (Some("Go"), None)),
            ("new", RefreshCase::Added, (None, Some("Come"))),
        ]
    );
}

#[test]
fn a_list_is_filled_to_its_last_place_and_not_beyond() {
    let old = template(1, &[("a", "Ask")]);
    let new = template(2, &[("a", "Ask"), ("b", "Answer"), ("c", "Close")]);
    let mut list = list_of(&old);
    let before = list.clone();
    let refused = refresh(&mut list, &old, &new, 2);
    assert_eq!(refused, Err(ItemProblemCode::LimitExceeded));
    assert_eq!(list, before);
    assert!(refresh(&mut list, &old, &new, 3).is_ok());
    assert_eq!(list.used(), 3);
    // A list that was longer before the limit was lowered may still change, as long as it does not grow.
    let other = template(3, &[("a", "Ask"), ("b", "Answer"), ("d", "File")]);
    assert!(refresh(&mut list, &new, &other, 2).is_ok());
}

#[test]
fn items_of_persons_take_places_too() {
    let mut list = empty();
    let own = Change::Add(new_item(0));
    as_somebody("ada", |session| apply(&mut list, &own, session)).expect("it is added");
    let none = template(1, &[]);
    let two = template(2, &[("a", "Ask"), ("b", "Answer")]);
    assert!(refresh(&mut list, &none, &two, 2).is_err());
    assert!(refresh(&mut list, &none, &two, 3).is_ok());
    assert_eq!(list.used(), 3);
    assert!(list.any(id(0)).is_some());
}

#[test]
fn an_item_that_a_person_deleted_and_the_purge_took_comes_back_only_when_it_is_newly_required() {
    let required = |version, required: bool| {
        let item = json!({ "Key": "a", "Text": { "en": "Ask" }, "Required": required });
        template_of(version, vec![item])
    };
    for (was, is, cases) in [
        (true, true, &[][..]),
        (false, false, &[]),
        (true, false, &[]),
        (false, true, &[RefreshCase::Resurrected]),
    ] {
        let (old, new) = (required(1, was), required(2, is));
        let mut list = list_of(&old);
        list.items.clear();
        let done = refresh(&mut list, &old, &new, 100).expect("it fits");
        let told: Vec<_> = done.changes.iter().map(|change| change.case).collect();
        assert_eq!(told, cases, "required before: {was}, now: {is}");
        assert_eq!(list.used(), cases.len());
    }
}

#[test]
fn a_row_that_turns_into_something_without_a_status_loses_the_one_it_has_and_gets_none() {
    let kind = |version, kind: &str| {
        let item = json!({ "Key": "a", "Text": { "en": "Ask" }, "Kind": kind });
        template_of(version, vec![item])
    };
    let (item, info, section) = (kind(1, "Item"), kind(2, "Info"), kind(3, "Section"));
    let mut list = list_of(&item);
    let mut tick = ItemPatch::of(list.items[0].id);
    tick.status = Some(Status::Done);
    let tick = Change::Update(Box::new(tick));
    as_somebody("bob", |session| apply(&mut list, &tick, session)).expect("it is ticked");
    refresh(&mut list, &item, &info, 100).expect("it fits");
    let reopened = &list.items[0];
    assert_eq!((reopened.kind, reopened.status), (Kind::Info, Status::Open));
    assert_eq!(reopened.attested, None);
    assert_eq!(reopened.status_by, Some(Actor::person("ada", "ada").into()));

    let mut list = list_of(&info);
    refresh(&mut list, &info, &section, 100).expect("it fits");
    let turned = &list.items[0];
    assert_eq!((turned.kind, turned.status), (Kind::Section, Status::Open));
    assert_eq!((&turned.status_by, turned.status_at), (&None, None));
}

#[test]
fn what_waits_for_a_second_person_survives_a_template_that_drops_the_item_for_a_while() {
    let with_two = |version| {
        let item = json!({ "Key": "a", "Text": { "en": "Ask" }, "SecondPerson": true });
        template_of(version, vec![item])
    };
    let (with, without, again) = (with_two(1), template(2, &[("b", "Answer")]), with_two(3));
    let mut list = list_of(&with);
    let mut tick = ItemPatch::of(list.items[0].id);
    tick.status = Some(Status::Done);
    let tick = Change::Update(Box::new(tick));
    as_somebody("bob", |session| apply(&mut list, &tick, session))
        .expect("it is done by the first");
    let proposed = list.items[0].proposal.clone();
    assert!(list.items[0].awaits_confirmation());
    let done = refresh(&mut list, &with, &without, 100).expect("it fits");
    let case = |done: &Refreshed| {
        done.changes
            .iter()
            .find(|one| one.template_key == "a")
            .map(|one| one.case)
    };
    assert_eq!(case(&done), Some(RefreshCase::Retired));
    assert!(
        !list.items.iter().any(|item| item.awaits_confirmation()),
        "nobody can confirm it"
    );
    let mut decline = ItemPatch::of(list.items[0].id);
    decline.proposal = Some(Decision::Decline);
    decline.base_version = Some(list.items[0].version);
    let decline = Change::Update(Box::new(decline));
    let refused = as_somebody("ada", |session| apply(&mut list, &decline, session));
    assert_eq!(refused.err(), Some(ItemProblemCode::ItemRetired));
    let done = refresh(&mut list, &without, &again, 100).expect("it fits");
    assert!(case(&done).is_some());
    let item = list
        .items
        .iter()
        .find(|item| item.template_key.as_deref() == Some("a"));
    let item = item.expect("the item");
    assert_eq!((&item.proposal, item.retired_at), (&proposed, None));
}
