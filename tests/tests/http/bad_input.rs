//! Requests that cannot be meant: each a clear error with a code and a pointer, nothing half done.
//!
//! Ends with a sweep of odd values through every field, after which nothing may have panicked.

use checklist_tests::client::{error_pointers, field_errors, send};
use checklist_tests::{API, Server, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// The calls about one list.
pub const CALLS: [&str; 11] = [
    "GetItems",
    "AddItems",
    "UpdateItems",
    "DeleteItems",
    "RestoreItems",
    "RefreshItemsOnTemplateChange",
    "Undo",
    "Lock",
    "Waive",
    "StartAgain",
    "Runs",
];

fn raw(
    server: &Server,
    call: &str,
    kind: &str,
    body: impl Into<reqwest::blocking::Body>,
) -> checklist_tests::Answer {
    let anna = server.as_owner("Anna").on(&incident("1"));
    let request = anna.request(Method::POST, call);
    let request = if kind.is_empty() {
        request
    } else {
        request.header("content-type", kind)
    };
    send(request.body(body))
}

#[test]
fn what_is_no_json_is_told_with_its_place() {
    let server = Server::demo();
    for call in CALLS {
        for body in ["", "{", "{\"Context\":}", "nonsense", "{}{}", "\u{0}"] {
            let problem =
                raw(&server, call, "application/json", body).refused(400, "MalformedJson");
            assert!(
                problem["detail"]
                    .as_str()
                    .is_some_and(|detail| detail.contains("line")),
                "{problem}"
            );
        }
        let bytes: &[u8] = b"{\"Context\":\"\xff\xfe\"}";
        raw(&server, call, "application/json", bytes).refused(400, "MalformedJson");
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let server = Server::demo();
    for depth in [200, 10_000, 200_000] {
        let body = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        raw(&server, "GetItems", "application/json", body).refused(400, "MalformedJson");
    }
    assert_eq!(server.http().get("/healthz").status, 200);
}

#[test]
fn a_body_has_to_be_declared_as_json() {
    let server = Server::demo();
    for kind in ["", "text/plain", "application/x-www-form-urlencoded"] {
        raw(&server, "GetItems", kind, "{}").refused(415, "UnsupportedMediaType");
    }
    let body = json!({ "Context": incident("1").context() }).to_string();
    raw(&server, "GetItems", "application/json; charset=utf-8", body).ok();
}

#[test]
fn unknown_fields_are_refused_wherever_they_stand() {
    let server = Server::demo();
    let anna = server.as_owner("Anna").on(&incident("1").for_purpose("x"));
    let id = anna.add("A");
    let bodies: [(&str, Value, &str); 9] = [
        ("GetItems", json!({ "Unheard": 1 }), "/Unheard"),
        (
            "AddItems",
            json!({ "Items": [{ "Text": "x" }, { "Text": "y", "text": "z" }] }),
            "/Items/1/text",
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "status": "Done" }] }),
            "/Items/0/status",
        ),
        ("DeleteItems", json!({ "Ids": [], "Force": true }), "/Force"),
        (
            "RefreshItemsOnTemplateChange",
            json!({ "dryRun": true }),
            "/dryRun",
        ),
        ("Lock", json!({ "Locked": true, "Until": "x" }), "/Until"),
        ("Waive", json!({ "Reason": "r", "Until": "x" }), "/Until"),
        ("StartAgain", json!({ "Reason": "r", "run": 1 }), "/run"),
        ("Runs", json!({ "After": 1 }), "/After"),
    ];
    let before = anna.list();
    for (call, body, pointer) in bodies {
        let problem = anna.call(call, body).refused(422, "InvalidRequest");
        assert_eq!(
            field_errors(&problem),
            [(pointer.to_owned(), "UnknownField".to_owned())],
            "{call}"
        );
    }
    let nested = json!({ "Context": { "ObjectType": "incident", "ObjectId": "1", "Pürpose": "" } });
    let problem = anna
        .send("GetItems", &nested)
        .refused(422, "InvalidRequest");
    assert_eq!(
        field_errors(&problem)[0],
        ("/Context/Pürpose".into(), "UnknownField".into())
    );
    assert_eq!(anna.list(), before);
}

