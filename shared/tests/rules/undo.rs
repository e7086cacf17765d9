//! Taking an operation back, one kind of change after the other: what comes back, which event tells it,
//! which part of the item is newer than what others hold, and when it is refused.
//!
//! Run with the other tests of the rules; `properties` tells arbitrary stories of the same.

use super::desk::{act, as_somebody, empty, id, new_item};
use checklist_shared::change::{Change, ItemPatch, NewItem};
use checklist_shared::due::Due;
use checklist_shared::event::What;
use checklist_shared::item::{Actor, AspectVersions, Item, Kind, Status};
use checklist_shared::order::{self, Place};
use checklist_shared::patch::Patch;
use checklist_shared::undo::{CannotUndo, UndoRecord};
use checklist_shared::{Checklist, ItemId, Timestamp};

fn undo(record: &UndoRecord, list: &mut Checklist) -> Result<Vec<What>, CannotUndo> {
    let events = as_somebody("bob", |session| record.restore(list, session))?;
    list.revision += 1;
    Ok(events.into_iter().map(|event| event.what).collect())
}

fn new(number: u8, kind: Kind, parent: Option<ItemId>) -> Change {
    Change::Add(NewItem {
        kind,
        parent,
        ..new_item(number)
    })
}

/// Three items.
fn list() -> Checklist {
    let mut list = empty();
    for number in 0..3 {
        act(&mut list, new(number, Kind::Item, None));
    }
    list
}

fn item(list: &Checklist, number: u8) -> &Item {
    list.any(id(number)).expect("it is there")
}

fn update(list: &Checklist, number: u8, set: impl FnOnce(&mut ItemPatch)) -> Change {
    let mut patch = ItemPatch {
        base_version: Some(item(list, number).version),
        ..ItemPatch::of(id(number))
    };
    set(&mut patch);
    Change::Update(Box::new(patch))
}

/// What a person sees of an item.
fn seen(
    item: &Item,
) -> (
    Status,
    Option<String>,
    String,
    [Option<String>; 2],
    Option<Due>,
) {
    let words = [
        item.note.clone(),
        item.assignee.as_ref().map(|who| who.name.clone()),
    ];
    let text = item.text.resolve(&["en"]).to_owned();
    (item.status, item.reason.clone(), text, words, item.due)
}

fn in_order(list: &Checklist) -> Vec<ItemId> {
    order::display(list).iter().map(|item| item.id).collect()
}

type Set = fn(&mut ItemPatch);
type Aspect = fn(&AspectVersions) -> u64;

#[test]
fn each_part_of_an_item_comes_back_is_told_and_is_newer_than_what_others_hold() {
    let aspects: [Aspect; 6] = [
        |of| of.status,
        |of| of.text,
        |of| of.note,
        |of| of.assignee,
        |of| of.due,
        |of| of.place,
    ];
    let changes: [(Set, What, usize); 6] = [
        (|patch| patch.status = Some(Status::Done), What::Reopened, 0),
        (
            |patch| patch.text = Patch::Set("Other".to_owned()),
            What::TextChanged,
            1,
        ),
        (
            |patch| patch.note = Patch::Set("Twice.".to_owned()),
            What::NoteChanged,
            2,
        ),
        (
            |patch| patch.assignee = Patch::Set("bob".into()),
            What::AssigneeChanged,
            3,
        ),
        (
            |patch| patch.due = Patch::Set(Timestamp::from_millis(9).into()),
            What::DueChanged,
            4,
        ),
        (|patch| patch.place = Some(Place::Last), What::Moved, 5),
    ];
    for (set, what, changed) in changes {
        let mut list = list();
        let (before, order) = (item(&list, 0).clone(), in_order(&list));
        let change = update(&list, 0, set);
        let record = act(&mut list, change);
        assert!(!record.is_empty());
        let version = item(&list, 0).version;
        let held = item(&list, 0).changed_in;
        assert_eq!(undo(&record, &mut list), Ok(vec![what, What::Undone]));
        let after = item(&list, 0);
        assert_eq!(seen(after), seen(&before));
        assert_eq!(in_order(&list), order);
        assert_eq!(
            (after.version, after.revision),
            (version + 1, list.revision)
        );
        assert_eq!(*after.modified_by, Actor::person("bob", "bob"));
        for (at, aspect) in aspects.iter().enumerate() {
            let wanted = if at == changed {
                version + 1
            } else {
                aspect(&held)
            };
            assert_eq!(aspect(&after.changed_in), wanted, "{what:?}: {at}");
        }
    }
}

