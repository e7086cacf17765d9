//! Starting and stopping: what the program refuses, and how it says so.
//!
//! Every refusal ends with a sentence and without success, and leaves what it found alone.

use std::process::Command;
use std::time::Instant;

use checklist_tests::own_network::is_inside;
use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::{free_address, key_file, program};
use checklist_tests::{HostKey, Server, Setup, incident, promise, until};
use serde_json::json;
use tempfile::TempDir;

/// Runs the program and expects a refusal: no success, a sentence, no panic.
#[track_caller]
fn refused(command: &mut Command, words: &[&str]) -> String {
    let Ended { status, said } = Process::start(command).ended();
    assert!(!status.success(), "{command:?} succeeded: {said}");
    assert!(!said.contains("panicked"), "{said}");
    let plain = said.to_lowercase();
    for word in words {
        assert!(
            plain.contains(&word.to_lowercase()),
            "{command:?} does not speak of {word:?}: {said}"
        );
    }
    said
}

fn serve(directory: &TempDir) -> Command {
    let mut command = program();
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(directory.path().join("data"));
    command
}

fn directory() -> TempDir {
    TempDir::new().unwrap()
}

#[test]
fn without_demo_and_without_a_key_it_says_how_to_configure_it() {
    refused(&mut serve(&directory()), &["--demo", "--embed-key"]);
}

#[test]
fn an_identity_of_its_own_is_refused_by_a_build_that_has_none() {
    let mut command = serve(&directory());
    command.args(["--demo", "--own-identity", "https://intranet.example"]);
    refused(&mut command, &["--own-identity", "system-kerberos"]);
}

#[test]
fn a_second_server_on_the_same_directory_is_refused() {
    let server = Server::demo();
    let mut second = program();
    second
        .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(server.data_dir());
    refused(&mut second, &[server.data_dir().to_str().unwrap()]);
    server
        .editor_on(&incident("1").for_purpose("x"))
        .add("the first goes on");
}

#[test]
fn a_directory_whose_server_was_killed_is_free_again() {
    let mut server = Server::demo();
    server.editor_on(&incident("1").for_purpose("x")).add("A");
    server.crash_and_restart();
    assert_eq!(
        server
            .editor_on(&incident("1").for_purpose("x"))
            .list()
            .texts(),
        ["A"]
    );
}

#[test]
fn a_place_where_nothing_can_be_written_is_refused() {
    let directory = directory();
    std::fs::write(
        directory.path().join("data"),
        "a file stands where the directory should be",
    )
    .unwrap();
    refused(serve(&directory).arg("--demo"), &["data"]);
    // Root may write anywhere but not where the kernel keeps its own tables.
    let mut nowhere = program();
    nowhere.args([
        "serve",
        "--demo",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        "/proc/checklist",
    ]);
    refused(&mut nowhere, &["/proc/checklist"]);
}

/// A disk of the test's own with so many kilobytes left on it.
fn disk_with(room: u64) -> TempDir {
    const SIZE: u64 = 4 * 1024;
    let disk = directory();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", &format!("size={SIZE}k"), "none"])
        .arg(disk.path())
        .status();
    assert!(mounted.is_ok_and(|status| status.success()));
    std::fs::create_dir(disk.path().join("data")).expect("a folder");
    let filler = usize::try_from((SIZE - room) * 1024).expect("a length");
    // Less room than was asked for is no room either.
    let _ = std::fs::write(disk.path().join("filler"), vec![0; filler]);
    disk
}

