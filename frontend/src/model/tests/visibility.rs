//! Hidden items: nothing disappears by itself, nothing that counts is lost.

use std::rc::Rc;

use checklist_shared::item::{Kind, Status};

use super::world::{Simulation, settings};
use super::{id, tick};
use crate::model::message::{Msg, UserAction};
use crate::port::Settings;

/// The rows on the screen.
fn rows(world: &Simulation) -> Vec<u8> {
    let shown = world.model.groups.iter().flat_map(|(_, rows)| rows);
    (1..=9)
        .filter(|n| shown.clone().any(|row| *row == id(*n)))
        .collect()
}

fn check(world: &mut Simulation, n: u8) {
    world.does(UserAction::SetStatus(id(n), Status::Done, None));
    world.settle();
}

#[test]
fn what_is_done_is_hidden_on_demand_and_what_is_done_after_that_stays_in_its_place() {
    let mut world = Simulation::with_items(4);
    check(&mut world, 1);
    assert_eq!(rows(&world), [1, 2, 3, 4]);
    world.does(UserAction::HideDone(true));
    assert_eq!(rows(&world), [2, 3, 4]);
    assert_eq!(world.said.last().map(String::as_str), Some("1 done hidden"));
    check(&mut world, 2);
    let ticked = tick(&world.model.list, 3, Status::Done);
    world.foreign(ticked, true);
    world.settle();
    assert_eq!(rows(&world), [2, 3, 4], "no row goes by itself");
    let view = &world.model.card.view;
    assert_eq!((view.hidden, view.done), (1, 2));
    assert_eq!(world.model.card.summary.counts.done, 3, "all of them count");
    world.does(UserAction::HideDone(true));
    assert_eq!(rows(&world), [4]);
    world.does(UserAction::HideDone(false));
    assert_eq!(rows(&world), [1, 2, 3, 4]);
}

#[test]
fn an_item_that_is_open_again_is_shown_again() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    world.does(UserAction::HideDone(true));
    assert_eq!(rows(&world), [2]);
    world.does(UserAction::Undo(None));
    world.settle();
    assert_eq!(rows(&world), [1, 2]);
    assert_eq!(world.model.card.view.hidden, 0);
}

#[test]
fn the_choice_comes_back_with_the_list_unless_the_viewer_was_faster() {
    let mut world = Simulation::with_items(2);
    check(&mut world, 1);
    world.does(UserAction::HideDone(true));
    world.reload();
    world.settle();
    assert_eq!(rows(&world), [2]);
    world.does(UserAction::HideDone(false));
    let kept = world.kept_view.clone();
    assert_eq!(kept.hide_done, Some(false));
    world.tell(Msg::ViewRecalled(crate::model::visibility::ViewChoice {
        hide_done: Some(true),
        ..kept
    }));
    assert_eq!(rows(&world), [1, 2]);
}

#[test]
fn a_collapsed_section_opens_for_what_gets_the_focus_or_comes_into_it() {
    let mut world = Simulation::new(3);
    for item in &mut world.server.list.items {
        let item = std::sync::Arc::make_mut(item);
        match item.id {
            section if section == id(1) => item.kind = Kind::Section,
            _ => item.parent_id = Some(id(1)),
        }
    }
    world.tell(Msg::Begin(None));
    world.read();
    assert_eq!(rows(&world), [2, 3]);
    world.does(UserAction::Collapse(id(1), true));
    assert!(rows(&world).is_empty());
    assert_eq!(world.model.card.view.collapsed, [id(1)]);
    world.does(UserAction::Reveal(id(3)));
    assert_eq!(rows(&world), [2, 3]);
    world.does(UserAction::Collapse(id(1), true));
    world.does(UserAction::Add("more".to_owned(), Some(id(1))));
    assert_eq!(rows(&world), [2, 3], "who adds sees what was added");
    world.does(UserAction::Collapse(id(1), true));
    world.reload();
    world.settle();
    assert!(rows(&world).is_empty(), "remembered");
}

#[test]
fn a_host_hides_what_is_done_until_the_viewer_shows_it() {
    let hiding = Settings {
        hide_completed: true,
        ..settings()
    };
    let mut world = Simulation::with(hiding, 2);
    let ticked = tick(&world.model.list, 1, Status::Done);
    world.foreign(ticked, false);
    world.tell(Msg::Begin(None));
    world.read();
    assert_eq!(rows(&world), [2]);
    world.does(UserAction::HideDone(false));
    world.reload();
    world.settle();
    assert_eq!(rows(&world), [1, 2], "the viewer's choice counts");
    world.tell(Msg::Configure(Rc::new(settings()), "en".to_owned()));
    world.does(UserAction::HideDone(true));
    world.tell(Msg::Configure(Rc::new(settings()), "fr".to_owned()));
    assert_eq!(rows(&world), [2], "another language changes nothing");
}

#[test]
fn paper_has_every_row_and_the_screen_the_same_ones_as_before() {
    let mut world = Simulation::with_items(3);
    check(&mut world, 1);
    world.does(UserAction::HideDone(true));
    check(&mut world, 2);
    let before = world.model.card.view.clone();
    let kept = world.kept_view.clone();
    world.tell(Msg::Print(true));
    assert_eq!(rows(&world), [1, 2, 3]);
    assert_eq!(world.model.card.view.hidden, 0, "paper says so, too");
    world.tell(Msg::Print(false));
    assert_eq!(rows(&world), [2, 3]);
    assert_eq!(world.model.card.view, before);
    assert_eq!(world.kept_view, kept);
}

#[test]
fn a_step_leads_over_items_that_are_hidden() {
    let mut world = Simulation::with_items(4);
    check(&mut world, 2);
    check(&mut world, 3);
    world.does(UserAction::HideDone(true));
    world.does(UserAction::MoveBy(id(4), true));
    world.settle();
    assert_eq!(world.model.list.order(), [id(4), id(1), id(2), id(3)]);
}
