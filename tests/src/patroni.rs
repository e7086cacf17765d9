//! A PostgreSQL of three members that Patroni keeps, with etcd: one primary, one synchronous standby and
//! one more. Members can be killed and can stand still, as a machine does that is lost or frozen.
//!
//! The programs are Debian's, which `cargo xtask test` has unpacked, and names in `CHECKLIST_PATRONI`. Each
//! member has a folder, and all of its processes work in there: that is how they are found. Handed to
//! `setup`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use reqwest::Method;
use rustix::process::{Pid, Signal, getuid, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Answer, Http, try_send};
use crate::debian;
use crate::own_postgres::as_nobody;
use crate::process::Process;
use crate::setup::free_address;
use crate::wait::{until, until_or_none};

/// Starts what follows in a folder, waits until its input ends, and ends what it has started.
const KEEPER: &str =
    r#"(cd "$0" && exec "$@") & server=$!; read -r _; kill -TERM $server; wait $server"#;

/// How long a lost leader keeps the cluster waiting, in seconds. Patroni asks for twice the time that it
/// tries again, and the pause of its loop.
const TTL: u32 = 8;

/// The cluster, gone when it is dropped.
pub struct PatroniCluster {
    // In this order: the members leave before their etcd, and all before their folders are removed.
    members: Vec<Member>,
    _etcd: Process,
    _folder: TempDir,
}

struct Member {
    name: &'static str,
    keeper: Option<Process>,
    folder: PathBuf,
    /// The addresses of its database and of its Patroni.
    database: String,
    patroni: String,
}

/// What happens to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The PostgreSQL of the primary is killed; its Patroni sees that.
    DatabaseKilled,
    /// All processes of the primary are killed at once.
    MachineLost,
    /// All processes of the primary stand still, and go on later.
    MachineFrozen,
    /// The same of the synchronous standby.
    StandbyFrozen,
}

impl PatroniCluster {
    /// A cluster whose three members are there.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        let folder = TempDir::with_prefix("checklist-patroni-").expect("a temporary directory");
        let etcd = Etcd::in_folder(folder.path());
        let members = ["a", "b", "c"].map(|name| Member {
            name,
            keeper: None,
            folder: folder.path().join(name),
            database: free_address(),
            patroni: free_address(),
        });
        for member in &members {
            member.write_configuration(&etcd.client, folder.path());
        }
        if getuid().is_root() {
            let nobody = ["-R", "65534:65534"];
            let done = Command::new("chown")
                .args(nobody)
                .arg(folder.path())
                .status();
            assert!(done.is_ok_and(|done| done.success()), "chown succeeds");
        }
        let mut cluster = Self {
            _etcd: etcd.start(),
            members: members.into(),
            _folder: folder,
        };
        for member in &mut cluster.members {
            member.start();
        }
        cluster.heals();
        cluster
    }

    /// The URL of its administrator, which names all members.
    #[must_use]
    pub fn url(&self) -> String {
        let hosts: Vec<&str> = (self.members.iter())
            .map(|member| member.database.as_str())
            .collect();
        let hosts = hosts.join(",");
        format!("postgres://admin@{hosts}/postgres?target_session_attrs=read-write")
    }

    /// Waits until there are a primary, a synchronous standby and one more that follows.
    ///
    /// # Panics
    /// When that does not happen.
    #[track_caller]
    pub fn heals(&self) {
        let is_whole = || {
            let cluster = self.members.iter().find_map(Member::cluster)?;
            let members = cluster["members"].as_array()?;
            let count = |role: &str, state: &str| {
                let is = |member: &&Value| member["role"] == role && member["state"] == state;
                members.iter().filter(is).count()
            };
            // What streams is called "running" by Patroni 3.0, "streaming" by later ones.
            let follows = |role| count(role, "running") + count(role, "streaming");
            let is_whole =
                follows("leader") == 1 && follows("sync_standby") == 1 && follows("replica") == 1;
            is_whole.then_some(())
        };
        // A member may have to be copied from the beginning.
        let patience = (0..6).find_map(|_| until_or_none(is_whole));
        if patience.is_none() {
            panic!("the cluster does not heal: {}", self.logs());
        }
    }

    /// Lets something happen to the primary or its synchronous standby; gives back what has to be undone.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn strike(&mut self, fault: Fault) -> Struck {
        let role = match fault {
            Fault::StandbyFrozen => "synchronous",
            _ => "primary",
        };
        let place = until(role, || {
            self.members.iter().position(|member| member.is(role))
        });
        let member = &mut self.members[place];
        match fault {
            Fault::DatabaseKilled => {
                let file = fs::read_to_string(member.folder.join("data/postmaster.pid"));
                let id = file.ok().and_then(|file| file.lines().next()?.parse().ok());
                let id = id.and_then(Pid::from_raw).expect("a process id");
                kill_process(id, Signal::KILL).expect("it runs");
            }
            Fault::MachineLost => {
                member.signal(Signal::KILL);
                member.keeper = None;
            }
            Fault::MachineFrozen | Fault::StandbyFrozen => member.signal(Signal::STOP),
        }
        Struck {
            member: place,
            fault,
        }
    }

    /// Waits until another member is the primary, if it was the primary that was struck.
    ///
    /// # Panics
    /// When none becomes it.
    #[track_caller]
    pub fn has_a_primary_after(&self, struck: &Struck) {
        if struck.fault == Fault::StandbyFrozen {
            return;
        }
        let is_successor =
            |(place, member): (usize, &Member)| place != struck.member && member.is("primary");
        let succeeded = || {
            let mut members = self.members.iter().enumerate();
            members.any(is_successor).then_some(())
        };
        let succeeded = (0..3).find_map(|_| until_or_none(succeeded));
        assert!(succeeded.is_some(), "nobody succeeds: {}", self.logs());
    }

    /// The member comes back.
    #[track_caller]
    pub fn comes_back(&mut self, struck: &Struck) {
        let member = &mut self.members[struck.member];
        match struck.fault {
            Fault::DatabaseKilled => {}
            Fault::MachineLost => member.start(),
            Fault::MachineFrozen | Fault::StandbyFrozen => member.signal(Signal::CONT),
        }
    }

    /// What the members have said last.
    fn logs(&self) -> String {
        let log = |member: &Member| {
            let log = fs::read_to_string(member.folder.join("patroni.log")).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let last = &lines[lines.len().saturating_sub(20)..];
            format!("{}:\n{}\n", member.name, last.join("\n"))
        };
        self.members.iter().map(log).collect()
    }
}

