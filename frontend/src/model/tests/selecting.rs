//! Selected rows and bulk actions: one operation, one undo, nothing that is hidden, and a message for
//! what was skipped.

use std::sync::Arc;

use checklist_shared::Item;
use checklist_shared::item::{Kind, Status};
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions};
use proptest::prelude::*;

use super::world::{SendOutcome, Simulation, settings};
use super::{id, tick};
use crate::model::bulk::{Bulk, SkipReason, section_box};
use crate::model::message::{Msg, UserAction};
use crate::model::operation::Action;
use crate::model::selecting::SelectionChange;
use crate::port::Settings;

fn pick(world: &mut Simulation, pick: SelectionChange) {
    world.does(UserAction::Pick(pick));
}

fn toggle(world: &mut Simulation, numbers: &[u8]) {
    for n in numbers {
        pick(world, SelectionChange::Toggle(id(*n)));
    }
}

fn selected(world: &Simulation) -> Vec<u8> {
    let rows = world.model.selected_rows();
    (1..=9).filter(|n| rows.contains(&id(*n))).collect()
}

fn statuses(world: &Simulation) -> Vec<Status> {
    let status = |n| world.server.status(id(n));
    (1..=9).filter_map(status).collect()
}

fn said(world: &Simulation) -> &str {
    world.said.last().map_or("", String::as_str)
}

/// The first item becomes a section, the others stand in it; the last one stands outside.
fn with_a_section(count: u8) -> Simulation {
    let mut world = Simulation::new(count);
    for (at, item) in world.server.list.items.iter_mut().enumerate() {
        let item: &mut Item = Arc::make_mut(item);
        match at {
            0 => item.kind = Kind::Section,
            at if at + 1 < usize::from(count) => item.parent_id = Some(id(1)),
            _ => {}
        }
    }
    world.tell(Msg::Begin(None));
    world.read();
    world
}

fn change_of_server(world: &mut Simulation, n: u8, change: impl FnOnce(&mut Item)) {
    let items = &mut world.server.list.items;
    let item = items.iter_mut().find(|item| item.id == id(n));
    change(Arc::make_mut(item.expect("the item")));
}

#[test]
fn rows_are_selected_one_by_one_up_to_a_row_or_all_and_that_is_said() {
    let mut world = Simulation::with_items(5);
    toggle(&mut world, &[2]);
    assert_eq!(said(&world), "“2” selected. 1 selected");
    pick(&mut world, SelectionChange::Range(id(5), id(4)));
    assert_eq!(selected(&world), [2, 3, 4], "from where it began");
    assert_eq!(said(&world), "“4” selected. 3 selected");
    pick(&mut world, SelectionChange::Range(id(5), id(1)));
    assert_eq!(selected(&world), [1, 2]);
    toggle(&mut world, &[5, 2]);
    assert_eq!(said(&world), "“2” deselected. 2 selected");
    assert_eq!(selected(&world), [1, 5]);
    pick(&mut world, SelectionChange::All);
    assert_eq!(said(&world), "5 selected");
    pick(&mut world, SelectionChange::Clear);
    assert_eq!(said(&world), "Selection cleared.");
    assert!(selected(&world).is_empty() && world.model.card.selected.count == 0);
    pick(&mut world, SelectionChange::Range(id(2), id(3)));
    assert_eq!(selected(&world), [2, 3], "from where the person is");
    assert!(
        world.sent.is_none(),
        "nothing of it is the server's business"
    );
}

#[test]
fn several_are_checked_by_one_operation_and_opened_by_one_undo() {
    let mut world = Simulation::with_items(4);
    toggle(&mut world, &[1, 3, 4]);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    let sent = world.sent.clone().expect("it is sent");
    assert!(
        matches!(&sent.action, Action::UpdateAll(items) if items.len() == 3
        && items.iter().all(|item| item.seen_text_hash.is_some()))
    );
    assert!(
        said(&world).starts_with("3 items checked. 3 of 4 done"),
        "{}",
        said(&world)
    );
    world.settle();
    use Status::{Done, Open};
    assert_eq!(statuses(&world), [Done, Open, Done, Done]);
    assert_eq!(selected(&world), [1, 3, 4], "for whatever comes next");
    world.does(UserAction::Undo(None));
    world.settle();
    assert_eq!(statuses(&world), [Open; 4]);
    assert_eq!(world.server.answers.len(), 2);
    world.does(UserAction::Redo);
    world.settle();
    assert_eq!(statuses(&world), [Done, Open, Done, Done]);
}

