//! What a template may say: its texts in languages, whose help and parents its items have, and when
//! they are due.
//!
//! Run with the other tests of the rules; how long its parts may be is in `bounds`.

use checklist_shared::Timestamp;
use checklist_shared::limits::Limits;
use checklist_shared::problem::{FieldErrorCode, WarningCode};
use checklist_shared::template::Template;
use checklist_shared::text::{LanguageMap, Text, text_hash};
use serde_json::{Value, json};

/// What is said of a template with these items: pointers and codes.
fn faults(items: Value) -> Vec<(String, FieldErrorCode)> {
    faults_of("Standard", items)
}

fn faults_of(name: &str, items: Value) -> Vec<(String, FieldErrorCode)> {
    let name = if name.is_empty() {
        json!({})
    } else {
        json!({ "en": name })
    };
    let template = json!({ "Id": "t", "Key": "k", "Name": name, "Status": "Draft", "Version": 1,
        "CompletionRule": "All", "RefreshPolicy": "Manual", "Items": items });
    let template: Template = serde_json::from_value(template).expect("a template");
    let faults = template.validate(&Limits::default()).into_iter();
    faults.map(|fault| (fault.pointer, fault.code)).collect()
}

fn one(pointer: &str, code: FieldErrorCode) -> Vec<(String, FieldErrorCode)> {
    vec![(pointer.to_owned(), code)]
}

#[test]
fn a_template_and_its_items_have_words() {
    let item = |text: Value| json!([{ "Key": "a", "Text": text }]);
    assert_eq!(faults(item(json!({ "en": "Ask", "de": "Fragen" }))), []);
    let missing = one("/Items/0/Text", FieldErrorCode::Required);
    assert_eq!(faults(item(json!({}))), missing);
    assert_eq!(faults(item(json!({ "en": " " }))), missing);
    assert_eq!(faults(item(json!({ "en": "Ask", "de": "" }))), missing);
    let unnamed = faults_of("", item(json!({ "en": "Ask" })));
    assert_eq!(unnamed, one("/Name", FieldErrorCode::Required));
}

#[test]
fn each_item_has_a_key_of_its_own() {
    let item = |key: &str| json!({ "Key": key, "Text": { "en": "Ask" } });
    assert_eq!(faults(json!([item("a"), item("b")])), []);
    let twice = faults(json!([item("a"), item("b"), item("a")]));
    assert_eq!(twice, one("/Items/2/Key", FieldErrorCode::Duplicate));
    let none = faults(json!([item("")]));
    assert_eq!(none, one("/Items/0/Key", FieldErrorCode::Required));
}

#[test]
fn items_stand_in_sections_that_come_before_them_and_sections_in_none() {
    let section = |key: &str| json!({ "Key": key, "Kind": "Section", "Text": { "en": "First" } });
    let item = |key: &str, parent: &str| json!({ "Key": key, "ParentKey": parent, "Text": { "en": "Ask" } });
    let plain = json!({ "Key": "p", "Text": { "en": "Ask" } });
    assert_eq!(faults(json!([section("s"), item("a", "s")])), []);
    let wrong = |items| {
        assert_eq!(
            faults(items),
            one("/Items/1/ParentKey", FieldErrorCode::Invalid)
        )
    };
    // No section; none of that key; one of that key that is no section; one in a section.
    wrong(json!([plain, item("a", "p")]));
    wrong(json!([section("s"), item("a", "t")]));
    let inner =
        json!({ "Key": "u", "Kind": "Section", "ParentKey": "s", "Text": { "en": "Second" } });
    wrong(json!([section("s"), inner]));
    let late = faults(json!([item("a", "s"), section("s")]));
    assert_eq!(late, one("/Items/0/ParentKey", FieldErrorCode::Invalid));
}

