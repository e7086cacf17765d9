//! The example workflow from outside, against the local site server: what becomes of computers
//! and entries, what waits for a person, who may, and what is refused before a run begins.
//! Part of the program `http`; crashes and a site in trouble are tried by `workflow`.

use checklist_site_server::store::{Field, FieldKind, list};
use checklist_site_server::{Kind, Rule};
use checklist_tests::client::field_errors;
use checklist_tests::export::{ExportWorld, computer, program};
use checklist_tests::until;
use serde_json::{Value, json};

/// The outcomes of a run's computers, in their order.
fn outcomes(run: &Value) -> Vec<String> {
    let computers = run["Computers"].as_array().expect("computers");
    let outcome = |computer: &Value| computer["Outcome"].as_str().unwrap_or("-").to_owned();
    computers.iter().map(outcome).collect()
}

#[track_caller]
fn ended(run: &Value) {
    assert_eq!(run["State"], "Completed", "{run:#}");
}

#[test]
fn computers_are_created_updated_left_alone_and_deleted_with_what_became_of_them() {
    let world = ExportWorld::new();
    world.import(&[
        computer("1", "InUse"),
        computer("2", "InStock"),
        computer("3", "Scrapped"),
    ]);
    let wish = world.wish(&["1", "2", "3"]);
    let run = world.export(&wish);
    ended(&run);
    assert_eq!(
        outcomes(&run),
        ["Created", "Created", "NotPresent"],
        "{run:#}"
    );
    assert_eq!(world.column("Status")["PC-1"], "In use");
    assert_eq!(world.column("Status").len(), 2);
    let keys = world.column("SyncKey");
    assert!(keys["PC-1"].is_string() && keys["PC-1"] != keys["PC-2"]);
    let key = world.list("Computers", |list| list.field("SyncKey").cloned());
    let key = serde_json::to_value(key.expect("the column is made")).unwrap();
    assert!(key.to_string().contains("SyncKey"), "{key}");

    let again = world.export(&wish);
    ended(&again);
    assert_eq!(outcomes(&again), ["Unchanged", "Unchanged", "NotPresent"]);

    let mut moved = computer("1", "InUse");
    moved["Model"] = json!("Model B");
    world.import(&[moved, computer("2", "Scrapped")]);
    let run = world.export(&wish);
    ended(&run);
    assert_eq!(
        outcomes(&run),
        ["Updated", "Deleted", "NotPresent"],
        "{run:#}"
    );
    assert_eq!(run["Computers"][0]["Changed"], json!(["Model"]));
    assert_eq!(world.column("Model").len(), 1);
    assert_eq!(world.column("Model")["PC-1"], "Model B");
    assert_eq!(run["Counts"]["Deleted"], 1);
    assert_eq!(run["Settled"], 3);
}

#[test]
fn only_selected_computers_are_touched() {
    let world = ExportWorld::new();
    world.import(&[computer("1", "InUse"), computer("2", "InUse")]);
    ended(&world.export(&world.wish(&["1", "2"])));
    world.import(&[computer("1", "InStock"), computer("2", "Scrapped")]);
    ended(&world.export(&world.wish(&["1"])));
    assert_eq!(world.column("Status")["PC-1"], "In stock");
    assert_eq!(world.column("Status")["PC-2"], "In use");
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    let world = ExportWorld::new();
    world.import(&[computer("1", "InUse"), computer("2", "Scrapped")]);
    let mut wish = world.wish(&["1", "2"]);
    wish["DryRun"] = json!(true);
    world.site.forget_requests();
    let run = world.export(&wish);
    ended(&run);
    assert_eq!(outcomes(&run), ["Created", "NotPresent"]);
    assert!(world.column("Title").is_empty());
    let writes = world.site.requests();
    assert!(
        writes.iter().all(|seen| seen.method == "GET"),
        "{writes:#?}"
    );
    assert!(world.list("Computers", |list| list.field("SyncKey").is_none()));
}