impl Drop for PatroniCluster {
    fn drop(&mut self) {
        // Who stands still does not end.
        for member in &mut self.members {
            member.signal(Signal::KILL);
            member.keeper = None;
        }
    }
}

/// A member that something has happened to.
pub struct Struck {
    member: usize,
    fault: Fault,
}

impl Member {
    /// Patroni's configuration, and that of the cluster for whoever is the first.
    #[track_caller]
    fn write_configuration(&self, etcd: &str, sockets: &Path) {
        let programs = std::env::var("CHECKLIST_POSTGRES_PROGRAMS")
            .expect("`cargo xtask test` names the folder of PostgreSQL's programs");
        let configuration = json!({
            "scope": "checklist",
            "name": self.name,
            "restapi": { "listen": self.patroni, "connect_address": self.patroni },
            // Not etcd3: with it the Patroni of Debian 12 takes the lead back from its successor when a
            // frozen primary goes on, and what was acknowledged in the meantime is lost.
            "etcd": { "host": etcd },
            "bootstrap": {
                "dcs": {
                    "ttl": TTL, "loop_wait": 1, "retry_timeout": 3,
                    "synchronous_mode": true, "primary_start_timeout": 0,
                    "maximum_lag_on_failover": 1_048_576,
                    "postgresql": {
                        "use_pg_rewind": true,
                        "parameters": { "wal_log_hints": "on", "max_connections": 60 }
                    }
                },
                "initdb": [{ "encoding": "UTF8" }, { "locale": "C" }, "no-sync"],
                "pg_hba": [
                    "host all all 127.0.0.1/32 trust",
                    "host replication all 127.0.0.1/32 trust",
                    "local all all trust"
                ]
            },
            "postgresql": {
                "listen": self.database, "connect_address": self.database,
                "data_dir": self.folder.join("data"), "bin_dir": programs,
                "pgpass": self.folder.join("pgpass"),
                "authentication": {
                    "superuser": { "username": "admin" },
                    "replication": { "username": "replicator" },
                    "rewind": { "username": "rewinder" }
                },
                "parameters": { "unix_socket_directories": sockets }
            }
        });
        fs::create_dir(&self.folder).expect("a folder");
        // JSON is YAML.
        fs::write(self.configuration(), configuration.to_string()).expect("a file");
    }

