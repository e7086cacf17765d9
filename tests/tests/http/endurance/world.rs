//! The product on machines that get into trouble.
//!
//! On SQLite one server, whose machine has the disk and the clock; on PostgreSQL two nodes and a database
//! of their own, whose machine has the disk.

use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use checklist_tests::data::on_postgres;
use checklist_tests::machine::Machine;
use checklist_tests::own_postgres::OwnPostgres;
use checklist_tests::wait::PATIENCE;
use checklist_tests::{HostKey, Person, Server, Setup, until};

use super::people::Workload;

const AN_HOUR: i64 = 60 * 60;
/// How long the disk takes for each sync where it is slow.
const SLOW: Duration = Duration::from_millis(150);

/// Waits for a change that was written down with a clock that is off by so many seconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the right time is what the server's is compared with"
)]
fn wait_for_change_dated(people: &[Vec<Person>], off: i64) {
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
pub(super) struct World {
    pub(super) nodes: Vec<Server>,
    pub(super) database: Option<OwnPostgres>,
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
    pub(super) fn new() -> Self {
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

    pub(super) fn memory(&self) -> u64 {
        self.nodes.last().expect("a node").memory() / 1024 / 1024
    }

    /// Everything that can happen to it, one after the other, with work in between. Whether anybody
    /// found no room on the disk.
    pub(super) fn inject_faults(
        &mut self,
        people: &[Vec<Person>],
        workload: &Workload,
        hold: Duration,
        with_kills: bool,
    ) -> bool {
        workload.more(30);
        if with_kills {
            self.nodes[0].kill();
            sleep(hold / 4);
            self.nodes[0].start_again();
            workload.more(30);
        }

        self.disk().syncs_take(SLOW);
        sleep(hold);
        if with_kills {
            self.nodes[0].kill();
            self.nodes[0].start_again();
        }
        workload.more(10);
        self.disk().syncs_take(Duration::ZERO);

        for off in [AN_HOUR, -AN_HOUR] {
            self.machine.clock_is_off_by(off);
            workload.more(30);
            wait_for_change_dated(people, off);
            sleep(hold);
        }
        self.machine.clock_is_off_by(0);

        let refusals = || workload.refused(507) + workload.refused(503);
        let (before, start) = (refusals(), Instant::now());
        self.disk().disk_is_full(true);
        // What is written over takes no room: so it may take a while until somebody has none.
        while refusals() == before && start.elapsed() < PATIENCE {
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
        workload.more(30);

        self.nodes[0].stand_still();
        sleep(hold / 2);
        self.nodes[0].go_on();
        workload.more(30);

        if with_kills && let Some(own) = &mut self.database {
            own.kill();
            own.start_again();
            workload.more(30);
        }
        had_no_room
    }
}