#[test]
fn a_list_filled_by_hand_gets_nothing_before_somebody_has_confirmed_it() {
    let world = ExportWorld::new();
    let theirs = world.by_hand(json!({ "Title": "The old one", "SerialNumber": " sn1 " }));
    world.by_hand(json!({ "Title": "pc-2" }));
    world.by_hand(json!({ "Title": "Somebody's own" }));
    world.import(&[
        computer("1", "InUse"),
        computer("2", "InUse"),
        computer("3", "InUse"),
    ]);
    let run = world.export(&world.wish(&["1", "2", "3"]));
    assert_eq!(run["State"], "AwaitingConfirmation", "{run:#}");
    let asked = &run["Confirmation"];
    assert_eq!(
        (&asked["Adoptions"], &asked["FirstRun"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(world.column("Title").len(), 3, "nothing is written yet");
    assert!(world.column("SyncKey").values().all(Value::is_null));
    assert_eq!(run["Computers"][0]["Candidates"][0]["ItemId"], theirs);

    let runs = world.program.about_workflows();
    let id = run["Id"].as_str().unwrap();
    let path = format!("Runs/{id}/Confirm");
    runs.send(&path, &json!({ "Adoptions": 1 }))
        .refused(409, "RunChanged");
    let run = world.confirm(id, &json!({ "Adoptions": 2 }));
    ended(&run);
    assert_eq!(outcomes(&run), ["Adopted", "Adopted", "Created"], "{run:#}");
    let titles: Vec<String> = world.column("Title").into_keys().collect();
    assert_eq!(titles, ["PC-1", "PC-2", "PC-3", "Somebody's own"]);
    assert_eq!(run["Computers"][0]["ItemId"], theirs);
}

#[test]
fn what_was_adopted_is_deleted_only_after_a_confirmation() {
    let world = ExportWorld::new();
    world.by_hand(json!({ "Title": "PC-1", "SerialNumber": "SN1" }));
    world.import(&[computer("1", "InUse"), computer("2", "InUse")]);
    let runs = world.program.about_workflows();
    let wish = world.wish(&["1", "2"]);
    let run = world.export(&wish);
    let id = run["Id"].as_str().unwrap();
    ended(&world.confirm(id, &json!({ "Adoptions": 1 })));

    world.import(&[computer("1", "Scrapped"), computer("2", "Scrapped")]);
    let run = world.export(&wish);
    assert_eq!(run["State"], "AwaitingConfirmation", "{run:#}");
    assert_eq!(
        outcomes(&run),
        ["-", "Deleted"],
        "what needs nobody is done"
    );
    assert_eq!(run["Computers"][0]["Planned"], "Delete");
    assert_eq!(run["Confirmation"]["AdoptedDeletes"], 1);
    let run = world.confirm(run["Id"].as_str().unwrap(), &json!({}));
    ended(&run);
    assert_eq!(outcomes(&run), ["Skipped", "Deleted"]);
    assert_eq!(world.column("Title").len(), 1, "it was not confirmed");

    let retry = format!("Runs/{}/RetryFailed", run["Id"].as_str().unwrap());
    runs.send(&retry, &json!({})).ok();
    let run = world.rested(run["Id"].as_str().unwrap());
    let run = world.confirm(run["Id"].as_str().unwrap(), &json!({ "Deletes": 1 }));
    assert_eq!(outcomes(&run), ["Deleted", "Deleted"]);
    assert!(world.column("Title").is_empty());
}

#[test]
fn many_deletes_wait_for_somebody() {
    let world = ExportWorld::new();
    let ids: Vec<String> = (0..40).map(|number| format!("{number:02}")).collect();
    let all: Vec<Value> = ids.iter().map(|id| computer(id, "InUse")).collect();
    world.import(&all);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    ended(&world.export(&world.wish(&ids)));
    let scrapped: Vec<Value> = ids[..12]
        .iter()
        .map(|id| computer(id, "Scrapped"))
        .collect();
    world.import(&scrapped);
    let run = world.export(&world.wish(&ids));
    assert_eq!(run["State"], "AwaitingConfirmation", "{run:#}");
    assert_eq!(run["Confirmation"]["Deletes"], 12);
    assert_eq!(world.column("Title").len(), 40);
}

#[test]
fn what_could_be_several_is_left_alone_until_somebody_chooses() {
    let world = ExportWorld::new();
    let first = world.by_hand(json!({ "Title": "Left", "SerialNumber": "SN1" }));
    let second = world.by_hand(json!({ "Title": "Right", "SerialNumber": "SN1" }));
    world.import(&[computer("1", "InUse")]);
    let run = world.export(&world.wish(&["1"]));
    ended(&run);
    assert_eq!(outcomes(&run), ["Ambiguous"], "{run:#}");
    let found: Vec<&Value> = run["Computers"][0]["Candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate| &candidate["ItemId"])
        .collect();
    assert_eq!(found, [first, second]);
    let runs = world.program.about_workflows();
    let confirm = format!("Runs/{}/Confirm", run["Id"].as_str().unwrap());
    let choice = |item: Value| json!({ "Choices": [{ "ComputerId": "1", "ItemId": item }] });
    let wrong = runs
        .send(&confirm, &choice(json!(4711)))
        .refused(422, "InvalidRequest");
    assert_eq!(
        field_errors(&wrong),
        [("/Choices/0/ItemId".to_owned(), "Invalid".to_owned())]
    );
    runs.send(&confirm, &choice(json!(second))).ok();
    let run = world.rested(run["Id"].as_str().unwrap());
    ended(&run);
    assert_eq!(outcomes(&run), ["Adopted"], "{run:#}");
    assert_eq!(run["Computers"][0]["ItemId"], second);
    let titles: Vec<String> = world.column("Title").into_keys().collect();
    assert_eq!(titles, ["Left", "PC-1"]);
}

#[test]
fn a_list_has_one_run_at_a_time_and_the_same_call_is_the_same_run() {
    let world = ExportWorld::new();
    world.by_hand(json!({ "Title": "Somebody's own" }));
    world.import(&[computer("1", "InUse"), computer("2", "InUse")]);
    let mut wish = world.wish(&["1"]);
    wish["OperationId"] = json!("once");
    let id = world.begin(&wish);
    world.rested(&id);
    let other = world.ask(&world.wish(&["2"])).refused(409, "RunInProgress");
    assert_eq!(other["Run"], id);
    assert_eq!(world.begin(&wish), id);
    let mut another = world.wish(&["2"]);
    another["OperationId"] = json!("once");
    world.ask(&another).refused(422, "OperationIdReused");

    let runs = world.program.about_workflows();
    runs.send(&format!("Runs/{id}/Cancel"), &json!({})).ok();
    let run = until("it is cancelled", || {
        let run = world.run(&id);
        (run["State"] == "Cancelled").then_some(run)
    });
    assert_eq!(outcomes(&run), ["Skipped"]);
    runs.send(&format!("Runs/{id}/Cancel"), &json!({}))
        .refused(409, "RunChanged");
    let other = world.begin(&world.wish(&["2"]));
    for limit in ["0", "1001"] {
        let refused = runs.get(&format!("Runs?Limit={limit}"));
        refused.refused(422, "InvalidRequest");
    }
    let page = runs.get("Runs?Limit=1").ok();
    assert_eq!(page["Runs"][0]["Id"], other);
    let after = format!("?After={}", page["Next"].as_str().unwrap());
    let of_another_list = runs.about_computers().get(&after);
    of_another_list.refused(422, "InvalidRequest");
    let rest = runs.get(&format!("Runs{after}")).ok();
    assert_eq!(rest["Runs"][0]["Id"], id);
    let list = rest["Runs"][0]["List"].as_str().expect("a list");
    let found = |search: &str| {
        let found = runs.get(&format!("Runs?Search={search}")).ok();
        found["Runs"].as_array().map(Vec::len)
    };
    assert_eq!(found(&list.to_uppercase()), Some(2));
    assert_eq!(found("nothing-like-it"), Some(0));
}

#[test]
fn what_cannot_come_to_a_good_end_does_not_begin() {
    let world = ExportWorld::new();
    world.import(&[computer("1", "InUse")]);
    let credentials = json!({ "Url": world.site.site_url(), "AuthenticationType": "Anonymous" });
    for connection in [credentials, json!("sh_something")] {
        let mut wish = world.wish(&["1"]);
        wish["ServiceConnection"] = connection;
        let refused = world.ask(&wish).refused(422, "ConnectionNotDurable");
        assert_eq!(field_errors(&refused)[0].0, "/ServiceConnection");
    }
    let mut wish = world.wish(&["1", "1", "nobody"]);
    let refused = world.ask(&wish).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&refused)[0].0, "/ComputerIds/1");
    wish["ComputerIds"] = json!(["1", "nobody"]);
    let refused = world.ask(&wish).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&refused)[0].0, "/ComputerIds/1");
    wish["ComputerIds"] = json!(["1"]);
    wish["FieldMap"] = json!([{ "Field": "Name", "Column": "Title" }, { "Field": "Model", "Column": "Nowhere" },
        { "Field": "Note", "Column": "ID" }]);
    let refused = world.ask(&wish).refused(422, "InvalidRequest");
    let pointers: Vec<String> = field_errors(&refused)
        .into_iter()
        .map(|error| error.0)
        .collect();
    assert_eq!(pointers, ["/FieldMap/1/Column", "/FieldMap/2/Column"]);
    let mut wish = world.wish(&["1"]);
    wish["List"] = json!("No such list");
    world.ask(&wish).refused(404, "ListNotFound");
    let mut wish = world.wish(&["1"]);
    wish["KeyColumn"] = json!("Model");
    world.ask(&wish).refused(422, "KeyColumnMissing");
    let mut wish = world.wish(&["1"]);
    wish["ServiceConnection"] = json!("00000000-0000-7000-8000-000000000000");
    world.ask(&wish).refused(404, "ConnectionNotFound");
}

