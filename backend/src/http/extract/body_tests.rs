//! Tests of the errors for invalid bodies.
//!
//! All invalid fields are reported at once by JSON pointer, and malformed JSON by its position.

use axum::http::Request as HttpRequest;
use checklist_services::sites::wire::{EstablishSiteConnection, GetSiteItems};
use checklist_shared::problem::{FieldError, FieldErrorCode};
use checklist_shared::template::Template;
use checklist_shared::wire::list::GetItems;
use checklist_shared::wire::write::{AddItems, UpdateItems};
use serde_json::{Value, json};

use super::*;

fn refusal<T: DeserializeOwned + ToSchema>(text: &str) -> checklist_shared::problem::Problem {
    match parse::<T>(text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.0.problem,
    }
}

fn errors<T: DeserializeOwned + ToSchema>(body: &Value) -> Vec<(String, FieldErrorCode)> {
    let problem = refusal::<T>(&body.to_string());
    assert_eq!(problem.code, ProblemCode::InvalidRequest);
    let mut found: Vec<_> = problem
        .errors
        .into_iter()
        .map(|FieldError { pointer, code, .. }| (pointer, code))
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

fn expect(found: &[(String, FieldErrorCode)], wanted: &[(&str, FieldErrorCode)]) {
    let found: Vec<_> = found
        .iter()
        .map(|(pointer, code)| (pointer.as_str(), *code))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_text_that_is_no_json_is_told_with_line_and_column() {
    for (text, place) in [
        ("", "line 1, column 0"),
        ("{", "line 1, column 1"),
        ("{\n  \"Context\": nope }", "line 2, column 15"),
        ("{} {}", "line 1, column 4"),
        ("\u{feff}{}", "line 1, column 1"),
        ("{\"Foo\": 1, \"Context\": }", "line 1, column 23"),
    ] {
        let problem = refusal::<GetItems>(text);
        assert_eq!(problem.code, ProblemCode::MalformedJson, "{text}");
        let detail = problem.detail.unwrap_or_default();
        assert!(detail.contains(place), "{text}: {detail}");
    }
}

#[test]
fn depth_without_end_is_refused() {
    let problem = refusal::<GetItems>(&format!("{{\"Contexts\": {}", "[".repeat(10_000)));
    assert_eq!(problem.code, ProblemCode::MalformedJson);
}

#[test]
fn one_wrong_field_is_told_by_its_pointer() {
    use FieldErrorCode::{Invalid, Required, UnknownField};
    expect(
        &errors::<GetItems>(&json!({"Context": {"ObjectType": "a"}})),
        &[("/Context/ObjectId", Required)],
    );
    expect(
        &errors::<GetItems>(&json!({"Contxt": {}})),
        &[("/Contxt", UnknownField)],
    );
    expect(
        &errors::<GetItems>(&json!({"View": "Half"})),
        &[("/View", Invalid)],
    );
    expect(&errors::<GetItems>(&json!([])), &[("", Invalid)]);
    expect(
        &errors::<GetItems>(&json!({"Context": {"ObjectType": "a", "ObjectId": 5}})),
        &[("/Context/ObjectId", Invalid)],
    );
    expect(
        &errors::<GetItems>(&json!({"a/b~c": 1})),
        &[("/a~1b~0c", UnknownField)],
    );
}

#[test]
fn all_wrong_fields_are_told_at_once() {
    use FieldErrorCode::{Invalid, Required, UnknownField};
    let body = json!({
        "Context": {"ObjectType": 1, "Purpos": ""},
        "Items": [{"Text": "fine"}, {"Text": 5, "Due": "tomorrow"}, {"Kind": "Heading"}, "no object"],
        "LogInJournal": "yes",
        "Extra": {"Anything": []},
    });
    expect(
        &errors::<AddItems>(&body),
        &[
            ("/Context/ObjectId", Required),
            ("/Context/ObjectType", Invalid),
            ("/Context/Purpos", UnknownField),
            ("/Extra", UnknownField),
            ("/Items/1/Due", Invalid),
            ("/Items/1/Text", Invalid),
            ("/Items/2/Kind", Invalid),
            ("/Items/2/Text", Required),
            ("/Items/3", Invalid),
            ("/LogInJournal", Invalid),
        ],
    );
}

#[test]
fn missing_records_do_not_hide_what_comes_after_them() {
    use FieldErrorCode::{Invalid, Required};
    expect(
        &errors::<UpdateItems>(
            &json!({"Items": [{"Id": "no uuid", "Status": "Ticked"}], "Atomic": 1}),
        ),
        &[
            ("/Atomic", Invalid),
            ("/Context", Required),
            ("/Items/0/Id", Invalid),
            ("/Items/0/Status", Invalid),
        ],
    );
    let found = errors::<Template>(&json!({}));
    let pointers: Vec<_> = found.iter().map(|(pointer, _)| pointer.as_str()).collect();
    assert_eq!(pointers, ["/Items", "/Key", "/Name"]);
}

#[test]
fn a_field_that_stands_there_twice_is_refused() {
    let problem = refusal::<GetItems>(r#"{"Language": "en", "Language": "de"}"#);
    assert_eq!(problem.code, ProblemCode::InvalidRequest);
    assert_eq!(problem.errors[0].code, FieldErrorCode::Duplicate);
}

#[test]
fn a_field_that_stands_twice_in_a_record_is_refused_at_that_record() {
    let text = r#"{"Context": {"ObjectType": "a", "ObjectType": "b", "ObjectId": "1"}}"#;
    let problem = refusal::<GetItems>(text);
    let FieldError { pointer, code, .. } = &problem.errors[0];
    assert_eq!(
        (pointer.as_str(), *code),
        ("/Context", FieldErrorCode::Duplicate)
    );
    assert_eq!(problem.errors[0].detail, "Duplicate field `ObjectType`.");
}

#[test]
fn every_text_with_the_character_zero_is_told() {
    let pointers = |json: &str| -> Vec<String> {
        let found = field_errors::nul_errors(json.as_bytes());
        found.into_iter().map(|error| error.pointer).collect()
    };
    let json = r#"{"Items":[{"Text":"a"},{"Text":"b\u0000","Note":"\u0000"}],"a/b":"\u0000"}"#;
    assert_eq!(pointers(json), ["/Items/1/Text", "/Items/1/Note", "/a~1b"]);
    assert_eq!(pointers(r#"{"de\u0000":"x"}"#), ["/de"]);
    // A backslash before it makes it plain text.
    assert!(pointers(r#"{"Text":"\\u0000 is a character"}"#).is_empty());
    // Beside others.
    let body = json!({"Context": {"ObjectType": "a\u{0}", "ObjectId": 1}});
    expect(
        &errors::<GetItems>(&body),
        &[
            ("/Context/ObjectId", FieldErrorCode::Invalid),
            ("/Context/ObjectType", FieldErrorCode::Invalid),
        ],
    );
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_json_with_what_may_stand_there() {
    let id = "00000000-0000-7000-8000-000000000000";
    let body = json!({
        "Context": ["a", "b"],
        "Atomic": "yes",
        "Items": [{"Id": "x", "Status": "Finished", "BaseVersion": -1, "Text": 7, "Due": "soon"},
            {"Id": id, "BaseVersion": 1.5}, {"Id": id, "BaseVersion": "1"}, {"Text": "a"}],
    });
    let problem = refusal::<UpdateItems>(&body.to_string());
    let lines: Vec<String> = problem
        .errors
        .iter()
        .map(|error| format!("{} {}", error.pointer, error.detail))
        .collect();
    let range = "expected a whole number from 0 to 18446744073709551615.";
    assert_eq!(
        lines,
        [
            "/Context Invalid type: an array, expected an object.",
            "/Atomic Invalid type: a text, expected a boolean.",
            "/Items/0/Id Not a UUID.",
            "/Items/0/Status Unknown variant `Finished`, expected one of `Open`, `Done`, `NotApplicable`.",
            &format!("/Items/0/BaseVersion Invalid value: -1, {range}"),
            "/Items/0/Text Invalid type: a number, expected a text.",
            "/Items/0/Due Not a date such as 2026-11-30 or an RFC 3339 time such as 2026-11-30T09:14:00Z.",
            &format!("/Items/1/BaseVersion Invalid value: 1.5, {range}"),
            "/Items/2/BaseVersion Invalid type: a text, expected a whole number.",
            "/Items/3/Id This field has to be there.",
        ]
    );
}

#[test]
fn what_only_the_server_reads_is_no_unknown_field_and_what_no_schema_says_is_told_by_the_parser() {
    use FieldErrorCode::{Invalid, UnknownField};
    let credentials = json!({"Url": "https://x.example", "AuthenticationType": "NTLM",
        "Username": "ada", "Password": "hunter2", "Colour": "red"});
    expect(
        &errors::<EstablishSiteConnection>(&json!({"Credentials": credentials})),
        &[("/Credentials/Colour", UnknownField)],
    );
    let connection = json!({"Handle": "sh_x", "ExpiresAt": "soon"});
    let ask = json!({"Connection": connection, "List": {"Titel": "PCs"}, "Top": 0});
    expect(
        &errors::<GetSiteItems>(&ask),
        &[
            ("/Connection/ExpiresAt", Invalid),
            ("/List/Titel", UnknownField),
            ("/Top", Invalid),
        ],
    );
}

#[test]
fn the_list_of_errors_ends_and_quotes_stay_short() {
    let items: Vec<_> = (0..200).map(|_| json!({"Text": 1})).collect();
    let body = json!({"Context": {"ObjectType": "a", "ObjectId": "b"}, "Items": items});
    assert_eq!(errors::<AddItems>(&body).len(), 20);
    let problem = refusal::<GetItems>(&json!({"View": "x".repeat(5_000)}).to_string());
    assert!(problem.errors[0].detail.chars().count() <= 201);
}

#[test]
fn a_text_in_the_wrong_place_is_not_repeated() {
    let items = json!([{"Text": "a"}]);
    let context = json!({"ObjectType": "a", "ObjectId": "b"});
    for body in [
        json!({"Context": "hunter2\", expected", "Items": items}),
        json!({"Context": context, "Items": "hunter2"}),
    ] {
        let told = format!("{:?}", refusal::<AddItems>(&body.to_string()).errors);
        assert!(!told.contains("hunter2"), "{told}");
        assert!(told.contains("a text, expected"), "{told}");
    }
}

#[tokio::test]
async fn only_json_is_taken_for_json() {
    let ask = |content_type: &'static str| async move {
        let request = HttpRequest::post("/")
            .header("content-type", content_type)
            .body("{}".into())
            .expect("a request");
        Body::<GetItems>::from_request(request, &())
            .await
            .err()
            .map(|error| error.0.code())
    };
    for good in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/merge-patch+json",
    ] {
        assert_eq!(ask(good).await, None, "{good}");
    }
    for bad in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "text/json",
    ] {
        assert_eq!(
            ask(bad).await,
            Some(ProblemCode::UnsupportedMediaType),
            "{bad}"
        );
    }
}

#[tokio::test]
async fn an_operation_is_known_by_what_it_means() {
    let hash_of = |body: &'static str| async move {
        let request = HttpRequest::post("/")
            .header("content-type", "application/json")
            .body(body.into())
            .expect("a request");
        let Operation(_, hash) = Operation::<AddItems>::from_request(request, &())
            .await
            .unwrap_or_else(|error| panic!("{error:?}"));
        hash
    };
    let one = r#"{"Context":{"ObjectType":"a","ObjectId":"b"},"Items":[{"Text":"x"}]}"#;
    let same =
        r#"{ "Items": [ {"Text": "\u0078"} ], "Context": {"ObjectId":"b", "ObjectType":"a"} }"#;
    let other = r#"{"Context":{"ObjectType":"a","ObjectId":"b"},"Items":[{"Text":"y"}]}"#;
    assert_eq!(hash_of(one).await, hash_of(same).await);
    assert_ne!(hash_of(one).await, hash_of(other).await);
}

#[test]
fn every_seed_of_the_fuzz_target_is_read_or_refused_with_reasons() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fuzz/seeds/request_json"
    );
    let mut count = 0;
    for seed in std::fs::read_dir(folder).expect("the seeds") {
        let seed = std::fs::read(seed.expect("a seed").path()).expect("a seed");
        super::super::request_json::hold(&seed);
        count += 1;
    }
    assert!(count > 0);
}
