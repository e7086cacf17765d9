//! The example workflow against one call per step, doing the same work through the same server on
//! the same local site server in one run: 1,000 computers, of which 300 are new, 300 have changed,
//! 100 are scrapped and 300 are as they were. Requests are counted by the site server.

use std::time::Instant;

use serde_json::{Value, json};

use crate::export::{ExportWorld, computer};

/// Computers of each fate, in this order.
const NEW: usize = 300;
const CHANGED: usize = 300;
const SCRAPPED: usize = 100;
const SAME: usize = 300;
const ALL: usize = NEW + CHANGED + SCRAPPED + SAME;

/// Requests and seconds of one piece of work.
struct Took {
    requests: usize,
    seconds: f64,
}

/// Measures both and prints a table.
pub fn run(rounds: usize) {
    println!(
        "\n--- computer export: {NEW} new, {CHANGED} changed, {SCRAPPED} scrapped, {SAME} the same ---"
    );
    println!("{:<22} {:>10} {:>10}", "", "requests", "seconds");
    for _ in 0..rounds {
        let steps = one_call_per_step();
        let ours = as_a_run();
        for (name, took) in [("one call per step", &steps), ("the workflow", &ours)] {
            println!("{name:<22} {:>10} {:>10.2}", took.requests, took.seconds);
        }
        println!(
            "{:<22} {:>10.1} {:>10.1}",
            "times fewer, faster",
            steps.requests as f64 / ours.requests as f64,
            steps.seconds / ours.seconds
        );
    }
}

fn before(number: usize) -> Value {
    computer(&number.to_string(), "InUse")
}

fn after(number: usize) -> Value {
    let mut computer = before(number);
    if (NEW..NEW + CHANGED).contains(&number) {
        computer["Model"] = json!("Model B");
    } else if (NEW + CHANGED..NEW + CHANGED + SCRAPPED).contains(&number) {
        computer["Status"] = json!("Scrapped");
    }
    computer
}

/// A list that holds all but the new ones, and an inventory that has moved on.
fn prepared() -> ExportWorld {
    // The program asks faster than people do.
    let fast = |setup: crate::Setup| setup.argument("--rate-limit").argument("0");
    let world = ExportWorld::set_up(fast, "Rest");
    let known: Vec<Value> = (NEW..ALL).map(before).collect();
    world.import(&known);
    let ids: Vec<String> = (NEW..ALL).map(|number| number.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.export(&world.wish(&ids));
    let now: Vec<Value> = (0..ALL).map(after).collect();
    world.import(&now);
    world.site.forget_requests();
    world
}

fn requests(world: &ExportWorld) -> usize {
    let seen = world.site.requests();
    seen.iter().filter(|request| !request.in_batch).count()
}

/// A run; the deletes are confirmed as soon as it waits for that.
fn as_a_run() -> Took {
    let world = prepared();
    let ids: Vec<String> = (0..ALL).map(|number| number.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let begun = Instant::now();
    let id = world.begin(&world.wish(&ids));
    let mut run = world.rested(&id);
    if run["State"] == "AwaitingConfirmation" {
        let confirm = json!({ "Deletes": run["Confirmation"]["Deletes"] });
        let path = format!("Runs/{id}/Confirm");
        world.program.about_workflows().send(&path, &confirm).ok();
        run = world.rested(&id);
    }
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(run["Counts"]["Created"], NEW, "{}", run["Counts"]);
    assert_eq!(run["Counts"]["Updated"], CHANGED);
    assert_eq!(run["Counts"]["Deleted"], SCRAPPED);
    assert_eq!(run["Counts"]["Unchanged"], SAME);
    Took {
        requests: requests(&world),
        seconds,
    }
}

/// The same by the activities: look, then create, change or delete, computer by computer.
fn one_call_per_step() -> Took {
    let world = prepared();
    let sites = world.program.about_sites();
    let begun = Instant::now();
    let named = json!({ "ServiceConnection": world.connection });
    let made = sites.send("EstablishSiteConnection", &named).ok();
    let connection = json!({ "Handle": made["Connection"]["Handle"] });
    let with = |more: Value| {
        let mut body = json!({ "Connection": connection, "List": "Computers" });
        for (name, value) in more.as_object().expect("an object") {
            body[name] = value.clone();
        }
        body
    };
    for number in 0..ALL {
        let computer = after(number);
        let find = with(json!({ "Field": "SerialNumber", "Value": computer["SerialNumber"] }));
        let found = sites.send("GetSiteItems", &find).ok();
        let item = &found["Result"][0];
        if item.is_null() {
            let fields = json!([{ "Name": "Title", "Value": computer["Name"] },
                { "Name": "SerialNumber", "Value": computer["SerialNumber"] },
                { "Name": "Model", "Value": computer["Model"] }, { "Name": "Status", "Value": "In use" }]);
            sites
                .send("AddSiteItem", &with(json!({ "Fields": fields })))
                .ok();
        } else if computer["Status"] == "Scrapped" {
            sites
                .send("DeleteSiteItem", &with(json!({ "ItemId": item["_id"] })))
                .ok();
        } else if item["Model"]["Value"] != computer["Model"] {
            let fields = json!([{ "Name": "Model", "Value": computer["Model"] }]);
            let edit = with(json!({ "ItemId": item["_id"], "Fields": fields }));
            sites.send("EditSiteItem", &edit).ok();
        }
    }
    Took {
        seconds: begun.elapsed().as_secs_f64(),
        requests: requests(&world),
    }
}