#[test]
fn what_is_done_already_or_does_not_apply_is_not_checked_again() {
    let mut world = Simulation::with_items(3);
    world.does(UserAction::SetStatus(id(1), Status::NotApplicable, None));
    world.does(UserAction::SetStatus(id(2), Status::Done, None));
    world.settle();
    pick(&mut world, SelectionChange::All);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    let sent = world.sent.clone().expect("it is sent");
    assert_eq!(sent.action.ids(), [id(3)]);
    world.settle();
    world.does(UserAction::Bulk(Bulk::Check(true)));
    assert!(world.sent.is_none());
    assert!(
        said(&world).starts_with("0 items checked."),
        "{}",
        said(&world)
    );
}

#[test]
fn several_are_deleted_by_one_operation_and_come_back_by_one_undo() {
    let mut world = Simulation::with_items(4);
    toggle(&mut world, &[3, 2]);
    world.does(UserAction::Bulk(Bulk::Delete));
    assert!(selected(&world).is_empty());
    let deleted = world.model.card.messages.deleted.clone();
    let (texts, operation) = deleted.expect("the undo is offered");
    assert_eq!(texts, ["2", "3"]);
    world.settle();
    assert_eq!(world.model.list.order(), [id(1), id(4)]);
    world.does(UserAction::Undo(Some(operation)));
    world.settle();
    assert_eq!(world.model.list.order(), [id(1), id(2), id(3), id(4)]);
}

#[test]
fn several_are_assigned_by_one_operation() {
    let mut world = Simulation::with_items(3);
    toggle(&mut world, &[1, 2]);
    world.does(UserAction::Bulk(Bulk::Assign(" Ann ".into())));
    world.settle();
    let assignee = |n| world.model.item(id(n)).and_then(|item| item.assignee);
    assert_eq!(
        (assignee(1), assignee(2), assignee(3)),
        (Some("Ann".into()), Some("Ann".into()), None)
    );
    assert_eq!(world.server.answers.len(), 1);
}

#[test]
fn rows_that_cannot_be_seen_any_more_are_not_selected_any_more() {
    let mut world = with_a_section(5);
    pick(&mut world, SelectionChange::All);
    assert_eq!(selected(&world), [2, 3, 4, 5], "a section is no row");
    world.does(UserAction::Collapse(id(1), true));
    assert_eq!(selected(&world), [5]);
    assert_eq!(world.model.card.selected.count, 1);
    world.does(UserAction::Collapse(id(1), false));
    assert_eq!(selected(&world), [5], "it does not come back by itself");
    pick(&mut world, SelectionChange::All);
    world.does(UserAction::SetStatus(id(3), Status::Done, None));
    world.settle();
    world.does(UserAction::HideDone(true));
    assert_eq!(selected(&world), [2, 4, 5]);
    world.foreign(Action::Delete(id(4)), false);
    world.refresh();
    world.settle();
    assert_eq!(selected(&world), [2, 5]);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    assert_eq!(
        world.sent.clone().expect("sent").action.ids(),
        [id(2), id(5)]
    );
}

#[test]
fn nothing_is_selected_where_nothing_can_be_done() {
    let mut world = Simulation::with_items(2);
    pick(&mut world, SelectionChange::All);
    let readonly = Settings {
        readonly: true,
        ..settings()
    };
    world.tell(Msg::Configure(readonly.into(), "en".to_owned()));
    assert_eq!(world.model.card.selected.count, 0);
    pick(&mut world, SelectionChange::All);
    assert!(selected(&world).is_empty());
    let disabled = Settings {
        disable_check: true,
        disable_edit: true,
        ..settings()
    };
    world.tell(Msg::Configure(disabled.into(), "en".to_owned()));
    pick(&mut world, SelectionChange::All);
    assert!(selected(&world).is_empty());
}

#[test]
fn disable_check_and_disable_edit_hold_for_many_as_for_one() {
    for (disable_check, disable_edit) in [(true, false), (false, true)] {
        let mut world = Simulation::with_items(3);
        let limited = Settings {
            disable_check,
            disable_edit,
            ..settings()
        };
        world.tell(Msg::Configure(limited.into(), "en".to_owned()));
        pick(&mut world, SelectionChange::All);
        let forbidden = if disable_check {
            vec![Bulk::Check(true), Bulk::Check(false)]
        } else {
            vec![Bulk::Assign("Ann".into()), Bulk::Delete]
        };
        for bulk in forbidden {
            world.does(UserAction::Bulk(bulk));
            assert!(world.sent.is_none());
        }
    }
}

