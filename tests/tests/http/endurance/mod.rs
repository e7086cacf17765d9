//! Promise D10: hours of work on a machine in trouble lose nothing and double nothing.
//!
//! People tick, reword, delete, restore and read without a pause, and others follow, while the server is
//! killed and stands still, the disk is slow and full, and the clock jumps; on PostgreSQL the
//! database is killed, too, and people work through two nodes. After each round every revision of
//! every list is the answer of exactly one change, and each list is what its people made of it.
//!
//! A short round in every run; three hours in full, or as many minutes as
//! `CHECKLIST_ENDURANCE_MINUTES` says.

mod people;
mod world;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use checklist_tests::data::on_postgres;
use checklist_tests::history::{Observation, assert_one_history};
use checklist_tests::{Person, incident, promise};

use people::{StopOnDrop, Worker, Workload, follow};
use world::World;

const PEOPLE: usize = 6;
const LISTS: usize = 8;

#[test]
fn nothing_is_lost_or_doubled_while_disks_are_slow_and_full_and_clocks_jump_and_servers_are_killed()
{
    let minutes = std::env::var("CHECKLIST_ENDURANCE_MINUTES").ok();
    let minutes = minutes.map_or(180, |minutes| minutes.parse().expect("a number of minutes"));
    let all = Duration::from_secs(if promise::in_full() { minutes * 60 } else { 0 });
    let (hold, calm, pause) = if promise::in_full() {
        (
            Duration::from_secs(8),
            Duration::from_secs(60),
            Duration::from_millis(100),
        )
    } else {
        (
            Duration::from_millis(600),
            Duration::ZERO,
            Duration::from_millis(5),
        )
    };

    let mut world = World::new();
    let key = world.nodes[0].add_key("north", "At work", "editor");
    let mut own = vec![vec![Vec::new(); LISTS]; PEOPLE];
    let mut turns = vec![0; PEOPLE];
    let mut revisions = [0; LISTS];
    let (mut writes, mut rounds, mut kills, mut full) = (0, 0, 0, 0);
    let mut refused: BTreeMap<u16, u64> = BTreeMap::new();
    // Minutes since the servers were last killed, and memory in MiB.
    let mut memory: Vec<(u64, u64)> = Vec::new();
    let (start, mut since_kill) = (Instant::now(), Instant::now());
    while rounds == 0 || start.elapsed() < all {
        // Nobody is killed for the middle third, so that one can see whether memory grows.
        let part = start.elapsed().as_secs_f64() / all.as_secs_f64().max(1.0);
        let with_kills = !(0.33..0.67).contains(&part);
        let people: Vec<Vec<Person>> = (0..LISTS)
            .map(|list| {
                let place = incident(&list.to_string()).for_purpose("endurance");
                let nodes = world.nodes.iter();
                nodes
                    .map(|node| node.editor_on(&place).with_token(&key))
                    .collect()
            })
            .collect();
        let workload = Workload::default();
        let newest: Vec<AtomicU64> = (0..LISTS).map(|_| AtomicU64::new(0)).collect();
        let observed: Vec<Observation> = std::thread::scope(|scope| {
            for (people, newest) in people.iter().zip(&newest) {
                let workload = &workload;
                scope.spawn(move || follow(&people[people.len() - 1], newest, workload));
            }
            let workers: Vec<_> = own
                .iter_mut()
                .zip(turns.clone())
                .enumerate()
                .map(|(name, (own, turn))| {
                    let worker = Worker {
                        name,
                        people: &people,
                        own,
                        workload: &workload,
                        observed: Vec::new(),
                    };
                    scope.spawn(move || worker.work(turn, pause))
                })
                .collect();
            let stop = StopOnDrop(&workload);
            sleep(calm);
            full += usize::from(world.inject_faults(&people, &workload, hold, with_kills));
            drop(stop);
            let done = workers.into_iter().map(|worker| worker.join().unwrap());
            let (observed, next): (Vec<_>, Vec<_>) = done.unzip();
            turns = next;
            let observed: Vec<Observation> = observed.into_iter().flatten().collect();
            for (list, newest) in newest.iter().enumerate() {
                newest.store(people[list][0].list().revision(), Ordering::Relaxed);
            }
            observed
        });

        assert_one_history(&observed);
        for (list, nodes) in people.iter().enumerate() {
            let shown = nodes[0].list();
            let mut changes: Vec<u64> = observed
                .iter()
                .filter(|one| one.list == list && one.changed_by.is_some())
                .map(|one| one.revision)
                .collect();
            changes.sort_unstable();
            let expected: Vec<u64> = (revisions[list] + 1..=shown.revision()).collect();
            assert_eq!(
                changes, expected,
                "list {list}: each revision is one change's"
            );
            revisions[list] = shown.revision();
            writes += changes.len();
            for node in nodes {
                assert_eq!(node.list(), shown, "every node shows the same");
            }
            let mut there: Vec<(&str, &str, bool)> = shown
                .items()
                .iter()
                .map(|item| {
                    let text = |field: &str| item[field].as_str().expect("a text");
                    (text("Id"), text("Text"), text("Status") == "Done")
                })
                .collect();
            let mut made: Vec<(&str, &str, bool)> = own
                .iter()
                .flat_map(|own| &own[list])
                .filter(|item| !item.is_deleted)
                .map(|item| (item.id.as_str(), item.text.as_str(), item.is_done))
                .collect();
            there.sort_unstable();
            made.sort_unstable();
            assert_eq!(there, made, "list {list} is what its people made of it");
        }
        rounds += 1;
        if with_kills {
            kills += if world.database.is_some() { 3 } else { 2 };
            since_kill = Instant::now();
        }
        for (status, count) in workload.refused.into_inner().unwrap() {
            *refused.entry(status).or_default() += count;
        }
        memory.push((since_kill.elapsed().as_secs() / 60, world.memory()));
        println!(
            "round {rounds}, {} min: {writes} changes, {kills} kills, asked again {refused:?}, {memory:?} MiB",
            start.elapsed().as_secs() / 60,
            memory = memory.last()
        );
    }

    assert!(full > 0, "nobody found the disk full");
    for node in &mut world.nodes {
        node.stop();
    }
    let verified = world.nodes[0].run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);

    let settled: Vec<u64> = memory
        .iter()
        .filter(|(minutes, _)| *minutes >= 10)
        .map(|(_, held)| *held)
        .collect();
    let grown = settled
        .first()
        .zip(settled.last())
        .map_or_else(String::new, |(first, last)| {
            assert!(
                last * 4 <= first * 5 + 64,
                "memory grew from {first} to {last} MiB"
            );
            format!(
                "; memory without a kill {first} MiB after ten minutes, {last} MiB after {}",
                minutes / 3
            )
        });
    let database = if on_postgres() {
        "PostgreSQL"
    } else {
        "SQLite"
    };
    promise::held(
        "D10",
        format!(
            "{database}: 0 lost, 0 doubled of {writes} changes in {} minutes, {rounds} rounds, {kills} kills and {full} full disks{grown}",
            start.elapsed().as_secs() / 60
        ),
    );
}
