//! The inventory of computers: imports as JSON and as tables, pages, searches, refusals, and the
//! same from the command line.
//! Part of the program `http`; the rules themselves are tried in `shared`.

use checklist_tests::client::{field_errors, send};
use checklist_tests::process::Ended;
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server without any computers, and a program that may run site activities.
fn empty() -> (Server, Person) {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let operator = program(&server, "site-operator");
    (server, operator)
}

/// A program with an API key of that role.
fn program(server: &Server, role: &str) -> Person {
    let admin = server.as_admin().on(&incident("1"));
    admin.program("Inventory", &[role]).about_computers()
}

fn computer(id: &str, name: &str) -> Value {
    json!({ "Id": id, "Name": name, "Status": "InUse" })
}

#[track_caller]
fn import(who: &Person, computers: &[Value]) -> Answer {
    who.send("Import", &json!({ "Computers": computers }))
}

fn table(
    who: &Person,
    query: &str,
    kind: &str,
    body: impl Into<reqwest::blocking::Body>,
) -> Answer {
    let request = who.request(Method::POST, &format!("Import{query}"));
    send(request.header("content-type", kind).body(body))
}

fn ids(page: &Value) -> Vec<&str> {
    let computers = page["Computers"].as_array().expect("computers");
    computers
        .iter()
        .map(|computer| computer["Id"].as_str().expect("an id"))
        .collect()
}

#[test]
fn computers_are_previewed_imported_listed_and_read() {
    let (_server, operator) = empty();
    let none = operator.get("").ok();
    assert_eq!(none, json!({ "Computers": [], "Total": 0 }));
    let wish =
        json!({ "DryRun": true, "Computers": [computer("c/1", "PC-1"), computer("c 2", "PC-2")] });
    let told = operator.send("Import", &wish).ok();
    assert_eq!(
        (&told["Created"], &told["DryRun"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(operator.get("").ok()["Total"], 0);
    let done = import(
        &operator,
        &[computer("c/1", "PC-1"), computer("c 2", "PC-2")],
    )
    .ok();
    assert_eq!(
        (&done["Created"], &done["DryRun"]),
        (&json!(2), &json!(false))
    );
    let page = operator.get("?Limit=1").ok();
    assert_eq!((ids(&page), &page["Total"]), (vec!["c/1"], &json!(2)));
    let next = page["Next"].as_str().expect("another page");
    let rest = operator.get(&format!("?Limit=1&After={next}")).ok();
    assert_eq!(ids(&rest), ["c 2"]);
    assert!(rest.get("Next").is_none(), "{rest}");
    let one = operator.get("/c%2F1").ok();
    assert_eq!(one["Name"], "PC-1");
    assert!(one["CreatedAt"].is_string(), "{one}");
    operator.get("/c-3").refused(404, "ComputerNotFound");
    let found = operator.get("?Search=pc-2&Status=InUse").ok();
    assert_eq!(ids(&found), ["c 2"]);
    assert_eq!(operator.get("?Status=Scrapped").ok()["Total"], 0);
}

#[test]
fn an_import_says_which_fields_it_changes() {
    let (_server, operator) = empty();
    import(
        &operator,
        &[computer("c-1", "PC-1"), computer("c-2", "PC-2")],
    )
    .ok();
    let mut moved = computer("c-1", "PC-1");
    moved["Location"] = json!("Köln");
    let done = import(&operator, &[moved, computer("c-2", "PC-2")]).ok();
    let counts = ["Rows", "Created", "Updated", "Unchanged", "Failed"];
    assert_eq!(
        counts.map(|name| done[name].as_u64()),
        [2, 0, 1, 1, 0].map(Some)
    );
    let change = json!({ "Row": 1, "Id": "c-1", "Name": "PC-1", "Outcome": "Updated",
        "Fields": [{ "Field": "Location", "After": "Köln" }] });
    assert_eq!(done["Changes"], json!([change]));
}

#[test]
fn wrong_computers_are_told_by_pointers_and_nothing_is_imported() {
    let (_server, operator) = empty();
    let bodies = [
        (json!({ "Computers": [] }), "/Computers", "Required"),
        (
            json!({ "Computers": [computer("c-1", "PC"), computer("", "PC")] }),
            "/Computers/1/Id",
            "Required",
        ),
        (
            json!({ "Computers": [computer("c-1", "PC"), computer("c-1", "PC")] }),
            "/Computers/1/Id",
            "Duplicate",
        ),
        (
            json!({ "Computers": [computer("c-1", &"x".repeat(256))] }),
            "/Computers/0/Name",
            "LimitExceeded",
        ),
        (
            json!({ "Computers": [computer("c-1", "a\nb")] }),
            "/Computers/0/Name",
            "Invalid",
        ),
        (
            json!({ "Computers": [{ "Id": "c-1", "Name": "PC", "Status": "Lost" }] }),
            "/Computers/0/Status",
            "Invalid",
        ),
        (
            json!({ "Computers": [{ "Id": "c-1", "Name": "PC", "Status": "InUse", "Colour": "red" }] }),
            "/Computers/0/Colour",
            "UnknownField",
        ),
        (
            json!({ "Computers": [{ "Id": "c-1", "Name": "PC", "Status": "InUse", "PurchasedOn": "2026-02-30" }] }),
            "/Computers/0/PurchasedOn",
            "Invalid",
        ),
    ];
    for (body, pointer, code) in bodies {
        let answer = operator.send("Import", &body);
        assert_eq!(answer.status, 422, "{body}");
        let found = field_errors(&answer.json());
        assert_eq!(found, [(pointer.to_owned(), code.to_owned())], "{body}");
    }
    assert_eq!(operator.get("").ok()["Total"], 0);
    for (query, pointer) in [
        ("?Limit=0", "/Limit"),
        ("?Limit=1001", "/Limit"),
        ("?After=nonsense", "/After"),
        ("?Status=Lost", "/Status"),
        ("?Colour=red", "/Colour"),
    ] {
        let problem = operator.get(query).refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, pointer, "{query}");
    }
}

#[test]
fn a_table_is_imported_and_its_errors_have_lines() {
    let (_server, operator) = empty();
    let text = "\u{feff}Id;Name;Serial number;Status\r\nc-1;PC-1;SN-1;In use\r\nc-2;PC-2;;lost\r\n";
    let told = table(&operator, "?DryRun=true", "text/csv", text).ok();
    assert_eq!((&told["Created"], &told["Failed"]), (&json!(1), &json!(1)));
    let wrong = &told["Changes"][0];
    assert_eq!(
        (&wrong["Row"], &wrong["Outcome"]),
        (&json!(3), &json!("Failed"))
    );
    assert_eq!(wrong["Errors"][0]["Pointer"], "/Status");
    let refused = table(&operator, "", "text/csv", text).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&refused)[0].0, "/3/Status");
    let mended = text.replace("lost", "missing");
    let done = table(&operator, "", "text/csv; charset=UTF-8", mended).ok();
    assert_eq!(done["Created"], 2);
    assert_eq!(operator.get("/c-1").ok()["SerialNumber"], "SN-1");

    let latin: &[u8] = b"Id,Name,Status\nc-3,B\xfcro,InUse\n";
    let refused = table(&operator, "", "text/csv", latin).refused(422, "InvalidRequest");
    assert!(
        refused["detail"].as_str().unwrap().contains("Line 2"),
        "{refused}"
    );
    table(&operator, "", "text/csv; charset=windows-1252", latin)
        .refused(415, "UnsupportedMediaType");
    table(&operator, "", "text/plain", "Id").refused(415, "UnsupportedMediaType");
    let problem =
        table(&operator, "", "text/csv", "Id,Name,Colour\n").refused(422, "InvalidRequest");
    let pointers: Vec<String> = field_errors(&problem).into_iter().map(|it| it.0).collect();
    assert_eq!(pointers, ["/Colour", "/Status"]);
    assert_eq!(operator.get("").ok()["Total"], 2);
}