#[test]
fn wrong_types_and_missing_fields_are_told_with_pointers() {
    let server = Server::demo();
    let anna = server.as_owner("Anna").on(&incident("1").for_purpose("x"));
    let id = anna.add("A");
    let cases: [(&str, Value, &str); 15] = [
        (
            "GetItems",
            json!({ "SinceRevision": "one" }),
            "/SinceRevision",
        ),
        ("GetItems", json!({ "SinceRevision": -1 }), "/SinceRevision"),
        ("GetItems", json!({ "View": "Everything" }), "/View"),
        ("AddItems", json!({ "Items": "x" }), "/Items"),
        (
            "AddItems",
            json!({ "Items": [{ "Text": 7 }] }),
            "/Items/0/Text",
        ),
        ("AddItems", json!({ "Items": [{}] }), "/Items/0/Text"),
        (
            "AddItems",
            json!({ "Items": [{ "Text": "x", "Id": "no uuid" }] }),
            "/Items/0/Id",
        ),
        (
            "AddItems",
            json!({ "Items": [{ "Text": "x", "Due": "tomorrow" }] }),
            "/Items/0/Due",
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Status": "Finished" }] }),
            "/Items/0/Status",
        ),
        ("DeleteItems", json!({ "Ids": [null] }), "/Ids/0"),
        ("Undo", json!({}), "/Undoes"),
        ("Lock", json!({ "Locked": "yes" }), "/Locked"),
        ("Waive", json!({ "Revoke": true }), "/Reason"),
        ("StartAgain", json!({ "Run": "1" }), "/Reason"),
        ("Runs", json!({ "Before": -1 }), "/Before"),
    ];
    let before = anna.list();
    for (call, body, pointer) in cases {
        let problem = anna.call(call, body.clone()).refused(422, "InvalidRequest");
        let errors = field_errors(&problem);
        assert!(
            errors.iter().any(|(at, _)| at == pointer),
            "{call} {body}: {problem}"
        );
    }
    assert_eq!(anna.list(), before);
}

#[test]
fn all_field_errors_come_at_once() {
    let server = Server::demo();
    let anna = server.as_owner("Anna").on(&incident("1").for_purpose("x"));
    let problem = anna
        .call("AddItems", json!({ "Items": [{ "Text": 7 }, { "Txt": "x" }, { "Text": "y", "Kind": "Thing" }], "Extra": 1 }))
        .refused(422, "InvalidRequest");
    let pointers = error_pointers(&problem);
    for pointer in ["/Extra", "/Items/0/Text", "/Items/1/Txt", "/Items/2/Kind"] {
        assert!(
            pointers.iter().any(|at| at == pointer),
            "no {pointer} in {pointers:?}"
        );
    }
}

#[test]
fn a_context_has_to_name_a_type_and_an_object_in_sensible_length() {
    let server = Server::demo();
    let anna = server.as_owner("Anna").on(&incident("1"));
    let contexts: [(Value, &str); 7] = [
        (
            json!({ "ObjectType": "", "ObjectId": "1" }),
            "/Context/ObjectType",
        ),
        (
            json!({ "ObjectType": "incident", "ObjectId": "" }),
            "/Context/ObjectId",
        ),
        (json!({ "ObjectType": "incident" }), "/Context/ObjectId"),
        (
            json!({ "ObjectType": "incident", "ObjectId": "x".repeat(201) }),
            "/Context/ObjectId",
        ),
        (
            json!({ "ObjectType": "incident", "ObjectId": "1", "Purpose": "p".repeat(201) }),
            "/Context/Purpose",
        ),
        (
            json!({ "ObjectType": "inci\u{0}dent", "ObjectId": "1" }),
            "/Context/ObjectType",
        ),
        (
            json!({ "ObjectType": "incident", "ObjectId": 1 }),
            "/Context/ObjectId",
        ),
    ];
    for (context, pointer) in contexts {
        let problem = anna
            .send("GetItems", &json!({ "Context": context }))
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, pointer, "{problem}");
    }
}

