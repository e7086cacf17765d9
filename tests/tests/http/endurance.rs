//! Promise D10: hours of work on a machine in trouble lose nothing and double nothing.
//!
//! People tick, reword, delete, restore and read without a pause, and others follow, while the server is
//! killed and stands still, the disk is slow and full, and the clock jumps; on PostgreSQL the
//! database is killed, too, and people work through two nodes. After each round every revision of
//! every list is the answer of exactly one change, and each list is what its people made of it.
//!
//! A short round in every run; three hours in full, or as many minutes as
//! `CHECKLIST_ENDURANCE_MINUTES` says.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use checklist_tests::data::on_postgres;
use checklist_tests::follow::Said;
use checklist_tests::machine::Machine;
use checklist_tests::own_postgres::OwnPostgres;
use checklist_tests::told::{Told, is_one_history, through_any_node};
use checklist_tests::wait::PATIENCE;
use checklist_tests::{HostKey, List, Person, Server, Setup, Written, incident, promise, until};
use serde_json::{Value, json};

const PEOPLE: usize = 6;
const LISTS: usize = 8;
/// Items that a person keeps in a list.
const OWN: usize = 4;
const AN_HOUR: i64 = 60 * 60;
/// How long the disk takes for each sync where it is slow.
const SLOW: Duration = Duration::from_millis(150);

/// An item as the person knows it who alone changes it.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    id: String,
    text: String,
    is_done: bool,
    is_deleted: bool,
}

/// What everybody has to know while they work.
#[derive(Default)]
struct Shift {
    is_over: AtomicBool,
    answers: AtomicU64,
    /// Requests that were asked again, by the status of the answer; 0 without one.
    refused: Mutex<BTreeMap<u16, u64>>,
}

impl Shift {
    fn refused(&self, status: u16) -> u64 {
        let refused = self.refused.lock().unwrap();
        refused.get(&status).copied().unwrap_or_default()
    }

    /// Waits for so many more answers.
    fn more(&self, count: u64) {
        let so_far = self.answers.load(Ordering::Relaxed);
        until("work to go on", || {
            (self.answers.load(Ordering::Relaxed) >= so_far + count).then_some(())
        });
    }
}

/// Ends the shift, also when what happens meanwhile panics: else everybody would work for ever.
struct EndsShift<'a>(&'a Shift);

impl Drop for EndsShift<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

/// Somebody at work, with what they have in each list.
struct Worker<'a> {
    name: usize,
    /// By list and node.
    people: &'a [Vec<Person>],
    own: &'a mut Vec<Vec<Item>>,
    shift: &'a Shift,
    told: Vec<Told>,
}

