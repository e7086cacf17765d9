//! `POST /Signals`: what other systems report sets the status of items, and persons override it.

use std::thread;

use checklist_tests::client::error_pointers;
use checklist_tests::template::{author, fragment, item, optional_to_apply, with};
use checklist_tests::{Person, incident};
use serde_json::{Value, json};

use crate::one_host::OneHost;

const EDITOR: [&str; 4] = ["Read", "Check", "UncheckOthers", "Lock"];

fn world() -> OneHost {
    let build = json!({ "Signal": { "Source": "CI", "Key": "build", "StaleAfter": "PT1H" } });
    let items = [
        with(optional_to_apply(item("a", "Build it")), build),
        item("b", "Tell the team"),
    ];
    OneHost::with(&fragment("f", items))
}

/// A program with an API key for these sources.
fn program(world: &OneHost, sources: &[&str]) -> Person {
    world.program(&json!({ "Name": "Jenkins", "Roles": ["editor"], "Sources": sources }))
}

fn report(program: &Person, status: &str, as_of: &str) -> Value {
    json!({ "Context": program.place.context(), "Source": "CI", "Key": "build", "Status": status, "AsOf": as_of })
}

/// Sends reports; gives what became of each.
fn send(program: &Person, reports: &[Value]) -> Vec<Value> {
    let answer = program.send("Signals", &json!({ "Signals": reports })).ok();
    answer["Results"].as_array().expect("results").clone()
}

fn outcomes(results: &[Value]) -> Vec<&str> {
    let outcomes = results.iter().map(|result| result["Outcome"].as_str());
    outcomes.collect::<Option<_>>().expect("texts")
}

#[test]
fn a_report_sets_the_status_and_item_trail_and_history_say_as_of_when_and_by_whom() {
    let world = world();
    let ci = program(&world, &["CI"]);
    let evidence = json!({ "Name": "Run 7", "Url": "https://ci.example/7" });
    let done = with(
        report(&ci, "Done", "2026-01-01T10:00:00Z"),
        json!({ "Evidence": evidence }),
    );
    let results = send(&ci, std::slice::from_ref(&done));
    assert_eq!(outcomes(&results), ["Updated"]);
    let list = world.person("ada", &EDITOR).list();
    let item = list.item("Build it");
    assert_eq!(results[0]["Items"][0]["Id"], item["Id"]);
    assert_eq!(item["Status"], "Done");
    assert_eq!(item["StatusBy"]["Kind"], "Program");
    assert_eq!(item["StatusBy"]["Name"], "Jenkins");
    assert_eq!(item["Proposal"]["Evidence"], evidence);
    let signal = json!({ "Source": "CI", "Key": "build", "StaleAfter": "PT1H", "Status": "Done",
        "AsOf": "2026-01-01T10:00:00Z", "StaleAt": "2026-01-01T11:00:00Z" });
    assert_eq!(item["Signal"], signal);
    assert_eq!(outcomes(&send(&ci, &[done])), ["Unchanged"], "sent again");

    let later = send(&ci, &[report(&ci, "Done", "2026-01-01T10:30:00Z")]);
    assert_eq!(outcomes(&later), ["Updated"]);
    let admin = world.admin();
    let rows = admin.audit_of_lists();
    let events: Vec<(&str, &str)> = rows
        .iter()
        .filter_map(|row| {
            let event = &row["Event"];
            Some((event["What"].as_str()?, event["AsOf"].as_str()?))
        })
        .collect();
    let expected = [
        ("Checked", "2026-01-01T10:00:00Z"),
        ("Signalled", "2026-01-01T10:30:00Z"),
    ];
    assert_eq!(events, expected);
    let id = item["Id"].clone();
    let history = world
        .person("ada", &EDITOR)
        .call("GetItemHistory", json!({ "Id": id }))
        .ok();
    let entries = history["Entries"].as_array().expect("entries");
    let what: Vec<&Value> = entries.iter().map(|entry| &entry["What"]).collect();
    assert_eq!(what, ["Signalled", "Checked"]);
}