#[test]
fn a_value_that_the_list_does_not_take_fails_its_computer_alone() {
    let world = ExportWorld::new();
    let mut unknown = computer("1", "InUse");
    unknown["AssignedTo"] = json!("nobody@nowhere.example");
    let mut known = computer("2", "InUse");
    known["AssignedTo"] = json!("alice@demo.test");
    world.import(&[unknown, known]);
    let wish = world.wish(&["1", "2"]);
    let run = world.export(&wish);
    ended(&run);
    assert_eq!(outcomes(&run), ["Failed", "Created"], "{run:#}");
    assert_eq!(run["Computers"][0]["Problem"]["Code"], "UnknownUser");
    let run = world.export(&wish);
    assert_eq!(outcomes(&run), ["Failed", "Unchanged"], "{run:#}");
}

#[test]
fn a_run_outlives_a_crash_of_the_server() {
    let mut world = ExportWorld::new();
    let ids: Vec<String> = (0..300).map(|number| number.to_string()).collect();
    let all: Vec<Value> = ids.iter().map(|id| computer(id, "InUse")).collect();
    world.import(&all);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let id = world.begin(&world.wish(&ids));
    until("something is written", || {
        (!world.column("Title").is_empty()).then_some(())
    });
    world.server.crash_and_restart();
    let run = world.rested(&id);
    ended(&run);
    assert_eq!(run["Counts"]["Created"], 300, "{}", run["Counts"]);
    assert_eq!(world.list("Computers", |list| list.items.len()), 300);
}

