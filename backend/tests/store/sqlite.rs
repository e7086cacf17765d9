//! The store in one SQLite file: the conformance suite, and tests that need a file.
//!
//! Each test has a directory of its own, so that tests can run concurrently.

use std::io::Write as _;
use std::time::Duration;

use checklist_server::demo;
use checklist_services::{checklist, housekeeping};
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::write::{AddItems, WriteAnswer};
use checklist_store::sqlite::{DATABASE, OpenError, SqliteOptions, SqliteStore};
use checklist_store::store::StoreError;
use tempfile::TempDir;

use crate::conformance::queue::write;
use crate::conformance::{World, anna, body, incident, new, status};

fn open(options: &SqliteOptions) -> World {
    World::on(SqliteStore::open(options).expect("the store opens"))
}

async fn world() -> World {
    let directory = TempDir::new().expect("a directory");
    let mut world = world_in(&directory);
    world._keep = Box::new(directory);
    world
}

crate::conformance!(crate::sqlite::world);

fn world_in(directory: &TempDir) -> World {
    open(&SqliteOptions::new(directory.path().to_owned()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_cannot_be_read_does_not_stop_the_others() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    crate::conformance::isolation::prepare(&world).await;
    world.app.close().await.expect("closed");
    let change = |sql: &str| {
        let file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
        let changed = file.execute(sql, []).expect("changed");
        assert_eq!(changed, 1);
    };
    change(crate::conformance::isolation::SPOIL);
    let world = world_in(&directory);
    let mend = async || change(crate::conformance::isolation::MEND);
    crate::conformance::isolation::others_go_on(&world, mend).await;
    world.app.close().await.expect("closed");
}

#[tokio::test]
async fn people_of_an_older_layout_are_sorted_by_name_after_a_start() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let names = ["Ärne", "AXEL", "berta"];
    crate::conformance::directory::register(&world, &names).await;
    world.app.close().await.expect("closed");
    let file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
    let changed = file.execute("UPDATE person SET sort_name = NULL", []);
    assert_eq!(changed.expect("changed"), 3);
    let world = world_in(&directory);
    assert_eq!(crate::conformance::directory::names(&world).await, names);
    world.app.close().await.expect("closed");
}

#[tokio::test]
async fn everything_is_as_it_was_after_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let open = async || world_in(&directory);
    crate::conformance::restarting::everything_is_as_it_was_after_a_restart(open).await;
}

#[tokio::test]
async fn a_journal_entry_is_continued_after_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let mut asking = anna();
    asking.journal = true;
    let world = world_in(&directory);
    world.with_incidents().await;
    world.tick(&asking, &incident(), "Call back").await;
    world.app.close().await.expect("closed");
    let world = world_in(&directory);
    world.tick(&asking, &incident(), "Tell the team").await;
    let entries = world.journal(&anna(), 0).await;
    let told: Vec<_> = entries.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(told, ["2 checked, 2 of 5 done"]);
}

#[tokio::test]
async fn a_store_that_was_dropped_without_closing_has_lost_nothing() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    drop(world);
    let world = world_in(&directory);
    assert_eq!(world.read(&anna(), &incident()).await.counts.done, 1);
}

/// Adds three items, one operation each; returns the answers.
async fn three_additions(world: &World) -> Vec<WriteAnswer> {
    let mut answers = Vec::new();
    for operation in ["one", "two", "three"] {
        answers.push(addition(world, operation).await);
    }
    answers
}

async fn addition(world: &World, operation: &str) -> WriteAnswer {
    let request = AddItems {
        operation_id: Some(operation.to_owned()),
        ..AddItems::new(incident(), vec![new(operation)])
    };
    checklist::add_items(&world.app, &anna(), request, [7; 32])
        .await
        .expect("added")
}

