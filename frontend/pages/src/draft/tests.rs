//! Drafts: where rows may stand, and that nothing is lost between a template and its draft.
//!
//! Native tests of `draft`.

use super::*;
use checklist_shared::answer::AnswerType;
use checklist_shared::calendar::Weekday;
use checklist_shared::item::Kind;
use checklist_shared::template::Template;
use serde_json::{Value, json};

fn template(items: Value) -> Template {
    let whole = json!({
        "Id": "t", "Key": "t", "Name": { "en": "T", "de": "V" }, "Description": { "en": "For tests" },
        "CompletionRule": "Required", "RefreshPolicy": "Auto", "DueNotice": "P1D", "Items": items
    });
    serde_json::from_value(whole).expect("a template")
}

fn item(key: &str) -> Value {
    json!({ "Key": key, "Text": { "en": key } })
}

fn section(key: &str) -> Value {
    json!({ "Key": key, "Kind": "Section", "Text": { "en": key } })
}

fn under(parent: &str, key: &str) -> Value {
    json!({ "Key": key, "ParentKey": parent, "Text": { "en": key } })
}

fn draft(items: Value) -> Draft {
    Draft::of(&template(items), None)
}

/// For example `a s[x y] b`.
fn shape(draft: &Draft) -> String {
    let template = draft.template();
    let mut shape = String::new();
    for (at, item) in template.items.iter().enumerate() {
        let inside = item.parent_key.is_some();
        let first = at
            .checked_sub(1)
            .is_some_and(|before| template.items[before].kind == Kind::Section);
        shape.push_str(if inside && first {
            "["
        } else if at > 0 {
            " "
        } else {
            ""
        });
        shape.push_str(&item.key);
        let ends = template
            .items
            .get(at + 1)
            .is_none_or(|next| next.parent_key != item.parent_key);
        if inside && ends {
            shape.push(']');
        }
    }
    shape
}

fn number(draft: &Draft, key: &str) -> u32 {
    draft
        .rows
        .iter()
        .find(|row| row.key == key)
        .expect("a row of that key")
        .number
}

#[test]
fn a_template_comes_out_as_it_went_in() {
    let mut whole = json!({
        "Key": "a", "ParentKey": "s", "Text": { "en": "A", "de": "Ä" }, "Help": { "en": "h" }, "Required": true,
        "AllowNotApplicable": true, "NotApplicableNeedsReason": true, "NeedsPerson": true, "SecondPerson": true, "RequiresEvidence": true,
        "OnTextChange": "Reopen",
        "AssigneeRole": "desk", "DueOffset": "P2D", "DueCountedIn": "WorkingDays"
    });
    let before = template(json!([section("s"), whole.take()]));
    assert_eq!(Draft::of(&before, None).template(), before);
}

#[test]
fn a_calendar_comes_out_as_it_went_in_and_is_kept_while_it_is_switched_off() {
    let mut before = template(json!([item("a")]));
    before.due_from = Some("Created".to_owned());
    let calendar = json!({
        "TimeZone": "Asia/Riyadh", "WorkingDays": ["Monday", "Sunday"],
        "WorkingHours": { "Start": "09:30", "End": "24:00" }, "Holidays": ["2026-09-23", "2027-02-22"]
    });
    before.calendar = serde_json::from_value(calendar).expect("a calendar");
    let mut draft = Draft::of(&before, None);
    assert_eq!(draft.template(), before);
    draft.calendar.is_used = false;
    assert_eq!(draft.template().calendar, None);
    draft.calendar.is_used = true;
    draft.calendar.set_working(Weekday::Sunday, false);
    draft.calendar.set_working(Weekday::Sunday, true);
    assert_eq!(draft.template(), before);
}