#[test]
fn query_parameters_are_checked_like_fields() {
    let server = Server::demo();
    let anna = server.as_admin().on(&incident("1"));
    for (path, pointer) in [
        ("Template/onboarding?Version=one", "/Version"),
        ("Template/onboarding?version=1", "/version"),
        ("Journal?After=-1", "/After"),
        ("Audit?Until=7", "/Until"),
    ] {
        let problem = anna.get(path).refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, pointer, "{path}: {problem}");
    }
}

#[test]
fn unknown_addresses_and_methods_are_problems_too() {
    let server = Server::demo();
    let anna = server.as_admin().on(&incident("1"));
    anna.get("NoSuchCall").refused(404, "NotFound");
    anna.get("getitems").refused(404, "NotFound");
    server.http().get("/no/such/page").refused(404, "NotFound");
    let answer = anna.get("GetItems");
    answer.refused(405, "MethodNotAllowed");
    assert!(
        answer.header("allow").contains("POST"),
        "{:?}",
        answer.headers
    );
}

#[test]
fn odd_fragment_ids_are_looked_up_and_nothing_else() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    for id in [
        "..%2F..%2Fetc%2Fpasswd",
        "%00",
        "a%0Ab",
        "%F0%9F%92%A9",
        "'%20OR%201=1--",
        "%FF",
    ] {
        let answer = anna.get(&format!("Template/{id}"));
        assert!(
            [400, 404, 422].contains(&answer.status),
            "{id}: {} {}",
            answer.status,
            answer.text()
        );
        assert!(answer.json()["Code"].is_string(), "{id}");
    }
}

#[test]
fn no_bad_request_makes_the_server_panic() {
    let server = Server::demo();
    let token = server.as_admin().token();
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e308),
        json!(u64::MAX),
        json!(""),
        json!("\u{202e}\u{0}"),
        json!([]),
        json!({}),
        json!([[[]]]),
        json!({ "Context": null }),
        json!("x".repeat(5000)),
    ];
    let fields = [
        "Context",
        "Items",
        "Ids",
        "OperationId",
        "SinceRevision",
        "Contexts",
        "Undoes",
        "ToVersion",
        "Locked",
        "Language",
    ];
    for call in CALLS {
        for field in fields {
            for value in &values {
                let mut body = json!({ "Context": incident("1").context() });
                body[field] = value.clone();
                let request = server
                    .http()
                    .request(Method::POST, &format!("{API}/{call}"))
                    .bearer_auth(&token);
                let answer = send(checklist_tests::client::json(request, &body));
                assert!(
                    answer.status < 500,
                    "{call} {body}: {} {}",
                    answer.status,
                    answer.text()
                );
            }
        }
    }
    assert!(!server.errors().contains("panicked"), "{}", server.errors());
}

#[test]
fn a_text_with_the_character_zero_is_refused_with_its_place_and_asking_for_one_finds_nothing() {
    let server = Server::demo();
    let place = incident("1").for_purpose("x");
    let anna = server.as_owner("Anna").on(&place);
    let id = anna.add("A");
    let note = json!({ "Items": [{ "Id": id, "Note": "before\u{0}after" }] });
    let problem = anna
        .call("UpdateItems", note)
        .refused(422, "InvalidRequest");
    assert_eq!(
        field_errors(&problem),
        [("/Items/0/Note".to_owned(), "Invalid".to_owned())]
    );
    anna.get("Template/%00").refused(404, "TemplateNotFound");
    let admin = server.as_admin().on(&place);
    let journal = admin.get("Journal?ObjectType=incident&ObjectId=%00");
    assert_eq!(journal.ok()["Entries"], json!([]));
}
