//! RestoreItems: what comes back, where, and what does not.
//!
//! Run with the other tests of the rules; `properties` tells arbitrary stories of the same.

use super::desk::{act, as_somebody, empty, id, new_item};
use checklist_shared::change::restore::{Restored, restore};
use checklist_shared::change::{Change, ItemPatch, NewItem, Session, apply};
use checklist_shared::event::What;
use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::problem::ItemProblemCode as Code;
use checklist_shared::refresh;
use checklist_shared::template::Template;
use checklist_shared::undo::UndoRecord;
use checklist_shared::{Checklist, Context, ItemId, Timestamp, order, projection};
use serde_json::{Value, json};

fn back(list: &mut Checklist, id: ItemId, template: Option<&Template>) -> Result<Restored, Code> {
    let restored = as_somebody("bob", |session| restore(list, id, template, session))?;
    list.revision += 1;
    Ok(restored)
}

fn new(number: u8, kind: Kind, parent: Option<u8>) -> Change {
    Change::Add(NewItem {
        kind,
        parent: parent.map(id),
        ..new_item(number)
    })
}

/// A section 1 with the items 2 and 3, and the item 4 below it.
fn list() -> Checklist {
    let mut list = empty();
    act(&mut list, new(1, Kind::Section, None));
    act(&mut list, new(2, Kind::Item, Some(1)));
    act(&mut list, new(3, Kind::Item, Some(1)));
    act(&mut list, new(4, Kind::Item, None));
    list
}

fn shown(list: &Checklist) -> Vec<ItemId> {
    order::display(list).iter().map(|item| item.id).collect()
}

fn item(list: &Checklist, id: ItemId) -> &Item {
    list.any(id).expect("it is there")
}

fn template(version: u32, items: Value) -> Template {
    let template = json!({ "Id": "t", "Key": "t", "Name": { "en": "T" }, "Version": version,
        "Status": "Published", "Items": items });
    serde_json::from_value(template).expect("a template")
}

fn list_of(template: &Template) -> Checklist {
    let context = Context::new("incident", "INC-1", "");
    projection::project(&context, Some(template), Timestamp::from_millis(0))
}

#[test]
fn an_item_comes_back_where_it_stood_with_all_that_it_had_and_says_who_brought_it() {
    let mut list = list();
    let mut patch = ItemPatch::of(id(3));
    patch.status = Some(Status::Done);
    patch.note = Patch::Set("by hand".into());
    act(&mut list, Change::Update(Box::new(patch)));
    let (before, was) = (shown(&list), item(&list, id(3)).clone());
    act(&mut list, Change::Delete(id(3)));
    let restored = back(&mut list, id(3), None).expect("it comes back");
    assert_eq!(restored.ids, [id(3)]);
    let whats: Vec<What> = restored.events.iter().map(|event| event.what).collect();
    assert_eq!(whats, [What::Restored]);
    assert_eq!(shown(&list), before);
    let now = item(&list, id(3));
    assert_eq!((now.status, &now.note), (was.status, &was.note));
    assert_eq!(
        (&now.attested, now.changed_in),
        (&was.attested, was.changed_in)
    );
    assert_eq!(
        (now.version, now.revision),
        (was.version + 2, list.revision)
    );
    assert_eq!(now.modified_by.id, "bob");
    assert_eq!(back(&mut list, id(3), None), Ok(Restored::default()));
    assert_eq!(back(&mut list, id(9), None), Err(Code::ItemNotFound));
}

#[test]
fn a_section_brings_what_was_deleted_with_it_and_not_what_was_deleted_before() {
    let mut list = list();
    act(&mut list, Change::Delete(id(2)));
    let before = shown(&list);
    // Later than the first one: both are told apart by their time.
    let later = |session: &Session<'_>| Timestamp::from_millis(session.now.as_millis() + 1);
    as_somebody("ada", |session| {
        let session = Session {
            now: later(session),
            ..*session
        };
        apply(&mut list, &Change::Delete(id(1)), &session)
    })
    .expect("deleted");
    list.revision += 1;
    assert_eq!(
        back(&mut list, id(1), None).expect("back").ids,
        [id(1), id(3)]
    );
    assert_eq!(shown(&list), before);
}

#[test]
fn an_item_brings_the_section_that_held_it_without_its_other_items() {
    let mut list = list();
    act(&mut list, Change::Delete(id(1)));
    assert_eq!(
        back(&mut list, id(3), None).expect("back").ids,
        [id(1), id(3)]
    );
    assert_eq!(shown(&list), [id(1), id(3), id(4)]);
    assert_eq!(item(&list, id(3)).parent_id, Some(id(1)));
}

#[test]
fn an_item_whose_section_was_purged_stands_last() {
    let mut list = list();
    act(&mut list, Change::Delete(id(1)));
    list.items.retain(|item| item.id != id(1));
    assert_eq!(back(&mut list, id(3), None).expect("back").ids, [id(3)]);
    assert_eq!(shown(&list), [id(4), id(3)]);
    assert_eq!(item(&list, id(3)).parent_id, None);
}

#[test]
fn a_full_list_takes_nothing_back_and_whoever_may_not_delete_does_not_restore() {
    let mut list = list();
    act(&mut list, Change::Delete(id(1)));
    let whole = list.clone();
    let limits = Limits {
        items: 3,
        ..Limits::default()
    };
    let full = as_somebody("bob", |session| {
        restore(
            &mut list,
            id(1),
            None,
            &Session {
                limits: &limits,
                ..*session
            },
        )
    });
    assert_eq!(full, Err(Code::LimitExceeded));
    let refused = as_somebody("bob", |session| {
        let permissions = Role::Checker.permissions();
        restore(
            &mut list,
            id(1),
            None,
            &Session {
                permissions,
                ..*session
            },
        )
    });
    assert_eq!(refused, Err(Code::PermissionDenied));
    assert_eq!(list, whole);
}