#[test]
fn hours_and_holidays_that_cannot_be_read_are_told_by_their_names() {
    let mut draft = draft(json!([]));
    let mut wrong = |start: &str, end: &str, holidays: &str| {
        draft.calendar.start = start.to_owned();
        draft.calendar.end = end.to_owned();
        draft.calendar.holidays = holidays.to_owned();
        draft.calendar.is_used = false;
        assert!(draft.calendar.wrong_fields().is_empty());
        draft.calendar.is_used = true;
        draft.calendar.wrong_fields()
    };
    assert!(wrong("", "", "").is_empty());
    assert!(wrong("08:00", "17:00:00", "\n 2026-12-25 \n\n2027-01-01").is_empty());
    assert_eq!(
        wrong("08:00", "", "Christmas"),
        ["WorkingHours", "Holidays"]
    );
    assert_eq!(
        wrong("", "17:00", "2026-02-30"),
        ["WorkingHours", "Holidays"]
    );
    assert_eq!(wrong("", "", "2026-12-25, 2026-12-26"), ["Holidays"]);
}

/// An item that asks for an answer.
fn asking(format: Value) -> Value {
    json!({ "Key": "a", "Text": { "en": "A" }, "AnswerFormat": format })
}

#[test]
fn what_an_item_asks_for_comes_out_as_it_went_in() {
    for format in [
        json!({ "Type": "Text" }),
        json!({ "Type": "Number", "Unit": "°C", "Min": -2.5, "Max": 8 }),
        json!({ "Type": "Number", "Unit": " °C ", "Min": 0 }),
        json!({ "Type": "Number", "Unit": { "en": "pieces", "de": "Stück" } }),
        json!({ "Type": "Choice", "Choices": [
            { "Key": "r", "Text": "Red" }, { "Key": "b", "Text": { "en": "Blue", "de": "Blau" } }] }),
    ] {
        let before = template(json!([asking(format)]));
        assert_eq!(Draft::of(&before, None).template(), before);
    }
}

#[test]
fn a_choice_keeps_its_key_when_it_is_reworded_and_a_new_one_gets_its_own() {
    let before = template(json!([asking(json!({ "Type": "Choice", "Choices": [
        { "Key": "red", "Text": { "en": "Red" } }, { "Key": "blue", "Text": { "en": "Blue" } }] }))]));
    let mut draft = Draft::of(&before, None);
    let answer = &mut draft.rows[0].answer;
    let languages = ["en".to_owned()];
    let write = |answer: &mut AnswerDraft, number, text: &str| {
        let texts = answer.choice_text_mut(number, &languages);
        write_text(texts.expect("a choice"), "en", text);
    };
    write(answer, 0, "Crimson");
    assert_eq!(answer.remove(1), Some(0), "the one that is left");
    for _ in 0..2 {
        let added = answer.add();
        write(answer, added, "Red");
    }
    let format = answer.format().expect("a format");
    let keys: Vec<&str> = format.choices.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["red", "red-2", "red-3"]);
}

#[test]
fn a_text_that_is_the_same_in_all_languages_is_shown_in_each_and_changed_in_one() {
    let before = template(json!([
        asking(json!({ "Type": "Number", "Unit": "°C" })),
        { "Key": "b", "Text": { "en": "B" }, "AnswerFormat": { "Type": "Choice", "Choices": [
            { "Key": "shut", "Text": "Shut" }, { "Key": "open", "Text": "Open" }] } },
    ]));
    let mut draft = Draft::of(&before, None);
    assert_eq!(draft.languages, ["en", "de"]);
    let languages = draft.languages.clone();
    let [number, choice] = &mut draft.rows[..] else {
        panic!("two rows");
    };
    for tag in ["en", "de"] {
        assert_eq!(text_in(&number.answer.unit, tag), "°C");
        assert_eq!(text_in(&choice.answer.choices[0].text, tag), "Shut");
    }
    let unit = number.answer.unit_mut(&languages);
    write_text(unit, "en", "°F");
    let shut = choice.answer.choice_text_mut(0, &languages);
    write_text(shut.expect("a choice"), "de", "Zu");
    let format = |row: &Row| json!(row.answer.format());
    assert_eq!(format(number)["Unit"], json!({ "en": "°F", "de": "°C" }));
    let texts = format(choice)["Choices"].clone();
    assert_eq!(texts[0]["Text"], json!({ "en": "Shut", "de": "Zu" }));
    assert_eq!(texts[1]["Text"], json!("Open"), "nobody has touched it");

    for tag in ["de", "en"] {
        write_text(number.answer.unit_mut(&languages), tag, "");
        assert_eq!(text_in(&number.answer.unit, tag), "");
    }
    assert_eq!(format(number).get("Unit"), None);
}

