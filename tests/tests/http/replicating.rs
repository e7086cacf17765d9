//! `replicate`: a copy of the SQLite file that follows the running server, killed on either side.
//!
//! What the server has acknowledged and the copy had time for is in what is restored from it.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use checklist_tests::client::{json as with_json, try_send};
use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::program;
use checklist_tests::{HostKey, Person, Server, Setup, incident, promise, until};
use reqwest::Method;
use serde_json::json;
use tempfile::TempDir;

const WRITERS: usize = 4;
/// What the copy may be behind at most: it follows every second, and a machine that runs many tests
/// at once is slow.
const LAG: Duration = Duration::from_secs(5);

fn server() -> Server {
    Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .start()
}

/// Follows the server's data; killed when it is dropped.
fn replicate(server: &Server, to: &Path) -> Process {
    let mut command = program();
    command
        .arg("replicate")
        .arg("--data-dir")
        .arg(server.data_dir())
        .arg(to);
    let mut process = Process::start(&mut command);
    process.says("follows");
    process
}

#[track_caller]
fn run(arguments: &[&str]) -> Ended {
    Process::start(program().args(arguments)).ended()
}

/// What was acknowledged, and when.
type Acknowledged = Mutex<Vec<(String, Instant)>>;

/// Adds items until the end, or until the server is gone.
fn write(person: &Person, name: &str, acknowledged: &Acknowledged, end: &AtomicBool) {
    for number in 0.. {
        if end.load(Ordering::Relaxed) {
            return;
        }
        let text = format!("{name} {number}");
        let body = json!({ "Context": person.place.context(), "OperationId": text, "Items": [{ "Text": text, "Kind": "Info" }] });
        match try_send(with_json(person.request(Method::POST, "AddItems"), &body)) {
            Ok(answer) => {
                answer.ok();
                acknowledged.lock().unwrap().push((text, Instant::now()));
            }
            Err(_) => return,
        }
    }
}

/// Restores the copy, verifies its audit trail, and gives every text that it has.
fn restored(copy: &Path, folder: &Path) -> Vec<String> {
    let data = folder.join("restored");
    let done = run(&[
        "restore",
        &copy.display().to_string(),
        "--data-dir",
        &data.display().to_string(),
    ]);
    assert!(done.status.success(), "{}", done.said);
    assert!(
        done.said.contains("every page was read without a fault"),
        "{}",
        done.said
    );
    let verified = run(&["audit", "verify", "--data-dir", &data.display().to_string()]);
    assert!(verified.status.success(), "{}", verified.said);
    let file = rusqlite::Connection::open(data.join("checklist.sqlite3")).expect("a database");
    let mut rows = file.prepare("SELECT text FROM item").expect("items");
    let texts = rows
        .query_map([], |row| row.get::<_, String>(0))
        .expect("items");
    // Texts are JSON: a string, or an object of languages.
    let texts = texts
        .map(|text| serde_json::from_str(&text.expect("a text")).expect("a string"))
        .collect();
    std::fs::remove_dir_all(&data).expect("the test's own folder");
    texts
}

