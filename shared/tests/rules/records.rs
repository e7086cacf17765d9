//! What single records say of themselves: contexts, limits, ids, items, sets of permissions, and keys
//! that order items.
//!
//! Run with the other tests of the rules. Most of them were written because a change of the code that
//! they are about went unnoticed (`cargo xtask mutants`).

use super::desk::{as_somebody, empty, id, new_item};
use checklist_shared::change::{Change, apply};
use checklist_shared::computer::ComputerStatus;
use checklist_shared::definition::DefinitionField;
use checklist_shared::item::{Item, Status};
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::{Checklist, Context, ItemId, Timestamp};
use serde_json::json;

/// A list with so many items.
fn list(count: u8) -> Checklist {
    let mut list = empty();
    for number in 0..count {
        let change = Change::Add(new_item(number));
        let added = as_somebody("ada", |session| apply(&mut list, &change, session));
        assert!(added.is_ok(), "{added:?}");
    }
    list
}

#[test]
fn contexts_name_the_same_list_when_object_and_purpose_are_the_same() {
    let one = Context::new("incident", "INC-1", "close");
    let mut templated = one.clone();
    templated.template_id = Some("standard".to_owned());
    assert!(one.same_list(&one) && one.same_list(&templated));
    for other in [
        Context::new("change", "INC-1", "close"),
        Context::new("incident", "INC-2", "close"),
        Context::new("incident", "INC-1", "open"),
    ] {
        assert!(!one.same_list(&other), "{other:?}");
    }
}

#[test]
fn the_parts_of_a_context_are_there_short_enough_and_free_of_control_characters() {
    type Field = fn(&mut Context, String);
    let fields: [(&str, Field, bool); 4] = [
        (
            "ObjectType",
            |context, part| context.object_type = part,
            true,
        ),
        ("ObjectId", |context, part| context.object_id = part, true),
        ("Purpose", |context, part| context.purpose = part, false),
        (
            "TemplateId",
            |context, part| context.template_id = Some(part),
            true,
        ),
    ];
    for (field, set, needed) in fields {
        let fault = |part: String| {
            let mut context = Context::new("incident", "INC-1", "close");
            set(&mut context, part);
            let fault = context.validate().err();
            fault.map(|fault| (fault.field, fault.reason))
        };
        assert_eq!(fault("ü".repeat(Limits::IDENTIFIER)), None, "{field}");
        let long = fault("ü".repeat(Limits::IDENTIFIER + 1));
        assert_eq!(long, Some((field, "is longer than 200 characters")));
        let control = fault("a\u{7}".to_owned());
        assert_eq!(control, Some((field, "holds control characters")));
        let empty = fault(String::new());
        assert_eq!(empty, needed.then_some((field, "is empty")));
    }
}

#[test]
fn a_list_warns_when_a_tenth_of_its_room_is_left() {
    let warns = |items| {
        let limits = Limits {
            items,
            ..Limits::default()
        };
        limits.warn_at()
    };
    assert_eq!([0, 9, 10, 200].map(warns), [0, 9, 9, 180]);
}

#[test]
fn an_id_is_one_text_and_comes_back_from_it() {
    let one = id(1);
    assert_eq!(one.to_text(), one.to_string());
    assert_eq!(one.to_text().parse(), Ok(one));
    assert_eq!(ItemId::from_bytes(*one.as_bytes()), one);
    assert!("no id".parse::<ItemId>().is_err());
}

#[test]
fn an_item_is_touched_by_what_a_person_has_left_and_by_nothing_else() {
    let fresh = list(1).items[0].as_ref().clone();
    let touched = |leave: fn(&mut Item)| {
        let mut item = fresh.clone();
        leave(&mut item);
        item.is_touched()
    };
    assert!(!touched(|_| {}));
    for leave in [
        (|item: &mut Item| item.status = Status::NotApplicable) as fn(&mut Item),
        |item| item.status = Status::Done,
        |item| item.text_overridden = true,
        |item| item.note = Some("Twice.".to_owned()),
        |item| (item.assignee_by_person, item.assignee) = (true, Some("bob".into())),
        |item| {
            (item.due_by_person, item.due) = (true, Some(Timestamp::from_millis(90_000).into()));
        },
        // Also where nothing is left of it: that is what was wanted.
        |item| {
            let none = item.definition_by_person;
            item.definition_by_person = none.with(DefinitionField::Help, true);
        },
    ] {
        assert!(touched(leave));
    }
    for leave in [
        (|item: &mut Item| item.assignee = Some("bob".into())) as fn(&mut Item),
        |item| item.due = Some(Timestamp::from_millis(90_000).into()),
        // Taken away again.
        |item| item.assignee_by_person = true,
        |item| item.due_by_person = true,
    ] {
        assert!(!touched(leave));
    }
}

#[test]
fn permissions_are_a_set() {
    let set = |members: &[Permission]| members.iter().copied().collect::<Permissions>();
    let (one, other) = (
        set(&[Permission::Read, Permission::Check]),
        set(&[Permission::Check, Permission::Edit]),
    );
    assert_eq!(one.intersection(other), set(&[Permission::Check]));
    assert_eq!(
        one.union(other),
        set(&[Permission::Read, Permission::Check, Permission::Edit])
    );
    assert_eq!(one.union(one), one);
    assert!(!one.holds(other) && one.union(other).holds(other));
    assert_eq!(
        other.iter().collect::<Vec<_>>(),
        [Permission::Check, Permission::Edit]
    );
    let written = serde_json::to_value(other).expect("it can be written");
    assert_eq!(written, json!(["Check", "Edit"]));
    let read: Permissions = serde_json::from_value(written).expect("it can be read");
    assert_eq!(read, other);
}

#[test]
fn a_computers_status_is_found_by_its_name_and_by_its_label_however_they_are_written() {
    for status in ComputerStatus::ALL {
        for name in [status.name(), status.label()] {
            for written in [name.to_owned(), name.to_uppercase(), format!(" {name} ")] {
                let found = ComputerStatus::from_name(&written);
                assert_eq!(found, Some(status), "{written}");
            }
        }
    }
    assert_eq!(ComputerStatus::from_name("Lost"), None);
    assert_eq!(ComputerStatus::from_name(""), None);
}
