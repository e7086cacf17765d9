//! Pasted lines: how they are parsed, and that they are one operation with one undo.

use checklist_shared::item::Kind;
use checklist_shared::limits::Limits;

use super::id;
use super::world::{SendOutcome, Simulation};
use crate::model::list::text_of;
use crate::model::message::{Msg, UserAction};
use crate::model::operation::Action;
use crate::model::pasting::{LineKind, parse};

fn texts(text: &str) -> Vec<String> {
    parse(text, false)
        .into_iter()
        .map(|line| line.text)
        .collect()
}

#[test]
fn lists_are_understood_as_people_copy_them() {
    let text = "- [x] Ask\r\n* Build\n\n1. Check\n12) Deliver\n\t\u{2022} Eat\n[ ] Find\n+ [ ]\n-5 degrees\n3.5 litres\n[a] b";
    let expected = [
        "Ask",
        "Build",
        "Check",
        "Deliver",
        "Eat",
        "Find",
        "-5 degrees",
        "3.5 litres",
        "[a] b",
    ];
    assert_eq!(texts(text), expected);
    assert!(texts(" \n\t\n- \n").is_empty());
    assert_eq!(texts("12345. a"), ["12345. a"], "no list counts that far");
}

#[test]
fn indented_lines_stand_in_a_section_where_the_list_has_sections() {
    let text = "Before\n\tAsk\n\tBuild\nAfter\nThen\n    - Check";
    let places = |sections| -> Vec<LineKind> {
        parse(text, sections)
            .iter()
            .map(|line| line.place)
            .collect()
    };
    use LineKind::{Inside, Item, Section};
    assert_eq!(
        places(true),
        [Section, Inside, Inside, Item, Section, Inside]
    );
    assert_eq!(places(false), [Item; 6]);
    let all_indented = parse("  - a\n  - b", true);
    assert!(all_indented.iter().all(|line| line.place == Item));
}

#[test]
fn pasted_lines_are_asked_about_once_and_are_one_operation_with_one_undo() {
    let mut world = Simulation::with_items(2);
    world.does(UserAction::Paste("- a\n- b\n- c".to_owned(), None));
    assert!(world.sent.is_none(), "nothing happens before the answer");
    assert_eq!(world.said.last().map(String::as_str), Some("Add 3 items?"));
    world.does(UserAction::AddPasted(vec![id(11), id(12), id(13)]));
    assert!(world.model.card.pasted.is_none());
    let sent = world.sent.clone().expect("it is sent");
    assert!(matches!(&sent.action, Action::AddAll(items) if items.len() == 3));
    world.settle();
    let order = world.model.list.order().to_vec();
    assert_eq!(order, [id(1), id(2), id(11), id(12), id(13)]);
    assert_eq!(world.server.answers.len(), 1);
    world.does(UserAction::Undo(None));
    world.settle();
    assert_eq!(world.model.list.order(), [id(1), id(2)]);
}

#[test]
fn a_section_that_is_pasted_holds_its_items() {
    let mut world = Simulation::new(2);
    let first = world.server.list.items.first_mut().expect("an item");
    std::sync::Arc::make_mut(first).kind = Kind::Section;
    world.tell(Msg::Begin(None));
    world.read();
    world.does(UserAction::Paste("New\n\tInside".to_owned(), None));
    world.does(UserAction::AddPasted(vec![id(11), id(12)]));
    world.settle();
    let section = world.model.item(id(11)).expect("the section");
    assert_eq!((section.kind, text_of(&section)), (Kind::Section, "New"));
    assert_eq!(
        world.model.item(id(12)).expect("the item").parent_id,
        Some(id(11))
    );
}

#[test]
fn what_does_not_fit_is_said_and_nothing_is_added() {
    let mut world = Simulation::with_items(2);
    world.model.list.meta.limits = Limits {
        items: 4,
        text: 20,
        ..Limits::default()
    };
    for (text, says) in [
        ("a\nb\nc", "There is room for 2 more items only."),
        ("a\nThis line is longer than twenty", "too long"),
    ] {
        world.does(UserAction::Paste(text.to_owned(), None));
        let problem = world.model.card.pasted.clone().expect("asked").problem;
        assert!(problem.contains(says), "{problem}");
        world.does(UserAction::AddPasted(vec![id(11), id(12), id(13)]));
        assert!(world.sent.is_none());
    }
    world.does(UserAction::PasteAsOne);
    assert_eq!(
        world.model.card.new_text,
        "a This line is longer than twenty"
    );
}

#[test]
fn lines_that_the_server_refuses_are_asked_about_again() {
    let mut world = Simulation::with_items(1);
    world.does(UserAction::Paste("a\nb".to_owned(), None));
    world.does(UserAction::AddPasted(vec![id(11), id(12)]));
    world.answer(SendOutcome::Refused);
    world.settle();
    assert_eq!(world.model.list.order(), [id(1)]);
    let again = world.model.card.pasted.clone().expect("nothing is lost");
    let again: Vec<&str> = again.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(again, ["a", "b"]);
}