#[test]
fn a_restored_item_follows_the_version_that_its_list_follows_by_now() {
    let old = template(
        1,
        json!([{ "Key": "a", "Text": { "en": "Ask" } }, { "Key": "b", "Text": { "en": "Build" } }]),
    );
    let new = template(
        2,
        json!([{ "Key": "a", "Text": { "en": "Ask twice" }, "Required": true }, { "Key": "b", "Text": { "en": "Build" } }]),
    );
    let mut list = list_of(&old);
    let a = list.items[0].id;
    act(&mut list, Change::Delete(a));
    // Newly required would bring it back by itself.
    let kept = template(
        2,
        json!([{ "Key": "a", "Text": { "en": "Ask twice" } }, { "Key": "b", "Text": { "en": "Build" } }]),
    );
    as_somebody("ada", |session| {
        refresh::refresh(&mut list, Some(&old), &kept, session)
    })
    .expect("refreshed");
    back(&mut list, a, Some(&new)).expect("it comes back");
    let now = item(&list, a);
    assert_eq!(
        (now.text.resolve(&["en"]), now.required),
        ("Ask twice", true)
    );
    as_somebody("ada", |session| {
        let again = refresh::refresh(&mut list, Some(&new), &new, session).expect("it fits");
        assert!(again.changes.is_empty(), "{:?}", again.changes);
    });
}

#[test]
fn what_the_template_has_taken_away_stays_away_unless_somebody_had_worked_on_it() {
    let old = template(
        1,
        json!([{ "Key": "a", "Text": { "en": "Ask" } }, { "Key": "b", "Text": { "en": "Build" } }, { "Key": "c", "Text": { "en": "Close" } }]),
    );
    let new = template(2, json!([{ "Key": "c", "Text": { "en": "Close" } }]));
    let mut list = list_of(&old);
    let (a, b) = (list.items[0].id, list.items[1].id);
    let mut tick = ItemPatch::of(b);
    tick.status = Some(Status::Done);
    act(&mut list, Change::Update(Box::new(tick)));
    act(&mut list, Change::Delete(b));
    as_somebody("ada", |session| {
        refresh::refresh(&mut list, Some(&old), &new, session)
    })
    .expect("refreshed");
    assert_eq!(back(&mut list, a, Some(&new)), Err(Code::NotInTemplate));
    back(&mut list, b, Some(&new)).expect("it comes back");
    let now = item(&list, b);
    assert!(now.is_live() && now.retired_at.is_some() && now.status == Status::Done);
}

#[test]
fn a_restore_is_taken_back_and_the_item_is_as_deleted_as_it_was() {
    let mut list = list();
    act(&mut list, Change::Delete(id(2)));
    let before = list.clone();
    let restored = as_somebody("bob", |session| {
        let now = Timestamp::from_millis(session.now.as_millis() + 5);
        restore(&mut list, id(2), None, &Session { now, ..*session })
    });
    assert!(restored.is_ok());
    list.revision += 1;
    let record = UndoRecord::between(&before, &list);
    let events = as_somebody("bob", |session| record.restore(&mut list, session)).expect("undone");
    assert_eq!(events[0].what, What::Deleted);
    let (was, now) = (item(&before, id(2)), item(&list, id(2)));
    assert_eq!(
        (now.deleted_at, &now.modified_by),
        (was.deleted_at, &was.modified_by)
    );
    assert_eq!(now.modified_at, was.modified_at);
}

#[test]
fn a_refresh_of_a_list_without_a_template_is_taken_back_to_none() {
    let template = template(
        1,
        json!([{ "Key": "a", "Text": { "en": "Ask" }, "Required": true }]),
    );
    let mut list = empty();
    let refreshed = |list: &mut Checklist, base: Option<&Template>| {
        as_somebody("ada", |session| {
            refresh::refresh(list, base, &template, session)
        })
        .expect("it fits");
        list.revision += 1;
    };
    let before = list.clone();
    refreshed(&mut list, None);
    let record = UndoRecord::between(&before, &list);
    as_somebody("ada", |session| record.restore(&mut list, session)).expect("undone");
    assert_eq!((&list.template, list.used()), (&None, 0));
    refreshed(&mut list, None);
    assert_eq!(list.used(), 1);
}

#[test]
fn a_refresh_is_not_taken_back_once_the_list_follows_another_version() {
    let version = |number, text: &str| {
        template(
            number,
            json!([{ "Key": "a", "Text": { "en": "Ask" } }, { "Key": text, "Text": { "en": text } }]),
        )
    };
    let (one, two, three) = (version(1, "x"), version(2, "y"), version(3, "y"));
    let mut list = list_of(&one);
    let before = list.clone();
    let to = |list: &mut Checklist, from: &Template, to: &Template| {
        as_somebody("ada", |session| {
            refresh::refresh(list, Some(from), to, session)
        })
        .expect("it fits");
        list.revision += 1;
    };
    to(&mut list, &one, &two);
    let record = UndoRecord::between(&before, &list);
    to(&mut list, &two, &three);
    let whole = list.clone();
    let refused = as_somebody("ada", |session| record.restore(&mut list, session));
    assert_eq!(
        refused,
        Err(checklist_shared::undo::CannotUndo::TemplateMoved)
    );
    assert_eq!(list, whole);
}