#[test]
fn ten_thousand_computers_are_imported_at_once_and_no_more() {
    let (_server, operator) = empty();
    let mut text = "Id,Name,SerialNumber,Status,Location,Note\n".to_owned();
    for number in 0..10_000 {
        text.push_str(&format!(
            "c-{number},PC-{number:05},SN-{number:08},InUse,\"Köln, Raum {number}\",{}\n",
            "bemerkenswert ".repeat(12)
        ));
    }
    assert!(text.len() > 2 * 1024 * 1024, "{}", text.len());
    let done = table(&operator, "", "text/csv", text.clone()).ok();
    assert_eq!(done["Created"], 10_000);
    assert_eq!(operator.get("?Search=pc-09999").ok()["Total"], 1);
    text.push_str("one,more,,InUse,,\n");
    table(&operator, "", "text/csv", text).refused(422, "LimitExceeded");
    let large = "x".repeat(8 * 1024 * 1024 + 1);
    let problem = table(&operator, "", "text/csv", large).refused(413, "BodyTooLarge");
    assert!(
        problem["detail"].as_str().unwrap().contains("8388608"),
        "{problem}"
    );
}

#[test]
fn the_inventory_is_for_those_alone_who_may_run_site_activities() {
    let (server, operator) = empty();
    import(&operator, &[computer("c-1", "PC-1")]).ok();
    let embedded = server.as_somebody_who_may(&["Read", "Sites"]);
    let embedded = embedded.on(&incident("1")).about_computers();
    let others = [
        embedded,
        program(&server, "auditor"),
        program(&server, "owner"),
    ];
    for other in others {
        other.get("").refused(403, "PermissionDenied");
        other.get("/c-1").refused(403, "PermissionDenied");
        import(&other, &[computer("c-2", "PC-2")]).refused(403, "PermissionDenied");
    }
    program(&server, "admin").get("/c-1").ok();
    assert_eq!(operator.get("").ok()["Total"], 1);
}

