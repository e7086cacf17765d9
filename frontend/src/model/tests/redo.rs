//! Redo: by the server, and locally if nothing was sent yet.

use checklist_shared::item::Status;

use super::world::{SendOutcome, Simulation, settings};
use super::{id, tick};
use crate::model::message::{Msg, UserAction};
use crate::model::operation::Action;
use crate::port::Settings;

fn check(world: &mut Simulation, n: u8) {
    world.does(UserAction::SetStatus(id(n), Status::Done, None));
}

fn done(world: &Simulation) -> Vec<u8> {
    let is_done = |n: &u8| {
        world
            .model
            .item(id(*n))
            .is_some_and(|item| item.status == Status::Done)
    };
    (1..=3).filter(is_done).collect()
}

#[test]
fn what_was_undone_is_redone_and_can_be_undone_once_more() {
    let mut world = Simulation::with_items(3);
    check(&mut world, 1);
    world.settle();
    assert!(!world.model.card.summary.can_redo);
    world.does(UserAction::Undo(None));
    world.settle();
    assert!(done(&world).is_empty() && world.model.card.summary.can_redo);
    world.does(UserAction::Redo);
    assert!(matches!(
        &world.sent.as_ref().expect("it is sent").action,
        Action::Redo(_)
    ));
    world.settle();
    assert_eq!(done(&world), [1]);
    assert!(!world.model.card.summary.can_redo);
    assert_eq!(
        world.said.last().map(String::as_str),
        Some("Redone. 1 of 3 done")
    );
    world.does(UserAction::Undo(None));
    world.settle();
    assert!(done(&world).is_empty());
}

#[test]
fn several_steps_are_redone_one_after_the_other_before_anything_is_sent() {
    let held = Settings {
        autosave_off: true,
        ..settings()
    };
    let mut world = Simulation::with(held, 3);
    world.tell(Msg::Begin(None));
    world.read();
    check(&mut world, 1);
    check(&mut world, 2);
    world.does(UserAction::Undo(None));
    world.does(UserAction::Undo(None));
    assert!(done(&world).is_empty());
    world.does(UserAction::Redo);
    assert_eq!(done(&world), [1]);
    world.does(UserAction::Redo);
    assert_eq!(done(&world), [1, 2]);
    world.does(UserAction::Redo);
    assert!(world.sent.is_none());
    world.flush();
    world.settle();
    assert!(
        [1, 2]
            .iter()
            .all(|n| world.server.status(id(*n)) == Some(Status::Done))
    );
}

#[test]
fn what_is_done_after_an_undo_or_refused_leaves_nothing_to_redo() {
    let mut world = Simulation::with_items(3);
    check(&mut world, 1);
    world.settle();
    world.does(UserAction::Undo(None));
    world.settle();
    check(&mut world, 2);
    assert!(!world.model.card.summary.can_redo);
    world.settle();
    world.does(UserAction::Undo(None));
    world.answer(SendOutcome::Refused);
    world.settle();
    assert!(!world.model.card.summary.can_redo, "it was not undone");
    let theirs = tick(&world.model.list, 3, Status::Done);
    world.foreign(theirs, true);
    world.does(UserAction::Redo);
    assert!(world.sent.is_none());
}
