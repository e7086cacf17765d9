//! Where the rules end: the longest text that is taken and the first that is not, what templates and
//! contexts may be called, sets that are added to twice, and names that travel.
//!
//! Run with the other tests of the rules. Most were written because a change of the code that they are
//! about went unnoticed (`cargo xtask mutants`); the last one compares the limits with their page.

use std::fmt::Debug;

use super::desk::{as_somebody, empty, id, new_item};
use checklist_shared::change::{Applied, Change, ItemPatch, NewItem, apply};
use checklist_shared::computer::{Computer, ComputerField, ComputerStatus};
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::{FieldErrorCode, ItemProblemCode, Problem, ProblemCode};
use checklist_shared::template::Template;
use checklist_shared::text::{LanguageMap, Text};
use checklist_shared::wire::connections::ConnectionMethod;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent};
use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunState};
use checklist_shared::{Checklist, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

/// A list with one item that somebody has added.
fn list() -> Checklist {
    let mut list = empty();
    let added = change(&mut list, Change::Add(new_item(0)));
    assert!(added.is_ok(), "{added:?}");
    list.revision += 1;
    list
}

fn change(list: &mut Checklist, change: Change) -> Result<Applied, ItemProblemCode> {
    as_somebody("ada", |session| apply(list, &change, session))
}

/// As many letters as are taken, of two bytes each.
fn letters(count: usize) -> String {
    "ü".repeat(count)
}

#[test]
fn an_item_is_added_up_to_the_longest_texts_and_no_further() {
    let limits = Limits::default();
    type Field = fn(&mut NewItem, String);
    let fields: [(Field, usize); 4] = [
        (|item, text| item.text = text, limits.text),
        (|item, text| item.help = Some(text), limits.help),
        (|item, text| item.note = Some(text), limits.note),
        (
            |item, text| item.assignee = Some(text.into()),
            Limits::IDENTIFIER,
        ),
    ];
    for (set, longest) in fields {
        let adding = |length| {
            let mut wanted = new_item(0);
            set(&mut wanted, letters(length));
            change(&mut empty(), Change::Add(wanted))
        };
        assert!(adding(longest).is_ok(), "{longest}");
        assert_eq!(adding(longest + 1), Err(ItemProblemCode::LimitExceeded));
    }
}

#[test]
fn an_item_is_changed_up_to_the_longest_texts_and_no_further() {
    let limits = Limits::default();
    type Field = fn(&mut ItemPatch, String);
    let fields: [(Field, usize); 3] = [
        (|patch, text| patch.text = Patch::Set(text), limits.text),
        (|patch, text| patch.note = Patch::Set(text), limits.note),
        (
            |patch, text| patch.assignee = Patch::Set(text.into()),
            Limits::IDENTIFIER,
        ),
    ];
    for (set, longest) in fields {
        let changing = |length| {
            let mut list = list();
            let mut patch = ItemPatch {
                base_version: Some(list.revision),
                ..ItemPatch::of(id(0))
            };
            set(&mut patch, letters(length));
            change(&mut list, Change::Update(Box::new(patch)))
        };
        assert!(changing(longest).is_ok(), "{longest}");
        assert_eq!(changing(longest + 1), Err(ItemProblemCode::LimitExceeded));
    }
}

#[test]
fn a_template_may_be_as_large_as_a_list_and_its_names_as_long_as_an_identifier() {
    let limits = Limits {
        items: 3,
        ..Limits::default()
    };
    let template = |id: usize, key: usize, text: usize, help: usize, items: usize| -> Template {
        let item = |number: usize| {
            json!({ "Key": format!("{number}{}", letters(key - 1)), "Text": { "en": letters(text) },
                "Help": { "en": letters(help) } })
        };
        let template = json!({ "Id": letters(id), "Key": "k", "Name": { "en": "N" }, "Status": "Draft",
            "Version": 1, "CompletionRule": "All", "RefreshPolicy": "Manual",
            "Items": (0..items).map(item).collect::<Vec<_>>() });
        serde_json::from_value(template).expect("a template")
    };
    let longest = Limits::IDENTIFIER;
    let faults = |template: Template| -> Vec<(String, FieldErrorCode)> {
        let faults = template.validate(&limits).into_iter();
        faults.map(|fault| (fault.pointer, fault.code)).collect()
    };
    let fits = template(longest, longest, limits.text, limits.help, 3);
    assert_eq!(faults(fits), []);
    let at = |pointer: &str, code| (pointer.to_owned(), code);
    for (template, fault) in [
        (
            template(longest + 1, 1, 1, 1, 1),
            at("/Id", FieldErrorCode::LimitExceeded),
        ),
        (
            template(1, longest + 1, 1, 1, 1),
            at("/Items/0/Key", FieldErrorCode::LimitExceeded),
        ),
        (
            template(1, 1, limits.text + 1, 1, 1),
            at("/Items/0/Text", FieldErrorCode::LimitExceeded),
        ),
        (
            template(1, 1, 1, limits.help + 1, 1),
            at("/Items/0/Help", FieldErrorCode::LimitExceeded),
        ),
        (
            template(1, 1, 1, 1, 4),
            at("/Items", FieldErrorCode::LimitExceeded),
        ),
    ] {
        assert_eq!(faults(template), [fault]);
    }
}

#[test]
fn a_text_of_two_byte_letters_is_as_long_as_its_letters() {
    let named = |letters: String| Computer {
        model: Some(letters),
        ..Computer::new("c-17", "PC-0815", ComputerStatus::InUse)
    };
    assert_eq!(named(letters(Computer::LONGEST_TEXT)).faults(), []);
    let faults = named(letters(Computer::LONGEST_TEXT + 1)).faults();
    assert_eq!(faults[0].code, FieldErrorCode::LimitExceeded);
}

#[test]
fn a_permission_that_is_given_twice_is_given() {
    for permission in Permission::ALL {
        let once = Permissions::default().with(permission);
        assert!(once.with(permission).allows(permission));
        assert_eq!(once.with(permission), once);
        let others = Permissions::all();
        assert!(others.holds(once) && once.holds(once));
        assert!(!Permissions::default().holds(once));
        assert_eq!(Permissions::from_bits(once.bits()), once);
    }
}

/// What is written as a text is called that, and found again by it, and each is called something else.
fn travels<T>(all: &[T], name: impl Fn(T) -> &'static str, from_name: impl Fn(&str) -> Option<T>)
where
    T: Copy + PartialEq + Debug + Serialize,
{
    for &one in all {
        let written = serde_json::to_value(one).expect("a name");
        assert_eq!(written, Value::from(name(one)));
        assert_eq!(from_name(name(one)), Some(one));
        assert_eq!(from_name(&name(one).to_uppercase()), None);
    }
    assert_eq!(from_name(""), None);
}

#[test]
fn what_travels_by_its_name_is_read_again_by_it() {
    travels(&Permission::ALL, Permission::name, Permission::from_name);
    travels(
        &DeliveryState::ALL,
        DeliveryState::name,
        DeliveryState::from_name,
    );
    travels(
        &WebhookEvent::ALL,
        WebhookEvent::name,
        WebhookEvent::from_name,
    );
    travels(&RunState::ALL, RunState::name, RunState::from_name);
    travels(&Outcome::ALL, Outcome::name, Outcome::from_name);
    travels(
        &PlannedAction::ALL,
        PlannedAction::name,
        PlannedAction::from_name,
    );
    travels(
        &ComputerField::ALL,
        ComputerField::name,
        ComputerField::from_name,
    );
    for method in ConnectionMethod::ALL {
        assert_eq!(json!(method), json!(method.name()));
    }
}

#[test]
fn a_problem_says_in_its_title_and_status_what_its_code_means() {
    let problem = Problem::new(ProblemCode::ListNotFound, "There is no list 'Computers'.");
    let written = serde_json::to_value(problem).expect("a problem");
    assert_eq!(written["Code"], "ListNotFound");
    assert_eq!(written["status"], 404);
    assert_eq!(written["title"], ProblemCode::ListNotFound.title());
    let titles = [
        ProblemCode::ListNotFound.title(),
        ProblemCode::ItemNotFound.title(),
        ProblemCode::Internal.title(),
    ];
    assert!(titles.iter().all(|title| title.contains(' ')), "{titles:?}");
    assert!(titles[0] != titles[1] && titles[1] != titles[2]);
}

#[test]
fn a_text_that_somebody_typed_has_no_language_and_a_template_s_has_the_one_that_is_shown() {
    let typed = Text::Plain("Call".to_owned());
    assert_eq!(typed.language(&["de"]), None);
    let both = [("de", "Anrufen"), ("en", "Call")];
    let both = both.map(|(tag, text)| (tag.to_owned(), text.to_owned()));
    let from_template = Text::Localized(LanguageMap::new(both));
    assert_eq!(from_template.language(&["de"]), Some("de"));
    assert_eq!(from_template.language(&["en"]), Some("en"));
    assert_eq!(from_template.resolve(&["de"]), "Anrufen");
}

#[test]
fn the_last_moment_of_the_calendar_is_a_time_and_the_next_one_is_none() {
    for text in [
        "9999-12-31T00:00:00Z",
        "9999-12-31T23:59:59.999Z",
        "9999-12-30T22:00:00.001Z",
        "9999-12-30T21:59:59Z",
    ] {
        let time: Timestamp = text.parse().expect(text);
        assert_eq!(time.to_string(), text);
        assert_eq!(Timestamp::from_millis(time.as_millis()), time);
    }
    let zoned: Timestamp = "9999-12-31T23:59:59+02:00".parse().expect("a time");
    assert_eq!(zoned.to_string(), "9999-12-31T21:59:59Z");
    for text in [
        "9999-12-31T23:59:59-00:01",
        "10000-01-01T00:00:00Z",
        "9999-12-32T00:00:00Z",
        "9999-12-31",
    ] {
        assert!(text.parse::<Timestamp>().is_err(), "{text}");
    }
}

#[test]
fn the_page_of_limits_has_every_limit_of_a_list_with_its_default() {
    let page = include_str!("../../../docs/LIMITS.md").replace('_', "");
    let limits = serde_json::to_value(Limits::default()).expect("JSON");
    let limits = limits.as_object().expect("an object");
    assert!(limits.len() >= 6);
    for (name, value) in limits {
        let row = format!("`shared/src/limits.rs`: `{}: {value}`", name.to_lowercase());
        assert!(page.contains(&row), "{row}");
    }
}
