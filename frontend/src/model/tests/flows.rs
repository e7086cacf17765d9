//! Whole flows of a person, a host and a form: from the message to the effects.
//!
//! Each test names a former bug; `super::world` simulates the environment of the model.

use std::rc::Rc;

use checklist_shared::item::{Actor, Status};

use super::world::{SendOutcome, Simulation, me, settings};
use super::{addition, id, retext, tick};
use crate::model::error::Error;
use crate::model::message::{Msg, UserAction};
use crate::model::sync::Connection;
use crate::model::unsent::UnsentStorage;
use crate::model::view_data::{Panel, Phase, Presence};
use crate::port::Settings;

fn check(world: &mut Simulation, n: u8) {
    world.does(UserAction::SetStatus(id(n), Status::Done, None));
}

fn last(world: &Simulation) -> &str {
    world.said.last().map(String::as_str).unwrap_or_default()
}

#[test]
fn completed_is_said_only_when_the_server_has_the_last_tick() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    check(&mut world, 2);
    assert!(
        world.model.card.summary.state.is_completed(),
        "shown at once"
    );
    let snapshot = world.model.snapshot();
    assert!(!snapshot.completed && snapshot.incomplete);
    assert_eq!(
        (snapshot.pending, snapshot.still_open.as_str()),
        (2, "Saving…")
    );
    world.answer(SendOutcome::Answered);
    assert!(!world.model.snapshot().completed);
    world.answer(SendOutcome::Answered);
    let snapshot = world.model.snapshot();
    assert!(snapshot.completed && !snapshot.incomplete);
    assert_eq!(world.completed, [false, true]);
}

#[test]
fn a_tick_that_the_server_refuses_never_completes_the_list() {
    let mut world = Simulation::with_items(1);
    check(&mut world, 1);
    world.answer(SendOutcome::Refused);
    world.settle();
    assert_eq!(world.completed, [false]);
    assert_eq!(world.errors.len(), 1);
}

#[test]
fn a_form_that_holds_changes_back_may_be_sent_with_them() {
    let held = Settings {
        autosave_off: true,
        ..settings()
    };
    let mut world = Simulation::with(held, 1);
    world.tell(Msg::Begin(None));
    world.read();
    check(&mut world, 1);
    assert!(world.sent.is_none(), "nothing is sent before the form");
    let snapshot = world.model.snapshot();
    assert!(!snapshot.completed && !snapshot.incomplete);
    let waiter = world.flush();
    world.answer(SendOutcome::Answered);
    assert_eq!(world.answers, [(waiter, Ok(()))]);
    assert!(world.model.snapshot().completed);
}

#[test]
fn a_flush_ends_with_the_queue_or_with_the_first_thing_that_went_wrong() {
    let mut world = Simulation::with_items(3);
    check(&mut world, 1);
    let first = world.flush();
    world.answer(SendOutcome::Answered);
    assert_eq!(world.answers, [(first, Ok(()))]);
    for fate in [SendOutcome::Lost, SendOutcome::Busy] {
        check(&mut world, 2);
        let waiter = world.flush();
        world.answer(fate);
        let (answered, result) = world.answers.last().expect("an answer");
        assert_eq!(*answered, waiter);
        assert!(result.is_err(), "{fate:?}");
        world.settle();
        world.does(UserAction::SetStatus(id(2), Status::Open, None));
        world.settle();
    }
}

#[test]
fn a_server_that_never_answers_ends_a_flush_all_the_same() {
    let mut world = Simulation::with_items(1);
    check(&mut world, 1);
    world.flush();
    world.wait();
    assert!(matches!(world.answers.as_slice(), [(_, Err(error))] if error.code == "Network"));
    assert!(world.sent.is_some(), "it may still be answered");
}