#[test]
fn a_run_is_stopped_when_whoever_began_it_is_not_let_in_any_more() {
    let world = ExportWorld::new();
    world.by_hand(json!({ "Title": "Somebody's own" }));
    world.import(&[computer("1", "InUse")]);
    let other = program(&world.server, &["site-operator"]).about_workflows();
    let id = world.begin(&world.wish(&["1"]));
    world.rested(&id);
    let admin = world.server.as_admin().on(&checklist_tests::incident("1"));
    let keys = admin.get("ApiKeys").ok();
    let keys = keys["ApiKeys"].as_array().expect("keys").iter();
    // The newest come first.
    let mut of_programs = keys.filter(|key| key["Name"] != "Ada Admin");
    let first = of_programs.next_back().expect("the one that began it")["Id"].clone();
    let first = first.as_str().expect("an id");
    admin.remove(&format!("ApiKeys/{first}"));
    other.send(&format!("Runs/{id}/Confirm"), &json!({})).ok();
    let run = until("it comes to its end", || {
        let run = other.get(&format!("Runs/{id}")).ok();
        (run["State"] == "Failed").then_some(run)
    });
    assert_eq!(run["Problem"]["Code"], "PermissionDenied", "{run:#}");
    assert_eq!(world.column("Title").len(), 1);
}

#[test]
fn a_run_is_followed_to_its_end() {
    let world = ExportWorld::new();
    world.import(&[computer("1", "InUse")]);
    let id = world.begin(&world.wish(&["1"]));
    let runs = world.program.about_workflows();
    let stream = runs.request(reqwest::Method::GET, &format!("Runs/{id}/Events"));
    let told = stream.send().expect("an answer").text().expect("its end");
    let events: Vec<Value> = told
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("a run"))
        .collect();
    assert_eq!(
        events.last().expect("events")["State"],
        "Completed",
        "{told}"
    );
    let mut revisions: Vec<u64> = events
        .iter()
        .map(|run| run["Revision"].as_u64().expect("a number"))
        .collect();
    let seen = revisions.len();
    revisions.sort_unstable();
    revisions.dedup();
    assert_eq!(revisions.len(), seen, "every revision is told once");
}