#[test]
fn another_tenants_computers_are_like_unknown_ones() {
    let server = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]).start();
    let north = program(&server, "site-operator");
    import(&north, &[computer("c-1", "PC-1")]).ok();
    let secret = server.add_key("south", "S", "site-operator");
    let south = north.with_token(&secret);
    checklist_tests::until("the server to know the key", || {
        (south.get("").status == 200).then_some(())
    });
    south.get("/c-1").refused(404, "ComputerNotFound");
    assert_eq!(south.get("").ok()["Total"], 0);
    assert_eq!(
        import(&south, &[computer("c-1", "Theirs")]).ok()["Created"],
        1
    );
    assert_eq!(north.get("/c-1").ok()["Name"], "PC-1");
}

/// Runs the command on a server's data.
#[track_caller]
fn command(server: &Server, arguments: &[&str]) -> Ended {
    let tenant = ["--tenant", "north"];
    server.run(&[&["computers"][..], arguments, &tenant].concat())
}

#[test]
fn a_file_is_looked_at_imported_and_listed_from_the_command_line() {
    let (server, operator) = empty();
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let csv = file(
        "computers.csv",
        "Id,Name,Status,Location\nc-1,PC-1,In use,Köln\nc-2,PC-2,Scrapped,\n",
    );
    let looked = command(&server, &["import", &csv, "--dry-run"]);
    assert!(looked.status.success(), "{}", looked.said);
    assert!(
        looked.said.contains("2 would be created"),
        "{}",
        looked.said
    );
    assert_eq!(operator.get("").ok()["Total"], 0);
    let done = command(&server, &["import", &csv]);
    assert!(done.status.success(), "{}", done.said);
    assert_eq!(operator.get("").ok()["Total"], 2);
    let listed = command(&server, &["list", "--search", "köln"]);
    assert!(
        listed.said.contains("c-1\tPC-1\tInUse\t"),
        "{}",
        listed.said
    );
    assert!(!listed.said.contains("c-2"), "{}", listed.said);
    let scrapped = command(&server, &["list", "--status", "scrapped", "--json"]);
    let start = scrapped.said.find('{').expect("JSON");
    let page: Value = serde_json::from_str(&scrapped.said[start..]).expect("JSON");
    assert_eq!(ids(&page), ["c-2"]);

    let json = file(
        "computers.json",
        r#"[{ "Id": "c-1", "Name": "PC-one", "Status": "InUse" }]"#,
    );
    let done = command(&server, &["import", &json]);
    assert!(done.said.contains("Name: PC-1 -> PC-one"), "{}", done.said);
    assert!(
        done.said.contains("Location: Köln -> nothing"),
        "{}",
        done.said
    );
    assert_eq!(operator.get("/c-1").ok()["Name"], "PC-one");
}

#[test]
fn what_is_wrong_with_a_file_is_told_by_its_rows_and_ends_with_a_failure() {
    let (server, operator) = empty();
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let wrong = file("wrong.csv", b"Id,Name,Status\nc-1,PC-1,InUse\nc-1,,lost\n");
    for arguments in [&["import", &wrong][..], &["import", &wrong, "--dry-run"]] {
        let ended = command(&server, arguments);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.said);
        for part in [
            "row 3\tStatus: 'lost'",
            "row 3\tName: ",
            "stands in line 2",
            "nothing was imported",
        ] {
            assert!(ended.said.contains(part), "{part}: {}", ended.said);
        }
    }
    for (name, text, code, part) in [
        ("odd.csv", &b"Id,Name,Colour\n"[..], 1, "Colour"),
        (
            "latin.csv",
            b"Id,Name,Status\nc,\xfc,InUse\n",
            1,
            "Line 2 is not UTF-8",
        ),
        ("computers.json", b"{}", 1, "Computers"),
        ("computers.xlsx", b"PK", 2, "--format"),
    ] {
        let ended = command(&server, &["import", &file(name, text)]);
        assert_eq!(ended.status.code(), Some(code), "{name}: {}", ended.said);
        assert!(ended.said.contains(part), "{name}: {}", ended.said);
    }
    let missing = command(&server, &["import", "no-such-file.csv"]);
    assert_eq!(missing.status.code(), Some(2), "{}", missing.said);
    assert_eq!(operator.get("").ok()["Total"], 0);
}
