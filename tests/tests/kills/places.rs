//! A run killed with `kill -9` at every failpoint: after a restart the list is the same as without.
//!
//! Every test starts a real server that stands still at one place of a run, is killed there, and
//! goes on without failpoints.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use checklist_tests::export::{ExportWorld, computer};
use serde_json::{Value, json};

/// Places outside of writing, in the order of a run.
const PLACES: [&str; 17] = [
    "claimed",
    "loaded",
    "establish.begun",
    "establish.opened",
    "establish.checked",
    "establish.key-column",
    "establish.done",
    "read.begun",
    "read.done",
    "decide.begun",
    "decide.decided",
    "decide.stored",
    "gate.waits",
    "gate.stored",
    "write.done",
    "end.begun",
    "end.stored",
];

/// Computers of each fate: three chunks of two.
const EACH: usize = 6;

fn chunk_places(action: &str) -> Vec<String> {
    let mut places = Vec::new();
    for position in ["first", "middle", "last"] {
        for moment in ["chosen", "intended", "sent", "settled"] {
            places.push(format!("write.{action}.{position}.{moment}"));
        }
    }
    places
}

struct Story {
    world: ExportWorld,
    place: String,
    killed: bool,
}

impl Story {
    fn begin(place: &str) -> Self {
        let armed = ExportWorld::set_up(
            |setup| {
                setup
                    .environment("CHECKLIST_FAILPOINT", place)
                    .environment("CHECKLIST_FAILPOINT_CHUNK", "2")
            },
            "Rest",
        );
        Self {
            world: armed,
            place: place.to_owned(),
            killed: false,
        }
    }

    /// Waits until the run has come to rest, and kills the server when it stands still.
    fn rested(&mut self, id: &str) -> Value {
        let begun = Instant::now();
        let says = format!("failpoint {}\n", self.place);
        loop {
            if !self.killed && self.world.server.errors().contains(&says) {
                self.killed = true;
                self.world.server.crash_and_restart_plainly();
            }
            let run = self.world.run(id);
            let state = run["State"].as_str().expect("a state");
            let stands_still =
                !self.killed && ["gate.stored", "end.stored"].contains(&self.place.as_str());
            if !["Queued", "Running"].contains(&state)
                && (!stands_still || begun.elapsed() > Duration::from_secs(2))
            {
                return run;
            }
            let late = begun.elapsed() > Duration::from_secs(60);
            assert!(
                !late,
                "{}: {run:#}\n{}",
                self.place,
                self.world.server.errors()
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn export(&mut self, ids: &[String]) {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let id = self.world.begin(&self.world.wish(&ids));
        let mut run = self.rested(&id);
        while run["State"] == "AwaitingConfirmation" {
            let confirm = json!({ "Adoptions": run["Confirmation"]["Adoptions"],
                "Deletes": run["Confirmation"]["Deletes"] });
            let runs = self.world.program.about_workflows();
            runs.send(&format!("Runs/{id}/Confirm"), &confirm).ok();
            run = self.rested(&id);
        }
        assert_eq!(run["State"], "Completed", "{}: {run:#}", self.place);
        assert_eq!(run["Counts"]["Failed"], 0, "{}: {run:#}", self.place);
    }
}

/// What has to be in the list in the end: title and model.
fn expected() -> BTreeMap<String, Value> {
    let kept = (0..EACH).map(|number| (number, "Model B"));
    let rest = (2 * EACH..4 * EACH).map(|number| (number, "Model A"));
    kept.chain(rest)
        .map(|(number, model)| (format!("PC-{number}"), json!(model)))
        .collect()
}

/// First 12 computers are created; then 6 of them change, 6 are scrapped, 6 are found among entries
/// made by hand and 6 are new.
fn killed_at(place: &str) {
    let mut story = Story::begin(place);
    let ids: Vec<String> = (0..4 * EACH).map(|number| number.to_string()).collect();
    let known: Vec<Value> = ids[..2 * EACH]
        .iter()
        .map(|id| computer(id, "InUse"))
        .collect();
    story.world.import(&known);
    story.export(&ids[..2 * EACH]);

    let now: Vec<Value> = ids
        .iter()
        .enumerate()
        .map(|(number, id)| {
            let mut computer = computer(id, "InUse");
            if number < EACH {
                computer["Model"] = json!("Model B");
            } else if number < 2 * EACH {
                computer["Status"] = json!("Scrapped");
            }
            computer
        })
        .collect();
    story.world.import(&now);
    for number in 2 * EACH..3 * EACH {
        let theirs =
            json!({ "Title": format!("theirs {number}"), "SerialNumber": format!("SN{number}") });
        story.world.by_hand(theirs);
    }
    story.export(&ids);
    assert!(story.killed, "the run never came to {place}");
    let list = story.world.column("Model");
    assert_eq!(list, expected(), "{place}");
    let entries = story.world.list("Computers", |list| list.items.len());
    assert_eq!(entries, 3 * EACH, "{place}: nothing is there twice");
    let mut keys: Vec<String> = story
        .world
        .column("SyncKey")
        .into_values()
        .map(|key| key.as_str().unwrap_or_default().to_owned())
        .collect();
    keys.sort();
    keys.dedup();
    assert_eq!(
        keys.len(),
        3 * EACH,
        "{place}: every entry has a key of its own"
    );
    assert!(!keys[0].is_empty(), "{place}: every entry has a key");
}

#[test]
fn at_every_place_outside_of_writing() {
    PLACES.into_iter().for_each(killed_at);
}

#[test]
fn at_every_moment_of_creating() {
    chunk_places("create")
        .iter()
        .for_each(|place| killed_at(place));
}

#[test]
fn at_every_moment_of_updating() {
    chunk_places("update")
        .iter()
        .for_each(|place| killed_at(place));
}

#[test]
fn at_every_moment_of_adopting() {
    chunk_places("adopt")
        .iter()
        .for_each(|place| killed_at(place));
}

#[test]
fn at_every_moment_of_deleting() {
    chunk_places("delete")
        .iter()
        .for_each(|place| killed_at(place));
}