    fn configuration(&self) -> PathBuf {
        self.folder.join("patroni.yml")
    }

    #[track_caller]
    fn start(&mut self) {
        let root = root();
        let mut patroni = as_nobody(Path::new("/usr/bin/python3"));
        patroni
            .args(["-u", "-m", "patroni"])
            .arg(self.configuration());
        let mut keeper = keeper_of(&patroni, &self.folder, &self.folder.join("patroni.log"));
        keeper
            .env("PYTHONPATH", root.join("usr/lib/python3/dist-packages"))
            .env("HOME", &self.folder);
        if let Some(libraries) = std::env::var_os("CHECKLIST_POSTGRES_LIBRARIES") {
            keeper.env("LD_LIBRARY_PATH", libraries);
        }
        self.keeper = Some(Process::start_with_input(&mut keeper));
    }

    /// What its Patroni says of the cluster; `None` if it says nothing.
    fn cluster(&self) -> Option<Value> {
        let answer = ask(&self.patroni, "/cluster")?;
        (answer.status == 200).then(|| answer.json())
    }

    /// Whether its Patroni says that it has that role.
    fn is(&self, role: &str) -> bool {
        ask(&self.patroni, &format!("/{role}")).is_some_and(|answer| answer.status == 200)
    }

    /// Sends a signal to all processes that work in its folder, until none is left that has not got it.
    fn signal(&self, signal: Signal) {
        let mut reached = Vec::new();
        loop {
            let new: Vec<Pid> = processes_in(&self.folder)
                .into_iter()
                .filter(|process| !reached.contains(process))
                .collect();
            if new.is_empty() {
                return;
            }
            for process in new {
                // It may have ended by itself.
                let _ = kill_process(process, signal);
                reached.push(process);
            }
        }
    }
}

/// The store in which the members agree on who leads.
struct Etcd {
    folder: PathBuf,
    client: String,
    peer: String,
}

impl Etcd {
    fn in_folder(folder: &Path) -> Self {
        let etcd = Self {
            folder: folder.join("etcd"),
            client: free_address(),
            peer: free_address(),
        };
        fs::create_dir(&etcd.folder).expect("a folder");
        etcd
    }

    #[track_caller]
    fn start(&self) -> Process {
        let (client, peer) = (
            format!("http://{}", self.client),
            format!("http://{}", self.peer),
        );
        let mut etcd = as_nobody(&root().join("usr/bin/etcd"));
        etcd.args(["--name", "etcd", "--enable-v2", "--unsafe-no-fsync"])
            .arg("--data-dir")
            .arg(self.folder.join("data"))
            .args(["--listen-client-urls", &client])
            .args(["--advertise-client-urls", &client])
            .args(["--listen-peer-urls", &peer])
            .args(["--initial-advertise-peer-urls", &peer])
            .args(["--initial-cluster", &format!("etcd={peer}")]);
        let log = self.folder.join("etcd.log");
        let process = Process::start_with_input(&mut keeper_of(&etcd, &self.folder, &log));
        until("etcd to be ready", || {
            let answer = ask(&self.client, "/health")?;
            (answer.status == 200).then_some(())
        });
        process
    }
}

/// What somebody answers within a second; `None` for who does not.
fn ask(address: &str, path: &str) -> Option<Answer> {
    let http = Http::to(&format!("http://{address}"));
    let request = http.request(Method::GET, path);
    try_send(request.timeout(Duration::from_secs(1))).ok()
}

/// The folder of Debian's packages.
fn root() -> PathBuf {
    debian::root("CHECKLIST_PATRONI", "patroni")
}

/// A command that works in a folder, writes to a log, and ends with whoever has started it.
fn keeper_of(command: &Command, folder: &Path, log: &Path) -> Command {
    let mut keeper = Command::new("sh");
    keeper
        .arg("-c")
        .arg(format!("exec >>\"$CHECKLIST_LOG\" 2>&1; {KEEPER}"))
        .arg(folder)
        .arg(command.get_program())
        .args(command.get_args())
        .env("CHECKLIST_LOG", log)
        .current_dir("/");
    keeper
}

fn processes_in(folder: &Path) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let processes = processes.filter_map(Result::ok).filter_map(|process| {
        let id = process.file_name().to_str()?.parse().ok()?;
        let works_there = fs::read_link(process.path().join("cwd"))
            .is_ok_and(|working| working.starts_with(folder));
        works_there.then(|| Pid::from_raw(id)).flatten()
    });
    processes.collect()
}