#[test]
fn an_override_stays_whatever_is_reported_until_a_person_or_the_source_ends_it() {
    let world = world();
    let (ada, ci) = (world.person("ada", &EDITOR), program(&world, &["CI"]));
    assert_eq!(ada.tick("Build it").problem("Failed"), "ReasonRequired");
    let fields = json!({ "Status": "Done", "Reason": "Built by hand" });
    ada.change("Build it", fields).only("Updated");
    for minute in 10..13 {
        let as_of = format!("2026-01-01T10:{minute}:00Z");
        assert_eq!(
            outcomes(&send(&ci, &[report(&ci, "Open", &as_of)])),
            ["Updated"]
        );
        let list = world.person("bob", &EDITOR).list();
        let item = list.item("Build it");
        assert_eq!(
            (&item["Status"], &item["Reason"]),
            (&json!("Done"), &json!("Built by hand"))
        );
        assert_eq!(item["Signal"]["AsOf"], json!(as_of));
    }
    // What the signal says needs no reason, and the next report counts again.
    ada.untick("Build it").only("Updated");
    assert_eq!(ada.list().item("Build it")["Reason"], Value::Null);
    send(&ci, &[report(&ci, "Done", "2026-01-01T11:00:00Z")]);
    assert_eq!(ada.list().status("Build it"), "Done");
    // No other program sets it.
    let sync = program(&world, &[]);
    assert_eq!(sync.untick("Build it").problem("Failed"), "SetBySignal");
}

#[test]
fn a_source_that_the_key_does_not_name_refuses_everything_and_so_does_any_other_caller() {
    let world = world();
    let ci = program(&world, &["CI"]);
    let fine = report(&ci, "Done", "2026-01-01T10:00:00Z");
    let foreign = with(fine.clone(), json!({ "Source": "Monitor" }));
    let wish = json!({ "Signals": [fine, foreign] });
    let problem = ci.send("Signals", &wish).refused(403, "PermissionDenied");
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("'Monitor'"), "{problem}");
    let wish = json!({ "Signals": [fine] });
    for caller in [
        program(&world, &[]),
        program(&world, &["ci"]),
        world.person("ada", &EDITOR),
        world.admin(),
    ] {
        caller
            .send("Signals", &wish)
            .refused(403, "PermissionDenied");
    }
    assert_eq!(ci.list().revision(), 0, "nothing was written");
}

#[test]
fn each_report_is_taken_for_itself() {
    let world = world();
    let (ada, ci) = (world.person("ada", &EDITOR), program(&world, &["CI"]));
    let locked = ada.at(&incident("2").from_template("f"));
    locked.lock("Under review");
    let about = |place, fields| {
        let report = with(
            report(&ci, "Done", "2026-01-01T10:00:00Z"),
            json!({ "Context": place }),
        );
        with(report, fields)
    };
    let results = send(
        &ci,
        &[
            about(locked.place.context(), json!({})),
            about(ci.place.context(), json!({ "Key": "release" })),
            about(incident("3").from_template("gone").context(), json!({})),
            about(json!({ "ObjectType": "", "ObjectId": "1" }), json!({})),
            about(ci.place.context(), json!({})),
        ],
    );
    assert_eq!(
        outcomes(&results),
        ["Failed", "Failed", "Failed", "Failed", "Updated"]
    );
    let codes: Vec<_> = results
        .iter()
        .map(|result| &result["Problem"]["Code"])
        .collect();
    let expected = [
        "Locked",
        "ItemNotFound",
        "TemplateNotFound",
        "InvalidRequest",
    ];
    assert_eq!(codes[..4], expected);
    assert_eq!(
        results[3]["Problem"]["Errors"][0]["Pointer"],
        "/Signals/3/Context/ObjectType"
    );
    assert_eq!(ci.list().status("Build it"), "Done");
    assert_eq!(locked.list().status("Build it"), "Open");
}