#[test]
fn an_item_is_due_after_an_iso_duration() {
    let due = |offset: &str| json!([{ "Key": "a", "Text": { "en": "Ask" }, "DueOffset": offset }]);
    assert_eq!(faults(due("PT4H")), []);
    let wrong = one("/Items/0/DueOffset", FieldErrorCode::Invalid);
    assert_eq!(faults(due("four hours")), wrong);
    let begin = Timestamp::from_millis(1_000);
    let after = |duration: &str| begin.plus_iso(duration).map(Timestamp::as_millis);
    assert_eq!(after("PT1S"), Ok(2_000));
    assert_eq!(after("P2D"), Ok(1_000 + 2 * 86_400_000));
    // ISO 8601 knows no sign, and nothing is due before its list begins.
    assert!(after("-PT1S").is_err() && after("P99999Y").is_err() && after("").is_err());
}

#[test]
fn no_role_of_a_template_is_called_me() {
    let item = |role: &str| json!([{ "Key": "a", "Text": { "en": "Ask" }, "AssigneeRole": role }]);
    for role in ["", "Second level", "me", "Meyer"] {
        assert_eq!(faults(item(role)), [], "{role}");
    }
    for role in ["Me", " Me "] {
        let wrong = one("/Items/0/AssigneeRole", FieldErrorCode::Invalid);
        assert_eq!(faults(item(role)), wrong, "{role}");
    }
}

#[test]
fn a_template_announces_due_items_by_a_duration_that_has_a_length() {
    let with = |notice: &str| {
        let template = json!({ "Id": "t", "Key": "k", "Name": { "en": "T" }, "DueNotice": notice, "Items": [] });
        let template: Template = serde_json::from_value(template).expect("a template");
        template.validate(&Limits::default())
    };
    assert_eq!(with("P1DT12H"), []);
    for notice in ["", "P0D", "P1M", "a day"] {
        let pointers: Vec<_> = with(notice)
            .into_iter()
            .map(|error| error.pointer)
            .collect();
        assert_eq!(pointers, ["/DueNotice"], "{notice}");
    }
}

#[test]
fn a_time_is_one_that_can_be_written_and_read_again() {
    for (millis, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (1_763_630_040_250, "2025-11-20T09:14:00.25Z"),
    ] {
        let time = Timestamp::from_millis(millis);
        assert_eq!(
            (time.to_string().as_str(), time.as_millis()),
            (text, millis)
        );
        assert_eq!(text.parse(), Ok(time));
        assert_eq!(json!(time), json!(text));
    }
    assert_eq!(
        "2025-11-20T10:14:00+01:00".parse(),
        "2025-11-20T09:14:00Z".parse::<Timestamp>()
    );
    assert!("20 November".parse::<Timestamp>().is_err());
    for end in [i64::MIN, i64::MAX] {
        let pulled = Timestamp::from_millis(end);
        assert_eq!(pulled.to_string().parse(), Ok(pulled), "{end}");
        // The next one towards the middle is taken as it is.
        let inner = pulled.as_millis() - end.signum();
        assert_eq!(Timestamp::from_millis(inner).as_millis(), inner);
        assert_eq!(
            Timestamp::from_millis(pulled.as_millis() + end.signum()),
            pulled
        );
    }
}