#[test]
fn a_bound_that_is_no_number_is_told_and_an_empty_one_is_none() {
    let before = template(json!([asking(json!({ "Type": "Number", "Min": 2.5 }))]));
    let mut answer = Draft::of(&before, None).rows[0].answer.clone();
    assert_eq!((answer.min.as_str(), answer.max.as_str()), ("2.5", ""));
    assert!(answer.wrong_bounds().is_empty());
    "2,5".clone_into(&mut answer.min);
    "eight".clone_into(&mut answer.max);
    assert_eq!(answer.wrong_bounds(), ["Min", "Max"]);
    answer.kind = Some(AnswerType::Text);
    assert!(answer.wrong_bounds().is_empty(), "a text has no bounds");
}

#[test]
fn a_choice_has_to_be_mended_where_it_has_no_text_or_too_long_a_one() {
    let choices = json!([
        { "Key": "a", "Text": { "en": "A" } },
        { "Key": "b", "Text": { "en": "B", "de": "ß".repeat(201) } },
        { "Key": "c", "Text": " " },
    ]);
    let format = json!({ "Type": "Choice", "Choices": choices });
    let draft = draft(json!([asking(format)]));
    let wrong = |tag: &str| {
        let choices = draft.rows[0].answer.choices.iter();
        choices.map(|one| one.is_wrong_in(tag)).collect::<Vec<_>>()
    };
    assert_eq!(wrong("en"), [false, false, true]);
    assert_eq!(wrong("de"), [false, true, true]);
}

#[test]
fn a_row_goes_down_through_every_place_and_up_again() {
    let mut draft = draft(json!([item("a"), section("s"), under("s", "x"), item("b")]));
    let a = number(&draft, "a");
    let mut shapes = vec![shape(&draft)];
    while draft.shift(a, Direction::Down) {
        shapes.push(shape(&draft));
    }
    assert_eq!(
        shapes,
        ["a s[x] b", "s[a x] b", "s[x a] b", "s[x] a b", "s[x] b a"]
    );
    let mut back = vec![shape(&draft)];
    while draft.shift(a, Direction::Up) {
        back.push(shape(&draft));
    }
    back.reverse();
    assert_eq!(back, shapes);
}

#[test]
fn a_section_moves_with_what_it_holds() {
    let mut draft = draft(json!([
        section("s"),
        under("s", "x"),
        under("s", "y"),
        item("a"),
        section("t"),
        under("t", "z")
    ]));
    let s = number(&draft, "s");
    assert!(draft.shift(s, Direction::Down));
    assert_eq!(shape(&draft), "a s[x y] t[z]");
    assert!(draft.shift(s, Direction::Down));
    assert_eq!(shape(&draft), "a t[z] s[x y]");
    assert!(!draft.can_shift(s, Direction::Down));
    assert!(draft.shift(s, Direction::Up));
    assert_eq!(shape(&draft), "a s[x y] t[z]");
}

#[test]
fn an_empty_section_can_be_filled_by_moving() {
    let mut draft = draft(json!([section("s"), item("a")]));
    let a = number(&draft, "a");
    assert!(draft.shift(a, Direction::Up));
    assert_eq!(shape(&draft), "s[a]");
    assert!(draft.shift(a, Direction::Up));
    assert_eq!(shape(&draft), "a s");
    assert!(!draft.can_shift(a, Direction::Up));
}

#[test]
fn what_a_removed_section_held_stays() {
    let mut draft = draft(json!([section("s"), under("s", "x"), item("a")]));
    draft.remove(number(&draft, "s"));
    assert_eq!(shape(&draft), "x a");
}