#[test]
fn a_start_on_a_full_disk_says_so_and_sends_nobody_to_a_backup() {
    let test = "starting::a_start_on_a_full_disk_says_so_and_sends_nobody_to_a_backup";
    if !is_inside(test) {
        return;
    }
    let keys = directory();
    let key = key_file(keys.path(), &HostKey::of("north"));
    let start = |disk: &TempDir| {
        let mut command = serve(disk);
        command.arg("--embed-key").arg(&key);
        let said = refused(&mut command, &["full", "make room"]).to_lowercase();
        assert!(!said.contains("backup"), "{said}");
    };
    for room in [0, 1, 4, 8, 12, 16, 20, 40, 100] {
        start(&disk_with(room));
    }
    // Nor is a vault's key half written, which would be in the way of the next try.
    let disk = disk_with(0);
    let file = disk.path().join("data/vault.key");
    let new_key = || {
        let mut command = program();
        command
            .args(["vault", "new-key", "--name", "first"])
            .arg(&file);
        command.arg("--data-dir").arg(disk.path().join("data"));
        command
    };
    refused(&mut new_key(), &["no space", "make room"]);
    std::fs::remove_file(disk.path().join("filler")).expect("there is room again");
    let Ended { status, said } = Process::start(&mut new_key()).ended();
    assert!(status.success(), "{said}");

    // What was there before is whole, and is not taken for damaged: it is opened where the little that
    // this takes is still there, and else the disk is what is complained about.
    let disk = disk_with(2_048);
    let migrate = || {
        let mut migrate = program();
        migrate.args(["migrate", "--data-dir"]);
        Process::start(migrate.arg(disk.path().join("data"))).ended()
    };
    let Ended { status, said } = migrate();
    assert!(status.success(), "{said}");
    let _ = std::fs::write(disk.path().join("more"), vec![0; 4 * 1024 * 1024]);
    let Ended { status, said } = migrate();
    assert!(status.success() || said.contains("is full"), "{said}");
    std::fs::remove_file(disk.path().join("more")).expect("there is room again");
    let Ended { status, said } = migrate();
    assert!(status.success(), "{said}");
}

#[test]
fn a_port_in_use_is_refused() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let directory = directory();
    let mut command = program();
    command
        .args(["serve", "--demo", "--listen", &address, "--data-dir"])
        .arg(directory.path().join("data"));
    refused(&mut command, &[&address]);
}

#[test]
fn the_demo_listens_on_this_machine_only() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let directory = directory();
        let mut command = program();
        command
            .args(["serve", "--demo", "--listen", address, "--data-dir"])
            .arg(directory.path().join("data"));
        refused(&mut command, &["--demo"]);
    }
    refused(
        serve(&directory()).args(["--demo", "--base-url", "https://checklists.example"]),
        &["--demo"],
    );
}

#[test]
fn a_demo_database_is_not_opened_without_demo_nor_the_other_way_round() {
    let host = HostKey::of("north");
    let mut demo = Server::demo();
    demo.stop();
    let key = checklist_tests::setup::key_file(demo.data_dir().parent().unwrap(), &host);
    let mut real = program();
    real.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(demo.data_dir())
        .arg("--embed-key")
        .arg(&key);
    refused(&mut real, &["demo"]);

    let mut real = Setup::for_hosts(&[host]).start();
    real.stop();
    let mut demo = program();
    demo.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(real.data_dir());
    refused(&mut demo, &["demo"]);
}

#[test]
fn a_key_file_that_is_missing_or_no_public_key_is_refused() {
    let directory = directory();
    let path = directory.path().join("north.pem");
    refused(
        serve(&directory).arg("--embed-key").arg(&path),
        &["north.pem"],
    );
    for content in [
        "",
        "nonsense",
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    ] {
        std::fs::write(&path, content).unwrap();
        refused(
            serve(&directory).arg("--embed-key").arg(&path),
            &["north.pem"],
        );
    }
    std::fs::write(
        &path,
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n",
    )
    .unwrap();
    refused(
        serve(&directory).arg("--embed-key").arg(&path),
        &["private"],
    );
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let mut server = Server::demo();
    server.stop();
    let database = server.database();
    std::fs::write(
        &database,
        "this is not a database at all, but somebody's text ".repeat(100),
    )
    .unwrap();
    let before = std::fs::read(&database).unwrap();
    let mut again = program();
    again
        .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(server.data_dir());
    refused(&mut again, &[]);
    assert_eq!(std::fs::read(&database).unwrap(), before);
}

#[test]
fn a_database_of_a_newer_program_is_refused() {
    let mut server = Server::demo();
    server.stop();
    let database = rusqlite::Connection::open(server.database()).unwrap();
    database
        .execute("INSERT INTO refinery_schema_history (version, name, applied_on, checksum) VALUES (9999, 'future', '2030-01-01T00:00:00Z', '1')", [])
        .unwrap();
    drop(database);
    let mut again = program();
    again
        .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(server.data_dir());
    refused(&mut again, &["newer"]);
}

#[test]
fn bad_arguments_are_explained() {
    refused(program().arg("dance"), &["dance"]);
    refused(
        serve(&directory()).args(["--demo", "--base-url", "not a url"]),
        &["base"],
    );
    refused(
        program().args(["serve", "--demo", "--listen", "nowhere"]),
        &["listen"],
    );
}