#[test]
fn a_reason_comes_back_with_its_status() {
    let mut list = list();
    let not_needed = |reason: &str| {
        let reason = reason.to_owned();
        move |patch: &mut ItemPatch| {
            patch.status = Some(Status::NotApplicable);
            patch.reason = Patch::Set(reason);
        }
    };
    let change = update(&list, 0, not_needed("No printer"));
    act(&mut list, change);
    let change = update(&list, 0, not_needed("No paper"));
    let record = act(&mut list, change);
    let held = item(&list, 0).version;
    assert_eq!(
        undo(&record, &mut list),
        Ok(vec![What::Restored, What::Undone])
    );
    assert_eq!(item(&list, 0).reason.as_deref(), Some("No printer"));
    assert_eq!(item(&list, 0).changed_in.status, held + 1);
}

#[test]
fn a_list_that_nobody_had_moved_about_is_such_a_list_again() {
    let mut list = list();
    assert!(!list.reordered);
    let change = update(&list, 0, |patch| patch.place = Some(Place::Last));
    let first = act(&mut list, change);
    assert!(list.reordered);
    let change = update(&list, 1, |patch| patch.place = Some(Place::Last));
    let second = act(&mut list, change);
    assert!(undo(&second, &mut list).is_ok() && list.reordered);
    assert!(undo(&first, &mut list).is_ok() && !list.reordered);
}

#[test]
fn what_was_added_goes_and_what_was_deleted_comes() {
    let mut list = list();
    let record = act(&mut list, new(7, Kind::Item, None));
    let version = item(&list, 7).version;
    assert_eq!(
        undo(&record, &mut list),
        Ok(vec![What::Deleted, What::Undone])
    );
    assert!(!item(&list, 7).is_live());
    assert_eq!(item(&list, 7).version, version + 1);
    assert_eq!(item(&list, 7).revision, list.revision);
    assert_eq!(item(&list, 7).modified_by.id, "bob");
    assert_eq!(in_order(&list), [0, 1, 2].map(id));

    let record = act(&mut list, Change::Delete(id(1)));
    assert_eq!(
        undo(&record, &mut list),
        Ok(vec![What::Restored, What::Undone])
    );
    assert_eq!(in_order(&list), [0, 1, 2].map(id));
    assert!(UndoRecord::between(&list, &list.clone()).is_empty());
}

#[test]
fn what_somebody_has_built_upon_stays() {
    let mut list = list();
    let change = update(&list, 0, |patch| patch.status = Some(Status::Done));
    let tick = act(&mut list, change);
    let change = update(&list, 0, |patch| {
        patch.note = Patch::Set("By hand.".to_owned())
    });
    let note = act(&mut list, change);
    let whole = list.clone();
    assert_eq!(undo(&tick, &mut list), Err(CannotUndo::BuiltUpon(id(0))));
    assert_eq!(list, whole, "nothing of it was done");
    // Once that is taken back as well, the item is as the tick had left it.
    assert!(undo(&note, &mut list).is_ok());
    assert!(undo(&tick, &mut list).is_ok());
    assert_eq!(item(&list, 0).status, Status::Open);

    let gone = {
        let mut other = list.clone();
        let change = update(&other, 2, |patch| patch.status = Some(Status::Done));
        let record = act(&mut other, change);
        list.items.retain(|item| item.id != id(2));
        record
    };
    assert_eq!(undo(&gone, &mut list), Err(CannotUndo::Gone(id(2))));
}