#[test]
fn rows_are_added_at_the_end_of_their_section() {
    let mut draft = draft(json!([section("s"), under("s", "x"), item("a")]));
    let s = number(&draft, "s");
    let new = draft.add(Kind::Item, Some(s));
    draft.row_mut(new).expect("the new row").key = "y".to_owned();
    let other = draft.add(Kind::Section, Some(s));
    draft.row_mut(other).expect("the new section").key = "t".to_owned();
    assert_eq!(shape(&draft), "s[x y] a t");
    draft.put_into(number(&draft, "a"), Some(other));
    draft.put_into(number(&draft, "x"), None);
    assert_eq!(shape(&draft), "s[y] t[a] x");
}

#[test]
fn a_key_is_made_of_the_text_and_never_doubled() {
    let mut draft = draft(json!([item("call-the-caller"), item("b")]));
    let b = number(&draft, "b");
    assert_eq!(draft.key_for(b, "  Call the caller! "), "call-the-caller-2");
    assert_eq!(draft.key_for(b, "Übergabe (heute)"), "übergabe-heute");
    assert_eq!(draft.key_for(b, "…"), "item");
    let a = number(&draft, "call-the-caller");
    assert_eq!(
        draft.key_for(a, "Call the caller"),
        "call-the-caller",
        "its own is not taken"
    );
    draft.remove(a);
}

#[test]
fn a_promoted_text_is_an_item_at_the_end_in_a_language_of_the_draft_with_a_key_of_its_own() {
    let mut draft = draft(json!([section("s"), under("s", "charger")]));
    draft.add_language("de");
    let numbers = ["de", "fr"].map(|tag| draft.add_text("Charger", tag));
    let added = numbers.map(|number| draft.row(number).cloned().expect("a row"));
    let texts = added.each_ref().map(|row| row.text[0].clone());
    let charger = || "Charger".to_owned();
    assert_eq!(
        texts,
        [("de".to_owned(), charger()), ("en".to_owned(), charger())]
    );
    assert_eq!(shape(&draft), "s[charger] charger-2 charger-3");
}