#[test]
fn what_the_person_may_not_change_is_left_out_and_named() {
    let mut world = Simulation::new(3);
    change_of_server(&mut world, 2, |item| {
        item.status = Status::Done;
        item.status_by = Some(checklist_shared::item::Actor::person("ann", "Ann").into());
    });
    world.tell(Msg::Begin(None));
    world.read();
    world.model.list.meta.permissions = [Permission::Read, Permission::Check]
        .into_iter()
        .collect::<Permissions>();
    pick(&mut world, SelectionChange::All);
    world.does(UserAction::SetStatus(id(1), Status::Done, None));
    world.settle();
    world.model.list.meta.permissions = [Permission::Read, Permission::Check]
        .into_iter()
        .collect::<Permissions>();
    pick(&mut world, SelectionChange::All);
    world.does(UserAction::Bulk(Bulk::Check(false)));
    assert_eq!(world.sent.clone().expect("sent").action.ids(), [id(1)]);
    assert_eq!(
        world.model.card.messages.left_out,
        Some(SkipReason::Items(vec!["2".to_owned()]))
    );
    assert!(
        said(&world).contains("1 item was not changed: 2"),
        "{}",
        said(&world)
    );
}

#[test]
fn what_the_server_refuses_of_several_is_named_and_the_rest_is_done() {
    let mut world = Simulation::with_items(3);
    pick(&mut world, SelectionChange::All);
    world.foreign(Action::Delete(id(2)), false);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    world.settle();
    assert_eq!(statuses(&world), [Status::Done; 2]);
    assert_eq!(
        world.model.card.messages.left_out,
        Some(SkipReason::Items(vec!["2".to_owned()]))
    );
    assert!(world.model.card.messages.refused.is_none());
    assert!(
        world
            .said
            .iter()
            .any(|said| said == "1 item was not changed: 2")
    );
    assert_eq!(world.model.list.order(), [id(1), id(3)]);
}

#[test]
fn what_is_refused_whole_is_taken_back_whole() {
    let mut world = Simulation::with_items(3);
    pick(&mut world, SelectionChange::All);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    world.answer(SendOutcome::Refused);
    world.settle();
    let open = |n| world.model.item(id(n)).map(|item| item.status);
    assert_eq!([open(1), open(2), open(3)], [Some(Status::Open); 3]);
    assert!(world.model.card.messages.refused.is_some());
    assert!(world.model.list.undo.is_empty());
}

#[test]
fn more_than_one_call_may_carry_is_said_and_nothing_is_changed() {
    let mut world = Simulation::with_items(3);
    world.model.list.meta.limits = Limits {
        batch: 2,
        ..Limits::default()
    };
    pick(&mut world, SelectionChange::All);
    assert!(world.model.card.selected.too_many);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    assert!(world.sent.is_none());
    assert_eq!(said(&world), "At most 2 items can be changed at once.");
}

#[test]
fn a_section_is_checked_by_its_box_and_asks_nothing() {
    let mut world = with_a_section(5);
    let state = |world: &Simulation| {
        let state = section_box(&world.model.list, &[id(2), id(3), id(4)]);
        (state.is_checked, state.is_mixed)
    };
    assert_eq!(state(&world), (false, false));
    world.does(UserAction::SetStatus(id(2), Status::Done, None));
    world.does(UserAction::SetStatus(id(3), Status::NotApplicable, None));
    world.settle();
    assert_eq!(state(&world), (false, true));
    world.does(UserAction::CheckSection(id(1), true));
    assert_eq!(world.sent.clone().expect("sent").action.ids(), [id(4)]);
    world.settle();
    assert_eq!(
        state(&world),
        (true, false),
        "what does not apply does not count"
    );
    assert_eq!(
        world.server.status(id(5)),
        Some(Status::Open),
        "it is outside"
    );
    world.does(UserAction::Undo(None));
    world.settle();
    assert_eq!(state(&world), (false, true));
    world.does(UserAction::Collapse(id(1), true));
    world.does(UserAction::CheckSection(id(1), true));
    world.does(UserAction::CheckSection(id(1), false));
    world.settle();
    assert_eq!(state(&world), (false, false), "also while it is collapsed");
}

#[test]
fn what_somebody_has_checked_meanwhile_is_no_conflict() {
    let mut world = Simulation::with_items(2);
    pick(&mut world, SelectionChange::All);
    let ticked = tick(&world.model.list, 1, Status::Done);
    world.foreign(ticked, false);
    world.does(UserAction::Bulk(Bulk::Check(true)));
    world.settle();
    assert_eq!(statuses(&world), [Status::Done; 2]);
    assert!(world.model.card.messages.left_out.is_none());
}

proptest! {
    /// A range is everything between two rows, whichever comes first; its anchor does not move.
    #[test]
    fn a_range_is_what_lies_between_two_rows(from in 1_u8..=8, to in prop::collection::vec(1_u8..=8, 1..6)) {
        let mut world = Simulation::with_items(8);
        pick(&mut world, SelectionChange::Toggle(id(from)));
        for to in to {
            pick(&mut world, SelectionChange::Range(id(1), id(to)));
            let between: Vec<u8> = (from.min(to)..=from.max(to)).collect();
            prop_assert_eq!(selected(&world), between);
        }
    }
}
