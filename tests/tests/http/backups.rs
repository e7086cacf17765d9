//! `backup` and `restore`: a copy made while people work, and a server on what was put back.
//!
//! Only of the folder with SQLite; a PostgreSQL is copied by its own tools, see `postgres/dumps`.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::program;
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use tempfile::TempDir;

const WRITERS: usize = 4;

fn server() -> Server {
    Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .start()
}

#[track_caller]
fn run(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Ended {
    let mut command = program();
    command.args(arguments.iter().map(AsRef::as_ref));
    Process::start(&mut command).ended()
}

#[track_caller]
fn back_up(from: &Path, to: &Path) -> String {
    let ended = run(&[&"backup", &"--data-dir", &from, &to]);
    assert!(ended.status.success(), "{}", ended.said);
    ended.said
}

#[track_caller]
fn restore(from: &Path, to: &Path) -> String {
    let ended = run(&[&"restore", &from, &"--data-dir", &to]);
    assert!(ended.status.success(), "{}", ended.said);
    ended.said
}

/// What is refused, with the sentence; and nothing is left in the folder that was to get it.
#[track_caller]
fn is_refused(arguments: &[&dyn AsRef<std::ffi::OsStr>], because: &str) {
    let ended = run(arguments);
    assert_eq!(ended.status.code(), Some(3), "{}", ended.said);
    assert!(ended.said.contains(because), "{}", ended.said);
    assert!(ended.said.contains(" hint: "), "{}", ended.said);
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != "server.lock")
        .collect()
}

#[test]
fn a_copy_made_under_load_is_one_moment_and_holds_everything_acknowledged_before_it() {
    let mut server = server();
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let acknowledged: Vec<Mutex<usize>> = (0..WRITERS).map(|_| Mutex::new(0)).collect();
    let count = |writer: usize| *acknowledged[writer].lock().unwrap();
    let place = |writer: usize| incident(&writer.to_string()).for_purpose("x");
    let stop = AtomicBool::new(false);
    let people: Vec<Person> = (0..WRITERS)
        .map(|writer| server.editor_on(&place(writer)))
        .collect();
    let before: Vec<usize> = std::thread::scope(|scope| {
        for (anna, acknowledged) in people.iter().zip(&acknowledged) {
            let stop = &stop;
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let mut number = acknowledged.lock().unwrap();
                    anna.add(&format!("number {}", *number));
                    *number += 1;
                    drop(number);
                    std::thread::yield_now();
                }
            });
        }
        until("work to be under way", || {
            (0..WRITERS).all(|writer| count(writer) >= 20).then_some(())
        });
        let before = (0..WRITERS).map(count).collect();
        back_up(&server.data_dir(), &copy);
        let meanwhile: Vec<usize> = (0..WRITERS).map(count).collect();
        until("work to go on", || {
            (0..WRITERS)
                .all(|writer| count(writer) > meanwhile[writer])
                .then_some(())
        });
        stop.store(true, Ordering::Relaxed);
        before
    });
    assert_eq!(files(&copy), ["checklist.sqlite3"], "one file, whole");

    server.stop();
    fs::rename(server.data_dir(), folder.path().join("lost")).unwrap();
    let said = restore(&copy, &server.data_dir());
    assert!(said.contains("4 lists"), "{said}");
    server.start_again();
    for (writer, &before) in before.iter().enumerate() {
        let anna = server.editor_on(&place(writer));
        let list = anna.list();
        let texts: Vec<&str> = list
            .items()
            .iter()
            .filter_map(|item| item["Text"].as_str())
            .collect();
        let expected: Vec<String> = (0..texts.len()).map(|n| format!("number {n}")).collect();
        assert_eq!(texts, expected, "no gap: the copy is of one moment");
        assert!(texts.len() >= before, "{} of {before}", texts.len());
        anna.add("after the restore");
    }
    server.stop();
    let verified = run(&[&"audit", &"verify", &"--data-dir", &server.data_dir()]);
    assert!(verified.status.success(), "{}", verified.said);
    assert!(verified.said.contains("unbroken"), "{}", verified.said);
}

#[test]
fn a_copy_is_only_readable_by_its_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = server();
    let folder = TempDir::new().unwrap();
    back_up(&server.data_dir(), folder.path());
    let made = fs::metadata(folder.path().join("checklist.sqlite3")).unwrap();
    assert_eq!(made.permissions().mode() & 0o777, 0o600);
}