#[test]
fn a_section_that_holds_something_of_somebody_else_stays_and_an_empty_one_goes() {
    let mut list = list();
    let section = act(&mut list, new(8, Kind::Section, None));
    let inside = act(&mut list, new(9, Kind::Item, Some(id(8))));
    assert_eq!(undo(&section, &mut list), Err(CannotUndo::BuiltUpon(id(8))));
    assert!(undo(&inside, &mut list).is_ok());
    assert!(undo(&section, &mut list).is_ok());
    assert_eq!(in_order(&list), [0, 1, 2].map(id));
}

#[test]
fn what_else_an_operation_has_changed_does_not_let_its_section_go_with_somebody_elses_item() {
    let mut list = list();
    let before = list.clone();
    act(&mut list, new(8, Kind::Section, None));
    let change = update(&list, 0, |patch| patch.status = Some(Status::Done));
    act(&mut list, change);
    let both = UndoRecord::between(&before, &list);
    act(&mut list, new(9, Kind::Item, Some(id(8))));
    assert_eq!(undo(&both, &mut list), Err(CannotUndo::BuiltUpon(id(8))));
}

#[test]
fn an_item_that_comes_back_after_its_section_has_gone_stands_last_and_goes_again_in_one_step() {
    let mut list = list();
    act(&mut list, new(8, Kind::Section, None));
    act(&mut list, new(9, Kind::Item, Some(id(8))));
    let deleted = act(&mut list, Change::Delete(id(9)));
    act(&mut list, Change::Delete(id(8)));
    let before = list.clone();
    assert!(undo(&deleted, &mut list).is_ok());
    assert_eq!(item(&list, 9).parent_id, None);
    assert_eq!(in_order(&list), [0, 1, 2, 9].map(id));
    let undone = UndoRecord::between(&before, &list);
    assert!(undo(&undone, &mut list).is_ok());
    assert_eq!(in_order(&list), in_order(&before));
    assert_eq!(item(&list, 9).parent_id, Some(id(8)));
}

#[test]
fn a_section_that_came_back_does_not_go_again_while_somebody_uses_it() {
    let mut list = list();
    act(&mut list, new(8, Kind::Section, None));
    let deleted = act(&mut list, Change::Delete(id(8)));
    let before = list.clone();
    assert!(undo(&deleted, &mut list).is_ok());
    let back = UndoRecord::between(&before, &list);
    act(&mut list, new(9, Kind::Item, Some(id(8))));
    assert_eq!(undo(&back, &mut list), Err(CannotUndo::BuiltUpon(id(8))));
}

#[test]
fn an_item_that_the_same_operation_has_put_into_its_section_goes_back_with_it() {
    let mut list = list();
    let (before, order) = (list.clone(), in_order(&list));
    act(&mut list, new(8, Kind::Section, None));
    let change = update(&list, 0, |patch| patch.parent = Patch::Set(id(8)));
    act(&mut list, change);
    let both = UndoRecord::between(&before, &list);
    assert!(undo(&both, &mut list).is_ok());
    assert_eq!(item(&list, 0).parent_id, None);
    assert_eq!(in_order(&list), order);
}

#[test]
fn an_item_is_known_by_its_id_where_the_purge_has_taken_one_before_it() {
    let mut list = list();
    let before = list.clone();
    list.items.remove(0);
    let change = update(&list, 1, |patch| patch.status = Some(Status::Done));
    act(&mut list, change);
    let record = UndoRecord::between(&before, &list);
    let undone = undo(&record, &mut list);
    assert_eq!(undone, Ok(vec![What::Reopened, What::Undone]));
    assert_eq!(item(&list, 1).status, Status::Open);
}

