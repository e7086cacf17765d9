//! Waive: a person lets a list pass although items are open, until that is revoked.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident};
use serde_json::json;

/// Olga, on a list of two items that nobody has written yet.
fn olga(server: &Server) -> Person {
    publish(server, &fragment("f", [item("a", "A"), item("b", "B")]));
    let place = incident("1").from_template("f");
    server.as_owner("Olga Owner").on(&place)
}

#[test]
fn a_waived_list_says_by_whom_and_why_until_that_is_revoked() {
    let server = Server::demo();
    let olga = olga(&server);
    let body =
        json!({ "Reason": " The part comes on Monday ", "OperationId": "w", "LogInJournal": true });
    let waived = olga.call("Waive", body).ok();
    assert_eq!(
        (&waived["State"], &waived["Completed"]),
        (&json!("Waived"), &json!(false))
    );
    assert_eq!(waived["Waived"]["Reason"], "The part comes on Monday");
    assert_eq!(waived["Waived"]["By"]["Name"], "Olga Owner");
    let blockers = waived["Blockers"].as_array().expect("blockers").len();
    assert_eq!(blockers, 2, "what was waived is still named");

    // Work goes on, and the waiver stays.
    let bob = server.as_editor("Bob").on(&olga.place);
    bob.tick("A");
    bob.add("C");
    let list = bob.list().0;
    assert_eq!(
        (&list["State"], &list["Waived"]),
        (&json!("Waived"), &waived["Waived"])
    );
    olga.undo("w").refused(409, "CannotUndo");
    bob.call("Waive", json!({ "Reason": "r", "Revoke": true }))
        .refused(403, "PermissionDenied");
    let again = olga.call("Waive", json!({ "Reason": "Something else" }));
    let again = again.refused(409, "CannotWaive");
    let detail = again["Detail"].as_str().or(again["detail"].as_str());
    assert!(
        detail.is_some_and(|detail| detail.contains("Olga Owner")),
        "{again}"
    );

    bob.tick("B");
    assert_eq!(bob.tick("C").0["State"], "Complete");
    assert_eq!(bob.untick("C").0["State"], "Waived");
    let revoked = olga.revoke_waiver("It came");
    assert_eq!(
        (&revoked.0["State"], revoked.0.get("Waived")),
        (&json!("Open"), None)
    );
    assert_eq!(olga.list().0.get("Waived"), None);

    let rows = server.as_admin().on(&olga.place).audit();
    let events: Vec<_> = rows.iter().map(|row| &row["Event"]).collect();
    let with = |what: &str| events.iter().find(|event| event["What"] == what);
    let reason_of = |what: &str| with(what).map(|event| &event["After"]);
    assert_eq!(
        reason_of("Waived"),
        Some(&json!("The part comes on Monday"))
    );
    assert_eq!(reason_of("WaiverRevoked"), Some(&json!("It came")));
    assert_eq!(
        with("WaiverRevoked").and_then(|event| event.get("Before")),
        None,
        "a row has the words of its own actor alone"
    );
}

#[test]
fn a_request_that_cannot_be_met_is_answered_clearly_and_changes_nothing() {
    let server = Server::demo();
    let olga = olga(&server);
    for reason in ["", " \u{200b}\n"] {
        let problem = olga
            .call("Waive", json!({ "Reason": reason }))
            .refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), ["/Reason"]);
    }
    let long = json!({ "Reason": "x".repeat(4_001) });
    let problem = olga.call("Waive", long).refused(422, "LimitExceeded");
    assert_eq!(error_pointers(&problem), ["/Reason"]);
    let why = json!({ "Reason": "urgent" });
    let stale = json!({ "Reason": "urgent", "ExpectedRevision": 7 });
    olga.call("Waive", stale).refused(409, "RevisionMismatch");
    let revoke = json!({ "Reason": "urgent", "Revoke": true });
    olga.call("Waive", revoke).refused(409, "CannotWaive");
    assert_eq!(olga.list().revision(), 0, "nothing was written");

    let admin = server.as_admin().on(&olga.place);
    let program = admin.program("Sync", &["owner"]);
    program
        .call("Waive", why.clone())
        .refused(409, "CannotWaive");
    let nothing = olga.at(&incident("2").for_purpose("none"));
    nothing
        .call("Waive", why.clone())
        .refused(409, "CannotWaive");
    assert_eq!(nothing.list().revision(), 0);

    olga.tick("A");
    olga.tick("B");
    olga.call("Waive", why.clone()).refused(409, "CannotWaive");
    olga.untick("B");
    olga.lock("closed");
    olga.call("Waive", why).refused(409, "Locked");
    assert_eq!(olga.list().0.get("Waived"), None);
}