#[test]
fn runs_of_another_tenant_are_not_there() {
    let world = ExportWorld::new();
    world.import(&[computer("1", "InUse")]);
    let id = world.begin(&world.wish(&["1"]));
    world.rested(&id);
    let secret = world.server.add_key("south", "S", "site-operator");
    let south = world.program.with_token(&secret).about_workflows();
    until("the other program is let in", || {
        (south.get("Runs").status == 200).then_some(())
    });
    assert_eq!(south.get("Runs").ok()["Runs"], json!([]));
    south.get(&format!("Runs/{id}")).refused(404, "RunNotFound");
    for call in ["Cancel", "RetryFailed", "Confirm"] {
        south
            .send(&format!("Runs/{id}/{call}"), &json!({}))
            .refused(404, "RunNotFound");
    }
    south
        .get(&format!("Runs/{id}/Events"))
        .refused(404, "RunNotFound");
}

/// A computer whose fields fit a column of each type, and the map that sends them there.
fn every_type(protocol: &str) -> (Value, Value) {
    let computer = json!({ "Id": "1", "Name": "PC-1", "SerialNumber": "SN1", "Status": "InUse", "Memory": 32,
        "AssetTag": "true", "Model": "First", "AssignedTo": "alice@demo.test", "Department": "2",
        "Location": "https://example.org/pc-1", "Note": "One & two\nThree", "PurchasedOn": "2026-02-01",
        "WarrantyUntil": "2029-01-31" });
    let mut map = vec![
        ("Name", "Title"),
        ("SerialNumber", "Text"),
        ("Note", "Note"),
        ("Note", "Rich Note"),
        ("Memory", "Number"),
        ("Memory", "Currency"),
        ("AssetTag", "Bool"),
        ("PurchasedOn", "DateTime"),
        ("WarrantyUntil", "DateOnly"),
        ("Model", "Choice"),
        ("Model", "MultiChoice"),
        ("AssignedTo", "User"),
        ("AssignedTo", "UserMulti"),
        ("Department", "Lookup"),
        ("Department", "LookupMulti"),
    ];
    // Graph writes no links, and tells whole numbers apart from no others.
    if protocol == "Rest" {
        map.push(("Memory", "Integer"));
        map.push(("Location", "Url"));
    }
    let map = map
        .into_iter()
        .map(|(field, column)| json!({ "Field": field, "Column": column }));
    (computer, map.collect())
}

fn the_same_once_more_changes_nothing(protocol: &str) {
    let world = ExportWorld::set_up(|setup| setup, protocol);
    let (computer, map) = every_type(protocol);
    world.import(std::slice::from_ref(&computer));
    let mut wish = world.wish(&["1"]);
    wish["List"] = json!("All Types");
    wish["FieldMap"] = map;
    let run = world.export(&wish);
    assert_eq!(run["State"], "AwaitingConfirmation", "{run:#}");
    let id = run["Id"].as_str().unwrap();
    let run = world.confirm(id, &json!({}));
    assert_eq!(outcomes(&run), ["Created"], "{run:#}");
    let again = world.export(&wish);
    ended(&again);
    assert_eq!(outcomes(&again), ["Unchanged"], "{again:#}");

    let mut emptied = computer;
    for field in [
        "Note",
        "Memory",
        "AssetTag",
        "Model",
        "AssignedTo",
        "Department",
        "Location",
        "PurchasedOn",
        "WarrantyUntil",
    ] {
        emptied.as_object_mut().unwrap().remove(field);
    }
    world.import(&[emptied]);
    let run = world.export(&wish);
    assert_eq!(outcomes(&run), ["Updated"], "{run:#}");
    let again = world.export(&wish);
    assert_eq!(outcomes(&again), ["Unchanged"], "{again:#}");
}

#[test]
fn the_same_once_more_changes_nothing_in_a_column_of_any_type_over_rest() {
    the_same_once_more_changes_nothing("Rest");
}

#[test]
fn the_same_once_more_changes_nothing_in_a_column_of_any_type_over_graph() {
    the_same_once_more_changes_nothing("Graph");
}