#[test]
fn a_misspelt_setting_of_the_environment_is_refused_and_its_value_not_told() {
    let mut misspelt = serve(&directory());
    misspelt.arg("--demo").env("CHECKLIST_MAX_ITMES", "500");
    let said = refused(
        &mut misspelt,
        &["CHECKLIST_MAX_ITMES", "Did you mean CHECKLIST_MAX_ITEMS?"],
    );
    assert!(!said.contains("500"), "values may be secrets: {said}");
    // Other commands would use a folder that nobody meant.
    let mut backup = program();
    backup
        .args(["migrate"])
        .env("CHECKLIST_DATADIR", directory().path());
    refused(&mut backup, &["Did you mean CHECKLIST_DATA_DIR?"]);
}

#[test]
fn it_says_where_it_listens_and_that_it_is_ready() {
    let server = Server::demo();
    assert_eq!(server.http().get("/healthz").status, 200);
    assert!(server.http().get("/readyz").status == 200);
}

#[test]
fn a_polite_stop_is_a_success_and_leaves_one_clean_file() {
    let mut server = Server::demo();
    server.editor_on(&incident("1").for_purpose("x")).add("A");
    server.stop();
    let log = server.database().with_extension("sqlite3-wal");
    assert!(
        !log.exists() || std::fs::metadata(&log).unwrap().len() == 0,
        "the log was not written back"
    );
}

#[test]
fn a_stop_finishes_the_requests_in_flight() {
    let writers = promise::times(16, 200);
    let mut server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    // Two, because one alone may not have so many.
    let readers = ["Bob", "Bea"].map(|name| server.as_reader(name).on(&anna.place));
    let streams: Vec<_> = readers
        .iter()
        .flat_map(|reader| (0..promise::times(5, 50)).map(|_| reader.follow()))
        .collect();
    let (started, begun) = std::sync::mpsc::channel();
    let mut asked = Instant::now();
    let outcomes: Vec<Result<u16, String>> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..writers)
            .map(|writer| {
                let (anna, started) = (anna.clone(), started.clone());
                scope.spawn(move || {
                    let mut last = Ok(0);
                    for n in 0..1000 {
                        let body = json!({ "Context": anna.place.context(), "Items": [{ "Text": format!("{writer}-{n}"), "Kind": "Info" }] });
                        let request = checklist_tests::client::json(anna.request(reqwest::Method::POST, "AddItems"), &body);
                        let _ = started.send(());
                        last = checklist_tests::client::try_send(request)
                            .map(|answer| answer.status)
                            .map_err(|error| if error.is_connect() { "nobody there".to_owned() } else { format!("{error:?}") });
                        if last.is_err() {
                            break;
                        }
                    }
                    last
                })
            })
            .collect();
        for _ in 0..40 {
            begun.recv().unwrap();
        }
        asked = Instant::now();
        server.ask_to_stop();
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    });
    assert!(server.wait().success());
    let took = asked.elapsed();
    for stream in &streams {
        stream.up_to_end();
    }
    for outcome in outcomes {
        // A connection that was never accepted is refused; none may be cut off in the middle.
        match outcome {
            Ok(_) => {}
            Err(error) => assert_eq!(error, "nobody there"),
        }
    }
    let streams = streams.len();
    promise::held(
        "D4",
        format!(
            "{writers} callers and {streams} streams: ended after {took:.1?}, 0 answers truncated"
        ),
    );
}

#[test]
fn migrate_prepares_a_directory_and_may_be_run_again() {
    let directory = directory();
    for _ in 0..2 {
        let mut command = program();
        command
            .arg("migrate")
            .arg("--data-dir")
            .arg(directory.path().join("data"));
        let Ended { status, said } = Process::start(&mut command).ended();
        assert!(status.success(), "{said}");
    }
}

#[test]
fn an_address_that_is_free_again_is_taken_again() {
    let address = free_address();
    for _ in 0..2 {
        let directory = directory();
        let mut command = program();
        command
            .args(["serve", "--demo", "--listen", &address, "--data-dir"])
            .arg(directory.path().join("data"));
        let mut process = Process::start(&mut command);
        assert!(process.says("listening on http://").starts_with(&address));
        let http = checklist_tests::client::Http::to(&format!("http://{address}"));
        until("the health check", || {
            (http.get("/healthz").status == 200).then_some(())
        });
    }
}