#[tokio::test]
async fn a_repeat_is_recognised_after_a_restart_however_many_operations_came_after_it() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    let first = three_additions(&world).await;
    world.app.close().await.expect("closed");
    let world = world_in(&directory);
    assert_eq!(three_additions(&world).await, first);
    assert_eq!(world.read(&anna(), &incident()).await.revision, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_written_after_a_day_without_operations_and_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    addition(&world, "one").await;
    world.clock.advance_seconds(2 * 24 * 60 * 60);
    housekeeping::purge(&world.app).await.expect("purged");
    let two = addition(&world, "two").await;
    world.app.close().await.expect("closed");
    let world = world_in(&directory);
    // The list still names the purged operation; were its number given again, it would be linked to itself.
    let again = tokio::time::timeout(Duration::from_secs(30), addition(&world, "two")).await;
    assert_eq!(again.expect("an answer"), two);
}

#[tokio::test]
async fn a_failure_in_a_shared_transaction_leaves_what_the_others_have_done() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    // Submitted together, so that they probably share one transaction.
    let store = world.app.store();
    let (one, failing, two) = tokio::join!(
        addition(&world, "one"),
        store.write_list(write(Box::new(|_, _| panic!("on purpose")))),
        addition(&world, "two"),
    );
    assert!(matches!(failing, Err(StoreError::Broken(_))));
    assert_ne!(one.revision, two.revision);
    let list = world.read(&anna(), &incident()).await;
    assert_eq!(list.revision, 2);
    assert_eq!(addition(&world, "one").await, one);
}

/// An audit trail of five rows, tampered with by hand while the triggers are off.
async fn tampered(change: String) -> Option<u64> {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.tick(&anna(), &incident(), "Tell the team").await;
    world
        .add(
            &anna(),
            &incident(),
            Some("op"),
            vec![new("one"), new("two")],
        )
        .await
        .expect("added");
    world.app.close().await.expect("closed");
    let file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
    file.execute_batch("DROP TRIGGER audit_is_never_changed; DROP TRIGGER audit_is_never_deleted;")
        .expect("off");
    file.execute_batch(&change).expect("changed");
    drop(file);
    let world = world_in(&directory);
    world.broken().await.map(|broken| broken.sequence)
}

#[tokio::test]
async fn any_edit_of_any_column_of_the_audit_trail_is_found() {
    let hashes = ["zeroblob(32)", "x'00'"];
    crate::conformance::tampering::each_edit_is_found(hashes, tampered).await;
}

#[tokio::test]
async fn rows_that_were_taken_out_of_the_audit_trail_are_missed() {
    crate::conformance::tampering::missing_rows_are_found(tampered).await;
    let cases = [
        "PRAGMA foreign_keys = OFF; DELETE FROM audit; DELETE FROM checklist",
        "DELETE FROM audit; DROP TABLE audit_head; CREATE TABLE audit_head (tenant TEXT, sequence INTEGER)",
    ];
    for change in cases {
        assert_eq!(tampered(change.to_owned()).await, Some(1), "{change}");
    }
}

/// Alters the file as somebody who may write to all of it.
fn altered(directory: &TempDir, change: &str) {
    let file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
    file.execute_batch(
        "DROP TRIGGER IF EXISTS audit_is_never_changed; DROP TRIGGER IF EXISTS audit_is_never_deleted;
         DROP TRIGGER IF EXISTS audit_head_only_grows; DROP TRIGGER IF EXISTS audit_head_is_never_deleted;
         DROP TRIGGER IF EXISTS audit_tile_is_never_deleted;
         DROP TRIGGER IF EXISTS audit_checkpoint_is_never_changed;
         DROP TRIGGER IF EXISTS audit_checkpoint_is_never_deleted;",
    )
    .expect("off");
    file.execute_batch(change).expect("changed");
}

fn bytes(bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("x'{hex}'")
}

const TAIL: &str = "UPDATE audit_head SET sequence = 5 WHERE tenant = 'acme'";
const ALL: &str = "DELETE FROM audit_head WHERE tenant = 'acme'";

#[tokio::test]
async fn rows_that_were_hashed_anew_are_not_those_of_the_checkpoint() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let alter = async |change: String| altered(&directory, &change);
    crate::conformance::signed::rows_that_were_hashed_anew_are_not_those_of_the_checkpoint(
        &world, alter, bytes,
    )
    .await;
}