#[test]
fn a_text_is_given_in_the_language_that_fits_best() {
    let map = |pairs: &[(&str, &str)]| {
        let owned = pairs
            .iter()
            .map(|(tag, text)| ((*tag).to_owned(), (*text).to_owned()));
        LanguageMap::new(owned)
    };
    let texts = map(&[
        ("en", "Call"),
        ("de-CH", "Alüte"),
        ("de", "Anrufen"),
        ("de-AT", "Telefonieren"),
    ]);
    for (wanted, tag) in [
        (vec!["de-AT"], "de-AT"),
        (vec!["DE-at"], "de-AT"),
        (vec!["de-DE"], "de"),
        (vec!["fr", "de"], "de"),
        (vec!["fr"], "en"),
        (vec![], "en"),
    ] {
        assert_eq!(
            texts.resolve(&wanted).map(|(tag, _)| tag),
            Some(tag),
            "{wanted:?}"
        );
    }
    // A sibling, where the language itself is not there.
    let sibling = map(&[("en", "Call"), ("de-CH", "Alüte")]);
    assert_eq!(sibling.resolve(&["de"]), Some(("de-CH", "Alüte")));
    assert!(!sibling.is_empty() && LanguageMap::default().is_empty());
    assert_eq!(LanguageMap::default().resolve(&["de"]), None);
    assert_eq!(Text::Localized(LanguageMap::default()).resolve(&["de"]), "");
    // What is said twice counts as said last, in the first one's place.
    let twice = map(&[("en", "Call"), ("de", "Anrufen"), ("en", "Ring")]);
    assert_eq!(
        twice.iter().collect::<Vec<_>>(),
        [("en", "Ring"), ("de", "Anrufen")]
    );
    let wrong = serde_json::from_value::<LanguageMap>(json!(["en"]));
    let said = wrong.expect_err("no object").to_string();
    assert!(
        said.contains("an object of language tags and texts"),
        "{said}"
    );
}

