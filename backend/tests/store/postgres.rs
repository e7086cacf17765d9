//! The store in PostgreSQL: the conformance suite, and tests that need PostgreSQL or several nodes.
//!
//! Each test has a database of its own, so that tests can run concurrently.

mod scratch;
mod wake_up;

use std::collections::BTreeMap;
use std::sync::Arc;

use checklist_services::checklist::GetItemsAnswer;
use checklist_services::{audit, checklist, housekeeping, open_item_sweep};
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::admin::Class;
use checklist_shared::wire::list::{GetItems, ListResult};
use checklist_shared::wire::write::AddItems;
use checklist_store::postgres::{OpenError, PostgresOptions, PostgresStore};

use crate::conformance::{World, admin, anna, ben, body, incident, new, status};
use scratch::{Database, ROLE};

fn options(database: &Database) -> PostgresOptions {
    PostgresOptions {
        connections: 4,
        ..PostgresOptions::new(database.server_url())
    }
}

/// One more server on that database.
async fn node(database: &Database) -> World {
    let store = PostgresStore::open(&options(database)).await;
    World::on(store.expect("the store opens"))
}

/// A database with the tables, and nothing in them: making these takes longer than most tests.
async fn migrated() -> Database {
    Database::copy_of("store", async || {
        let database = Database::new().await;
        node(&database).await.app.close().await.expect("closed");
        database
    })
    .await
}

async fn world() -> World {
    let database = migrated().await;
    let mut world = node(&database).await;
    world._keep = Box::new(database);
    world
}

crate::conformance!(crate::postgres::world);