#[tokio::test]
async fn a_tail_with_everything_that_counts_it_is_missed_by_who_holds_a_checkpoint() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let alter = async |change: String| altered(&directory, &change);
    crate::conformance::signed::a_tail_with_everything_that_counts_it_is_missed_by_who_holds_a_checkpoint(&world, alter, TAIL).await;
}

#[tokio::test]
async fn all_rows_of_one_of_several_tenants_are_missed() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let alter = async |change: String| altered(&directory, &change);
    crate::conformance::signed::all_rows_of_one_of_several_tenants_are_missed(&world, alter, ALL)
        .await;
}

#[tokio::test]
async fn a_checkpoint_of_another_key_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let alter = async |change: String| altered(&directory, &change);
    crate::conformance::signed::a_checkpoint_of_another_key_is_refused(&world, alter).await;
}

#[tokio::test]
async fn an_old_checkpoint_finds_a_forked_tree_whoever_has_signed_it() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let alter = async |change: String| altered(&directory, &change);
    crate::conformance::signed::an_old_checkpoint_finds_a_forked_tree_whoever_has_signed_it(
        &world, alter, bytes,
    )
    .await;
}

#[tokio::test]
async fn values_that_were_deleted_leave_a_trail_that_verifies() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    let alter = async |change: String| altered(&directory, &change);
    crate::conformance::signed::values_that_were_deleted_leave_a_trail_that_verifies(
        &world, alter, bytes,
    )
    .await;
}

#[tokio::test]
async fn the_file_itself_refuses_changes_of_the_audit_trail_and_of_published_templates() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.app.close().await.expect("closed");
    let file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
    for change in [
        "UPDATE audit SET at = 0",
        "DELETE FROM audit",
        "DELETE FROM audit_head",
        "UPDATE template_version SET document = '{}'",
    ] {
        assert!(file.execute(change, []).is_err(), "{change}");
    }
}

#[tokio::test]
async fn a_second_server_on_the_same_directory_is_told_who_has_it() {
    let directory = TempDir::new().expect("a directory");
    let _first = world_in(&directory);
    let refused = SqliteStore::open(&SqliteOptions::new(directory.path().to_owned()))
        .err()
        .expect("refused");
    assert!(
        matches!(refused, OpenError::InUse { process: Some(id), .. } if id == std::process::id()),
        "{refused}"
    );
}

#[test]
fn a_directory_that_cannot_be_made_is_told() {
    let directory = TempDir::new().expect("a directory");
    let file = directory.path().join("file");
    std::fs::write(&file, "no directory").expect("written");
    let refused = SqliteStore::open(&SqliteOptions::new(file.join("data")))
        .err()
        .expect("refused");
    assert!(matches!(refused, OpenError::Unwritable { .. }), "{refused}");
}

#[test]
fn a_demonstration_and_a_real_database_are_kept_apart() {
    for made_as_demo in [true, false] {
        let directory = TempDir::new().expect("a directory");
        let options = |demo| SqliteOptions {
            demo,
            ..SqliteOptions::new(directory.path().to_owned())
        };
        drop(SqliteStore::open(&options(made_as_demo)).expect("made"));
        let refused = SqliteStore::open(&options(!made_as_demo))
            .err()
            .expect("refused");
        match refused {
            OpenError::IsDemo { .. } => assert!(made_as_demo),
            OpenError::IsNotDemo { .. } => assert!(!made_as_demo),
            other => panic!("{other}"),
        }
        SqliteStore::open(&options(made_as_demo)).expect("opened again");
    }
}

