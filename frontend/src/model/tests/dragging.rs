//! Dragged items: they go where the person has seen them dropped, whatever is hidden between, and
//! nothing else moves.

use std::sync::Arc;

use checklist_shared::Item;
use checklist_shared::item::{Kind, Status};
use proptest::prelude::*;

use super::id;
use super::world::{Simulation, settings};
use crate::model::dragging::{DropPosition, DropTarget, spot_at};
use crate::model::message::{Msg, UserAction};
use crate::model::operation::Action;
use crate::port::Settings;

/// `0`: sections at these places, what follows stands in them.
fn world(count: u8, sections: &[u8]) -> Simulation {
    let mut world = Simulation::new(count);
    let mut section = None;
    for item in &mut world.server.list.items {
        let item: &mut Item = Arc::make_mut(item);
        let number = (1..=count).find(|n| id(*n) == item.id).unwrap_or_default();
        if sections.contains(&number) {
            item.kind = Kind::Section;
            section = Some(item.id);
        } else {
            item.parent_id = section;
        }
    }
    world.tell(Msg::Begin(None));
    world.read();
    world
}

fn shown(world: &Simulation) -> Vec<(Option<u8>, Vec<u8>)> {
    let number = |id_: &_| (1..=20).find(|n| id(*n) == *id_).unwrap_or_default();
    let groups = world.model.groups.iter();
    groups
        .map(|((section, _), rows)| {
            (
                section.as_ref().map(number),
                rows.iter().map(number).collect(),
            )
        })
        .collect()
}

fn drop_at(world: &mut Simulation, n: u8, spot: DropPosition) {
    world.does(UserAction::Drop(id(n), spot));
}

#[test]
fn an_item_is_dropped_beside_a_row_by_one_move_with_one_undo() {
    let mut world = world(4, &[]);
    drop_at(&mut world, 1, DropPosition::After(id(3)));
    let sent = world.sent.clone().expect("it is sent");
    assert!(matches!(&sent.action, Action::Update(_)) && sent.action.what() == "move");
    world.settle();
    assert_eq!(shown(&world), [(None, vec![2, 3, 1, 4])]);
    assert_eq!(
        world
            .said
            .iter()
            .filter(|said| said.contains("position 3 of 4"))
            .count(),
        1
    );
    drop_at(&mut world, 4, DropPosition::Before(id(2)));
    world.settle();
    assert_eq!(shown(&world), [(None, vec![4, 2, 3, 1])]);
    world.does(UserAction::Undo(None));
    world.settle();
    assert_eq!(shown(&world), [(None, vec![2, 3, 1, 4])]);
}

#[test]
fn where_it_stands_already_nothing_is_sent() {
    let mut world = world(6, &[4]);
    for (n, spot) in [
        (2, DropPosition::After(id(1))),
        (2, DropPosition::Before(id(3))),
        (2, DropPosition::After(id(2))),
        (5, DropPosition::First(id(4))),
        (6, DropPosition::Last(id(4))),
    ] {
        drop_at(&mut world, n, spot);
        assert!(world.sent.is_none(), "{n} {spot:?}");
    }
}

#[test]
fn an_item_goes_into_a_section_and_out_of_it() {
    let mut world = world(7, &[3, 6]);
    assert_eq!(
        shown(&world),
        [
            (None, vec![1, 2]),
            (Some(3), vec![4, 5]),
            (Some(6), vec![7])
        ]
    );
    drop_at(&mut world, 1, DropPosition::First(id(3)));
    world.settle();
    drop_at(&mut world, 5, DropPosition::Before(id(2)));
    world.settle();
    drop_at(&mut world, 4, DropPosition::Last(id(6)));
    world.settle();
    drop_at(&mut world, 7, DropPosition::After(id(1)));
    world.settle();
    assert_eq!(
        shown(&world),
        [
            (None, vec![5, 2]),
            (Some(3), vec![1, 7]),
            (Some(6), vec![4])
        ]
    );
}

