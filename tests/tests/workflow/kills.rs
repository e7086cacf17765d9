//! A server killed in the middle of an export, at each of the places where something was just done
//! or is about to be: the one that comes after it ends with the same list.
//!
//! The server is told by its environment where to stand still; it says so on stderr and is killed
//! there, as a power cut does it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_tests::data::on_postgres;
use checklist_tests::promise::held;
use serde_json::json;

use crate::lane::{Lane, Protocol};
use crate::list::{assert_is, computer, entries, entry_of};
use crate::stage::Stage;

/// Computers to a chunk, and three chunks of each kind of write.
const CHUNK: usize = 2;
const OF_A_KIND: usize = 3 * CHUNK;

/// Where a run can stand still: the very list that the server knows.
const PLACES: &str = include_str!("../../../backend/runtime/src/failpoints.txt");

#[test]
fn a_server_killed_at_any_failpoint_leaves_a_run_that_ends_with_the_same_list() {
    let places: Vec<&str> = PLACES.lines().collect();
    assert!(places.len() >= 40, "{}", places.len());
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    // Where leases have to run out first, the time is spent waiting.
    let stages = if on_postgres() { 10 } else { 3 };
    std::thread::scope(|scope| {
        for _ in 0..stages {
            scope.spawn(|| {
                let stage = Stage::with_chunks_of(CHUNK, 1, Protocol::Rest);
                while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let killed = || kill_at(&stage, place);
                    let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(killed));
                    if tried.is_err() {
                        wrong.lock().expect("nobody panics here").push(*place);
                        // Whatever it was, the next place gets a server that runs.
                        let mut server = stage.server();
                        server.disarm();
                        server.crash_and_restart();
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_default();
    assert!(
        wrong.is_empty(),
        "{} of {}: {wrong:?}",
        wrong.len(),
        places.len()
    );
    let database = if on_postgres() {
        "PostgreSQL"
    } else {
        "SQLite"
    };
    held(
        "W2",
        format!(
            "{database}: killed at {} places, the same list each time",
            places.len()
        ),
    );
}

fn kill_at(stage: &Stage, place: &str) {
    let lane = &stage.lanes[0];
    let mut world = World::on(lane, place);
    if place == "establish.key-column" {
        // Only the first run on a list makes it.
        world.updated.clear();
        world.scrapped.clear();
    } else {
        world.export_once(lane);
    }
    world.make_by_hand(lane);
    {
        let mut server = stage.server();
        server.arm(place);
        server.restart();
    }
    let run = lane.export(place, &world.ids());
    let came = come_to(stage, lane, &run, place);
    assert!(
        came,
        "no run ever came to {place}: {:#}",
        lane.program.whole(&run)
    );
    {
        let mut server = stage.server();
        server.disarm();
        server.crash_and_restart();
    }
    let home = lane.bring_home(&run);
    world.check(lane, place);
    let settled = home.run["Settled"].as_u64();
    assert_eq!(
        settled,
        Some(world.ids().len() as u64),
        "{place}: {:#}",
        home.run
    );
    for (outcome, computers) in [
        ("Created", &world.new),
        ("Updated", &world.updated),
        ("Adopted", &world.adopted),
        ("Deleted", &world.scrapped),
    ] {
        let count = home.count(outcome);
        assert_eq!(
            count,
            computers.len() as u64,
            "{place}: {outcome}, {:#}",
            home.run
        );
    }
}

/// Waits until the run stands still at that place; confirms what it asks for on the way.
fn come_to(stage: &Stage, lane: &Lane, run: &str, place: &str) -> bool {
    let said = format!("failpoint {place}\n");
    let began = Instant::now();
    let mut ended = None;
    loop {
        if stage.server().errors().contains(&said) {
            return true;
        }
        let stands = lane.program.get(&format!("Workflows/Runs/{run}?Limit=1"));
        match stands["State"].as_str() {
            Some("AwaitingConfirmation") => {
                let asked = &stands["Confirmation"];
                let wish = json!({ "Adoptions": asked["Adoptions"], "Deletes": asked["Deletes"] });
                // What stands still after the state was stored is seen first, or next time round.
                std::thread::sleep(Duration::from_millis(100));
                if !stage.server().errors().contains(&said) {
                    lane.program
                        .post(&format!("Workflows/Runs/{run}/Confirm"), &wish);
                }
            }
            Some("Completed" | "Failed" | "Cancelled") => {
                // It may have stood still just after it ended.
                let since = *ended.get_or_insert_with(Instant::now);
                if since.elapsed() > Duration::from_secs(1) {
                    return false;
                }
            }
            _ => {}
        }
        if began.elapsed() > Duration::from_secs(60) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// Computers of each sort, and the list that they are exported to.
struct World {
    title: String,
    new: Vec<Computer>,
    updated: Vec<Computer>,
    adopted: Vec<Computer>,
    scrapped: Vec<Computer>,
}

impl World {
    fn on(lane: &Lane, title: &str) -> Self {
        lane.new_list(title);
        let some = |sort: &str| -> Vec<Computer> {
            (0..OF_A_KIND)
                .map(|number| computer(&format!("{title}-{sort}-{number}")))
                .collect()
        };
        Self {
            title: title.to_owned(),
            new: some("new"),
            updated: some("updated"),
            adopted: some("adopted"),
            scrapped: some("scrapped"),
        }
    }

    fn ids(&self) -> Vec<&str> {
        let all = [&self.new, &self.updated, &self.adopted, &self.scrapped];
        all.into_iter()
            .flatten()
            .map(|one| one.id.as_str())
            .collect()
    }

    /// Some were exported before; then the inventory changed.
    fn export_once(&mut self, lane: &Lane) {
        let before: Vec<Computer> = self.updated.iter().chain(&self.scrapped).cloned().collect();
        lane.import(&before);
        let ids: Vec<&str> = before.iter().map(|one| one.id.as_str()).collect();
        lane.bring_home(&lane.export(&self.title, &ids));
        for one in &mut self.updated {
            one.note = Some("Third floor".to_owned());
        }
        for one in &mut self.scrapped {
            one.status = ComputerStatus::Scrapped;
        }
    }

    fn make_by_hand(&self, lane: &Lane) {
        lane.by_hand(&self.title, |list| {
            for one in &self.adopted {
                let mut entry = entry_of(one);
                entry.remove("Note");
                list.add(entry.into_iter().collect(), 11).expect("an entry");
            }
            let printer = BTreeMap::from([("Title".to_owned(), "The printer".into())]);
            list.add(printer, 11).expect("an entry");
        });
        for some in [&self.new, &self.updated, &self.adopted, &self.scrapped] {
            lane.import(some);
        }
    }

    fn check(&self, lane: &Lane, what: &str) {
        let present: Vec<Computer> = [&self.new, &self.updated, &self.adopted]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let mut others = entries(lane, &self.title);
        others.retain(|_, item| item.values.get("Title") == Some(&"The printer".into()));
        assert_eq!(
            (
                others.len(),
                others.values().next().map(|item| item.version)
            ),
            (1, Some(1))
        );
        assert_is(lane, &self.title, &present, &self.scrapped, &others, what);
    }
}