#[test]
fn a_newer_layout_and_a_broken_file_are_told_apart() {
    let directory = TempDir::new().expect("a directory");
    let options = SqliteOptions::new(directory.path().to_owned());
    drop(SqliteStore::open(&options).expect("made"));
    let path = directory.path().join(DATABASE);
    let file = rusqlite::Connection::open(&path).expect("the file");
    file.execute(
        "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) VALUES (99, 'later', '', '1')",
        [],
    )
    .expect("pretended");
    drop(file);
    let refused = SqliteStore::open(&options).err().expect("refused");
    assert!(
        matches!(refused, OpenError::Newer { found: 99, .. }),
        "{refused}"
    );
    std::fs::write(
        &path,
        "this is not a database, however long one looks at it".repeat(100),
    )
    .expect("written");
    for beside in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(directory.path().join(format!("{DATABASE}{beside}")));
    }
    let refused = SqliteStore::open(&options).err().expect("refused");
    assert!(matches!(refused, OpenError::Corrupt { .. }), "{refused}");
}

#[test]
fn a_start_on_a_full_disk_is_told_as_such_and_leaves_what_a_later_start_completes() {
    for pages in (4..).step_by(3) {
        let directory = TempDir::new().expect("a directory");
        let options = SqliteOptions {
            max_pages: Some(pages),
            ..SqliteOptions::new(directory.path().to_owned())
        };
        match SqliteStore::open(&options) {
            Ok(_) => {
                assert!(pages > 20, "there was room all the time");
                return;
            }
            Err(OpenError::Full { .. }) => {}
            Err(error) => panic!("{pages} pages: {error}"),
        }
        let room = SqliteOptions::new(directory.path().to_owned());
        let opened = SqliteStore::open(&room);
        assert!(opened.is_ok(), "{pages} pages: {:?}", opened.err());
    }
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the file for figures is named there"
)]
async fn when_the_disk_is_full_nothing_is_half_done_reading_goes_on_and_room_is_enough_to_recover()
{
    let directory = TempDir::new().expect("a directory");
    let options = SqliteOptions {
        max_pages: Some(120),
        ..SqliteOptions::new(directory.path().to_owned())
    };
    let world = open(&options);
    let list = |index: usize| Context::new("note", &index.to_string(), "");
    let batch = || {
        (0..10)
            .map(|index| new(&format!("item {index} {}", "x".repeat(200))))
            .collect::<Vec<_>>()
    };
    let mut full = None;
    for index in 0..500 {
        let operation = format!("op {index}");
        match world
            .add(&anna(), &list(index), Some(&operation), batch())
            .await
        {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(
                    (error.code(), error.problem.status),
                    (ProblemCode::StorageFull, 507)
                );
                full = Some(index);
                break;
            }
        }
    }
    let full = full.expect("the disk was never full");
    let refused = world.read(&anna(), &list(full)).await;
    assert_eq!(
        (refused.revision, refused.counts.total),
        (0, 0),
        "half a batch was stored"
    );
    assert_eq!(world.read(&anna(), &list(0)).await.counts.total, 10);
    let rows = world.audit(&crate::conformance::admin()).await;
    assert!(
        rows.iter()
            .all(|row| row.context.as_ref().expect("a list").object_id != full.to_string())
    );
    // The purge of expired idempotency records makes room, without a restart.
    world.clock.advance_seconds(25 * 60 * 60);
    housekeeping::purge(&world.app).await.expect("purged");
    world
        .add(&anna(), &list(full), None, batch())
        .await
        .expect("there is room again");
    assert_eq!(world.broken().await, None);
    // For `cargo xtask trust`, which collects the figures.
    if let Some(path) = std::env::var_os("CHECKLIST_TRUST_FIGURES") {
        let line = format!(
            "D3\tthe disk was full after {full} lists: 507, 0 half batches, reads went on, written again without a restart\n"
        );
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .expect("the figure is written down");
    }
}

/// The threads that decide a call on that list, in a server that was just started.
async fn deciding_threads(directory: &TempDir) -> Vec<String> {
    let world = world_in(directory);
    let (tell, told) = std::sync::mpsc::channel();
    let noted = write(Box::new(move |_, _| {
        let name = std::thread::current().name().unwrap_or("").to_owned();
        tell.send(name).expect("told");
        Err(checklist_store::error::ServiceError::new(
            ProblemCode::Locked,
            "only looking",
        ))
    }));
    let refused = world.app.store().write_list(noted).await.expect("answered");
    assert!(refused.is_err());
    world.app.close().await.expect("closed");
    told.try_iter().collect()
}

