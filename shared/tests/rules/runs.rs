//! A list starts again: what is closed stays as it was, and what begins has nothing of it.

use std::collections::HashSet;

use super::desk::{act, id, new_item};
use checklist_shared::change::{Change, ItemPatch};
use checklist_shared::context::Context;
use checklist_shared::event::What;
use checklist_shared::facts::Facts;
use checklist_shared::item::{Actor, Status};
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::run::{ClosedRun, start_again};
use checklist_shared::undo::UndoRecord;
use checklist_shared::{Checklist, ItemId, Template, Timestamp, progress, projection};
use proptest::prelude::*;
use serde_json::json;

const NOON: Timestamp = Timestamp::from_millis(1_750_000_000_000);
const LATER: Timestamp = Timestamp::from_millis(1_750_000_060_000);

fn template(version: u32, count: usize) -> Template {
    let items = (0..count).map(
        |number| json!({ "Key": format!("k{number}"), "Text": { "en": "Do" }, "DueOffset": "P1D" }),
    );
    serde_json::from_value(json!({
        "Id": "f", "Key": "f", "Name": { "en": "Forms" }, "Version": version,
        "Items": items.collect::<Vec<_>>(),
    }))
    .expect("a template")
}

fn begun(template: &Template) -> Checklist {
    let context = Context::new("incident", "1", "");
    let mut list = projection::project(&context, Some(template), NOON);
    list.revision = 1;
    list
}

fn check(list: &mut Checklist, key: &str) -> UndoRecord {
    let patch = ItemPatch {
        status: Some(Status::Done),
        ..ItemPatch::of(list.projected_id(key))
    };
    act(list, Change::Update(Box::new(patch)))
}

fn again(list: &mut Checklist, old: &Template, new: Option<&Template>) -> ClosedRun {
    let ada = Actor::person("u", "Ada");
    let by = (&ada, LATER);
    let started = start_again(
        list,
        (Some(old), new),
        Facts::default(),
        " it came back ",
        by,
        200,
    );
    let (closed, event) = started.expect("there is room");
    let told = (event.what, event.after.as_deref());
    assert_eq!(told, (What::StartedAgain, Some("it came back")));
    list.revision += 1;
    closed
}

fn ids(list: &Checklist) -> HashSet<ItemId> {
    list.items.iter().map(|item| item.id).collect()
}

#[test]
fn the_next_run_begins_from_the_new_version_and_the_closed_one_is_as_it_was() {
    let (old, new) = (template(1, 2), template(2, 3));
    let mut list = begun(&old);
    check(&mut list, "k0");
    act(&mut list, Change::Add(new_item(7)));
    let before = list.clone();
    let closed = again(&mut list, &old, Some(&new));

    assert_eq!((list.run.number, list.run.since), (2, before.revision + 1));
    assert_eq!(list.template.as_ref().map(|own| own.version), Some(2));
    assert_eq!(progress::of(&list).counts.open, 3, "nothing is done yet");
    assert!(list.items.iter().all(|item| item.revision == list.revision));
    let day = LATER.plus_iso("P1D").map(checklist_shared::Due::At);
    let is_due = |list: &Checklist| list.items.iter().all(|item| item.due == day.ok());
    assert!(is_due(&list), "its days count from its own beginning");

    let shown = closed.to_list(&before.context);
    assert_eq!(shown.items, before.items);
    assert_eq!(progress::of(&shown).counts, progress::of(&before).counts);
    let lock = shown.locked.expect("nobody changes it");
    assert_eq!(
        (lock.by.name.as_str(), lock.reason.as_deref(), lock.at),
        ("Ada", Some("it came back"), LATER)
    );
}

#[test]
fn nothing_of_an_earlier_run_is_taken_back() {
    let old = template(1, 2);
    let mut list = begun(&old);
    let checked = check(&mut list, "k0");
    let before = list.clone();
    again(&mut list, &old, Some(&old));
    let started = UndoRecord::between(&before, &list);
    assert!(checked.is_of_earlier_run(&list) && started.is_of_earlier_run(&list));
    let later = check(&mut list, "k1");
    assert!(!later.is_of_earlier_run(&list));
}

#[test]
fn a_template_that_has_grown_beyond_the_limit_leaves_the_list_as_it_is() {
    let (old, large) = (template(1, 2), template(2, 9));
    let mut list = begun(&old);
    let before = list.clone();
    let ada = Actor::person("u", "Ada");
    let started = start_again(
        &mut list,
        (Some(&old), Some(&large)),
        Facts::default(),
        "x",
        (&ada, LATER),
        8,
    );
    assert_eq!(started.err(), Some(ItemProblemCode::LimitExceeded));
    assert_eq!(list, before);
}

#[test]
fn a_list_without_a_template_begins_empty() {
    let old = template(1, 1);
    let mut list = super::desk::empty();
    act(&mut list, Change::Add(new_item(1)));
    let closed = again(&mut list, &old, None);
    assert_eq!((list.items.len(), list.template), (0, None));
    assert_eq!(closed.items[0].id, id(1));
}

proptest! {
    #[test]
    fn no_id_of_a_run_comes_again_in_another(count in 1_usize..20, runs in 2_u32..9) {
        let template = template(1, count);
        let mut list = begun(&template);
        let mut seen = ids(&list);
        for number in 2..=runs {
            again(&mut list, &template, Some(&template));
            prop_assert_eq!(list.run.number, number);
            for id in ids(&list) {
                prop_assert!(seen.insert(id));
            }
        }
    }

    #[test]
    fn a_closed_run_survives_being_stored(count in 0_usize..9, done in 0_usize..9) {
        let template = template(1, count);
        let mut list = begun(&template);
        for number in 0..done.min(count) {
            check(&mut list, &format!("k{number}"));
        }
        let closed = again(&mut list, &template, Some(&template));
        let stored = serde_json::to_string(&closed).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<ClosedRun>(&stored).expect("a run"), closed);
    }
}