async fn refused(options: &PostgresOptions) -> OpenError {
    match PostgresStore::open(options).await {
        Ok(_) => panic!("the store opened"),
        Err(error) => error,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_cannot_be_read_does_not_stop_the_others() {
    let database = migrated().await;
    let world = node(&database).await;
    crate::conformance::isolation::prepare(&world).await;
    world.app.close().await.expect("closed");
    let administrator = database.administrator().await;
    let change = async |sql: &str| {
        let changed = administrator.execute(sql, &[]).await.expect("changed");
        assert_eq!(changed, 1);
    };
    change(crate::conformance::isolation::SPOIL).await;
    let world = node(&database).await;
    let mend = async || change(crate::conformance::isolation::MEND).await;
    crate::conformance::isolation::others_go_on(&world, mend).await;
    world.app.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_of_an_older_layout_are_sorted_by_name_after_a_start() {
    let database = migrated().await;
    let world = node(&database).await;
    let names = ["Ärne", "AXEL", "berta"];
    crate::conformance::directory::register(&world, &names).await;
    world.app.close().await.expect("closed");
    let administrator = database.administrator().await;
    let changed = administrator.execute("UPDATE person SET sort_name = NULL", &[]);
    assert_eq!(changed.await.expect("changed"), 3);
    let world = node(&database).await;
    assert_eq!(crate::conformance::directory::names(&world).await, names);
    world.app.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_as_it_was_after_a_restart() {
    let database = migrated().await;
    let open = async || node(&database).await;
    crate::conformance::restarting::everything_is_as_it_was_after_a_restart(open).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_entry_is_continued_by_another_node() {
    let database = Database::new().await;
    let mut asking = anna();
    asking.journal = true;
    let (one, other) = (node(&database).await, node(&database).await);
    one.with_incidents().await;
    one.tick(&asking, &incident(), "Call back").await;
    other.tick(&asking, &incident(), "Tell the team").await;
    let entries = one.journal(&anna(), 0).await;
    let told: Vec<_> = entries.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(told, ["2 checked, 2 of 5 done"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_writes_the_other_reads_in_the_next_moment() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    one.with_incidents().await;
    for (revision, text) in ["Call back", "Write it down", "Tell the team", "Tidy up"]
        .into_iter()
        .enumerate()
    {
        let (writer, reader) = if revision % 2 == 0 {
            (&one, &other)
        } else {
            (&other, &one)
        };
        writer.tick(&anna(), &incident(), text).await;
        let list = reader.read(&ben(), &incident()).await;
        assert_eq!(list.revision, revision as u64 + 1);
        assert_eq!(list.counts.done, revision as u32 + 1);
    }
}

/// Lists as one node may have them in memory: current, changed by another node, not read, not written.
async fn cached_outdated_unread_and_unwritten(
    one: &World,
    other: &World,
    round: u32,
) -> Vec<Context> {
    let contexts: Vec<Context> = ["cached", "outdated", "unread", "unwritten"]
        .iter()
        .map(|name| Context::new("incident", &format!("{name} {round}"), ""))
        .collect();
    for context in &contexts[..2] {
        one.tick(&anna(), context, "Call back").await;
    }
    for context in &contexts[1..3] {
        other.tick(&anna(), context, "Write it down").await;
    }
    contexts
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_that_are_read_at_once_are_current_however_memory_has_them() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    one.with_incidents().await;
    let mut contexts = cached_outdated_unread_and_unwritten(&one, &other, 0).await;
    contexts.reverse();
    let request = GetItems {
        contexts: Some(contexts),
        ..GetItems::default()
    };
    let GetItemsAnswer::Many(answers) = one.ask(&ben(), request).await.expect("answers") else {
        panic!()
    };
    let found: Vec<_> = answers
        .results
        .iter()
        .map(|result| match result {
            ListResult::List(list) => (list.context.object_id.as_str(), list.counts.done),
            ListResult::Problem(problem) => panic!("{problem:?}"),
        })
        .collect();
    let expected = [
        ("unwritten 0", 0),
        ("unread 0", 1),
        ("outdated 0", 2),
        ("cached 0", 1),
    ];
    assert_eq!(found, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_that_are_ticked_at_once_keep_every_tick_however_memory_has_them() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    one.with_incidents().await;
    for round in 0..10 {
        let contexts = cached_outdated_unread_and_unwritten(&one, &other, round).await;
        let caller = anna();
        let mut ticks = Vec::new();
        for context in contexts.iter().rev() {
            // On this node, looking for the item would read the list.
            let id = other.item(context, "Tidy up").await.id;
            let tick = vec![status(id, Status::Done)];
            ticks.push(one.update(&caller, context, None, tick));
        }
        // The first is a batch, and those that come meanwhile are the next.
        for ticked in futures_util::future::join_all(ticks).await {
            ticked.expect("ticked");
        }
        for (context, done) in contexts.iter().zip([2, 3, 2, 1]) {
            let list = other.read(&ben(), context).await;
            assert_eq!(
                (list.revision, list.counts.done),
                (u64::from(done), done),
                "{context:?}"
            );
        }
    }
    assert_eq!(other.broken().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_added_on_one_node_works_at_once_on_the_other() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    let mut asking = anna();
    asking.journal = true;
    one.with_incidents().await;
    one.put_type("incident", &[Class::ChecklistItem], &[("", "five")])
        .await;
    let silent = other.tick(&asking, &incident(), "Call back").await;
    assert!(!silent.journal.written);
    one.with_incidents().await;
    let told = other.tick(&asking, &incident(), "Tidy up").await;
    assert!(told.journal.written, "{:?}", told.journal);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_operation_on_two_nodes_at_once_has_one_effect_and_one_answer() {
    let database = Database::new().await;
    let nodes = [node(&database).await, node(&database).await];
    nodes[0].with_incidents().await;
    let hash = body();
    for round in 0..20 {
        // In even rounds the list has no row yet, in odd ones it has.
        let context = Context::new("incident", &format!("INC-{}", round / 2), "");
        let ask = |node: usize| {
            let request = AddItems {
                operation_id: Some(format!("op {round}")),
                ..AddItems::new(context.clone(), vec![new("once")])
            };
            let app = nodes[node].app.clone();
            tokio::spawn(async move { checklist::add_items(&app, &anna(), request, hash).await })
        };
        let asked = [ask(0), ask(1), ask(0), ask(1)];
        let mut answers = Vec::new();
        for one in asked {
            answers.push(one.await.expect("ran").expect("added"));
        }
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
        let list = nodes[1].read(&ben(), &context).await;
        assert_eq!(list.revision, round % 2 + 1);
    }
    assert_eq!(nodes[0].broken().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_on_two_nodes_leave_one_chain_and_every_change() {
    let database = Database::new().await;
    let nodes = [node(&database).await, node(&database).await];
    let mut writers = Vec::new();
    for writer in 0..8 {
        let app = nodes[writer % 2].app.clone();
        writers.push(tokio::spawn(async move {
            for round in 0..25 {
                let request = AddItems::new(
                    Context::new("note", &(round % 3).to_string(), ""),
                    vec![new(&format!("{writer} {round}"))],
                );
                checklist::add_items(&app, &anna(), request, body())
                    .await
                    .expect("added");
            }
        }));
    }
    for writer in writers {
        writer.await.expect("ran");
    }
    let mut items = 0;
    for object in 0..3 {
        let list = nodes[0]
            .read(&ben(), &Context::new("note", &object.to_string(), ""))
            .await;
        assert_eq!(list.revision, u64::from(list.counts.total));
        items += list.counts.total;
    }
    assert_eq!(items, 8 * 25);
    assert_eq!(nodes[1].broken().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_purge_took_away_no_node_remembers() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    one.with_incidents().await;
    let id = one.item(&incident(), "Call back").await.id;
    one.delete(&anna(), &incident(), None, vec![id])
        .await
        .expect("deleted");
    let revision = other.read(&ben(), &incident()).await.revision;
    one.clock.advance_seconds(31 * 24 * 60 * 60);
    housekeeping::purge(&one.app).await.expect("purged");
    let changes = other
        .read_since(&ben(), &incident(), Some(revision - 1))
        .await
        .expect("a list");
    assert_eq!(
        changes.items.map(|items| items.len()),
        Some(5),
        "whoever holds an older revision reads the whole list"
    );
}

/// An audit trail of five rows, tampered with while the triggers are off.
async fn tampered(change: String) -> Option<u64> {
    let database = migrated().await;
    let world = node(&database).await;
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.tick(&anna(), &incident(), "Tell the team").await;
    let two = vec![new("one"), new("two")];
    world
        .add(&anna(), &incident(), Some("op"), two)
        .await
        .expect("added");
    let administrator = database.administrator().await;
    // Partitions have a trigger of their own against emptying.
    let sql = format!(
        "DO $$ DECLARE guard record; BEGIN \
             FOR guard IN SELECT tgname, tgrelid::regclass AS guarded FROM pg_trigger \
                 WHERE tgname IN ('audit_is_never_changed', 'audit_is_never_emptied') AND tgparentid = 0 \
             LOOP EXECUTE format('DROP TRIGGER %I ON %s', guard.tgname, guard.guarded); END LOOP; \
         END $$; {change}"
    );
    administrator.batch_execute(&sql).await.expect("changed");
    world.broken().await.map(|broken| broken.sequence)
}

#[tokio::test(flavor = "multi_thread")]
async fn any_edit_of_any_column_of_the_audit_trail_is_found() {
    let hashes = ["decode(repeat('00', 32), 'hex')", "'\\x00'"];
    crate::conformance::tampering::each_edit_is_found(hashes, tampered).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_were_taken_out_of_the_audit_trail_are_missed() {
    crate::conformance::tampering::missing_rows_are_found(tampered).await;
    for change in ["TRUNCATE audit", "TRUNCATE audit; DELETE FROM log_head"] {
        assert_eq!(tampered(change.to_owned()).await, Some(1), "{change}");
    }
}

/// Alters the database as somebody who may write to all of it.
async fn altered(database: &Database, change: &str) {
    let administrator = database.administrator().await;
    let sql = format!(
        "ALTER TABLE audit DISABLE TRIGGER ALL; ALTER TABLE audit_tile DISABLE TRIGGER ALL; \
         ALTER TABLE audit_checkpoint DISABLE TRIGGER ALL; {change}"
    );
    administrator.batch_execute(&sql).await.expect("changed");
}

fn bytes(bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("decode('{hex}', 'hex')")
}

const TAIL: &str = "UPDATE log_head SET audit_sequence = 5 WHERE tenant = 'acme'";
const ALL: &str = "DELETE FROM log_head WHERE tenant = 'acme'";

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_were_hashed_anew_are_not_those_of_the_checkpoint() {
    let database = migrated().await;
    let world = node(&database).await;
    let alter = async |change: String| altered(&database, &change).await;
    crate::conformance::signed::rows_that_were_hashed_anew_are_not_those_of_the_checkpoint(
        &world, alter, bytes,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tail_with_everything_that_counts_it_is_missed_by_who_holds_a_checkpoint() {
    let database = migrated().await;
    let world = node(&database).await;
    let alter = async |change: String| altered(&database, &change).await;
    crate::conformance::signed::a_tail_with_everything_that_counts_it_is_missed_by_who_holds_a_checkpoint(&world, alter, TAIL).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_rows_of_one_of_several_tenants_are_missed() {
    let database = migrated().await;
    let world = node(&database).await;
    let alter = async |change: String| altered(&database, &change).await;
    crate::conformance::signed::all_rows_of_one_of_several_tenants_are_missed(&world, alter, ALL)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_of_another_key_is_refused() {
    let database = migrated().await;
    let world = node(&database).await;
    let alter = async |change: String| altered(&database, &change).await;
    crate::conformance::signed::a_checkpoint_of_another_key_is_refused(&world, alter).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_checkpoint_finds_a_forked_tree_whoever_has_signed_it() {
    let database = migrated().await;
    let world = node(&database).await;
    let alter = async |change: String| altered(&database, &change).await;
    crate::conformance::signed::an_old_checkpoint_finds_a_forked_tree_whoever_has_signed_it(
        &world, alter, bytes,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_were_deleted_leave_a_trail_that_verifies() {
    let database = migrated().await;
    let world = node(&database).await;
    let alter = async |change: String| altered(&database, &change).await;
    crate::conformance::signed::values_that_were_deleted_leave_a_trail_that_verifies(
        &world, alter, bytes,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_nodes_one_makes_each_checkpoint() {
    let database = migrated().await;
    let (one, two) = (node(&database).await, node(&database).await);
    one.with_incidents().await;
    let base = "https://checks.example.org".parse().expect("an address");
    for text in ["Call back", "Tell the team", "Tidy up"] {
        one.tick(&anna(), &incident(), text).await;
        let (first, second) = tokio::join!(
            audit::checkpoints::make(&one.app, "acme", &base),
            audit::checkpoints::make(&two.app, "acme", &base),
        );
        assert_eq!(first.expect("signed"), second.expect("signed"), "{text}");
    }
    let made = one.app.store().audit_checkpoints("acme", 0, 100).await;
    let numbers: Vec<u64> = made
        .expect("checkpoints")
        .iter()
        .map(|made| made.number)
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    let keys = audit::keys::verifiers(&one.app, "acme")
        .await
        .expect("keys");
    assert_eq!(keys.len(), 1);
    assert_eq!(two.broken().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_itself_refuses_changes_of_the_audit_trail_and_of_published_templates() {
    let database = migrated().await;
    let world = node(&database).await;
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let administrator = database.administrator().await;
    for change in [
        "UPDATE audit SET at = 0",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "UPDATE template_version SET document = '{}'",
    ] {
        assert!(
            administrator.batch_execute(change).await.is_err(),
            "{change}"
        );
    }
}

/// The tables with rows of tenants.
async fn guarded_tables(database: &Database) -> Vec<String> {
    let administrator = database.administrator().await;
    let rows = administrator
        .query(
            "SELECT table_name::text FROM information_schema.columns \
             WHERE table_schema = 'public' AND column_name = 'tenant' AND table_name <> 'catalogue' \
             ORDER BY 1",
            &[],
        )
        .await
        .expect("the tables");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_a_tenant_sees_nothing_and_with_one_nothing_of_another() {
    let database = migrated().await;
    let world = node(&database).await;
    let mut stranger = anna();
    stranger.tenant = "globex".to_owned();
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world
        .add(&stranger, &incident(), Some("op"), vec![new("theirs")])
        .await
        .expect("added");

    let client = database.stranger().await;
    let count = async |table: &str| {
        let sql = format!("SELECT count(*) FROM {table}");
        let row = client.query_one(&sql, &[]).await.expect("counted");
        row.get::<_, i64>(0)
    };
    let tables = guarded_tables(&database).await;
    assert!(tables.len() >= 12, "{tables:?}");
    for table in &tables {
        assert_eq!(count(table).await, 0, "{table} without a tenant");
    }
    client
        .batch_execute("SET app.tenant = 'globex'")
        .await
        .expect("set");
    assert_eq!(count("checklist").await, 1);
    assert_eq!(count("audit").await, 2);
    assert_eq!(count("template_version").await, 0);
    let foreign = "INSERT INTO platform_type VALUES ('acme', 'x', '[]', '{}', false)";
    assert!(
        client.batch_execute(foreign).await.is_err(),
        "a row of another tenant was written"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_with_a_tenant_is_guarded_against_its_owner_too() {
    let database = migrated().await;
    let _world = node(&database).await;
    let administrator = database.administrator().await;
    for table in guarded_tables(&database).await {
        let row = administrator
            .query_one(
                "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = to_regclass($1)",
                &[&table],
            )
            .await
            .expect("the table");
        assert!(row.get::<_, bool>(0), "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_database_is_told_apart() {
    let database = Database::new().await;
    let at = |url: String| PostgresOptions::new(url);
    let url = database.url();

    let error = refused(&at("postgres://somewhere:port/x".into())).await;
    assert!(matches!(error, OpenError::Url { .. }), "{error}");
    let error = refused(&at("postgres://me:secret@127.0.0.1:1/x".into())).await;
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
    let error = refused(&at(url.replace(&database.name, "nowhere"))).await;
    assert!(matches!(error, OpenError::Missing { .. }), "{error}");

    let other =
        Database::like("ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
    let error = refused(&at(other.await.url())).await;
    assert!(
        matches!(&error, OpenError::Unfit { reason, .. } if reason.contains("SQL_ASCII")),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_without_rights_and_one_with_too_many_are_refused() {
    let database = Database::new().await;
    let administrator = database.administrator().await;
    let suffix = &database.name;
    let roles = format!(
        "CREATE ROLE weak_{suffix} LOGIN PASSWORD 'x'; CREATE ROLE mighty_{suffix} LOGIN PASSWORD 'x' BYPASSRLS; \
         REVOKE CREATE ON SCHEMA public FROM PUBLIC"
    );
    administrator.batch_execute(&roles).await.expect("roles");
    let options = |role: &str| PostgresOptions::new(database.url_as(role, "x"));
    let weak = refused(&options(&format!("weak_{suffix}"))).await;
    let mighty = refused(&options(&format!("mighty_{suffix}"))).await;
    let drop = format!("DROP ROLE weak_{suffix}; DROP ROLE mighty_{suffix}");
    administrator.batch_execute(&drop).await.expect("dropped");
    assert!(matches!(weak, OpenError::Powerless { .. }), "{weak}");
    assert!(matches!(mighty, OpenError::TooMighty { .. }), "{mighty}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_layout_is_refused() {
    let database = Database::new().await;
    node(&database).await.app.close().await.expect("closed");
    let later = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
         VALUES (99, 'later', '2030-01-01T00:00:00Z', '1')";
    database
        .administrator()
        .await
        .batch_execute(later)
        .await
        .expect("pretended");
    let error = refused(&options(&database)).await;
    assert!(
        matches!(error, OpenError::Newer { found: 99, .. }),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn several_nodes_may_start_on_an_empty_database_at_once() {
    let database = Arc::new(Database::new().await);
    let starting: Vec<_> = (0..4)
        .map(|_| {
            let database = Arc::clone(&database);
            tokio::spawn(async move { PostgresStore::open(&options(&database)).await.err() })
        })
        .collect();
    for one in starting {
        let failed = one.await.expect("ran");
        assert!(failed.is_none(), "{failed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_the_database_ends_are_made_anew() {
    let database = migrated().await;
    let world = node(&database).await;
    world.with_incidents().await;
    let administrator = database.administrator().await;
    for text in ["Call back", "Write it down", "Tell the team"] {
        administrator
            .execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                 WHERE datname = $1 AND usename = $2",
                &[&database.name, &ROLE],
            )
            .await
            .expect("ended");
        let id = loop {
            // A read may get a connection that was just terminated. It answers `Busy` and is
            // repeated.
            match world.try_read(&anna(), &incident()).await {
                Ok(list) => {
                    let item = list
                        .items
                        .into_iter()
                        .flatten()
                        .find(|item| item.text == text);
                    break item.expect("the item").id;
                }
                Err(error) => assert_eq!(error.code(), ProblemCode::Busy, "{error:?}"),
            }
        };
        let tick = vec![crate::conformance::status(
            id,
            checklist_shared::item::Status::Done,
        )];
        world
            .update(&anna(), &incident(), None, tick)
            .await
            .expect("ticked");
    }
    assert_eq!(world.read(&ben(), &incident()).await.revision, 3);
    assert_eq!(world.audit(&admin()).await.len(), 4);
}

mod of_this_version {
    refinery::embed_migrations!("store/migrations/postgres");
}

/// The migrations of a later version: the present ones and one more.
fn with_a_file_added() -> refinery::Runner {
    let mut files = of_this_version::migrations::runner()
        .get_migrations()
        .clone();
    let added = "CREATE TABLE later (tenant TEXT COLLATE \"C\" PRIMARY KEY)";
    files.push(refinery::Migration::unapplied("V99__later", added).expect("a migration"));
    refinery::Runner::new(&files)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_added_to_the_folder_runs_once_and_leaves_what_was_written() {
    let database = Database::new().await;
    let world = node(&database).await;
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let before = world.read(&anna(), &incident()).await;
    world.app.close().await.expect("closed");
    let mut owner = database.stranger().await;
    for expected in [vec![99], vec![]] {
        let report = with_a_file_added().run_async(&mut owner).await;
        let report = report.expect("migrated");
        let applied = report.applied_migrations().iter();
        let applied: Vec<_> = applied.map(refinery::Migration::version).collect();
        assert_eq!(applied, expected);
    }
    let error = refused(&options(&database)).await;
    assert!(
        matches!(error, OpenError::Newer { found: 99, .. }),
        "{error}"
    );
    database
        .administrator()
        .await
        .batch_execute("DELETE FROM refinery_schema_history WHERE version = 99")
        .await
        .expect("taken back");
    let world = node(&database).await;
    assert_eq!(world.read(&anna(), &incident()).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_announces_nothing_that_is_overdue_already() {
    let database = Database::new().await;
    let mut owner = database.stranger().await;
    let runner = of_this_version::migrations::runner();
    let before = runner.set_target(refinery::Target::Version(8));
    before.run_async(&mut owner).await.expect("migrated");
    let administrator = database.administrator().await;
    let items = crate::conformance::due_items::open_items("'\\x01'");
    let written = administrator.batch_execute(&items).await;
    written.expect("written");
    let runner = of_this_version::migrations::runner();
    runner.run_async(&mut owner).await.expect("migrated");
    let rows = async |sql: &str| -> Vec<i64> {
        let rows = administrator.query(sql, &[]).await.expect("rows");
        rows.iter().map(|row| row.get(0)).collect()
    };
    let announced = rows("SELECT checklist FROM due_announcement WHERE overdue").await;
    let waiting = rows("SELECT checklist FROM due_item WHERE look_at = due + 1").await;
    assert_eq!((announced, waiting), (vec![1], vec![2]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_sweeps_open_items_from_the_end_of_the_trail() {
    let database = Database::new().await;
    let mut owner = database.stranger().await;
    let runner = of_this_version::migrations::runner();
    let before = runner.set_target(refinery::Target::Version(17));
    before.run_async(&mut owner).await.expect("migrated");
    let administrator = database.administrator().await;
    let written = "INSERT INTO log_head VALUES ('acme', 7, 0)";
    let written = administrator.batch_execute(written).await;
    written.expect("written");
    let runner = of_this_version::migrations::runner();
    runner.run_async(&mut owner).await.expect("migrated");
    let sql = "SELECT sequence FROM open_item_sweep WHERE tenant = 'acme'";
    let row = administrator.query_one(sql, &[]).await.expect("a position");
    assert_eq!(row.get::<_, i64>(0), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_stays_if_its_item_is_opened_while_it_is_swept() {
    let database = migrated().await;
    let world = node(&database).await;
    let ids = crate::conformance::open_items::add_resolved(&world).await;
    let store = world.app.store();
    let batch = store.open_item_sweep("acme", 1_000).await.expect("a batch");
    assert_eq!(batch.resolved.len(), ids.len());
    // As a tick that has not been committed yet.
    let tick = database.administrator().await;
    let opened = "BEGIN; UPDATE item SET status = 'Open'";
    tick.batch_execute(opened).await.expect("opened");
    let rows = batch.resolved.clone();
    store
        .remove_open_items("acme", rows)
        .await
        .expect("removed");
    tick.batch_execute("COMMIT").await.expect("committed");
    let again = store.remove_open_items("acme", batch.resolved).await;
    again.expect("removed");
    let rows = tick.query("SELECT FROM open_item", &[]).await;
    assert_eq!(rows.expect("rows").len(), ids.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_whose_item_was_being_changed_is_swept_later_unless_it_is_open_then() {
    for (end, left) in [("ROLLBACK", 0), ("COMMIT", 1)] {
        let database = migrated().await;
        let world = node(&database).await;
        let ids = crate::conformance::open_items::add_resolved(&world).await;
        let tick = database.administrator().await;
        let opened = format!(
            "BEGIN; UPDATE item SET status = 'Open' WHERE id = '{}'",
            ids[1]
        );
        tick.batch_execute(&opened).await.expect("opened");
        let rows = async || {
            let rows = tick.query("SELECT FROM open_item", &[]).await;
            rows.expect("rows").len()
        };
        let sweep = async || {
            let swept = open_item_sweep::sweep(&world.app, "acme").await;
            swept.expect("swept")
        };
        for _ in 0..2 {
            assert!(!sweep().await, "one is left");
            assert_eq!(rows().await, 1);
        }
        tick.batch_execute(end).await.expect(end);
        assert!(sweep().await);
        assert_eq!(rows().await, left, "{end}");
        let batch = world.app.store().open_item_sweep("acme", 1_000).await;
        let batch = batch.expect("a batch");
        assert_eq!(batch.after, batch.newest, "{end}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_is_being_changed_is_announced_later_and_the_others_at_once() {
    let database = migrated().await;
    let world = node(&database).await;
    let texts = ["One", "Fails", "Another", "Resolved"];
    let [one, fails, another, resolved] =
        crate::conformance::due_items::add_overdue(&world, texts).await;
    let changes = [(fails, "ROLLBACK"), (resolved, "COMMIT")];
    let mut ticks = Vec::new();
    for (id, end) in changes {
        let tick = database.administrator().await;
        let done = format!("BEGIN; UPDATE item SET status = 'Done' WHERE id = '{id}'");
        tick.batch_execute(&done).await.expect("ticked");
        ticks.push((tick, end));
    }
    let announced = async || crate::conformance::due_items::announced(&world).await;
    let others = BTreeMap::from([(one, 1), (another, 1)]);
    for _ in 0..2 {
        assert_eq!(announced().await, others);
    }
    for (tick, end) in ticks {
        tick.batch_execute(end).await.expect(end);
    }
    let all = BTreeMap::from([(one, 1), (another, 1), (fails, 1)]);
    for _ in 0..2 {
        assert_eq!(announced().await, all);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tenant_stands_first_in_every_key_and_index() {
    let database = migrated().await;
    let _world = node(&database).await;
    let administrator = database.administrator().await;
    let found = administrator
        .query(
            "SELECT t.relname::text, coalesce(c.attname::text, '') \
             FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid \
             LEFT JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = i.indkey[0] \
             WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition",
            &[],
        )
        .await
        .expect("the keys");
    let keys: Vec<crate::tenant_first::Key> =
        found.iter().map(|row| (row.get(0), row.get(1))).collect();
    crate::tenant_first::assert_all_begin_with_the_tenant(
        &keys,
        &[(
            "checklist",
            "number",
            "the tenant follows: beside another index that begins with the tenant, the planner \
             would walk all lists of a young database's tenant to find a number",
        )],
    );

    // Foreign keys reference rows of the same tenant: both keys begin with it.
    let astray = administrator
        .query(
            "SELECT conname::text FROM pg_constraint f \
             JOIN pg_attribute c ON c.attrelid = f.conrelid AND c.attnum = f.conkey[1] \
             WHERE f.contype = 'f' AND c.attname <> 'tenant'",
            &[],
        )
        .await
        .expect("the references");
    let astray: Vec<String> = astray.iter().map(|row| row.get(0)).collect();
    assert!(astray.is_empty(), "{astray:?}");
}