#[tokio::test]
async fn a_list_that_memory_does_not_hold_is_read_and_decided_by_a_reader_and_not_by_the_only_writer()
 {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.app.close().await.expect("closed");
    drop(world);
    assert_eq!(deciding_threads(&directory).await, ["sqlite-reader"]);
}

#[tokio::test]
async fn the_demo_is_seeded_once_and_shows_every_case_of_a_refresh() {
    let directory = TempDir::new().expect("a directory");
    let world = open(&SqliteOptions {
        demo: true,
        ..SqliteOptions::new(directory.path().to_owned())
    });
    demo::seed(&world.app, None).await.expect("seeded");
    demo::seed(&world.app, None).await.expect("seeded again");
    let mut visitor = crate::conformance::admin();
    visitor.tenant = checklist_auth::demo::TENANT.to_owned();
    let count = async |context: &Context| world.read(&visitor, context).await.counts.total;
    assert_eq!(count(&Context::new("task", "T-1", "")).await, 40);
    assert!(count(&incident()).await > 5);
    assert!(count(&Context::new("incident", "INC-1", "handover-demo")).await > 3);

    let server = Context::new("asset", "SRV-1", "");
    let refresh = |to_version| checklist_shared::wire::write::RefreshItems {
        language: None,
        context: server.clone(),
        to_version,
        dry_run: false,
        expected_revision: None,
        operation_id: None,
        log_in_journal: None,
    };
    checklist::refresh_items(&world.app, &visitor, refresh(Some(1)), body())
        .await
        .expect("at version 1");
    let id = |key: &str| checklist_shared::ItemId::projected(&server, key);
    let mut not_applicable = status(id("licences"), Status::NotApplicable);
    not_applicable.reason = checklist_shared::patch::Patch::Set("free software".into());
    let mut reworded = checklist_shared::wire::write::UpdateItem::of(id("wait"));
    reworded.base_version = Some(1);
    reworded.text = checklist_shared::patch::Patch::Set("Leave it off over the holidays".into());
    let mut changes: Vec<_> = ["owner", "dependencies", "announce", "label"]
        .map(|key| status(id(key), Status::Done))
        .into();
    changes.extend([not_applicable, reworded]);
    let answer = world
        .update(&visitor, &server, None, changes)
        .await
        .expect("changed");
    assert!(
        answer.results.iter().all(|result| result.problem.is_none()),
        "{:?}",
        answer.results
    );
    world
        .delete(&visitor, &server, None, vec![id("firewall")])
        .await
        .expect("deleted");
    let done = checklist::refresh_items(&world.app, &visitor, refresh(None), body())
        .await
        .expect("refreshed");
    let told: std::collections::HashSet<_> = done
        .changes
        .unwrap_or_default()
        .into_iter()
        .map(|change| change.case)
        .collect();
    use checklist_shared::wire::write::RefreshCase as Case;
    for case in [
        Case::Added,
        Case::Updated,
        Case::ChangedSinceChecked,
        Case::Reopened,
        Case::TextKept,
        Case::Removed,
        Case::Retired,
        Case::NotApplicableNoLongerAllowed,
        Case::Resurrected,
        Case::Moved,
    ] {
        assert!(told.contains(&case), "{case:?} is missing in {told:?}");
    }
}

mod of_this_version {
    refinery::embed_migrations!("store/migrations/sqlite");
}

