//! The history of an item: loaded page by page, with every kind of entry, without blocking the row.

use checklist_shared::event::What;
use checklist_shared::item::Actor;
use checklist_shared::wire::history::{ItemHistory, ItemHistoryEntry};
use checklist_shared::{ItemId, Timestamp};

use super::world::Simulation;
use super::{NOW, id, retext};
use crate::model::error::Error;
use crate::model::history::HistoryRest;
use crate::model::list::text_of;
use crate::model::message::{Msg, UserAction};
use crate::model::notice::RejectionReason;
use crate::model::view_data::Panel;

fn page(revision: u64, next: Option<u64>) -> ItemHistory {
    let entry = ItemHistoryEntry {
        at: Timestamp::from_millis(NOW),
        actor: Actor::person("anna", "Anna"),
        what: What::TextChanged,
        text: "1".to_owned(),
        before: None,
        after: None,
        before_id: None,
        after_id: None,
        basis: None,
        revision,
    };
    ItemHistory {
        entries: vec![entry],
        next,
    }
}

fn shown(world: &Simulation, id: ItemId) -> Option<(Vec<u64>, HistoryRest)> {
    match &world.model.rows.get(id)?.panel {
        Panel::History(history) => {
            let revisions = history.entries.iter().map(|entry| entry.revision);
            Some((revisions.collect(), history.rest.clone()))
        }
        _ => None,
    }
}

#[test]
fn a_history_comes_page_by_page_and_a_failure_is_told_and_tried_again() {
    let mut world = Simulation::with_items(2);
    world.does(UserAction::OpenHistory(id(1)));
    assert_eq!(world.history, [(id(1), None)]);
    assert_eq!(shown(&world, id(1)), Some((vec![], HistoryRest::Loading)));
    world.tell(Msg::HistoryRead(id(1), None, Err(Error::Network)));
    let failed = HistoryRest::Failed(RejectionReason::Network, None);
    assert_eq!(shown(&world, id(1)), Some((vec![], failed)));
    world.does(UserAction::MoreHistory(id(1)));
    world.tell(Msg::HistoryRead(id(1), None, Ok(page(7, Some(70)))));
    assert_eq!(
        shown(&world, id(1)),
        Some((vec![7], HistoryRest::Older(70)))
    );
    world.does(UserAction::MoreHistory(id(1)));
    assert_eq!(world.history.last(), Some(&(id(1), Some(70))));
    world.tell(Msg::HistoryRead(id(1), Some(70), Ok(page(3, None))));
    assert_eq!(
        shown(&world, id(1)),
        Some((vec![7, 3], HistoryRest::Nothing))
    );
}

#[test]
fn a_row_whose_history_is_open_follows_others_and_an_answer_that_is_late_opens_nothing() {
    let mut world = Simulation::with_items(2);
    world.does(UserAction::OpenHistory(id(1)));
    let changed = retext(&world.model.list, 1, "theirs");
    world.foreign(changed, true);
    assert_eq!(text_of(&world.model.item(id(1)).expect("there")), "theirs");
    assert!(world.model.rows.edited_rows().is_empty());
    world.does(UserAction::Close(id(1)));
    world.tell(Msg::HistoryRead(id(1), None, Ok(page(7, None))));
    assert_eq!(shown(&world, id(1)), None);
}