#[test]
fn nothing_is_overwritten_and_what_is_missing_is_named() {
    let server = server();
    let folder = TempDir::new().unwrap();
    let (copy, other) = (folder.path().join("copy"), folder.path().join("other"));
    back_up(&server.data_dir(), &copy);
    let data = server.data_dir();
    is_refused(&[&"backup", &"--data-dir", &data, &copy], "already");
    is_refused(&[&"restore", &copy, &"--data-dir", &data], "already");
    is_refused(
        &[&"backup", &"--data-dir", &other, &copy],
        "There is no database in",
    );
    is_refused(
        &[&"restore", &other, &"--data-dir", &copy.join("new")],
        "There is no database in",
    );
    assert_eq!(files(&copy), ["checklist.sqlite3"]);
}

#[test]
fn a_damaged_copy_is_not_put_back() {
    let server = server();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    for number in 0..40 {
        anna.add(&format!("{number} {}", "long ".repeat(90)));
    }
    let folder = TempDir::new().unwrap();
    let (copy, target) = (folder.path().join("copy"), folder.path().join("target"));
    back_up(&server.data_dir(), &copy);
    let file = copy.join("checklist.sqlite3");
    let mut bytes = fs::read(&file).unwrap();
    let whole = bytes.len();
    // Every page but the first few loses its head.
    for page in (8 * 4096..whole).step_by(4096) {
        bytes[page..page + 64].fill(0xa5);
    }
    fs::write(&file, &bytes).unwrap();
    is_refused(&[&"restore", &copy, &"--data-dir", &target], "damaged");
    assert_eq!(files(&target), Vec::<String>::new());
    fs::write(&file, "not a database at all").unwrap();
    is_refused(&[&"restore", &copy, &"--data-dir", &target], "damaged");
    assert_eq!(files(&target), Vec::<String>::new());
}

#[test]
fn of_a_postgresql_the_command_says_what_to_use_instead() {
    let ended = run(&[
        &"backup",
        &"--database-url",
        &"postgres://checklist:secret@127.0.0.1:1/checklist",
        &"anywhere",
    ]);
    assert_eq!(ended.status.code(), Some(2), "{}", ended.said);
    assert!(ended.said.contains("pg_dump"), "{}", ended.said);
    assert!(!ended.said.contains("secret"), "{}", ended.said);
}

#[test]
fn keys_and_configuration_go_along_apart_and_come_back_and_what_is_missing_is_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    let (data, etc) = (place("data"), place("etc"));
    let config = etc.join("checklist.env");
    let made = run(&[
        &"init",
        &"--tenant",
        &"acme",
        &"--data-dir",
        &data,
        &"--config",
        &config,
    ]);
    assert!(made.status.success(), "{}", made.said);
    let text = fs::read_to_string(&config).unwrap();
    let vault = etc.join("vault.key");
    for named in [
        "CHECKLIST_VAULT_KEY",
        "CHECKLIST_DATA_DIR",
        "CHECKLIST_LISTEN",
    ] {
        let lines = text
            .lines()
            .filter(|line| line.starts_with(&format!("{named}=")));
        assert_eq!(lines.count(), 1, "{named}: {text}");
    }
    assert!(
        text.contains(&vault.canonicalize().unwrap().display().to_string()),
        "{text}"
    );
    assert!(!data.join("checklist.env").exists(), "one configuration");
    for file in [&vault, &data.join("checklist.sqlite3")] {
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }

    let (copy, keys) = (place("copy"), place("keys"));
    let alone = back_up(&data, &place("alone"));
    assert!(
        alone.contains("the database alone") && alone.contains("--with-keys"),
        "{alone}"
    );
    let inside = copy.join("keys");
    let together = run(&[
        &"backup",
        &"--data-dir",
        &data,
        &copy,
        &"--with-keys",
        &inside,
    ]);
    assert_eq!(together.status.code(), Some(2), "{}", together.said);
    let ended = run(&[
        &"backup",
        &"--data-dir",
        &data,
        &copy,
        &"--with-keys",
        &keys,
        &"--vault-key",
        &vault,
        &"--config",
        &config,
    ]);
    assert!(ended.status.success(), "{}", ended.said);
    assert_eq!(
        files(&copy),
        ["checklist.sqlite3"],
        "no key beside the database"
    );
    let mut kept = files(&keys);
    kept.sort();
    assert_eq!(kept, ["checklist.env", "host-1.private.pem", "vault.key"]);

    let back = place("back");
    let ended = run(&[
        &"restore",
        &copy,
        &"--data-dir",
        &back,
        &"--with-keys",
        &keys,
    ]);
    assert!(ended.status.success(), "{}", ended.said);
    assert_eq!(
        fs::read(back.join("vault.key")).unwrap(),
        fs::read(&vault).unwrap()
    );
    assert!(!ended.said.contains("MISSING"), "{}", ended.said);
    assert!(ended.said.contains("still names"), "{}", ended.said);
}
