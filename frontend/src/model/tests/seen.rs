//! What others change under an open form: nobody attests what they have not read, and nothing that was
//! typed is lost.

use std::sync::Arc;

use checklist_shared::Item;
use checklist_shared::item::{Actor, Status};
use checklist_shared::text::{Text, text_hash};
use checklist_shared::wire::write::UpdateItem;

use super::world::Simulation;
use super::{id, served};
use crate::model::list::text_of;
use crate::model::message::{Change, Msg, UserAction};
use crate::model::notice::Notice;
use crate::model::operation::Action;
use crate::model::support::{SupportField, SupportForm};
use crate::model::view_data::Panel;

/// Anna changes an item, and the stream reports it.
fn anna_changes(world: &mut Simulation, n: u8, change: impl FnOnce(&mut Item)) {
    let list = &mut world.server.list;
    let since = list.revision;
    list.revision += 1;
    let mut items = list.items.iter_mut();
    let item = items.find(|item| item.id == id(n)).expect("the item");
    let item = Arc::make_mut(item);
    change(item);
    item.version += 1;
    item.revision = since + 1;
    item.modified_by = Actor::person("anna", "Anna").into();
    let mut list = served(vec![item.clone()], since + 1);
    list.delta = true;
    world.tell(Msg::Heard(Box::new(Change {
        list,
        since: Some(since),
        reset: false,
        operation: None,
    })));
}

fn panel(world: &Simulation, n: u8) -> Panel {
    let row = world.model.rows.get(id(n));
    row.map(|row| row.panel.clone()).unwrap_or_default()
}

fn notice(world: &Simulation, n: u8) -> Option<Notice> {
    world.model.rows.get(id(n))?.notice.clone()
}

fn sent(world: &Simulation) -> Option<&UpdateItem> {
    match &world.sent.as_ref()?.action {
        Action::Update(update) => Some(update),
        other => panic!("{other:?}"),
    }
}

fn typed(name: &str, url: &str, answer: &str) -> Panel {
    let mut form = SupportForm::default();
    form.note(SupportField::EvidenceName, name.to_owned());
    form.note(SupportField::EvidenceUrl, url.to_owned());
    form.note(SupportField::Answer, answer.to_owned());
    Panel::Support(Box::new(form), false)
}

#[test]
fn another_wording_is_read_before_a_reason_is_sent() {
    let mut world = Simulation::with_items(3);
    world.does(UserAction::AskReason(id(2), Status::NotApplicable));
    anna_changes(&mut world, 2, |item| {
        item.text = Text::from("2, and the cellar")
    });
    let reason = Panel::Reason("No cellar".to_owned(), Status::NotApplicable, false);
    world.does(UserAction::Save(id(2), reason.clone()));
    assert_eq!(sent(&world), None);
    assert_eq!(panel(&world, 2), reason, "what was typed is still there");
    assert!(
        matches!(notice(&world, 2), Some(Notice::WordingChanged(by)) if by.who == Some(Actor::person("anna", "Anna").into()))
    );
    world.does(UserAction::Save(id(2), reason));
    let hash = sent(&world).expect("it is sent").seen_text_hash.clone();
    assert_eq!(hash, Some(text_hash("2, and the cellar")));
    assert_eq!(panel(&world, 2), Panel::Closed);
}

#[test]
fn a_box_beside_an_open_form_attests_the_wording_that_is_on_the_screen() {
    let mut world = Simulation::with_items(3);
    let shown = text_hash(text_of(world.model.list.live(id(2)).expect("the item")));
    world.does(UserAction::EditText(id(2)));
    anna_changes(&mut world, 2, |item| {
        item.text = Text::from("2, and the cellar")
    });
    world.does(UserAction::SetStatus(id(2), Status::Done, None));
    let hash = sent(&world).expect("it is sent").seen_text_hash.clone();
    assert_eq!(hash, Some(shown), "the server refuses it");
}

#[test]
fn a_change_beside_the_form_stops_nobody() {
    let mut world = Simulation::with_items(3);
    world.does(UserAction::AskReason(id(2), Status::NotApplicable));
    anna_changes(&mut world, 1, |item| item.text = Text::from("Another item"));
    anna_changes(&mut world, 2, |item| item.note = Some("A note".to_owned()));
    let reason = Panel::Reason("No cellar".to_owned(), Status::NotApplicable, false);
    world.does(UserAction::Save(id(2), reason));
    assert!(sent(&world).is_some());
    assert_eq!(notice(&world, 2), None);
}

#[test]
fn evidence_that_the_item_stops_needing_is_told_once_and_sent() {
    let mut world = Simulation::with_items(3);
    anna_changes(&mut world, 1, |item| item.requires_evidence = true);
    world.does(UserAction::AskSupport(id(1)));
    anna_changes(&mut world, 1, |item| item.requires_evidence = false);
    let typed = typed("Report", "https://example.org", "");
    world.does(UserAction::Save(id(1), typed.clone()));
    assert_eq!(sent(&world), None);
    assert!(matches!(
        notice(&world, 1),
        Some(Notice::FieldTaken(_, None))
    ));
    assert_eq!(panel(&world, 1), typed);
    world.does(UserAction::Save(id(1), typed));
    let evidence = sent(&world).and_then(|update| update.evidence.as_ref());
    assert_eq!(evidence.map(|one| &*one.name), Some("Report"));
}

#[test]
fn a_box_that_is_clicked_again_leaves_what_is_typed() {
    let mut world = Simulation::with_items(3);
    anna_changes(&mut world, 1, |item| item.requires_evidence = true);
    world.does(UserAction::AskSupport(id(1)));
    let typed = typed("Report", "", "");
    world
        .model
        .rows
        .change(id(1), |row| row.panel = typed.clone());
    world.does(UserAction::AskSupport(id(1)));
    assert_eq!(panel(&world, 1), typed);
}