#[test]
fn keys_of_a_published_version_are_fixed() {
    let published = template(json!([item("a")]));
    let draft = Draft::of(&template(json!([item("a"), item("b")])), Some(&published));
    assert_eq!(
        draft.rows.iter().map(|row| row.fixed).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn a_language_goes_with_all_its_texts_and_the_last_one_stays() {
    let mut draft =
        draft(json!([{ "Key": "a", "Text": { "en": "A", "de": "Ä" }, "Help": { "de": "h" } }]));
    assert_eq!(draft.languages, ["en", "de"]);
    draft.remove_language("de");
    let template = draft.template();
    assert_eq!(template.name.iter().collect::<Vec<_>>(), [("en", "T")]);
    assert!(template.items[0].help.is_none());
    draft.remove_language("en");
    assert_eq!(draft.languages, ["en"]);
}

fn when(condition: &Value) -> When {
    let mut item = item("a");
    item["When"] = condition.clone();
    let draft = draft(json!([item]));
    let kept = draft.template();
    let kept = serde_json::to_value(&kept.items[0].when).expect("JSON");
    assert_eq!(kept, *condition, "nothing is lost");
    draft.rows[0].when.clone()
}

#[test]
fn a_condition_of_comparisons_is_edited_in_rows_and_stays_what_it_was() {
    let rows = when(&json!({ "Any": [
        { "Fact": "Queue \"Nord\"", "In": ["Mail", "1"] },
        { "Not": { "Fact": "Vip", "Is": true } },
        { "Fact": "Load", "AtLeast": 2.5 },
        { "Fact": "Site", "Present": false },
        { "Not": { "Fact": "Age", "In": [1, 2] } },
    ] }));
    let rows = rows.comparisons();
    assert_eq!(
        rows.iter().map(|row| row.operator).collect::<Vec<_>>(),
        [
            Operator::OneOf,
            Operator::IsNot,
            Operator::AtLeast,
            Operator::Absent,
            Operator::NoneOf
        ]
    );
    assert_eq!(
        (rows[0].value.as_str(), rows[2].value.as_str()),
        ("Mail\n1", "2.5")
    );
    assert_eq!(rows[1].value_type, ValueType::Boolean);
    assert_eq!(
        when(&json!({ "Fact": "Queue", "Is": "Mail" }))
            .comparisons()
            .len(),
        1
    );
}

#[test]
fn a_condition_that_rows_cannot_say_is_kept_until_it_is_replaced() {
    for condition in [
        json!({ "All": [{ "Any": [{ "Fact": "A", "Is": 1 }, { "Fact": "B", "Is": 1 }] }] }),
        json!({ "Not": { "Fact": "A", "AtLeast": 1 } }),
        json!({ "Fact": "A", "In": ["text", 1] }),
        json!({ "Fact": "A", "Is": "blank at the end " }),
        json!({ "Fact": "A", "In": ["two\nlines"] }),
        json!({ "Fact": "A", "Is": "two\nlines" }),
        json!({ "Fact": "A", "In": [true, true] }),
        json!({ "Not": { "Fact": "A", "In": [false] } }),
        json!({ "Fact": "A", "Is": "" }),
    ] {
        let mut kept = when(&condition);
        assert!(matches!(kept, When::Nested(_)), "{condition}");
        assert_eq!(kept.add(), 1);
        assert_eq!(kept.condition(), None);
    }
}

#[test]
fn a_comparison_that_is_not_finished_is_told_and_one_that_is_removed_gives_the_focus_on() {
    let mut edited = When::default();
    assert_eq!([edited.add(), edited.add(), edited.add()], [1, 2, 3]);
    let mut write = |number, fact: &str, operator, value_type, value: &str| {
        *edited.comparison_mut(number).expect("a comparison") = Comparison {
            number,
            fact: fact.to_owned(),
            operator,
            value_type,
            value: value.to_owned(),
        };
    };
    write(1, " ", Operator::Present, ValueType::Text, "");
    write(2, "Age", Operator::AtLeast, ValueType::Text, "two");
    write(3, "Queue", Operator::OneOf, ValueType::Text, "\n \n");
    let faults = [
        (1, ComparisonFault::NoFact),
        (2, ComparisonFault::NoNumber),
        (3, ComparisonFault::NoValue),
    ];
    assert_eq!(edited.faults(), faults);
    assert_eq!(edited.condition(), None);
    assert_eq!(edited.remove(2), Some(3));
    assert_eq!(edited.remove(3), Some(1));
    assert_eq!(edited.remove(1), None);
    assert_eq!(edited, When::default());
}

#[test]
fn an_error_of_the_server_leads_to_its_comparison() {
    let pair = when(&json!({ "All": [{ "Fact": "A", "Is": 1 }, { "Fact": "B", "Is": 1 }] }));
    let at = |pointer: &str| pair.comparison_at(pointer.split('/'));
    assert_eq!(
        [at("All/1/Fact"), at("All/0/Is"), at("Fact")],
        [Some(2), Some(1), Some(1)]
    );
    assert_eq!([at("All"), at("All/7/Fact")], [None, None]);
}

#[test]
fn an_error_of_the_server_counts_only_what_it_was_sent() {
    let mut edited = when(&json!({ "All": [{ "Fact": "A", "Is": 1 }, { "Fact": "B", "Is": 1 }] }));
    let first = edited.comparison_mut(1).expect("a comparison");
    first.fact.clear();
    assert_eq!(edited.comparison_at("Fact".split('/')), Some(2), "alone");
    let added = edited.add();
    let third = edited.comparison_mut(added).expect("a comparison");
    "C".clone_into(&mut third.fact);
    "c".clone_into(&mut third.value);
    let at = |pointer: &str| edited.comparison_at(pointer.split('/'));
    let found = [at("All/0/Fact"), at("All/1/Is"), at("All/2/Fact")];
    assert_eq!(found, [Some(2), Some(3), None]);
}

/// A comparison whose operator or type is about to change.
fn comparison(condition: &Value) -> Comparison {
    when(condition).comparisons()[0].clone()
}

/// What becomes of it.
fn becomes(changed: Comparison) -> Result<Value, ComparisonFault> {
    let (mut edited, number) = (When::default(), changed.number);
    edited.add();
    *edited.comparison_mut(number).expect("a comparison") = changed;
    match edited.faults().first() {
        Some((_, fault)) => Err(*fault),
        None => Ok(json!(edited.condition())),
    }
}

#[test]
fn a_list_of_values_has_no_truth_values() {
    for operator in [Operator::OneOf, Operator::NoneOf, Operator::AtLeast] {
        let mut changed = comparison(&json!({ "Fact": "Vip", "Is": true }));
        changed.set_operator(operator);
        assert_eq!(changed.value_type, ValueType::Text);
        assert_eq!(becomes(changed), Err(ComparisonFault::NoValue));
    }
    let mut changed = comparison(&json!({ "Fact": "Vip", "Is": false }));
    for operator in [Operator::Present, Operator::IsNot] {
        changed.set_operator(operator);
    }
    let is_not = json!({ "Not": { "Fact": "Vip", "Is": false } });
    assert_eq!(becomes(changed), Ok(is_not), "one that is kept");
}

#[test]
fn of_several_values_the_first_stays_where_one_is_asked_for() {
    let list = json!({ "Fact": "Queue", "In": ["Mail", "Phone"] });
    let mut changed = comparison(&list);
    changed.value.insert_str(0, " \n");
    changed.set_operator(Operator::NoneOf);
    changed.set_operator(Operator::Absent);
    changed.set_operator(Operator::OneOf);
    assert_eq!(becomes(changed.clone()), Ok(list), "all stay in a list");
    changed.set_operator(Operator::Is);
    let one = json!({ "Fact": "Queue", "Is": "Mail" });
    assert_eq!(becomes(changed), Ok(one));
}

#[test]
fn a_value_that_becomes_yes_or_no_is_the_one_that_is_shown_first() {
    let mut changed = comparison(&json!({ "Fact": "Vip", "Is": "false" }));
    changed.set_value_type(ValueType::Boolean);
    let yes = json!({ "Fact": "Vip", "Is": true });
    assert_eq!(becomes(changed.clone()), Ok(yes));
    changed.set_value_type(ValueType::Text);
    assert_eq!(becomes(changed), Err(ComparisonFault::NoValue));
    let read = |typed| ValueType::Boolean.read(typed);
    assert_eq!(read("maybe"), Err(ComparisonFault::NoValue));
}

#[test]
fn facts_are_tried_as_the_type_that_conditions_compare() {
    let conditions = json!([
        { "Fact": "Priority", "AtMost": 2 },
        { "Any": [{ "Fact": "Vip", "Is": true }, { "Not": { "Fact": "Queue", "In": ["Mail", "1"] } }] },
        { "All": [{ "Fact": "Mixed", "Is": "7" }, { "Fact": "Mixed", "AtLeast": 1 }, { "Fact": "Site", "Present": true }] },
    ]);
    let items = conditions
        .as_array()
        .expect("conditions")
        .iter()
        .enumerate();
    let items = items
        .map(|(at, when)| json!({ "Key": at.to_string(), "Text": { "en": "A" }, "When": when }));
    let facts = known_facts(&template(items.collect()));
    let read = |name: &str, typed: &str| {
        let fact = facts.iter().find(|fact| fact.name == name).expect("a fact");
        fact.read(typed).map(|value| json!(value))
    };
    let names: Vec<&str> = facts.iter().map(|fact| fact.name.as_str()).collect();
    assert_eq!(names, ["Mixed", "Priority", "Queue", "Site", "Vip"]);
    assert_eq!(read("Priority", "2.5"), Ok(json!(2.5)));
    assert_eq!(read("Priority", "high"), Err(ComparisonFault::NoNumber));
    assert_eq!(read("Queue", "1"), Ok(json!("1")));
    assert_eq!(read("Vip", "false"), Ok(json!(false)));
    assert_eq!(read("Mixed", "7"), Ok(json!("7")));
    assert_eq!(read("Mixed", "8"), Ok(json!(8)));
    assert_eq!(read("Site", "Bonn"), Ok(json!("Bonn")));
    assert_eq!(read("Site", " "), Ok(Value::Null));
}