#[test]
fn without_a_token_there_is_one_state_that_is_said_once_and_ends_by_itself() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    world.answer(SendOutcome::NoToken);
    world.answer(SendOutcome::NoToken);
    world.tell(Msg::Stream(Connection::Offline));
    assert_eq!(world.model.connection(), Connection::NoToken);
    assert!(world.model.card.messages.sign_in && !world.model.card.strip.offline);
    let told = |world: &Simulation| {
        let sign_in = |said: &&String| said.contains("Your sign-in could not be confirmed");
        world.said.iter().filter(sign_in).count()
    };
    assert_eq!((told(&world), world.errors.len()), (1, 1));
    check(&mut world, 2);
    assert!(last(&world).ends_with("Not saved yet."), "{}", last(&world));
    // Still none, without a second message.
    world.wait();
    world.answer(SendOutcome::NoToken);
    world.answer(SendOutcome::NoToken);
    assert_eq!((told(&world), world.errors.len()), (1, 1));
    world.settle();
    assert_eq!(world.model.connection(), Connection::Online);
    assert!(!world.model.card.messages.sign_in);
    assert_eq!(world.server.status(id(2)), Some(Status::Done));
}

#[test]
fn a_session_that_has_ended_is_said_before_anybody_ticks() {
    let mut world = Simulation::with_items(1);
    world.tell(Msg::Stream(Connection::NoToken));
    assert_eq!(world.model.connection(), Connection::NoToken);
    assert!(world.model.card.messages.sign_in && !world.model.card.strip.offline);
    assert!(last(&world).contains("Your sign-in could not be confirmed"));
    world.does(UserAction::TryAgain);
    assert!(!world.model.card.messages.sign_in && last(&world).is_empty());
    assert_eq!(world.reads.len(), 1, "a token is asked for at once");
    for (load, _) in std::mem::take(&mut world.reads) {
        let refused = Err(Error::Token("signed out".to_owned()));
        world.tell(Msg::ChangesRead(load, refused));
    }
    assert!(world.model.card.messages.sign_in, "and there is still none");
    world.does(UserAction::TryAgain);
    world.read();
    world.tell(Msg::Stream(Connection::Online));
    assert!(!world.model.card.messages.sign_in);
    assert_eq!(last(&world), "", "nothing untrue is left to be read out");
}

#[test]
fn what_waits_is_kept_for_its_person_while_somebody_else_is_signed_in() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    world.answer(SendOutcome::NoToken);
    let waiter = world.flush();
    world.tell(Msg::OtherPerson);
    let answer = world
        .answers
        .iter()
        .find(|(answered, _)| *answered == waiter);
    assert!(
        matches!(answer, Some((_, Err(error))) if error.code == "Token"),
        "{answer:?}"
    );
    assert!(world.model.list.queue.is_empty() && world.model.principal.is_none());
    assert_eq!(world.kept.len(), 1);
}

#[test]
fn a_list_that_is_read_for_somebody_else_is_read_once_more_without_what_waits() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    world.answer(SendOutcome::NoToken);
    world.tell(Msg::Do(UserAction::LoadAgain));
    let load = world.reads.pop().expect("a read on its way").0;
    let list = Box::new(world.server.whole());
    let other = Actor::person("carol", "Carol");
    world.tell(Msg::ListRead(load, Ok(list), Some(other)));
    assert!(world.model.list.queue.is_empty() && world.model.principal.is_none());
    assert_eq!(world.kept.len(), 1);
    assert!(world.reads.pop().is_some_and(|again| again.0 != load));
}

#[test]
fn what_nobody_with_a_name_leaves_unsent_is_not_kept() {
    let mut world = Simulation::with_items(2);
    world.model.list.me = Actor::person("", "");
    check(&mut world, 1);
    world.answer(SendOutcome::Lost);
    assert!(world.kept.is_empty());
    assert!(
        world
            .model
            .card
            .strip
            .sending
            .contains("lost when you close")
    );
}

