//! `POST /ApplyTemplate`: the items of a template are appended to many lists, by a run that is followed,
//! stopped and resumed, and whatever happens nothing is appended twice.
//! Part of the program `http`; several nodes are tried by `postgres`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish, required, section, under, with};
use checklist_tests::{HostKey, Person, Server, Setup, incident, promise, until};
use serde_json::{Value, json};

/// A server with the template `own` of incidents, and `more`, which is applied.
fn server() -> Server {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    prepare(&server);
    server
}

fn prepare(server: &Server) {
    publish(server, &fragment("own", [item("a", "Own item")]));
    publish(
        server,
        &fragment(
            "more",
            [
                section("s", "Also"),
                under("s", required(item("a", "More A"))),
                item("b", "More B"),
            ],
        ),
    );
    let kind = json!({ "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": { "": "own" } });
    admin(server).put("Types/incident", &kind).ok();
}

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1"))
}

fn context(number: &str) -> Value {
    incident(number).context()
}

fn contexts(numbers: impl IntoIterator<Item = usize>) -> Vec<Value> {
    let numbers = numbers.into_iter();
    numbers.map(|number| context(&number.to_string())).collect()
}

/// Starts a run; gives its id.
#[track_caller]
fn start(admin: &Person, wish: &Value) -> String {
    let answer = admin.send("ApplyTemplate", wish);
    let id = answer.ok()["Id"].as_str().expect("an id").to_owned();
    assert_eq!(answer.status, 202);
    assert!(
        answer
            .header("location")
            .ends_with(&format!("/ApplyTemplate/Runs/{id}"))
    );
    id
}

fn run(admin: &Person, id: &str) -> Value {
    admin
        .get(&format!("ApplyTemplate/Runs/{id}?Limit=1000"))
        .ok()
}

