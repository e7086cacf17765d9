//! Worlds made from seeds: an inventory, a list with entries of all sorts, a site in trouble,
//! people who edit the list meanwhile, and a server that is killed. When the trouble is over, the
//! list is what the inventory says.
//!
//! `CHECKLIST_WORLDS` says how many, `CHECKLIST_WORLD` chooses a single one by its seed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use checklist_shared::computer::Computer;
use checklist_tests::data::on_postgres;
use checklist_tests::promise::{held, in_full};

use crate::chance::Chance;
use crate::lane::{Lane, Protocol};
use crate::stage::Stage;
use crate::world::World;

/// How many worlds there are in every run.
const WORLDS: u32 = 60;

/// Servers and, for each of them, as many sites as it exports to at once.
const STAGES: usize = 3;
const LANES: usize = 6;

fn wanted() -> Vec<u32> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    match number("CHECKLIST_WORLD") {
        Some(seed) => vec![seed],
        None => {
            let usual = if in_full() { 1_000 } else { WORLDS };
            (1..=number("CHECKLIST_WORLDS").unwrap_or(usual)).collect()
        }
    }
}

#[test]
fn worlds_in_trouble_come_to_be_what_their_inventory_says() {
    let seeds = wanted();
    let next = AtomicU32::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..STAGES.min(seeds.len()) {
            scope.spawn(|| {
                // Every third of them speaks Graph.
                let protocols = [Protocol::Rest, Protocol::Rest, Protocol::Graph];
                let stage = Stage::speaking(LANES.min(seeds.len()), &protocols);
                let (kill, killed) = channel();
                std::thread::scope(|scope| {
                    let kill = kill;
                    let server = &stage;
                    scope.spawn(move || pull_the_plug(server, &killed));
                    for lane in &stage.lanes {
                        let kill = kill.clone();
                        let (seeds, next, wrong) = (&seeds, &next, &wrong);
                        scope.spawn(move || {
                            let turn = || next.fetch_add(1, Ordering::Relaxed) as usize;
                            while let Some(&seed) = seeds.get(turn()) {
                                let live = || live(lane, seed, &kill);
                                let lived =
                                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(live));
                                // Nobody is to be killed for a world that has ended.
                                lane.site.clear_events();
                                if lived.is_err() {
                                    wrong.lock().expect("nobody panics here").push(seed);
                                }
                            }
                        });
                    }
                });
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap_or_default();
    wrong.sort_unstable();
    assert!(
        wrong.is_empty(),
        "of {} worlds these did not: {wrong:?}; one of them again: CHECKLIST_WORLD=SEED",
        seeds.len()
    );
    held("W3", format!("{} worlds, 0 that did not", seeds.len()));
}

/// Kills the server without warning and starts it again, as often as it is told to.
fn pull_the_plug(stage: &Stage, killed: &Receiver<()>) {
    while killed.recv().is_ok() {
        stage.server().crash_and_restart();
        // Those who wanted the same meanwhile have had it.
        while killed.try_recv().is_ok() {}
    }
}

fn live(lane: &Lane, seed: u32, kill: &Sender<()>) {
    let mut chance = Chance::of(seed.into());
    lane.site.clear_faults();
    lane.site.clear_events();
    let world = World::make(lane, seed, &mut chance);
    let mut homes = Vec::new();
    if chance.percent(50) {
        // Some of it was exported once, when all was well.
        let some: Vec<Computer> = world
            .selected
            .iter()
            .filter(|_| chance.percent(70))
            .cloned()
            .collect();
        homes.push(world.export(lane, &some));
        world.change(lane, &mut chance);
    }
    let world = world;
    world.trouble(lane, &mut chance);
    world.interfere(lane, &mut chance);
    // A killed server on PostgreSQL is waited for as long as its leases last.
    let rate = if on_postgres() { 4 } else { 12 };
    if chance.percent(rate) {
        let kill = kill.clone();
        let after = chance.between(1, 12);
        lane.site.after(after, move |_| {
            let _ = kill.send(());
        });
    }
    homes.push(world.export(lane, &world.selected));

    // Everybody has gone home, and the site is well again.
    lane.site.clear_faults();
    lane.site.clear_events();
    let last = world.export(lane, &world.selected);
    let outcomes = lane.program.whole(last.run["Id"].as_str().expect("an id"));
    homes.push(last);
    world.check(lane, &homes, &outcomes);
    let again = world.export(lane, &world.selected);
    let changed = ["Created", "Updated", "Adopted", "Deleted"];
    let changed: u64 = changed.iter().map(|outcome| again.count(outcome)).sum();
    assert_eq!(changed, 0, "world {seed}: {:#}", again.run);
}