impl Worker<'_> {
    /// Works until the shift is over; `first` is a number that was never used before.
    fn work(mut self, first: usize, pause: Duration) -> (Vec<Told>, usize) {
        let mut turn = first;
        while !self.shift.is_over.load(Ordering::Relaxed) {
            let list = (self.name + turn) % LISTS;
            self.act(list, turn);
            turn += 1;
            sleep(pause);
        }
        (self.told, turn)
    }

    /// Nothing that grows: else memory could not be told from what it holds.
    fn act(&mut self, list: usize, turn: usize) {
        let own = self.own[list].len();
        if own < OWN {
            self.add(list, turn);
            return;
        }
        match turn / LISTS % 8 {
            0 => self.delete_or_restore(list, turn),
            1 => self.set(list, turn, 1..own),
            2 => self.reword(list, turn),
            3 | 4 => drop(self.ask(list, turn, "GetItems", None, json!({}))),
            _ => self.set(list, turn, turn % (own - 1) + 1..turn % (own - 1) + 2),
        }
    }

    fn add(&mut self, list: usize, turn: usize) {
        let text = format!("{} adds {turn}", self.name);
        let body = json!({ "Items": [{ "Text": text }] });
        let added = self.change(list, turn, "AddItems", &body);
        let id = added.only("Created")["Id"].as_str().expect("an id");
        self.own[list].push(Item {
            id: id.to_owned(),
            text,
            is_done: false,
            is_deleted: false,
        });
    }

    /// Deletes the first of their items, or restores it.
    fn delete_or_restore(&mut self, list: usize, turn: usize) {
        let item = &mut self.own[list][0];
        let (call, outcome) = if item.is_deleted {
            ("RestoreItems", "Restored")
        } else {
            ("DeleteItems", "Deleted")
        };
        item.is_deleted = !item.is_deleted;
        let body = json!({ "Ids": [item.id] });
        self.change(list, turn, call, &body).only(outcome);
    }

    /// Gives those of their items the other status.
    fn set(&mut self, list: usize, turn: usize, which: std::ops::Range<usize>) {
        let items = &mut self.own[list][which];
        for item in items.iter_mut() {
            item.is_done = !item.is_done;
        }
        let changes: Vec<Value> = items
            .iter()
            .map(|item| json!({ "Id": item.id, "Status": if item.is_done { "Done" } else { "Open" } }))
            .collect();
        let changed = self.change(list, turn, "UpdateItems", &json!({ "Items": changes }));
        assert!(
            changed
                .outcomes()
                .iter()
                .all(|outcome| *outcome == "Updated"),
            "{changed:?}"
        );
    }

    fn reword(&mut self, list: usize, turn: usize) {
        let shown = List(self.ask(list, turn, "GetItems", None, json!({})));
        let item = &mut self.own[list][1];
        let version = shown.item(&item.text)["Version"].clone();
        item.text = format!("{} says {turn}", self.name);
        let body =
            json!({ "Items": [{ "Id": item.id, "Text": item.text, "BaseVersion": version }] });
        self.change(list, turn, "UpdateItems", &body)
            .only("Updated");
    }

    fn change(&mut self, list: usize, turn: usize, call: &str, body: &Value) -> Written {
        let operation = format!("{} in turn {turn}", self.name);
        let mut body = body.clone();
        body["OperationId"] = json!(operation);
        Written(self.ask(list, turn, call, Some(operation), body))
    }

    fn ask(
        &mut self,
        list: usize,
        turn: usize,
        call: &str,
        changed_by: Option<String>,
        mut body: Value,
    ) -> Value {
        let nodes = &self.people[list];
        body["Context"] = nodes[0].place.context();
        let asked = Instant::now();
        let answer = through_any_node(nodes, self.name + turn, call, &body, |status| {
            let mut refused = self.shift.refused.lock().unwrap();
            *refused.entry(status.unwrap_or_default()).or_default() += 1;
        });
        self.told.push(Told {
            list,
            asked,
            answered: Instant::now(),
            revision: answer["Revision"].as_u64().expect("a revision"),
            changed_by,
        });
        self.shift.answers.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

/// Follows a list, also over the ends of servers, until it has heard of that revision, which is known
/// when the shift is over.
fn follow(person: &Person, newest: &AtomicU64, shift: &Shift) {
    let (mut heard, mut id) = (0, "0".to_owned());
    let mut since = None;
    loop {
        let Some(stream) = person.try_to_follow_after(&id) else {
            sleep(Duration::from_millis(100));
            continue;
        };
        loop {
            let newest = newest.load(Ordering::Relaxed);
            if newest > 0 && heard >= newest {
                return;
            }
            if shift.is_over.load(Ordering::Relaxed) {
                let since = *since.get_or_insert_with(Instant::now);
                assert!(
                    since.elapsed() < PATIENCE * 2,
                    "heard of {heard}, not of {newest}"
                );
            }
            match stream.say_within(Duration::from_millis(50)) {
                Ok(Said::Event(_, data)) => {
                    heard = heard.max(data["Revision"].as_u64().unwrap_or_default());
                }
                Ok(Said::Id(new)) => id = new,
                Ok(Said::Comment) | Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
    }
}

/// Waits for a change that was written down with a clock that is off by so many seconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the right time is what the server's is compared with"
)]
fn has_the_time(people: &[Vec<Person>], off: i64) {
    let now = jiff::Timestamp::try_from(SystemTime::now()).expect("a time");
    until("a change of that time", || {
        let lists = people.iter().map(|nodes| nodes[0].list());
        let items = lists.flat_map(|list| list.items().to_vec());
        let mut times = items.filter_map(|item| item["ModifiedAt"].as_str()?.parse().ok());
        times
            .any(|time: jiff::Timestamp| {
                (time.as_second() - now.as_second() - off).abs() < AN_HOUR / 4
            })
            .then_some(())
    });
}

/// The product on its machines.
struct World {
    nodes: Vec<Server>,
    database: Option<OwnPostgres>,
    /// Under the servers.
    machine: Machine,
    /// Under the database, where that is a server of its own.
    of_database: Option<Machine>,
}

impl Drop for World {
    /// What servers had to say about a failure.
    fn drop(&mut self) {
        for node in self.nodes.iter().filter(|_| std::thread::panicking()) {
            let said = node.errors();
            let lines: Vec<&str> = said.lines().collect();
            let last = lines.len().saturating_sub(20);
            eprintln!("{}", lines[last..].join("\n"));
        }
    }
}

impl World {
    fn new() -> Self {
        let machine = Machine::sound();
        let of_database = on_postgres().then(Machine::sound);
        // A small log, so that it begins anew often.
        let settings = ["min_wal_size=32MB", "max_wal_size=64MB"];
        let database = of_database
            .as_ref()
            .map(|machine| OwnPostgres::start_on(machine, &settings));
        // All work with one key.
        let mut setup = Setup::for_hosts(&[HostKey::of("north")]).argument("--rate-limit=0");
        for (name, value) in machine.environment() {
            setup = setup.environment(name, &value);
        }
        if let Some(own) = &database {
            setup = setup.in_own_postgres(own, "");
        }
        let mut nodes = vec![setup.start()];
        if database.is_some() {
            nodes.push(nodes[0].another_node());
        }
        Self {
            nodes,
            database,
            machine,
            of_database,
        }
    }

    /// The machine with the disk that matters.
    fn disk(&self) -> &Machine {
        self.of_database.as_ref().unwrap_or(&self.machine)
    }

    fn memory(&self) -> u64 {
        self.nodes.last().expect("a node").memory() / 1024 / 1024
    }

    /// Everything that can happen to it, one after the other, with work in between. Whether anybody
    /// found no room on the disk.
    fn trouble(
        &mut self,
        people: &[Vec<Person>],
        shift: &Shift,
        hold: Duration,
        with_kills: bool,
    ) -> bool {
        shift.more(30);
        if with_kills {
            self.nodes[0].kill();
            sleep(hold / 4);
            self.nodes[0].start_again();
            shift.more(30);
        }

        self.disk().syncs_take(SLOW);
        sleep(hold);
        if with_kills {
            self.nodes[0].kill();
            self.nodes[0].start_again();
        }
        shift.more(10);
        self.disk().syncs_take(Duration::ZERO);

        for off in [AN_HOUR, -AN_HOUR] {
            self.machine.clock_is_off_by(off);
            shift.more(30);
            has_the_time(people, off);
            sleep(hold);
        }
        self.machine.clock_is_off_by(0);

        let refusals = || shift.refused(507) + shift.refused(503);
        let (before, start) = (refusals(), Instant::now());
        self.disk().disk_is_full(true);
        // What is written over takes no room: so it may take a while until somebody has none.
        while refusals() == before && start.elapsed() < hold * 4 {
            sleep(Duration::from_millis(20));
        }
        let had_no_room = refusals() > before;
        sleep(hold);
        self.disk().disk_is_full(false);
        if let Some(own) = &mut self.database
            && own.has_given_up()
        {
            own.start_again();
        }
        shift.more(30);

        self.nodes[0].stand_still();
        sleep(hold / 2);
        self.nodes[0].go_on();
        shift.more(30);

        if with_kills && let Some(own) = &mut self.database {
            own.kill();
            own.start_again();
            shift.more(30);
        }
        had_no_room
    }
}

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
        let shift = Shift::default();
        let newest: Vec<AtomicU64> = (0..LISTS).map(|_| AtomicU64::new(0)).collect();
        let told: Vec<Told> = std::thread::scope(|scope| {
            for (people, newest) in people.iter().zip(&newest) {
                let shift = &shift;
                scope.spawn(move || follow(&people[people.len() - 1], newest, shift));
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
                        shift: &shift,
                        told: Vec::new(),
                    };
                    scope.spawn(move || worker.work(turn, pause))
                })
                .collect();
            let shift_ends = EndsShift(&shift);
            sleep(calm);
            full += usize::from(world.trouble(&people, &shift, hold, with_kills));
            drop(shift_ends);
            let done = workers.into_iter().map(|worker| worker.join().unwrap());
            let (told, next): (Vec<_>, Vec<_>) = done.unzip();
            turns = next;
            let told: Vec<Told> = told.into_iter().flatten().collect();
            for (list, newest) in newest.iter().enumerate() {
                newest.store(people[list][0].list().revision(), Ordering::Relaxed);
            }
            told
        });

        is_one_history(&told);
        for (list, nodes) in people.iter().enumerate() {
            let shown = nodes[0].list();
            let mut changes: Vec<u64> = told
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
        for (status, count) in shift.refused.into_inner().unwrap() {
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
