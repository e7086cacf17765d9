//! Suggested people: requested after a pause, announced when it takes long, late answers dropped.

use super::id;
use super::world::Simulation;
use crate::model::item_fields::DetailField;
use crate::model::message::{Msg, Timer, UserAction};
use crate::model::selecting::SelectionChange;
use crate::model::suggestions::Answer;
use crate::model::view_data::Panel;
use crate::port::Person;

fn answer(world: &Simulation) -> Option<(Answer, Option<usize>)> {
    match &world.model.rows.get(id(1))?.panel {
        Panel::Details(form) => form
            .suggestions
            .as_ref()
            .map(|it| (it.answer.clone(), it.active)),
        _ => None,
    }
}

fn typed(world: &mut Simulation, prefix: &str) {
    let prefix = Some(prefix.to_owned());
    world.does(UserAction::Suggest(
        Some(id(1)),
        DetailField::Assignee,
        prefix,
    ));
}

/// Lets the pause behind the last letters pass.
fn pause(world: &mut Simulation, is_over: fn(&Timer) -> bool) {
    let timers = std::mem::take(&mut world.timers);
    for (_, timer) in timers.into_iter().filter(|(_, timer)| is_over(timer)) {
        world.tell(Msg::Over(timer));
    }
}

fn carla() -> Vec<Person> {
    vec![Person {
        name: "Carla".to_owned(),
        ..Person::default()
    }]
}

#[test]
fn the_host_is_asked_once_for_letters_that_follow_each_other_and_late_answers_are_dropped() {
    let mut world = Simulation::with_items(1);
    world.does(UserAction::EditDetails(id(1), DetailField::Assignee));
    typed(&mut world, "c");
    typed(&mut world, "ca");
    pause(&mut world, |timer| matches!(timer, Timer::Suggest(..)));
    let asked = std::mem::take(&mut world.people);
    let prefixes: Vec<&str> = asked.iter().map(|(_, _, prefix)| prefix.as_str()).collect();
    assert_eq!(prefixes, ["ca"]);
    pause(&mut world, |timer| matches!(timer, Timer::SuggestSlow(..)));
    assert_eq!(answer(&world), Some((Answer::Loading, None)));
    assert_eq!(
        world.said.last().map(String::as_str),
        Some("Loading people…")
    );
    typed(&mut world, "car");
    world.tell(Msg::PeopleFound(Some(id(1)), asked[0].1, Ok(carla())));
    assert_eq!(answer(&world), Some((Answer::Awaited, None)), "too late");
    pause(&mut world, |timer| matches!(timer, Timer::Suggest(..)));
    let (_, number, _) = world.people.pop().expect("asked");
    world.tell(Msg::PeopleFound(Some(id(1)), number, Ok(carla())));
    world.does(UserAction::StepSuggestion(Some(id(1)), false));
    assert_eq!(answer(&world), Some((Answer::People(carla()), Some(0))));
    world.does(UserAction::Close(id(1)));
    world.tell(Msg::PeopleFound(Some(id(1)), number, Ok(carla())));
    assert_eq!(answer(&world), None);
}

#[test]
fn nobody_found_and_a_host_that_fails_are_said() {
    let mut world = Simulation::with_items(1);
    world.does(UserAction::EditDetails(id(1), DetailField::Assignee));
    for (found, said) in [
        (Ok(Vec::new()), "No matches"),
        (
            Err("gone".to_owned()),
            "People could not be loaded. You can still type a name.",
        ),
    ] {
        typed(&mut world, "x");
        pause(&mut world, |timer| matches!(timer, Timer::Suggest(..)));
        let (_, number, _) = world.people.pop().expect("asked");
        world.tell(Msg::PeopleFound(Some(id(1)), number, found));
        assert_eq!(world.said.last().map(String::as_str), Some(said));
    }
}

#[test]
fn people_on_offer_for_a_selection_go_with_its_field() {
    let mut world = Simulation::with_items(2);
    world.does(UserAction::Pick(SelectionChange::All));
    let offered = |world: &Simulation| world.model.card.selected.suggestions.is_some();
    let suggest = UserAction::Suggest(None, DetailField::Assignee, Some("c".to_owned()));
    world.does(suggest.clone());
    assert!(!offered(&world), "no field is open");
    world.model.card.selected.assignee = Some("c".into());
    world.does(suggest);
    pause(&mut world, |timer| matches!(timer, Timer::Suggest(..)));
    let (owner, number, prefix) = world.people.pop().expect("asked");
    assert_eq!((owner, prefix.as_str()), (None, "c"));
    world.does(UserAction::Pick(SelectionChange::Toggle(id(1))));
    world.tell(Msg::PeopleFound(None, number, Ok(carla())));
    let suggestions = world.model.card.selected.suggestions.clone();
    assert_eq!(
        suggestions.map(|it| it.answer),
        Some(Answer::People(carla()))
    );
    world.does(UserAction::Pick(SelectionChange::Clear));
    assert!(!offered(&world));
    world.tell(Msg::PeopleFound(None, number, Ok(carla())));
    assert!(!offered(&world), "too late");
}
