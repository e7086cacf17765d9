//! Whatever happens to the database and to its WAL, after each step the replica is the same, as
//! SQLite itself reads it.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;

struct World {
    folder: TempDir,
    writer: Connection,
    /// The next value.
    next: u64,
}

impl World {
    fn begin() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("source")).unwrap();
        let writer = Connection::open(folder.path().join("source").join(DATABASE)).unwrap();
        writer
            .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
            .unwrap();
        // As in the server, somebody else decides when.
        writer
            .execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
            .unwrap();
        // The summary of a copy counts these.
        writer
            .execute_batch(
                "CREATE TABLE page (number INTEGER PRIMARY KEY, content BLOB);
                 CREATE TABLE checklist (a); CREATE TABLE audit (a)",
            )
            .unwrap();
        Self {
            folder,
            writer,
            next: 1,
        }
    }

    fn replica(&self) -> Replica {
        let place = |name: &str| self.folder.path().join(name);
        Replica::open(&place("source"), &place("replica")).unwrap()
    }

    /// So many transactions, which change new and old pages.
    fn write(&mut self, transactions: u64) {
        for _ in 0..transactions {
            let sql = "INSERT INTO page (content) VALUES (randomblob(3000))";
            self.writer.execute(sql, []).unwrap();
            let sql = "UPDATE page SET content = randomblob(2000) WHERE number = 1 + ?1 % 7";
            self.writer.execute(sql, [self.next.cast_signed()]).unwrap();
            self.next += 1;
        }
    }

    fn run(&self, sql: &str) {
        self.writer.execute_batch(sql).unwrap();
    }

    /// What a reader of a copy of the replica sees, which SQLite finds no fault with.
    #[track_caller]
    fn is_same(&self) {
        let copy = self.folder.path().join("copy");
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir(&copy).unwrap();
        for end in ["", "-wal"] {
            let name = format!("{DATABASE}{end}");
            let from = self.folder.path().join("replica").join(&name);
            if from.exists() {
                fs::copy(from, copy.join(&name)).unwrap();
            }
        }
        let copy = Connection::open(copy.join(DATABASE)).unwrap();
        let check: String = copy
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(check, "ok");
        assert_eq!(content(&copy), content(&self.writer));
    }
}

fn content(connection: &Connection) -> Vec<(i64, Vec<u8>)> {
    let mut rows = connection
        .prepare("SELECT number, content FROM page ORDER BY number")
        .unwrap();
    let rows = rows
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

const PASSIVE: &str = "PRAGMA wal_checkpoint(PASSIVE)";

#[test]
fn commits_are_followed_page_by_page() {
    let mut world = World::begin();
    world.write(50);
    let mut replica = world.replica();
    assert!(matches!(replica.step(), Ok(Step::Compared(_))));
    world.is_same();
    assert!(matches!(replica.step(), Ok(Step::Unchanged)));
    for _ in 0..5 {
        world.write(3);
        assert!(matches!(replica.step(), Ok(Step::Followed(1..=20))));
        world.is_same();
    }
}

#[test]
fn a_wal_that_begins_anew_is_followed_without_comparing() {
    let mut world = World::begin();
    world.write(20);
    let mut replica = world.replica();
    replica.step().unwrap();
    let mut anew = 0;
    for _ in 0..20 {
        world.write(2);
        assert!(matches!(replica.step(), Ok(Step::Followed(_))));
        // All of it, so that the next reader needs no WAL and the next writer begins anew.
        world.run(PASSIVE);
        assert!(matches!(replica.step(), Ok(Step::Unchanged)));
        let ReadTo::Position(before) = replica.read_to else {
            panic!("no position")
        };
        world.write(1);
        assert!(matches!(replica.step(), Ok(Step::Followed(_))));
        let ReadTo::Position(after) = replica.read_to else {
            panic!("no position")
        };
        anew += usize::from(after.frames < before.frames);
        world.is_same();
    }
    assert!(anew > 10, "the WAL began anew {anew} times");
}

#[test]
fn what_is_checkpointed_between_two_steps_is_not_missed() {
    let mut world = World::begin();
    let mut replica = world.replica();
    replica.step().unwrap();
    for round in 0..40 {
        world.write(1 + round % 4);
        world.run(PASSIVE);
        world.write(round % 3);
        world.run(PASSIVE);
        world.write(1);
        assert!(!matches!(replica.step(), Ok(Step::Compared(_))));
        world.is_same();
    }
}

#[test]
fn a_database_that_shrinks_and_a_wal_that_goes_away_are_followed() {
    let mut world = World::begin();
    world.write(100);
    let mut replica = world.replica();
    replica.step().unwrap();
    world.run("DELETE FROM page WHERE number > 10; VACUUM");
    replica.step().unwrap();
    world.is_same();
    world.run(PASSIVE);
    replica.step().unwrap();
    world.run("PRAGMA wal_checkpoint(TRUNCATE)");
    assert!(matches!(replica.step(), Ok(Step::Unchanged)));
    world.is_same();
    world.write(2);
    assert!(matches!(replica.step(), Ok(Step::Followed(_))));
    world.is_same();
}

#[test]
fn after_a_break_all_pages_are_compared_and_only_different_ones_written() {
    let mut world = World::begin();
    world.write(200);
    let mut replica = world.replica();
    replica.step().unwrap();
    drop(replica);
    world.write(3);
    world.run("PRAGMA wal_checkpoint(TRUNCATE)");
    world.write(3);
    let mut replica = world.replica();
    assert!(matches!(replica.step(), Ok(Step::Compared(1..=30))));
    world.is_same();
    world.write(1);
    assert!(matches!(replica.step(), Ok(Step::Followed(_))));
    world.is_same();
}

#[test]
fn a_transaction_that_was_not_written_to_its_end_is_not_there() {
    let mut world = World::begin();
    world.write(20);
    let mut replica = world.replica();
    replica.step().unwrap();
    world.write(1);
    replica.step().unwrap();
    world.is_same();
    let wal = world
        .folder
        .path()
        .join("replica")
        .join(format!("{DATABASE}-wal"));
    let whole = fs::metadata(&wal).unwrap().len();
    let before = content(&world.writer);
    world.write(5);
    replica.step().unwrap();
    drop(replica);
    // As if the process had been killed in the middle of it.
    let torn = File::options().write(true).open(&wal).unwrap();
    let length = torn.metadata().unwrap().len();
    torn.set_len(whole + (length - whole) / 2).unwrap();
    let reader = Connection::open(Path::new(&wal).with_file_name(DATABASE)).unwrap();
    assert_eq!(content(&reader), before);
    drop(reader);
    let mut replica = world.replica();
    replica.step().unwrap();
    world.is_same();
}

#[test]
fn a_folder_with_another_database_is_not_written_over() {
    let world = World::begin();
    let other = world.folder.path().join("replica");
    fs::create_dir(&other).unwrap();
    fs::write(other.join(DATABASE), "something else").unwrap();
    let refused = Replica::open(&world.folder.path().join("source"), &other);
    assert!(matches!(refused.err(), Some(BackupError::Occupied(_))));
}