#[test]
fn whoever_comes_back_to_the_page_has_it_sent_at_once() {
    for message in [Msg::Back, Msg::Online, Msg::Stream(Connection::Online)] {
        for fate in [SendOutcome::Lost, SendOutcome::NoToken] {
            let mut world = Simulation::with_items(1);
            check(&mut world, 1);
            world.answer(fate);
            world.answer(fate);
            world.tell(Msg::Stream(Connection::Offline));
            assert!(world.sent.is_none());
            world.tell(message.clone());
            assert!(world.sent.is_some(), "{message:?} {fate:?}");
        }
    }
}

#[test]
fn a_list_that_could_not_be_loaded_is_asked_for_again_without_a_button() {
    let mut world = Simulation::new(2);
    world.tell(Msg::Begin(None));
    world.fail_reads();
    assert!(matches!(world.model.card.phase, Phase::Failed(_)));
    world.wait();
    world.read();
    assert_eq!(world.model.card.phase, Phase::Ready);
}

#[test]
fn what_is_not_sent_is_kept_and_sent_by_the_next_page_once() {
    let mut world = Simulation::with_items(3);
    world.answer(SendOutcome::Answered);
    check(&mut world, 1);
    world.answer(SendOutcome::AnswerLost);
    check(&mut world, 2);
    world.does(UserAction::Add("New".to_owned(), None));
    assert_eq!(world.kept.len(), 3);
    world.reload();
    world.read();
    let shown: Vec<Status> = world
        .model
        .list
        .list
        .items
        .iter()
        .map(|item| item.status)
        .collect();
    assert_eq!(
        shown,
        [Status::Done, Status::Done, Status::Open, Status::Open]
    );
    world.settle();
    assert!(world.kept.is_empty());
    assert_eq!(world.server.answers.len(), 3);
}

#[test]
fn the_sentence_says_what_would_become_of_unsent_changes() {
    let mut world = Simulation::with_items(1);
    check(&mut world, 1);
    world.answer(SendOutcome::Lost);
    let sentence = |world: &Simulation| world.model.card.strip.sending.clone();
    assert!(sentence(&world).contains("7 days"), "{}", sentence(&world));
    world.tell(Msg::Stored(UnsentStorage::InTab));
    assert!(
        sentence(&world).contains("this tab"),
        "{}",
        sentence(&world)
    );
    world.tell(Msg::Stored(UnsentStorage::Nowhere));
    assert!(
        sentence(&world).contains("are lost"),
        "{}",
        sentence(&world)
    );
    world.tell(Msg::Stored(UnsentStorage::Nowhere));
    let told = world.errors.iter();
    let told = told.filter(|one| one.code == "StorageUnavailable");
    assert_eq!(told.count(), 1, "the host is told once");
    assert!(world.model.asks_before_leaving());
    world.settle();
    assert_eq!(sentence(&world), "");
    assert!(!world.model.asks_before_leaving());
}

#[test]
fn saved_is_said_when_the_server_has_it_and_not_when_it_refuses() {
    let mut world = Simulation::with_items(2);
    let edit = |world: &mut Simulation, n: u8| {
        world.does(UserAction::EditText(id(n)));
        world.does(UserAction::Save(id(n), Panel::Text("other".to_owned(), 1)));
    };
    edit(&mut world, 1);
    assert!(!world.said.iter().any(|said| said == "Saved."));
    world.answer(SendOutcome::Answered);
    assert_eq!(last(&world), "Saved.");
    world.said.clear();
    edit(&mut world, 2);
    world.answer(SendOutcome::Refused);
    assert!(
        !world.said.iter().any(|said| said == "Saved."),
        "{:?}",
        world.said
    );
}

#[test]
fn what_others_do_is_said_with_the_item_that_it_was_done_to() {
    let mut world = Simulation::with_items(3);
    let others = |world: &mut Simulation, action| world.foreign(action, true);
    let action = tick(&world.model.list, 1, Status::Done);
    others(&mut world, action);
    assert!(
        last(&world).starts_with("Anna checked “1”."),
        "{}",
        last(&world)
    );
    let action = retext(&world.model.list, 2, "two");
    others(&mut world, action);
    assert!(
        last(&world).starts_with("Anna changed “two”."),
        "{}",
        last(&world)
    );
    others(&mut world, addition(7, "seven"));
    assert!(
        last(&world).starts_with("Anna added “seven”."),
        "{}",
        last(&world)
    );
}

