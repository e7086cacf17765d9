//! Starting on PostgreSQL: what the program refuses, and how it says so.
//!
//! Every refusal ends with a sentence, a hint and the exit code of its kind; no password is told.

use std::process::Command;

use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::{key_file, program};
use checklist_tests::{HostKey, Server, Setup, incident};
use tempfile::TempDir;

/// Runs the program and expects a refusal with that exit code, that speaks of these words.
#[track_caller]
fn refused(command: &mut Command, code: i32, words: &[&str]) {
    let Ended { status, said } = Process::start(command).ended();
    assert_eq!(status.code(), Some(code), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(
        !said.contains("hidden-secret"),
        "the password is told: {said}"
    );
    for word in words {
        assert!(said.contains(word), "nothing of {word:?} in: {said}");
    }
}

fn serve(directory: &TempDir, url: &str) -> Command {
    let mut command = program();
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--tenant", "north"])
        .arg("--data-dir")
        .arg(directory.path().join("data"))
        .arg("--embed-key")
        .arg(key_file(directory.path(), &HostKey::of("north")))
        .env("CHECKLIST_DATABASE_URL", url);
    command
}

fn url_of(server: &Server) -> String {
    server
        .postgres()
        .expect("the tests run on PostgreSQL")
        .url()
}

#[test]
fn a_database_that_does_not_answer_is_told_with_its_place() {
    let directory = TempDir::new().unwrap();
    let url = "postgres://me:hidden-secret@127.0.0.1:1/checklist";
    refused(&mut serve(&directory, url), 3, &["127.0.0.1:1", "hint:"]);
}

#[test]
fn a_url_of_something_else_and_one_that_cannot_be_read_are_refused_as_options() {
    let directory = TempDir::new().unwrap();
    for url in [
        "mysql://me:hidden-secret@db/x",
        "postgres://me:hidden-secret@db:port/x",
    ] {
        refused(&mut serve(&directory, url), 2, &["postgres://"]);
    }
}

#[test]
fn the_demo_does_not_share_a_database() {
    let server = Server::demo();
    let mut command = program();
    command
        .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
        .env("CHECKLIST_DATABASE_URL", url_of(&server));
    refused(&mut command, 2, &["--demo", "--database-url"]);
}

#[test]
fn a_database_that_is_not_there_is_told_with_the_way_to_make_it() {
    let directory = TempDir::new().unwrap();
    let server = Server::demo();
    let (base, _) = url_of(&server)
        .rsplit_once('/')
        .map(|(base, name)| (base.to_owned(), name.to_owned()))
        .unwrap();
    refused(
        &mut serve(&directory, &format!("{base}/nowhere_at_all")),
        3,
        &["nowhere_at_all", "CREATE DATABASE"],
    );
}

#[test]
fn a_database_of_a_newer_program_is_refused() {
    let directory = TempDir::new().unwrap();
    let mut server = Server::demo();
    server.stop();
    let database = server.postgres().unwrap();
    database.run(
        "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
         VALUES (9999, 'future', '2030-01-01T00:00:00Z', '1')",
    );
    refused(
        &mut serve(&directory, &database.url()),
        3,
        &["9999", "newer"],
    );
}

#[test]
fn migrate_prepares_a_database_and_may_be_run_again() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    for _ in 0..2 {
        let Ended { status, said } = server.run(&["migrate"]);
        assert!(status.success(), "{said}");
    }
    // A server that runs is not disturbed by it.
    server
        .editor_on(&incident("1").for_purpose("x"))
        .add("goes on");
}

#[test]
fn nothing_is_written_to_the_folder() {
    let server = Server::demo();
    server
        .editor_on(&incident("1").for_purpose("x"))
        .add("elsewhere");
    let made = std::fs::read_dir(server.data_dir()).map(Iterator::count);
    assert!(made.is_err() || made.is_ok_and(|files| files == 0));
}
