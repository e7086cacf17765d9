//! The form of details: one operation for all changes, nothing lost when it is left, field errors at
//! their fields.

use checklist_shared::Due;
use checklist_shared::assignee::Assignee;
use checklist_shared::patch::Patch;

use super::id;
use super::world::{SendOutcome, Simulation};
use crate::model::details::{DetailsForm, FieldError};
use crate::model::error::{Error, FieldProblem, Problem};
use crate::model::item_fields::DetailField;
use crate::model::message::{Msg, UserAction};
use crate::model::notice::{Notice, RejectionReason};
use crate::model::operation::Action;
use crate::model::view_data::Panel;

fn form(world: &Simulation) -> DetailsForm {
    match world.model.rows.get(id(1)).map(|row| &row.panel) {
        Some(Panel::Details(form)) => form.as_ref().clone(),
        other => panic!("no form of details, but {other:?}"),
    }
}

fn open(world: &mut Simulation) -> DetailsForm {
    world.does(UserAction::EditDetails(id(1), DetailField::Note));
    form(world)
}

fn fill(world: &mut Simulation, change: impl FnOnce(&mut DetailsForm)) {
    world.model.rows.change(id(1), |row| {
        if let Panel::Details(form) = &mut row.panel {
            change(form);
        }
    });
}

fn save(world: &mut Simulation) {
    let form = form(world);
    world.does(UserAction::Save(id(1), Panel::Details(Box::new(form))));
}

fn day() -> Due {
    Due::Day("2031-02-03".parse().expect("a date"))
}

#[test]
fn note_assignee_and_a_day_are_stored_by_one_operation() {
    let mut world = Simulation::with_items(2);
    let mut filled = open(&mut world);
    filled.details.note = Some(" by phone ".to_owned());
    filled.details.assignee = Some("Carla".into());
    filled.details.due = Some(Some(day()));
    fill(&mut world, |form| *form = filled);
    save(&mut world);
    let sent = world.sent.clone().expect("something is sent");
    let Action::Update(update) = &sent.action else {
        panic!("{sent:?}");
    };
    assert_eq!(update.note, Patch::Set("by phone".to_owned()));
    assert_eq!(update.assignee, Patch::Set("Carla".into()));
    assert_eq!(update.due, Patch::Set(day()));
    world.settle();
    assert!(world.sent.is_none(), "one operation for all of it");
    let item = world.server.list.live(id(1)).expect("there");
    assert_eq!(item.due, Some(day()), "a day stays a day");
    fill(&mut world, |_| ());
    let again = open(&mut world);
    assert_eq!(again.details.due, Some(Some(day())));
    assert!(!again.is_draft);
    fill(&mut world, |form| {
        form.details.due = Some(None);
        form.details.assignee = Some(Assignee::default());
    });
    save(&mut world);
    world.settle();
    let item = world.server.list.live(id(1)).expect("there");
    assert_eq!((item.due, item.assignee.as_ref()), (None, None));
    assert_eq!(item.note.as_deref(), Some("by phone"));
}

#[test]
fn a_form_that_is_left_without_a_change_leaves_nothing_and_asks_nothing() {
    let mut world = Simulation::with_items(1);
    open(&mut world);
    world.does(UserAction::Close(id(1)));
    assert_eq!(world.model.rows.get(id(1)), None);
    assert!(world.sent.is_none() && world.said.is_empty());
}

#[test]
fn what_was_changed_in_a_form_that_is_left_is_there_when_it_is_opened_again() {
    let mut world = Simulation::with_items(1);
    let base = open(&mut world).base;
    fill(&mut world, |form| {
        form.details.note = Some("half".to_owned())
    });
    world.does(UserAction::Close(id(1)));
    assert!(world.sent.is_none(), "leaving stores nothing");
    let again = open(&mut world);
    assert_eq!(again.details.note.as_deref(), Some("half"));
    assert_eq!((again.is_draft, again.base), (true, base));
    save(&mut world);
    world.settle();
    assert!(!open(&mut world).is_draft, "stored is stored");
    // Let go of: nothing of it comes back.
    fill(&mut world, |form| form.details.note = Some("no".to_owned()));
    world
        .model
        .rows
        .change(id(1), |row| row.panel = Panel::Closed);
    world.does(UserAction::Close(id(1)));
    assert_eq!(open(&mut world).details.note.as_deref(), Some("half"));
}