#[test]
fn the_command_line_exports_beside_a_server_and_says_how_it_went() {
    let world = ExportWorld::new();
    world.import(&[computer("1", "InUse"), computer("2", "InUse")]);
    let origin = world.site.origin();
    let key = world.server.vault_key();
    let run = |more: &[&str]| {
        let mut arguments = vec![
            "workflow",
            "run",
            "VENDOR_SITE_Example_ComputerExport",
            "--tenant",
            "north",
            "--connection",
            "Demo site",
            "--list",
            "Computers",
            "--allow-origin",
            &origin,
            "--vault-key",
            &key,
        ];
        arguments.extend(more);
        world.server.run(&arguments)
    };
    let dry = run(&["--all", "--dry-run"]);
    assert_eq!(dry.status.code(), Some(0), "{dry:?}");
    assert!(dry.said.contains("2/2 would be done, 2 Created"), "{dry:?}");
    assert!(world.column("Title").is_empty());
    let done = run(&["--computer", "1", "--json"]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let begin = done.said.find('{').expect("JSON");
    let end = done.said.rfind('}').expect("JSON");
    let told: Value = serde_json::from_str(&done.said[begin..=end]).expect("JSON");
    assert_eq!(told["Counts"]["Created"], 1);
    assert_eq!(told["Computers"][0]["ComputerId"], "1");
    let mut unknown = computer("2", "InUse");
    unknown["AssignedTo"] = json!("nobody@nowhere.example");
    world.import(&[unknown]);
    let failed = run(&["--all"]);
    assert_eq!(failed.status.code(), Some(6), "{failed:?}");
    let runs = world.server.run(&["workflow", "runs", "--tenant", "north"]);
    assert_eq!(runs.said.lines().count(), 3, "{runs:?}");
}

#[test]
fn on_the_command_line_a_run_that_waits_is_confirmed_apart_or_at_once() {
    let world = ExportWorld::new();
    world.by_hand(json!({ "Title": "PC-1", "SerialNumber": "SN1" }));
    world.import(&[computer("1", "InUse"), computer("2", "InUse")]);
    let origin = world.site.origin();
    let key = world.server.vault_key();
    let reach = [
        "--tenant",
        "north",
        "--allow-origin",
        &origin,
        "--vault-key",
        &key,
    ];
    let run = [
        "workflow",
        "run",
        "VENDOR_SITE_Example_ComputerExport",
        "--connection",
        "Demo site",
        "--list",
        "Computers",
        "--all",
    ];
    let waits = world.server.run(&[&run[..], &reach[..]].concat());
    assert_eq!(waits.status.code(), Some(7), "{waits:?}");
    let runs = world.server.run(&["workflow", "runs", "--tenant", "north"]);
    let id = runs.said.split('\t').next().expect("an id").to_owned();
    let confirm = ["workflow", "confirm", id.as_str()];
    let done = world.server.run(&[&confirm[..], &reach[..]].concat());
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert!(done.said.contains("1 Created, 1 Adopted"), "{done:?}");
    world.import(&[computer("1", "Scrapped")]);
    let done = world
        .server
        .run(&[&run[..], &reach[..], &["--confirm"]].concat());
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert_eq!(world.column("Title").len(), 1);
}

/// A list whose columns refuse most of what the computers below bring along.
fn choosy_list(world: &ExportWorld) {
    world.site.with_site(|site| {
        let id = site
            .add_list("Choosy", "", list::GENERIC)
            .expect("a new title");
        let list = site.list_mut(id).expect("it was just made");
        let mut put = |name: &str, kind: FieldKind, change: &dyn Fn(&mut Field)| {
            let mut field = Field::new("", name, kind);
            change(&mut field);
            list.add_field(field).expect("a column");
        };
        put("SerialNumber", FieldKind::Text, &|field| {
            field.unique = true
        });
        put("Model", FieldKind::Text, &|field| {
            field.own.insert("MaxLength".to_owned(), json!(10));
        });
        put("OperatingSystem", FieldKind::Choice, &|field| {
            field
                .own
                .insert("Choices".to_owned(), json!(["Linux", "BSD"]));
        });
        put("Memory", FieldKind::Number, &|field| {
            field.own.insert("MaximumValue".to_owned(), json!(64));
        });
        put("AssignedTo", FieldKind::User, &|field| {
            field.own.insert("SelectionMode".to_owned(), json!(0));
        });
        put("Location", FieldKind::Text, &|field| field.required = true);
        let theirs =
            json!({ "Title": "Somebody's own", "SerialNumber": "sn-taken", "Location": "Hall" });
        let Value::Object(theirs) = theirs else {
            return;
        };
        list.add(theirs.into_iter().collect(), 11)
            .expect("an entry");
    });
}

/// Thirty computers would have been created, and twenty-nine of them failed.
#[test]
fn a_dry_run_comes_to_the_same_outcomes_as_the_run_after_it() {
    let world = ExportWorld::new();
    choosy_list(&world);
    let with = |id: &str, more: Value| {
        let mut one = computer(id, "InUse");
        one["Location"] = json!("Office");
        if let (Some(one), Value::Object(more)) = (one.as_object_mut(), more) {
            one.extend(more);
        }
        one
    };
    let all = [
        with(
            "good",
            json!({ "AssignedTo": "alice@demo.test", "OperatingSystem": "Linux" }),
        ),
        // Known to the directory, and never seen on the site.
        with(
            "newcomer",
            json!({ "AssignedTo": "grace.hopper@example.org" }),
        ),
        with("long", json!({ "Model": "A model with a long name" })),
        with("choice", json!({ "OperatingSystem": "OS/2" })),
        with("bound", json!({ "Memory": 128 })),
        with("nobody", json!({ "AssignedTo": "nobody@nowhere.example" })),
        with("group", json!({ "AssignedTo": "Demo Members" })),
        with("required", json!({ "Location": null })),
        with("taken", json!({ "SerialNumber": "SN-Taken" })),
        with("twin-1", json!({ "SerialNumber": "SN-Twin" })),
        with("twin-2", json!({ "SerialNumber": "sn-twin" })),
    ];
    world.import(&all);
    let ids: Vec<&str> = all.iter().filter_map(|one| one["Id"].as_str()).collect();
    let mut wish = world.wish(&ids);
    wish["List"] = json!("Choosy");
    // By the name alone: no serial number is taken for a computer's own.
    wish["MatchFields"] = json!(["Name"]);
    wish["DryRun"] = json!(true);
    let people = world.site.with_site(|site| site.people.len());
    let dry = world.export(&wish);
    ended(&dry);
    assert_eq!(world.list("Choosy", |list| list.items.len()), 1);
    assert_eq!(world.site.with_site(|site| site.people.len()), people);
    let expected = [
        "Created", "Created", "Failed", "Failed", "Failed", "Failed", "Failed", "Failed", "Failed",
        "Created", "Failed",
    ];
    assert_eq!(outcomes(&dry), expected, "{dry:#}");
    let code = |place: usize| dry["Computers"][place]["Problem"]["Code"].clone();
    let codes: Vec<Value> = (2..11).filter(|place| *place != 9).map(code).collect();
    assert_eq!(
        codes,
        [
            "InvalidValue",
            "InvalidValue",
            "InvalidValue",
            "UnknownUser",
            "UnknownUser",
            "InvalidValue",
            "SiteDuplicate",
            "SiteDuplicate"
        ],
        "{dry:#}"
    );
    for place in [2, 5, 8, 10] {
        let why = dry["Computers"][place]["Reason"]
            .as_str()
            .unwrap_or_default();
        assert!(why.len() > 20, "{dry:#}");
    }

    wish["DryRun"] = json!(false);
    let mut real = world.export(&wish);
    if real["State"] == "AwaitingConfirmation" {
        let id = real["Id"].as_str().expect("an id");
        real = world.confirm(id, &json!({}));
    }
    ended(&real);
    assert_eq!(outcomes(&real), outcomes(&dry), "{real:#}");
}

/// Whoever asks again and again while the site wants to be left alone is told the same time.
#[test]
fn what_is_told_of_a_throttled_site_does_not_grow_with_the_calls() {
    let world = ExportWorld::new();
    let throttled = Rule::once(Kind::ThrottledSeconds).lasting(600);
    world.site.fault(throttled);
    let lists = format!("ServiceConnections/{}/Lists", world.connection);
    let mut times = Vec::new();
    for _ in 0..12 {
        let answer = world.program.about_sites().get(&lists);
        assert_eq!(answer.status, 429, "{}", answer.text());
        let seconds = answer.header("retry-after");
        times.push(seconds.parse::<u64>().expect("seconds"));
    }
    assert!(times.iter().all(|time| *time <= 600), "{times:?}");
}