#[test]
fn wrong_reports_are_refused_by_pointer_and_nothing_is_written() {
    let world = world();
    let ci = program(&world, &["CI"]);
    let fine = report(&ci, "Done", "2026-01-01T10:00:00Z");
    for (fields, pointer) in [
        (json!({ "Status": "NotApplicable" }), "Status"),
        (json!({ "Status": "Perhaps" }), "Status"),
        (json!({ "AsOf": "2999-01-01T00:00:00Z" }), "AsOf"),
        (json!({ "AsOf": "yesterday" }), "AsOf"),
        (json!({ "AsOf": null }), "AsOf"),
        (json!({ "Source": " " }), "Source"),
        (json!({ "Key": "x".repeat(201) }), "Key"),
        (
            json!({ "Evidence": { "Name": "x", "Url": "javascript:x" } }),
            "Evidence/Url",
        ),
        (json!({ "Note": "x" }), "Note"),
    ] {
        let wish = json!({ "Signals": [fine, with(fine.clone(), fields)] });
        let problem = ci.send("Signals", &wish).refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), [format!("/Signals/1/{pointer}")]);
    }
    for (reports, code) in [
        (json!([]), "InvalidRequest"),
        (Value::from(vec![fine; 201]), "LimitExceeded"),
    ] {
        let answer = ci.send("Signals", &json!({ "Signals": reports }));
        assert_eq!(error_pointers(&answer.refused(422, code)), ["/Signals"]);
    }
    assert_eq!(ci.list().revision(), 0, "nothing was written");

    let admin = world.admin();
    let many: Vec<String> = (0..21).map(|number| format!("Source {number}")).collect();
    for (sources, code, pointer) in [
        (json!(many), "LimitExceeded", "/Sources"),
        (json!(["CI", ""]), "InvalidRequest", "/Sources/1"),
    ] {
        let wish = json!({ "Name": "Jenkins", "Roles": ["checker"], "Sources": sources });
        let problem = admin.send("ApiKeys", &wish).refused(422, code);
        assert_eq!(error_pointers(&problem), [pointer]);
    }
}

#[test]
fn a_template_binds_items_alone_that_take_neither_a_person_nor_a_second_one() {
    let world = world();
    let author = author(&world.server);
    let signal = json!({ "Source": "CI", "Key": "build" });
    for (fields, pointer) in [
        (json!({ "Signal": signal, "NeedsPerson": true }), "Signal"),
        (json!({ "Signal": signal, "SecondPerson": true }), "Signal"),
        (json!({ "Signal": signal, "Kind": "Info" }), "Signal"),
        (
            json!({ "Signal": { "Source": "", "Key": "build" } }),
            "Signal/Source",
        ),
        (
            json!({ "Signal": { "Source": "CI", "Key": "" } }),
            "Signal/Key",
        ),
        (
            json!({ "Signal": { "Source": "CI", "Key": "k", "StaleAfter": "P1M" } }),
            "Signal/StaleAfter",
        ),
    ] {
        let draft = fragment("g", [with(item("a", "Build it"), fields)]);
        let refused = author.put("Templates/g", &draft);
        let problem = refused.refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&problem), [format!("/Items/0/{pointer}")]);
    }
}

#[test]
fn of_reports_that_arrive_at_once_and_in_any_order_the_newest_stays() {
    let world = world();
    let ci = program(&world, &["CI"]);
    let threads: Vec<_> = [7, 3, 9, 1, 8, 2, 6, 4, 5, 0]
        .into_iter()
        .map(|minute| {
            let status = if minute == 9 { "Done" } else { "Open" };
            let report = report(&ci, status, &format!("2026-01-01T10:0{minute}:00Z"));
            let ci = ci.clone();
            thread::spawn(move || {
                let results = send(&ci, &[report]);
                assert_ne!(outcomes(&results), ["Failed"]);
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("an answer");
    }
    let list = ci.list();
    let item = list.item("Build it");
    assert_eq!(item["Signal"]["AsOf"], "2026-01-01T10:09:00Z");
    assert_eq!(item["Status"], "Done");
}

#[test]
fn why_somebody_overrode_a_signal_goes_with_their_name() {
    let world = world();
    let ada = world.person("ada", &EDITOR);
    let fields = json!({ "Status": "Done", "Reason": "Ada built it at home" });
    ada.change("Build it", fields).only("Updated");
    let admin = world.admin();
    world.erase("ada");
    let item = world.person("bob", &EDITOR).list().item("Build it").clone();
    assert_eq!(item["Status"], "Done", "it stays done");
    let trail = Value::from(admin.audit()).to_string();
    for left in [item.to_string(), trail] {
        assert!(!left.contains("at home"), "{left}");
    }
}