#[test]
fn the_halves_of_rows_and_headings_say_where() {
    let world = world(7, &[1, 2, 5]);
    let at = |n, is_upper| {
        spot_at(
            &world.model.list,
            &world.model.groups,
            DropTarget {
                id: id(n),
                is_upper,
            },
        )
    };
    assert_eq!(at(3, true), Some(DropPosition::Before(id(3))));
    assert_eq!(at(3, false), Some(DropPosition::After(id(3))));
    assert_eq!(
        at(1, true),
        Some(DropPosition::Before(id(1))),
        "before the first section"
    );
    assert_eq!(at(1, false), Some(DropPosition::First(id(1))));
    assert_eq!(
        at(2, true),
        Some(DropPosition::Last(id(1))),
        "the section before is empty"
    );
    assert_eq!(at(5, true), Some(DropPosition::After(id(4))));
    assert_eq!(at(9, true), None, "it is gone");
}

#[test]
fn hidden_rows_between_do_not_matter() {
    let mut world = world(5, &[]);
    world.does(UserAction::SetStatus(id(2), Status::Done, None));
    world.settle();
    world.does(UserAction::HideDone(true));
    assert_eq!(shown(&world), [(None, vec![1, 3, 4, 5])]);
    drop_at(&mut world, 3, DropPosition::After(id(1)));
    assert!(world.sent.is_none(), "nothing would be seen of it");
    drop_at(&mut world, 5, DropPosition::After(id(1)));
    world.settle();
    assert_eq!(shown(&world), [(None, vec![1, 5, 3, 4])]);
}

#[test]
fn a_list_that_changes_under_the_drag_breaks_nothing() {
    let mut world = world(4, &[]);
    world.foreign(Action::Delete(id(2)), false);
    drop_at(&mut world, 4, DropPosition::After(id(2)));
    world.settle();
    assert_eq!(world.model.list.order().len(), 3, "nothing is lost");
    drop_at(&mut world, 1, DropPosition::After(id(2)));
    assert!(world.sent.is_none(), "the neighbour is gone");
    drop_at(&mut world, 2, DropPosition::After(id(4)));
    assert!(world.sent.is_none(), "the item is gone");
}

#[test]
fn nothing_is_dragged_where_nothing_may_be_moved() {
    let mut world = world(3, &[]);
    let disabled = Settings {
        disable_edit: true,
        ..settings()
    };
    world.tell(Msg::Configure(disabled.into(), "en".to_owned()));
    drop_at(&mut world, 1, DropPosition::After(id(3)));
    assert!(world.sent.is_none());
}

proptest! {
    /// Wherever it is dropped, it stands beside that row, and all others keep their order.
    #[test]
    fn it_stands_where_it_was_dropped_and_all_others_keep_their_order(
        section in 2_u8..=5, moved in 1_u8..=7, target in 1_u8..=7, is_upper: bool, done in 1_u8..=7,
    ) {
        let mut world = world(7, &[section]);
        world.does(UserAction::SetStatus(id(done), Status::Done, None));
        world.settle();
        world.does(UserAction::HideDone(true));
        let flat = |world: &Simulation| -> Vec<u8> { shown(world).into_iter().flat_map(|(_, rows)| rows).collect() };
        let before = flat(&world);
        prop_assume!(before.contains(&moved) && (before.contains(&target) || target == section));
        let half = DropTarget { id: id(target), is_upper };
        let spot = spot_at(&world.model.list, &world.model.groups, half);
        prop_assume!(spot.is_some());
        drop_at(&mut world, moved, spot.unwrap());
        world.settle();
        let after = flat(&world);
        let others = |all: &[u8]| -> Vec<u8> { all.iter().copied().filter(|n| *n != moved).collect() };
        prop_assert_eq!(others(&before), others(&after));
        let place = |n: u8| after.iter().position(|row| *row == n);
        if target != section && target != moved {
            let expected = place(target).map(|at| if is_upper { at.wrapping_sub(1) } else { at + 1 });
            prop_assert_eq!(place(moved), expected);
            let parent = |n| world.model.item(id(n)).and_then(|item| item.parent_id);
            prop_assert_eq!(parent(moved), parent(target));
        }
    }
}