#[test]
fn an_operation_that_certainly_was_not_done_is_taken_back_without_the_server() {
    let mut world = Simulation::with_items(1);
    check(&mut world, 1);
    world.answer(SendOutcome::NoToken);
    world.answer(SendOutcome::NoToken);
    world.does(UserAction::Undo(None));
    assert_eq!(world.model.snapshot().pending, 0);
    assert!(world.kept.is_empty());
    world.settle();
    assert_eq!(world.server.status(id(1)), Some(Status::Open));
}

#[test]
fn a_row_that_is_edited_stays_as_it_is_while_others_write() {
    let mut world = Simulation::with_items(3);
    world.does(UserAction::EditText(id(2)));
    let action = crate::model::operation::Action::Delete(id(2));
    world.foreign(action, false);
    world.refresh();
    world.read();
    assert!(
        world
            .model
            .groups
            .iter()
            .any(|(_, rows)| rows.contains(&id(2)))
    );
    world.does(UserAction::Save(
        id(2),
        Panel::Text("typed at length".to_owned(), 1),
    ));
    assert_eq!(world.model.card.new_text, "typed at length");
    assert!(
        world
            .model
            .groups
            .iter()
            .all(|(_, rows)| !rows.contains(&id(2)))
    );
}

#[test]
fn a_draft_is_sent_once_with_the_items_of_its_list() {
    let draft = Settings {
        object_id: String::new(),
        template: "t".to_owned(),
        ..settings()
    };
    let mut world = Simulation::with(draft, 2);
    world.tell(Msg::Begin(None));
    world.read();
    check(&mut world, 1);
    check(&mut world, 2);
    assert!(
        world.model.snapshot().completed,
        "a draft has nobody to confirm it"
    );
    assert!(!world.model.asks_before_leaving() && world.kept.is_empty());
    let bound = Settings {
        template: "t".to_owned(),
        ..settings()
    };
    world.tell(Msg::Configure(bound.into(), "en".to_owned()));
    world.settle();
    assert!(world.server.is_complete() && world.model.snapshot().completed);
    assert_eq!(world.server.answers.len(), 2);
}

#[test]
fn a_drawn_list_is_shown_at_once_and_its_reader_is_learned_from_the_token() {
    let mut world = Simulation::new(2);
    let drawn = Box::new(world.server.whole());
    world.tell(Msg::Begin(Some(drawn)));
    assert!(world.reads.is_empty());
    assert_eq!(world.model.principal, Some(me().identity()));
}

#[test]
fn after_the_end_nothing_happens_and_everybody_is_answered() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    world.flush();
    world.refresh();
    world.tell(Msg::End);
    assert!(world.waiting.is_empty());
    assert!(world.answers.iter().all(|(_, result)| result.is_err()));
    let drawn = world.drawn;
    world.sent = None;
    check(&mut world, 2);
    world.tell(Msg::Online);
    world.wait();
    assert!(world.sent.is_none() && world.drawn == drawn);
    assert_eq!(world.kept.len(), 1, "the next page sends it");
}

#[test]
fn a_host_that_hides_presence_shows_nobody_whatever_carries_the_control() {
    let ana = Presence {
        named: vec!["Ana".to_owned()],
        more: 0,
    };
    let hidden = Settings {
        hide_presence: true,
        ..settings()
    };
    let mut world = Simulation::with_items(1);
    world.tell(Msg::Present(ana.clone()));
    assert_eq!(world.model.card.others, ana);
    world.tell(Msg::Configure(Rc::new(hidden), "en".to_owned()));
    assert_eq!(world.model.card.others, Presence::default());
    world.tell(Msg::Present(ana));
    assert_eq!(world.model.card.others, Presence::default());
}
