//! Every body is read back through the wire types that the server uses.
//! Run natively: what is written here is read back with the server's own types.
//! The control brings no JSON library (docs/adr/0003), so nothing else would notice a wrong name.

use checklist_shared::wire::list::GetItems;
use checklist_shared::wire::write::{AddItems, DeleteItems, RefreshItems, Undo, UpdateItems};

use checklist_shared::Timestamp;
use checklist_shared::patch::Patch;

use super::*;

fn context() -> Context {
    Context {
        template_id: Some("t\"1\"".into()),
        ..Context::new("incident", "INC 1\n\u{1}", "späte")
    }
}

fn id(byte: u8) -> ItemId {
    ItemId::from_millis_and_random(1_700_000_000_000, [byte; 10])
}

fn body(action: Action) -> String {
    operation(
        &context(),
        &Operation {
            id: "op-1".into(),
            action,
        },
        true,
    )
}

#[test]
fn an_update_says_what_stays_what_is_cleared_and_what_is_set() {
    let mut update = UpdateItem::of(id(1));
    update.base_version = Some(7);
    update.status = Some(Status::NotApplicable);
    update.reason = Patch::Set("because \\ of \"that\"\t".into());
    update.note = Patch::Clear;
    update.due = Patch::Set(Timestamp::from_millis(1_795_166_040_123).into());
    update.after_id = Patch::Set(id(2));
    update.seen_text_hash = Some("ab".into());
    let read: UpdateItems =
        serde_json::from_str(&body(Action::Update(Box::new(update.clone())))).unwrap();
    assert_eq!(read.context, context());
    assert_eq!(read.operation_id.as_deref(), Some("op-1"));
    assert_eq!(read.log_in_journal, Some(true));
    assert_eq!(read.items, vec![update]);
}

#[test]
fn an_added_item_carries_its_id_and_everything_typed() {
    let add = AddItem {
        id: Some(id(3)),
        text: "Zwei\nZeilen 😀".into(),
        kind: Kind::Section,
        parent_id: Some(id(4)),
        after_id: None,
        before_id: Some(id(5)),
        required: true,
        help: Some("*h*".into()),
        note: None,
        assignee: Some("A. Jansen".into()),
        due: Some(Timestamp::from_millis(-1).into()),
    };
    let read: AddItems =
        serde_json::from_str(&body(Action::Add(id(3), Box::new(add.clone())))).unwrap();
    assert_eq!(read.items, vec![add]);
}

#[test]
fn delete_undo_and_refresh_read_back() {
    let read: DeleteItems = serde_json::from_str(&body(Action::Delete(id(6)))).unwrap();
    assert_eq!(read.ids, vec![id(6)]);
    let read: Undo = serde_json::from_str(&body(Action::Undo("op-0".into()))).unwrap();
    assert_eq!(read.undoes, "op-0");
    let refresh = Action::Refresh {
        to_version: Some(2),
        expected_revision: Some(9),
    };
    let read: RefreshItems = serde_json::from_str(&body(refresh)).unwrap();
    assert_eq!(
        (read.to_version, read.expected_revision, read.dry_run),
        (Some(2), Some(9), false)
    );
    let read: RefreshItems = serde_json::from_str(&dry_run(&context(), None)).unwrap();
    assert!(read.dry_run);
}

#[test]
fn reads_ask_for_one_list_or_for_many() {
    let read: GetItems = serde_json::from_str(&get_items(&context(), Some(4), "de")).unwrap();
    assert_eq!(
        (read.context, read.since_revision, read.language.as_deref()),
        (Some(context()), Some(4), Some("de"))
    );
    let read: GetItems =
        serde_json::from_str(&get_many(&[context(), Context::new("a", "b", "")], "en")).unwrap();
    assert_eq!(read.contexts.map(|contexts| contexts.len()), Some(2));
}

#[test]
fn times_agree_with_the_calendar() {
    for millis in [
        0,
        -1,
        951_782_400_000,
        1_709_164_800_000,
        1_795_166_040_123,
        253_402_207_200_000,
        -62_135_596_800_000,
    ] {
        let time = Timestamp::from_millis(millis);
        assert_eq!(
            iso::iso(time).parse::<Timestamp>(),
            Ok(time),
            "{}",
            iso::iso(time)
        );
    }
}