/// Waits until it has ended.
#[track_caller]
fn ended(admin: &Person, id: &str) -> Value {
    let begun = Instant::now();
    loop {
        let run = run(admin, id);
        if !run["EndedAt"].is_null() {
            return run;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{run:#}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Applies `more` to these lists and waits for the end.
#[track_caller]
fn apply(admin: &Person, wish: Value) -> Value {
    let id = start(admin, &with(json!({ "Template": "more" }), wish));
    let run = ended(admin, &id);
    assert_eq!(run["State"], "Completed", "{run:#}");
    run
}

/// Outcome and code of each list, in order.
fn outcomes(answer: &Value) -> Vec<String> {
    let lists = answer["Lists"].as_array().expect("lists");
    lists
        .iter()
        .map(|list| {
            let outcome = list["Outcome"].as_str().unwrap_or("-");
            match list["Problem"]["Code"].as_str() {
                Some(code) => format!("{outcome} {code}"),
                None => outcome.to_owned(),
            }
        })
        .collect()
}

fn texts(person: &Person) -> Vec<String> {
    let list = person.list().0;
    let items = list["Items"].as_array().expect("items").iter();
    items
        .map(|item| item["Text"].as_str().expect("a text").to_owned())
        .collect()
}

const ALL: [&str; 4] = ["Own item", "Also", "More A", "More B"];

#[test]
fn items_are_appended_to_written_lists_and_lists_that_were_never_written_are_begun_with_them() {
    let server = server();
    let admin = admin(&server);
    let editor = server.editor_on(&incident("1"));
    editor.tick("Own item");
    let run = apply(&admin, json!({ "Contexts": contexts([1, 2]) }));
    assert_eq!(outcomes(&run), ["Appended", "Begun"]);
    assert_eq!(
        run["Counts"],
        json!({ "Appended": 1, "Begun": 1, "Unchanged": 0, "Skipped": 0, "Items": 6 })
    );
    assert_eq!(
        (&run["Settled"], &run["Total"], &run["TemplateVersion"]),
        (&json!(2), &json!(2), &json!(1))
    );
    for number in ["1", "2"] {
        let list = editor.at(&incident(number)).list();
        assert_eq!(texts(&editor.at(&incident(number))), ALL);
        assert_eq!(list.0["TemplateId"], "own", "it follows its own template");
        assert_eq!(list.item("More A")["ParentId"], list.item("Also")["Id"]);
        assert_eq!(list.item("More B")["Origin"], "Template");
    }
    assert_eq!(editor.list().status("Own item"), "Done");
    // What a template requires, not everybody may delete.
    let refused = editor.call("DeleteItems", json!({ "Ids": [editor.id("More A")] }));
    assert_eq!(refused.status, 409, "{}", refused.text());

    editor.tick("More B");
    let again = apply(&admin, json!({ "Contexts": contexts([1, 2]) }));
    assert_eq!(outcomes(&again), ["Unchanged", "Unchanged"]);
    assert_eq!(editor.list().status("More B"), "Done");
    assert_eq!(editor.list().revision(), 3, "nothing was written");
}

#[test]
fn a_list_without_a_template_is_begun_from_the_one_that_is_applied_and_one_that_follows_it_has_all()
{
    let server = server();
    let admin = admin(&server);
    let plain = json!({ "ObjectType": "asset", "ObjectId": "1" });
    let follows = incident("9").from_template("more");
    let run = apply(&admin, json!({ "Contexts": [plain, follows.context()] }));
    assert_eq!(outcomes(&run), ["Begun", "Begun"]);
    let found = admin.get("Lists?Template=more").ok();
    assert_eq!(
        found["Lists"].as_array().map(Vec::len),
        Some(2),
        "{found:#}"
    );
    let again = apply(&admin, json!({ "Contexts": [plain, follows.context()] }));
    assert_eq!(outcomes(&again), ["Unchanged", "Unchanged"]);
}

#[test]
fn a_refresh_leaves_what_was_appended_alone_and_a_later_version_brings_its_new_items() {
    let server = server();
    let admin = admin(&server);
    let editor = server.editor_on(&incident("1"));
    apply(&admin, json!({ "Contexts": contexts([1]) }));
    editor.tick("More A");
    let newer = [item("a", "Own item, reworded"), item("z", "Newer")];
    publish(&server, &fragment("own", newer));
    editor.refresh();
    let expected = ["Own item, reworded", "Also", "More A", "More B", "Newer"];
    assert_eq!(texts(&editor), expected, "they stay with their neighbour");
    assert_eq!(editor.list().status("More A"), "Done");

    let second = [
        section("s", "Also"),
        under("s", item("a", "More A, reworded")),
        under("s", item("c", "More C")),
    ];
    publish(&server, &fragment("more", second));
    let run = apply(&admin, json!({ "Contexts": contexts([1]) }));
    assert_eq!(
        (&run["TemplateVersion"], &run["Counts"]["Items"]),
        (&json!(2), &json!(1))
    );
    let expected = [
        "Own item, reworded",
        "Also",
        "More A",
        "More C",
        "More B",
        "Newer",
    ];
    assert_eq!(texts(&editor), expected);
}

#[test]
fn one_list_is_taken_back_by_whoever_ran_it_and_what_was_taken_back_does_not_return() {
    let server = server();
    let admin = admin(&server);
    let editor = server.editor_on(&incident("1"));
    editor.tick("Own item");
    let run = apply(&admin, json!({ "Contexts": contexts([1]) }));
    let operation = run["Id"].as_str().expect("an id");
    editor.undo(operation).refused(409, "CannotUndo");
    admin.undo(operation).ok();
    assert_eq!(texts(&editor), ["Own item"]);
    let again = apply(&admin, json!({ "Contexts": contexts([1]) }));
    assert_eq!(outcomes(&again), ["Unchanged"]);
}

/// A server whose lists hold at most four items, and lists that are skipped, each for a reason of its
/// own, between two that are not.
fn obstacles() -> (Server, Person, Value) {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=4")
        .start();
    prepare(&server);
    let owner = server.as_somebody_who_may(checklist_tests::role::OWNER);
    let owner = owner.on(&incident("locked"));
    owner.tick("Own item");
    owner.lock("Closed");
    owner.at(&incident("full")).add("One more");
    let key = json!({ "Name": "Some", "Roles": ["admin"],
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "*", "Purpose": "*" }] });
    let key = admin(&server).send("ApiKeys", &key).ok();
    let some = admin(&server).with_token(key["Secret"].as_str().expect("a secret"));
    let nowhere = incident("nowhere").from_template("nowhere").context();
    let foreign = json!({ "ObjectType": "asset", "ObjectId": "1" });
    let wish = json!({ "Contexts": [context("1"), context("locked"), context("full"), nowhere,
        foreign, context("2")] });
    (server, some, wish)
}

const OBSTACLES: [&str; 6] = [
    "Begun",
    "Skipped Locked",
    "Skipped LimitExceeded",
    "Skipped TemplateNotFound",
    "Skipped ContextNotFound",
    "Begun",
];

#[test]
fn a_list_that_is_locked_full_foreign_or_without_its_template_is_skipped_with_the_reason() {
    let (server, some, wish) = obstacles();
    let before = some.at(&incident("full")).list().0;
    let run = apply(&some, wish);
    assert_eq!(outcomes(&run), OBSTACLES);
    assert_eq!(run["Counts"]["Skipped"], 4);
    assert_eq!(some.at(&incident("full")).list().0, before);
    let problem = &run["Lists"][1]["Problem"];
    assert_eq!(problem["detail"], json!(null), "nobody is named: {problem}");
    let id = run["Id"].as_str().expect("an id");
    let skipped = some
        .get(&format!("ApplyTemplate/Runs/{id}?Outcome=Skipped&Limit=3"))
        .ok();
    assert_eq!(outcomes(&skipped), &OBSTACLES[1..4]);
    let rest = format!(
        "ApplyTemplate/Runs/{id}?Outcome=Skipped&After={}",
        skipped["Next"]
    );
    let rest = some.get(&rest).ok();
    assert_eq!(outcomes(&rest), ["Skipped ContextNotFound"]);
    assert_eq!(rest["Next"], json!(null));
    drop(server);
}

#[test]
fn a_dry_run_says_what_the_run_does_and_writes_nothing() {
    let (server, some, wish) = obstacles();
    let admin = admin(&server);
    let rows = admin.audit().len();
    let dry = with(wish.clone(), json!({ "Template": "more", "DryRun": true }));
    let preview = some.send("ApplyTemplate", &dry).ok();
    assert_eq!(admin.audit().len(), rows, "nothing was written");
    assert_eq!(some.get("ApplyTemplate/Runs").ok()["Runs"], json!([]));
    let mut said = outcomes(&preview);
    assert_eq!(
        said,
        [&OBSTACLES[1..5], &["Begun", "Begun"]].concat(),
        "those skipped come first"
    );
    let run = apply(&some, wish);
    assert_eq!(
        (&preview["Counts"], &preview["Total"]),
        (&run["Counts"], &run["Total"])
    );
    let mut done = outcomes(&run);
    said.sort();
    done.sort();
    assert_eq!(said, done);
}

#[test]
fn a_filter_chooses_among_the_lists_that_were_written() {
    let server = server();
    let admin = admin(&server);
    let editor = server.editor_on(&incident("1"));
    editor.tick("Own item");
    for number in ["2", "30", "31"] {
        editor.at(&incident(number)).add("Something");
    }
    editor
        .at(&incident("2").for_purpose("review"))
        .add("Something");
    let counted = |filter: Value| {
        let wish = json!({ "Template": "more", "Filter": filter, "DryRun": true });
        let preview = admin.send("ApplyTemplate", &wish).ok();
        preview["Total"].as_u64().expect("a number")
    };
    for (filter, expected) in [
        (json!({}), 5),
        (json!({ "ObjectType": "incident" }), 5),
        (json!({ "ObjectType": "asset" }), 0),
        (json!({ "ObjectId": "3" }), 2),
        (json!({ "Purpose": "" }), 4),
        (json!({ "Purpose": "review" }), 1),
        (json!({ "Template": "own" }), 4),
        (json!({ "State": "Complete" }), 1),
        (json!({ "State": "Open", "Purpose": "" }), 3),
    ] {
        assert_eq!(counted(filter.clone()), expected, "{filter}");
    }
    let run = apply(&admin, json!({ "Filter": {} }));
    assert_eq!(outcomes(&run), ["Appended"; 5]);
    let none = json!({ "Template": "more", "Filter": { "ObjectType": "asset" } });
    let problem = admin
        .send("ApplyTemplate", &none)
        .refused(422, "InvalidRequest");
    assert_eq!(error_pointers(&problem), ["/Filter"]);
}

#[test]
fn a_request_that_cannot_be_meant_is_refused_where_it_is_wrong() {
    let server = server();
    let admin = admin(&server);
    let draft = fragment("draft", [item("a", "A")]);
    admin.put("Templates/draft", &draft).ok();
    publish(&server, &fragment("empty", []));
    let one = || json!([context("1")]);
    for template in ["draft", "nowhere"] {
        let wish = json!({ "Template": template, "Contexts": one() });
        admin
            .send("ApplyTemplate", &wish)
            .refused(404, "TemplateNotFound");
    }
    let many: Vec<Value> = contexts(0..10_001);
    let twice = json!([context("1"), context("2"), context("1")]);
    let nameless = json!([context("1"), { "ObjectType": "incident", "ObjectId": "" }]);
    for (wish, code, pointer) in [
        (
            json!({ "Contexts": one(), "Filter": {} }),
            "InvalidRequest",
            "/Filter",
        ),
        (json!({}), "InvalidRequest", "/Contexts"),
        (json!({ "Contexts": [] }), "InvalidRequest", "/Contexts"),
        (json!({ "Contexts": many }), "LimitExceeded", "/Contexts"),
        (
            json!({ "Contexts": twice }),
            "InvalidRequest",
            "/Contexts/2",
        ),
        (
            json!({ "Contexts": nameless }),
            "InvalidRequest",
            "/Contexts/1/ObjectId",
        ),
        (
            json!({ "Contexts": one(), "Template": " " }),
            "InvalidRequest",
            "/Template",
        ),
        (
            json!({ "Contexts": one(), "Template": "empty" }),
            "InvalidRequest",
            "/Template",
        ),
        (
            json!({ "Filter": { "Purpose": "a\u{1}" } }),
            "InvalidRequest",
            "/Filter/Purpose",
        ),
        (
            json!({ "Filter": { "State": "Unknown" } }),
            "InvalidRequest",
            "/Filter/State",
        ),
    ] {
        let mut whole = json!({ "Template": "more" });
        whole
            .as_object_mut()
            .expect("an object")
            .extend(wish.as_object().expect("one").clone());
        for dry in [true, false] {
            whole["DryRun"] = json!(dry);
            let problem = admin.send("ApplyTemplate", &whole).refused(422, code);
            assert_eq!(error_pointers(&problem), [pointer], "{problem}");
        }
    }
    assert_eq!(admin.get("ApplyTemplate/Runs").ok()["Runs"], json!([]));
    for path in [
        "ApplyTemplate/Runs/nobody's",
        "ApplyTemplate/Runs/nobody's/Stop",
    ] {
        let answer = match path.ends_with("Stop") {
            true => admin.send(path, &json!({})),
            false => admin.get(path),
        };
        answer.refused(404, "RunNotFound");
    }
}

#[test]
fn a_run_that_was_stopped_is_resumed_where_it_was_and_one_that_has_ended_is_neither() {
    let server = server();
    let admin = admin(&server);
    let lists = promise::times(600, 2_000);
    let id = start(
        &admin,
        &json!({ "Template": "more", "Contexts": contexts(0..lists) }),
    );
    until("some lists are done", || {
        (run(&admin, &id)["Settled"] != json!(0)).then_some(())
    });
    let answer = admin
        .send(&format!("ApplyTemplate/Runs/{id}/Stop"), &json!({}))
        .ok();
    assert!(
        answer["Stopping"] == json!(true) || answer["State"] == "Stopped",
        "{answer:#}"
    );
    let stopped = ended(&admin, &id);
    assert_eq!(
        (&stopped["State"], &stopped["Stopping"]),
        (&json!("Stopped"), &json!(false))
    );
    let settled = stopped["Settled"].as_u64().expect("a number");
    assert!(
        settled < lists as u64,
        "it was stopped in the middle: {settled}"
    );
    let written = admin.get("Lists?Limit=500&Template=own").ok();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(
        admin.get("Lists?Limit=500&Template=own").ok(),
        written,
        "nothing goes on"
    );
    admin
        .send(&format!("ApplyTemplate/Runs/{id}/Stop"), &json!({}))
        .refused(409, "RunChanged");

    let bob = server.as_admin().on(&incident("1"));
    let resumed = bob
        .send(&format!("ApplyTemplate/Runs/{id}/Resume"), &json!({}))
        .ok();
    assert!(resumed["EndedAt"].is_null());
    let run = ended(&admin, &id);
    assert_eq!(run["State"], "Completed");
    assert_eq!(run["Counts"]["Begun"], lists, "each list once");
    for call in ["Stop", "Resume"] {
        let call = format!("ApplyTemplate/Runs/{id}/{call}");
        admin.send(&call, &json!({})).refused(409, "RunChanged");
    }
    let acts: Vec<Value> = admin
        .audit()
        .into_iter()
        .filter(|row| row["Act"]["Subject"] == "TemplateRun")
        .map(|row| row["Act"]["Action"].clone())
        .collect();
    assert_eq!(acts, ["Started", "Cancelled", "Started"]);
}

/// How often each item was added to each list, by the audit trail.
fn added(admin: &Person) -> BTreeMap<(String, String), usize> {
    let mut times = BTreeMap::new();
    for row in admin.audit_of_lists() {
        if row["Event"]["What"] == "Added" {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let item = (
                text(&row["Context"]["ObjectId"]),
                text(&row["Event"]["ItemId"]),
            );
            *times.entry(item).or_default() += 1;
        }
    }
    times
}

#[test]
fn a_run_of_a_server_that_is_killed_again_and_again_does_everything_once() {
    let mut server = server();
    let admin = admin(&server);
    let lists = promise::times(600, 3_000);
    let id = start(
        &admin,
        &json!({ "Template": "more", "Contexts": contexts(0..lists) }),
    );
    let mut kills = 0;
    let mut before = json!(0);
    loop {
        let now = until("it goes on", || {
            let now = run(&admin, &id);
            (now["Settled"] != before || now["State"] == "Completed").then_some(now)
        });
        if now["State"] == "Completed" {
            break;
        }
        before = now["Settled"].clone();
        if kills < 3 {
            server.kill();
            server.start_again();
            kills += 1;
        }
    }
    assert!(kills > 0, "it was killed in the middle");
    let run = run(&admin, &id);
    assert_eq!(
        run["Counts"],
        json!({ "Appended": 0, "Begun": lists, "Unchanged": 0, "Skipped": 0, "Items": lists * 3 }),
        "each outcome is the first one"
    );
    let times = added(&admin);
    assert_eq!(times.len(), lists * 3);
    assert!(
        times.values().all(|times| *times == 1),
        "nothing was added twice"
    );
}

#[test]
fn a_run_ends_when_whoever_started_it_is_let_in_no_more_and_somebody_else_resumes_it() {
    let server = server();
    let admin = admin(&server);
    let key = json!({ "Name": "Integration", "Roles": ["admin"] });
    let key = admin.send("ApiKeys", &key).ok();
    let program = admin.with_token(key["Secret"].as_str().expect("a secret"));
    let lists = promise::times(600, 2_000);
    let id = start(
        &program,
        &json!({ "Template": "more", "Contexts": contexts(0..lists) }),
    );
    admin
        .remove(&format!("ApiKeys/{}", key["Id"].as_str().expect("an id")))
        .ok();
    let failed = ended(&admin, &id);
    assert_eq!(failed["State"], "Failed", "{}", failed["Counts"]);
    assert_eq!(failed["Problem"]["Code"], "PermissionDenied");
    admin
        .send(&format!("ApplyTemplate/Runs/{id}/Resume"), &json!({}))
        .ok();
    let run = ended(&admin, &id);
    assert_eq!(
        (&run["State"], &run["Counts"]["Begun"]),
        (&json!("Completed"), &json!(lists))
    );
    assert_eq!(run["Problem"], json!(null));
    assert_ne!(run["StartedBy"], "Integration");
}

#[test]
fn a_credential_for_some_lists_sees_its_own_runs_and_has_no_filter() {
    let (server, some, _) = obstacles();
    let admin = admin(&server);
    let whole = apply(&admin, json!({ "Contexts": contexts([1]) }));
    let own = apply(&some, json!({ "Contexts": contexts([2]) }));
    let ids = |runs: &Value| -> Vec<Value> {
        let runs = runs["Runs"].as_array().expect("runs").iter();
        runs.map(|run| run["Id"].clone()).collect()
    };
    assert_eq!(
        ids(&some.get("ApplyTemplate/Runs").ok()),
        [own["Id"].clone()]
    );
    assert_eq!(
        ids(&admin.get("ApplyTemplate/Runs").ok()),
        [own["Id"].clone(), whole["Id"].clone()],
        "the newest first"
    );
    let page = admin.get("ApplyTemplate/Runs?Limit=1").ok();
    let next = page["Next"].as_str().expect("another page");
    let rest = admin.get(&format!("ApplyTemplate/Runs?After={next}")).ok();
    assert_eq!(ids(&rest), [whole["Id"].clone()]);
    let id = whole["Id"].as_str().expect("an id");
    for call in ["Stop", "Resume"] {
        let call = format!("ApplyTemplate/Runs/{id}/{call}");
        some.send(&call, &json!({})).refused(404, "RunNotFound");
    }
    some.get(&format!("ApplyTemplate/Runs/{id}"))
        .refused(404, "RunNotFound");
    let wish = json!({ "Template": "more", "Filter": {} });
    some.send("ApplyTemplate", &wish)
        .refused(403, "PermissionDenied");
}

/// The figures of 10,000 lists: `cargo xtask test --only http -- ten_thousand` prints them.
#[test]
fn ten_thousand_lists_get_their_items_and_a_server_that_is_killed_finishes_them() {
    let mut server = server();
    let admin = admin(&server);
    let lists = promise::times(1_000, 10_000);
    let wish = json!({ "Template": "more", "Contexts": contexts(0..lists) });
    let dry = Instant::now();
    admin
        .send(
            "ApplyTemplate",
            &with(wish.clone(), json!({ "DryRun": true })),
        )
        .ok();
    let dry = dry.elapsed();
    let begun = Instant::now();
    let id = start(&admin, &wish);
    let accepted = begun.elapsed();
    ended(&admin, &id);
    let first = begun.elapsed();

    publish(
        &server,
        &fragment("third", [item("x", "Third X"), item("y", "Third Y")]),
    );
    let begun = Instant::now();
    let id = start(
        &admin,
        &with(json!({ "Filter": {} }), json!({ "Template": "third" })),
    );
    until("half of them are done", || {
        let settled = run(&admin, &id)["Settled"].as_u64();
        settled
            .is_some_and(|settled| settled >= lists as u64 / 2)
            .then_some(())
    });
    server.kill();
    let killed = Instant::now();
    server.start_again();
    let run = ended(&admin, &id);
    assert_eq!(run["Counts"]["Appended"], lists);
    assert_eq!(run["Counts"]["Items"], lists * 2);
    println!(
        "{lists} lists: dry run {dry:.1?}, accepted {accepted:.1?}, begun {first:.1?}; appended and killed in the middle {:.1?}, of which after the kill {:.1?}",
        begun.elapsed(),
        killed.elapsed()
    );
}

#[test]
fn a_run_that_was_started_before_its_template_was_retired_is_finished() {
    let server = server();
    let admin = admin(&server);
    let id = start(
        &admin,
        &json!({ "Template": "more", "Contexts": contexts(1..=400) }),
    );
    let path = format!("ApplyTemplate/Runs/{id}");
    admin.send(&format!("{path}/Stop"), &json!({})).ok();
    ended(&admin, &id);
    admin.send("Templates/more/Retire", &json!({})).ok();
    admin.send(&format!("{path}/Resume"), &json!({})).ok();
    let finished = ended(&admin, &id);
    assert_eq!(finished["State"], "Completed", "{finished:#}");
    assert_eq!(finished["Counts"]["Skipped"], 0);
    assert_eq!(outcomes(&finished).len(), 400);
    let again = json!({ "Template": "more", "Contexts": contexts(1..=1) });
    admin
        .send("ApplyTemplate", &again)
        .refused(409, "TemplateRetired");
}