#[test]
fn a_date_that_is_filled_in_by_half_is_complained_about_and_nothing_is_sent() {
    let mut world = Simulation::with_items(1);
    open(&mut world);
    fill(&mut world, |form| form.details.due = None);
    save(&mut world);
    assert_eq!(
        form(&world).fault,
        Some((DetailField::Due, FieldError::DateIncomplete))
    );
    assert_eq!(
        world.said.last().map(String::as_str),
        Some("Enter a complete date.")
    );
    assert!(world.sent.is_none());
}

#[test]
fn what_the_server_says_of_a_field_stands_at_that_field() {
    let mut world = Simulation::with_items(1);
    open(&mut world);
    fill(&mut world, |form| {
        form.details.note = Some("mine".to_owned());
        form.details.assignee = Some("x".into());
    });
    save(&mut world);
    let operation = world.sent.take().expect("sent");
    world.given_up.insert(operation.id.clone());
    let problem = Problem {
        status: 400,
        code: "InvalidRequest".to_owned(),
        errors: vec![FieldProblem {
            pointer: "/Items/0/Assignee".to_owned(),
            detail: "No such person.".to_owned(),
        }],
        ..Problem::default()
    };
    world.tell(Msg::Answered(operation.id, Err(Error::Problem(problem))));
    world.read();
    let row = world.model.rows.get(id(1)).expect("a notice");
    let refusal = RejectionReason::Field(DetailField::Assignee, "No such person.".to_owned());
    assert!(
        matches!(&row.notice, Some(Notice::Refused(told, Some(_))) if *told == refusal),
        "{row:?}"
    );
    world.does(UserAction::EditAgain(id(1)));
    let again = form(&world);
    assert_eq!(again.details.note.as_deref(), Some("mine"));
    let fault = FieldError::Refused("No such person.".to_owned());
    assert_eq!(again.fault, Some((DetailField::Assignee, fault)));
    fill(&mut world, |form| {
        form.details.assignee = Some(Assignee::default())
    });
    save(&mut world);
    world.answer(SendOutcome::Answered);
    world.settle();
    let item = world.server.list.live(id(1)).expect("there");
    assert_eq!(item.note.as_deref(), Some("mine"));
}

#[test]
fn the_name_of_who_is_assigned_typed_again_is_that_person_and_somebody_else_is_picked() {
    let mut world = Simulation::with_items(1);
    let carla = Assignee::new("c-1", "Carla");
    let assign = |world: &mut Simulation, who: Assignee| {
        open(world);
        fill(world, |form| form.details.assignee = Some(who));
        let form = form(world);
        world.does(UserAction::Save(id(1), Panel::Details(Box::new(form))));
        world.settle();
        world.model.item(id(1)).and_then(|item| item.assignee)
    };
    assert_eq!(assign(&mut world, carla.clone()), Some(carla.clone()));
    assert_eq!(assign(&mut world, " Carla ".into()), Some(carla));
    let other = Assignee::new("c-2", "Carla");
    assert_eq!(assign(&mut world, other.clone()), Some(other));
    assert_eq!(assign(&mut world, "Carl".into()), Some("Carl".into()));
    assert_eq!(assign(&mut world, Assignee::default()), None);
}

#[test]
fn a_row_tells_who_is_meant_only_while_two_have_the_name() {
    let mut world = Simulation::with_items(2);
    let assign = |world: &mut Simulation, n, who: Assignee| {
        world.does(UserAction::EditDetails(id(n), DetailField::Assignee));
        let item = world.model.item(id(n)).expect("the item");
        let mut form = DetailsForm::of(&item);
        form.details.assignee = Some(who);
        world.does(UserAction::Save(id(n), Panel::Details(Box::new(form))));
        world.settle();
    };
    assign(&mut world, 1, Assignee::new("c-1", "Carla"));
    assert!(world.model.list.ambiguous_names.is_empty());
    assign(&mut world, 2, Assignee::new("c-2", "Carla"));
    assert_eq!(world.model.list.ambiguous_names, ["Carla"]);
    assign(&mut world, 2, Assignee::new("c-2", "Carla Ek"));
    assert!(world.model.list.ambiguous_names.is_empty());
}
