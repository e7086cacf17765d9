//! Searching a list: which rows are shown, and that nothing is lost by it.

use checklist_shared::item::{Kind, Status};

use super::id;
use super::retext;
use super::world::Simulation;
use crate::model::list::text_of;
use crate::model::message::UserAction;

/// The rows that a search leaves.
fn rows(world: &Simulation) -> Vec<u8> {
    let model = &world.model;
    let shown = model.groups.iter().flat_map(|(_, rows)| rows);
    let shown = shown.filter(|row| !model.card.search.hides(**row));
    (1..=40)
        .filter(|n| shown.clone().any(|row| *row == id(*n)))
        .collect()
}

fn search(world: &mut Simulation, text: &str) {
    world.does(UserAction::Search(text.to_owned()));
}

/// The text of an item, as it is shown.
fn text(world: &Simulation, n: u8) -> String {
    let item = world.model.list.live(id(n)).expect("there");
    text_of(item).to_owned()
}

#[test]
fn a_list_is_searched_from_thirty_items_on_and_the_field_stays() {
    assert!(!Simulation::with_items(29).model.card.search.is_offered);
    let mut world = Simulation::with_items(30);
    assert!(world.model.card.search.is_offered);
    world.does(UserAction::Delete(id(1)));
    world.settle();
    assert!(
        world.model.card.search.is_offered,
        "it has the focus, perhaps"
    );
}

#[test]
fn rows_are_found_by_all_words_of_text_note_and_assignee_in_any_case() {
    let mut world = Simulation::with_items(31);
    world.model.card.search.text.clear();
    for (n, name) in [(3, "Ask ÄNNE"), (7, "call the plumber"), (9, "ask Bob")] {
        let change = retext(&world.model.list, n, name);
        world.foreign(change, true);
    }
    world.settle();
    search(&mut world, "ask");
    assert_eq!(rows(&world), [3, 9]);
    let found = &world.model.card.search;
    assert_eq!((found.found, found.total), (2, 31));
    assert_eq!(world.said.last().map(String::as_str), Some("2 of 31"));
    search(&mut world, " änne  ASK");
    assert_eq!(rows(&world), [3]);
    search(&mut world, "nobody");
    assert!(rows(&world).is_empty());
    assert_eq!(world.said.last().map(String::as_str), Some("No matches"));
    search(&mut world, " ");
    assert_eq!(rows(&world).len(), 31);
}

#[test]
fn what_a_person_adds_moves_or_rewrites_stays_in_sight_and_what_comes_to_match_comes() {
    let mut world = Simulation::with_items(31);
    let change = retext(&world.model.list, 5, "needle");
    world.foreign(change, true);
    world.settle();
    search(&mut world, "needle");
    assert_eq!(rows(&world), [5]);
    world.does(UserAction::Add("something else".to_owned(), None));
    world.settle();
    assert_eq!(
        world.model.card.search.found, 2,
        "what was just added is seen"
    );
    let change = retext(&world.model.list, 8, "another needle");
    world.foreign(change, true);
    world.settle();
    assert_eq!(rows(&world), [5, 8]);
    let change = retext(&world.model.list, 8, "no more");
    world.foreign(change, true);
    world.settle();
    assert_eq!(rows(&world), [5, 8], "nothing vanishes by itself");
    world.does(UserAction::Reveal(id(20)));
    assert_eq!(rows(&world), [5, 8, 20]);
    search(&mut world, "needl");
    assert_eq!(rows(&world), [5]);
}

#[test]
fn a_step_leads_over_rows_that_were_not_found() {
    let mut world = Simulation::with_items(31);
    for n in [2, 6] {
        let change = retext(&world.model.list, n, "needle");
        world.foreign(change, true);
    }
    world.settle();
    search(&mut world, "needle");
    world.does(UserAction::MoveBy(id(6), true));
    world.settle();
    assert_eq!(&world.model.list.order()[..3], [id(1), id(6), id(2)]);
}

#[test]
fn collapsed_sections_are_searched_and_collapsed_again_after_that() {
    let mut world = Simulation::new(31);
    for item in &mut world.server.list.items {
        let item = std::sync::Arc::make_mut(item);
        match item.id {
            section if section == id(1) => item.kind = Kind::Section,
            inside if inside < id(10) => item.parent_id = Some(id(1)),
            _ => {}
        }
    }
    world.tell(crate::model::message::Msg::Begin(None));
    world.read();
    world.does(UserAction::Collapse(id(1), true));
    assert!(!rows(&world).contains(&4));
    let word = text(&world, 4);
    search(&mut world, &word);
    assert!(rows(&world).contains(&4), "{word}");
    assert!(world.model.card.view.collapsed.is_empty());
    world.does(UserAction::Collapse(id(1), true));
    assert!(!rows(&world).contains(&4), "while it is searched, too");
    search(&mut world, "");
    assert_eq!(world.model.card.view.collapsed, [id(1)]);
    assert_eq!(world.kept_view.collapsed, [id(1)], "only the first counts");
}

#[test]
fn what_is_done_and_hidden_is_not_found() {
    let mut world = Simulation::with_items(31);
    let word = text(&world, 4);
    world.does(UserAction::SetStatus(id(4), Status::Done, None));
    world.settle();
    world.does(UserAction::HideDone(true));
    search(&mut world, &word);
    assert!(!rows(&world).contains(&4));
    assert_eq!(world.model.card.search.total, 30);
    world.does(UserAction::HideDone(false));
    assert!(rows(&world).contains(&4));
}
