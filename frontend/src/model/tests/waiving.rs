//! Waivers: what the screen and the host get, and that no reason is lost.

use checklist_shared::Timestamp;
use checklist_shared::checklist::ListMark;
use checklist_shared::item::Actor;
use checklist_shared::progress::State;

use super::world::{SendOutcome, Simulation};
use crate::model::message::UserAction;

fn waiver() -> ListMark {
    ListMark {
        reason: Some("urgent".to_owned()),
        by: Actor::person("ben", "Ben"),
        at: Timestamp::from_millis(0),
    }
}

#[test]
fn a_waived_list_lets_a_form_pass_and_is_not_completed() {
    let mut world = Simulation::with_items(2);
    world.server.list.waived = Some(waiver());
    world.server.list.revision += 1;
    world.refresh();
    world.read();
    let snapshot = world.model.snapshot();
    assert_eq!((snapshot.state, snapshot.completed), (State::Waived, false));
    assert!(!snapshot.incomplete && snapshot.still_open.is_empty());
    assert_eq!(world.model.card.strip.waived, Some(waiver()));
}

#[test]
fn a_refused_waiver_gives_its_reason_back_and_is_nothing_to_undo() {
    let mut world = Simulation::with_items(2);
    world.does(UserAction::Waive("urgent".to_owned(), false));
    assert!(!world.model.card.summary.can_undo, "it is revoked instead");
    assert_eq!(
        world.model.snapshot().state,
        State::Open,
        "not before the server says so"
    );
    world.answer(SendOutcome::Refused);
    let form = world.model.card.waiving.as_ref();
    assert_eq!(
        form.map(|form| (form.revokes, form.reason.as_str())),
        Some((false, "urgent"))
    );
    assert!(world.model.card.messages.refused.is_some());
}