#[test]
fn a_row_may_have_been_given_another_key_meanwhile() {
    let mut list = list();
    let change = update(&list, 0, |patch| patch.status = Some(Status::Done));
    let tick = act(&mut list, change);
    let change = update(&list, 1, |patch| patch.place = Some(Place::Last));
    let moved = act(&mut list, change);
    // Keys are made afresh now and then; nobody sees a difference.
    let rekey = |list: &mut Checklist, number: u8, key: &str| {
        let at = list.items.iter().position(|item| item.id == id(number));
        let item = &mut list.items[at.expect("it is there")];
        let item = std::sync::Arc::make_mut(item);
        key.clone_into(&mut item.sort_key);
        item.version += 1;
    };
    let key = item(&list, 0).sort_key.clone();
    rekey(&mut list, 0, &format!("{key}80"));
    assert!(
        undo(&tick, &mut list).is_ok(),
        "its place does not matter to a tick"
    );
    let key = item(&list, 1).sort_key.clone();
    rekey(&mut list, 1, &format!("{key}80"));
    assert!(undo(&moved, &mut list).is_ok(), "nobody has moved it");
}

/// Gives all rows fresh keys in their present order, as a refresh does.
fn give_fresh_keys(list: &mut Checklist) {
    let ordered: Vec<ItemId> = order::with_deleted(list)
        .iter()
        .map(|item| item.id)
        .collect();
    for (at, item) in ordered.iter().enumerate() {
        let row = list.items.iter_mut().find(|row| row.id == *item);
        let row = std::sync::Arc::make_mut(row.expect("it is there"));
        row.sort_key = format!("k{at:02}");
    }
}

#[test]
fn a_move_is_taken_back_after_fresh_keys_and_a_delete_that_was_taken_back() {
    let mut list = list();
    let before = in_order(&list);
    let change = update(&list, 1, |patch| patch.place = Some(Place::Last));
    let moved = act(&mut list, change);
    give_fresh_keys(&mut list);
    let deleted = act(&mut list, Change::Delete(id(1)));
    assert!(undo(&deleted, &mut list).is_ok());
    assert!(undo(&moved, &mut list).is_ok());
    assert_eq!(in_order(&list), before);
}

#[test]
fn two_moves_of_one_item_are_taken_back_one_by_one_though_keys_were_fresh_between_them() {
    let mut list = list();
    let before = in_order(&list);
    let change = update(&list, 0, |patch| patch.place = Some(Place::After(id(1))));
    let first = act(&mut list, change);
    let between = in_order(&list);
    let change = update(&list, 0, |patch| patch.place = Some(Place::Last));
    let second = act(&mut list, change);
    give_fresh_keys(&mut list);
    assert!(undo(&second, &mut list).is_ok());
    assert_eq!(in_order(&list), between);
    assert!(undo(&first, &mut list).is_ok());
    assert_eq!(in_order(&list), before);
}

#[test]
fn a_move_is_not_taken_back_when_the_item_was_moved_again() {
    let mut list = list();
    let change = update(&list, 0, |patch| patch.place = Some(Place::Last));
    let moved = act(&mut list, change);
    let change = update(&list, 0, |patch| patch.place = Some(Place::After(id(1))));
    act(&mut list, change);
    assert_eq!(undo(&moved, &mut list), Err(CannotUndo::BuiltUpon(id(0))));
}

#[test]
fn a_move_is_taken_back_between_its_neighbours_though_they_have_fresh_keys() {
    let mut list = list();
    let before = in_order(&list);
    let change = update(&list, 1, |patch| patch.place = Some(Place::Last));
    let moved = act(&mut list, change);
    // Where others add something again and again, their neighbours get fresh keys.
    for (number, key) in [(0, "x"), (2, "y"), (1, "z")] {
        let at = list.items.iter().position(|item| item.id == id(number));
        let item = std::sync::Arc::make_mut(&mut list.items[at.expect("it is there")]);
        key.clone_into(&mut item.sort_key);
    }
    assert!(undo(&moved, &mut list).is_ok());
    assert_eq!(in_order(&list), before);
}