/// The migrations of a later version: the present ones and one more.
fn with_a_file_added() -> refinery::Runner {
    let mut files = of_this_version::migrations::runner()
        .get_migrations()
        .clone();
    let added = "CREATE TABLE later (tenant TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO later SELECT DISTINCT tenant FROM checklist;";
    files.push(refinery::Migration::unapplied("V99__later", added).expect("a migration"));
    refinery::Runner::new(&files)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_added_to_the_folder_runs_once_and_leaves_what_was_written() {
    let directory = TempDir::new().expect("a directory");
    let world = world_in(&directory);
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let before = world.read(&anna(), &incident()).await;
    world.app.close().await.expect("closed");
    let mut file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
    let ran: Vec<_> = (0..2)
        .map(|_| {
            let report = with_a_file_added().run(&mut file).expect("migrated");
            let applied = report.applied_migrations().iter();
            applied
                .map(refinery::Migration::version)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(ran, [vec![99], vec![]]);
    let options = SqliteOptions::new(directory.path().to_owned());
    let refused = SqliteStore::open(&options).err().expect("refused");
    assert!(
        matches!(refused, OpenError::Newer { found: 99, .. }),
        "{refused}"
    );
    file.execute("DELETE FROM refinery_schema_history WHERE version = 99", [])
        .expect("taken back");
    drop(file);
    let world = world_in(&directory);
    assert_eq!(world.read(&anna(), &incident()).await, before);
}

#[test]
fn an_upgrade_announces_nothing_that_is_overdue_already() {
    let mut file = rusqlite::Connection::open_in_memory().expect("a file");
    let runner = of_this_version::migrations::runner();
    let before = runner.set_target(refinery::Target::Version(8));
    before.run(&mut file).expect("migrated");
    // The lists are not needed.
    let items = crate::conformance::due_items::open_items("x'01'");
    let written = format!("PRAGMA foreign_keys = OFF; {items}");
    file.execute_batch(&written).expect("written");
    let runner = of_this_version::migrations::runner();
    runner.run(&mut file).expect("migrated");
    let rows = |sql: &str| -> Vec<i64> {
        let mut statement = file.prepare(sql).expect("a statement");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("numbers")
    };
    let announced = rows("SELECT checklist FROM due_announcement WHERE overdue = 1");
    let waiting = rows("SELECT checklist FROM due_item WHERE look_at = due + 1");
    assert_eq!((announced, waiting), (vec![1], vec![2]));
}

#[test]
fn an_upgrade_sweeps_open_items_from_the_end_of_the_trail() {
    let mut file = rusqlite::Connection::open_in_memory().expect("a file");
    let runner = of_this_version::migrations::runner();
    let before = runner.set_target(refinery::Target::Version(17));
    before.run(&mut file).expect("migrated");
    let written = file.execute("INSERT INTO audit_head VALUES ('acme', 7)", []);
    written.expect("written");
    let runner = of_this_version::migrations::runner();
    runner.run(&mut file).expect("migrated");
    let sql = "SELECT sequence FROM open_item_sweep WHERE tenant = 'acme'";
    let position: i64 = file
        .query_row(sql, [], |row| row.get(0))
        .expect("a position");
    assert_eq!(position, 7);
}

#[test]
fn the_tenant_stands_first_in_every_key_and_index() {
    const ROW: &str =
        "the number that SQLite gives a row, which is appended; a file is never spread";
    let directory = TempDir::new().expect("a directory");
    drop(SqliteStore::open(&SqliteOptions::new(directory.path().to_owned())).expect("made"));
    let file = rusqlite::Connection::open(directory.path().join(DATABASE)).expect("the file");
    let mut statement = file
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND c.pk = 1
             UNION
             SELECT t.name, coalesce(c.name, '') FROM sqlite_schema t, pragma_index_list(t.name) i,
                 pragma_index_info(i.name) c
             WHERE t.type = 'table' AND c.seqno = 0",
        )
        .expect("a statement");
    let keys: Vec<crate::tenant_first::Key> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("the schema")
        .collect::<Result<_, _>>()
        .expect("the keys");
    crate::tenant_first::assert_all_begin_with_the_tenant(
        &keys,
        &[
            ("meta", "key", "facts of the whole file"),
            ("checklist", "number", ROW),
            ("operation", "number", ROW),
        ],
    );
}