#[test]
fn what_was_acknowledged_is_in_the_copy_whoever_is_killed() {
    let folder = TempDir::new().unwrap();
    let copy: PathBuf = folder.path().join("copy");
    let mut server = server();
    let acknowledged = Acknowledged::default();
    let mut follower = Some(replicate(&server, &copy));
    for round in 0..promise::times(2, 12) {
        let people: Vec<Person> = (0..WRITERS)
            .map(|writer| server.editor_on(&incident(&writer.to_string()).for_purpose("x")))
            .collect();
        let end = AtomicBool::new(false);
        let killed = std::thread::scope(|scope| {
            for (writer, person) in people.iter().enumerate() {
                let (acknowledged, end) = (&acknowledged, &end);
                scope.spawn(move || write(person, &format!("{round}.{writer}"), acknowledged, end));
            }
            let count = || acknowledged.lock().unwrap().len();
            let before = count();
            until("some writes", || (count() > before + 50).then_some(()));
            if round % 3 == 1 {
                // In the middle of its work.
                drop(follower.take());
                follower = Some(replicate(&server, &copy));
            }
            std::thread::sleep(LAG + Duration::from_secs(1));
            if round % 3 == 0 {
                server.kill();
            }
            let killed = Instant::now();
            // The server lives on, or not; the copy stands as it is.
            drop(follower.take());
            end.store(true, Ordering::Relaxed);
            killed
        });
        let texts = restored(&copy, folder.path());
        let there: std::collections::HashSet<&str> = texts.iter().map(String::as_str).collect();
        let acknowledged = acknowledged.lock().unwrap();
        let old: Vec<_> = acknowledged
            .iter()
            .filter(|(_, at)| killed.saturating_duration_since(*at) > LAG)
            .collect();
        let missing: Vec<_> = old
            .iter()
            .filter(|(text, _)| !there.contains(&**text))
            .collect();
        assert!(!old.is_empty());
        assert!(
            missing.is_empty(),
            "round {round}: {} of {}: {missing:?}",
            missing.len(),
            old.len()
        );
        assert_eq!(there.len(), texts.len(), "nothing twice");
        let newest = acknowledged
            .iter()
            .rev()
            .find(|(text, _)| there.contains(&**text));
        let lag = newest.map(|(_, at)| killed.saturating_duration_since(*at));
        println!(
            "round {round}: {} acknowledged, the copy was {lag:?} behind",
            acknowledged.len()
        );
        drop(acknowledged);
        if round % 3 == 0 {
            server.start_again();
        }
        follower = Some(replicate(&server, &copy));
    }
}

#[test]
fn a_follower_that_is_asked_to_stop_has_everything_and_ends_well() {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let server = server();
    let follower = replicate(&server, &copy);
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    let stopped = std::process::Command::new("kill")
        .arg(follower.id().to_string())
        .status();
    assert!(stopped.is_ok_and(|status| status.success()));
    let ended = follower.ended();
    assert!(ended.status.success(), "{}", ended.said);
    assert!(restored(&copy, folder.path()).contains(&"Ask".to_owned()));
    assert!(copy.join("replicated-at").is_file());
}

#[test]
fn what_a_copy_must_not_lie_in_or_come_from_is_refused() {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let server = server();
    let data = server.data_dir().display().to_string();
    let shown = copy.display().to_string();
    let is_refused = |arguments: &[&str], because: &str| {
        let ended = run(arguments);
        assert_eq!(ended.status.code(), Some(3), "{}", ended.said);
        assert!(ended.said.contains(because), "{}", ended.said);
    };
    is_refused(&["replicate", "--data-dir", &data, &data], "already");
    let backup = folder.path().join("backup").display().to_string();
    assert!(
        run(&["backup", "--data-dir", &data, &backup])
            .status
            .success()
    );
    is_refused(&["replicate", "--data-dir", &data, &backup], "already");
    let _follower = replicate(&server, &copy);
    is_refused(&["replicate", "--data-dir", &data, &shown], "in use");
    let other = folder.path().join("other").display().to_string();
    is_refused(&["restore", &shown, "--data-dir", &other], "in use");
}

#[test]
fn the_copy_is_made_by_the_command_of_its_unit_in_the_folders_that_it_may_write() {
    let server = server();
    let folder = TempDir::new().unwrap();
    let unit = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../backend/service/checklist-replicate.service");
    let text = std::fs::read_to_string(unit).expect("the unit");
    let setting = |name: &str| {
        let mut values = text.lines().filter_map(|line| line.strip_prefix(name));
        values.next().expect("a setting").to_owned()
    };
    let writable = setting("ReadWritePaths=");
    let [data, copy] = writable.split(' ').collect::<Vec<_>>()[..] else {
        panic!("two folders: {writable}");
    };
    let here = |word: &str| match word {
        word if word == data => server.data_dir(),
        word if word == copy => folder.path().join("copy"),
        word => PathBuf::from(word),
    };
    let start = setting("ExecStart=");
    let mut command = program();
    command.args(start.split(' ').skip(1).map(here));
    let mut replicate = Process::start(&mut command);
    replicate.says("follows");
    assert!(folder.path().join("copy/checklist.sqlite3").exists());
}