#[test]
fn a_text_is_a_string_or_an_object_of_languages_and_nothing_else() {
    let plain = Text::Plain("Call".to_owned());
    let pairs = [("en", "Call"), ("de", "Anrufen")].map(|(tag, text)| (tag.into(), text.into()));
    for (text, written) in [
        (plain, json!("Call")),
        (
            Text::Localized(LanguageMap::new(pairs)),
            json!({ "en": "Call", "de": "Anrufen" }),
        ),
        (Text::Localized(LanguageMap::default()), json!({})),
    ] {
        assert_eq!(serde_json::to_value(&text).expect("a value"), written);
        // From a value, and from text with signs that had to be masked.
        assert_eq!(
            serde_json::from_value::<Text>(written.clone()).expect("a text"),
            text
        );
        let masked = serde_json::from_str::<Text>(&written.to_string());
        assert_eq!(masked.expect("a text"), text);
    }
    let masked = serde_json::from_str::<Text>(r#""\u0043all""#).expect("a text");
    assert_eq!(masked, Text::from("Call"));
    for wrong in [json!(1), json!(null), json!(["Call"]), json!({ "en": 1 })] {
        assert!(
            serde_json::from_value::<Text>(wrong.clone()).is_err(),
            "{wrong}"
        );
    }
    let wrong = serde_json::from_value::<Text>(json!(1)).expect_err("a number");
    let said = "a text, or an object of language tags and texts";
    assert!(wrong.to_string().contains(said), "{wrong}");
}

#[test]
fn a_wording_is_found_by_its_hash_with_its_language() {
    let localized: Text =
        serde_json::from_value(json!({ "en": "Call", "de": "Anrufen" })).expect("a text");
    assert_eq!(
        localized.by_hash(&text_hash("Anrufen")),
        Some((Some("de"), "Anrufen"))
    );
    assert_eq!(localized.by_hash(&text_hash("Ring")), None);
    let plain = Text::from("Call");
    assert_eq!(plain.by_hash(&text_hash("Call")), Some((None, "Call")));
    assert_eq!(plain.by_hash(&text_hash("Ring")), None);
}

#[test]
fn what_is_due_in_no_time_is_warned_of_unless_it_has_the_rest_of_a_day_or_counts_from_a_fact() {
    let warned = |due_from: Option<&str>, counted_in: &str, offset: &str| {
        let template = json!({ "Id": "t", "Key": "t", "Name": { "en": "T" }, "DueFrom": due_from,
            "Items": [{ "Key": "a", "Text": { "en": "A" }, "DueOffset": offset, "DueCountedIn": counted_in }] });
        let template: Template = serde_json::from_value(template).expect("a template");
        let mut warnings = template.warnings().into_iter();
        warnings.any(|warning| warning.code == WarningCode::DueAtOnce)
    };
    assert!(warned(None, "Time", "PT0S"));
    assert!(warned(None, "WorkingTime", "PT0H"));
    assert!(!warned(None, "Time", "PT1S"));
    assert!(!warned(None, "Days", "P0D"));
    assert!(!warned(None, "WorkingDays", "P0D"));
    assert!(!warned(Some("StartsAt"), "Time", "PT0S"));
}

#[test]
fn a_template_that_is_complete_untouched_is_warned_of() {
    let template = |rule: &str, items: Value| -> Template {
        let template = json!({ "Id": "t", "Key": "t", "Name": { "en": "T", "de": "V" }, "CompletionRule": rule, "Items": items });
        serde_json::from_value(template).expect("a template")
    };
    let both = json!({ "en": "Ask", "de": "Fragen" });
    let of = |template: &Template| -> Vec<(WarningCode, String)> {
        let told = |warning: checklist_shared::problem::Warning| {
            (warning.code, warning.pointer.unwrap_or_default())
        };
        template.warnings().into_iter().map(told).collect()
    };
    let optional = json!([{ "Key": "s", "Kind": "Section", "Text": both, "Required": true }, { "Key": "a", "Text": both }]);
    let none_required = (WarningCode::NoRequiredItem, "/CompletionRule".to_owned());
    assert_eq!(of(&template("Required", optional.clone())), [none_required]);
    assert_eq!(of(&template("All", optional)), []);
    let required = json!([{ "Key": "a", "Text": both, "Required": true }]);
    assert_eq!(of(&template("Required", required)), []);
    let when = json!({ "Fact": "Vip", "Is": true });
    let conditional = json!([
        { "Key": "s", "Kind": "Section", "Text": both, "When": when },
        { "Key": "a", "Text": both, "Required": true, "ParentKey": "s" },
        { "Key": "b", "Text": both, "Required": true, "When": when },
    ]);
    let sometimes = (
        WarningCode::RequiredItemsAreConditional,
        "/CompletionRule".to_owned(),
    );
    assert_eq!(of(&template("Required", conditional.clone())), [sometimes]);
    let perhaps_empty = (WarningCode::ItemsAreConditional, "/Items".to_owned());
    assert_eq!(of(&template("All", conditional)), [perhaps_empty]);
    let one_is_always_there =
        json!([{ "Key": "a", "Text": both, "When": when }, { "Key": "b", "Text": both }]);
    assert_eq!(of(&template("All", one_is_always_there)), []);
    assert_eq!(
        of(&template("Required", json!([]))),
        [(WarningCode::NoItems, "/Items".to_owned())]
    );
    let odd = json!([{ "Key": "a", "Text": { "en": "Ask" } }]);
    let expected = [(WarningCode::LanguageMissing, "/Items/0/Text".to_owned())];
    assert_eq!(of(&template("All", odd)), expected);
    let half = json!([{ "Key": "a", "Text": both, "Help": { "fr": "Comment" }, "AnswerFormat": {
        "Type": "Choice", "Choices": [{ "Key": "y", "Text": { "en": "Yes" } }, { "Key": "n", "Text": "No" }] } }]);
    let pointers: Vec<String> = of(&template("All", half))
        .into_iter()
        .map(|(_, at)| at)
        .collect();
    assert_eq!(
        pointers,
        [
            "/Name",
            "/Items/0/Text",
            "/Items/0/Help",
            "/Items/0/AnswerFormat/Choices/0/Text"
        ]
    );
}

#[test]
fn a_name_or_text_that_nobody_can_see_is_none() {
    let template: Template =
        serde_json::from_value(json!({ "Id": "t", "Key": "t", "Name": { "en": "\u{200b}" },
        "Items": [{ "Key": "a", "Text": { "en": "\u{2060}\u{7}" } }] }))
        .expect("a template");
    let errors = template.validate(&Limits::default());
    let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
    assert_eq!(pointers, ["/Name", "/Items/0/Text"]);
}
