//! Signed audit trails, and edits of the database that their verification has to find.
//!
//! `alter` runs statements as somebody who may write to the whole database, with the triggers off;
//! `bytes` writes bytes as the database does.

use checklist_services::audit::note::{TreeHead, VerifierKey};
use checklist_services::audit::{self, Break, Trusted, checkpoints, keys, proofs};
use checklist_shared::audit_trail::leaf::commitment;
use checklist_shared::audit_trail::merkle::{Hash, leaf_hash};
use checklist_shared::problem::ProblemCode;
use checklist_store::audit::{StoredRow, StoredValue};
use ed25519_dalek::SigningKey;

use super::{World, admin, anna, incident};

/// The row of a tick, before which and after which there are others.
const ROW: u64 = 5;

/// Writes a trail and has it signed. What an auditor keeps elsewhere.
pub async fn written_and_signed(world: &World) -> Trusted {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.tick(&anna(), &incident(), "Tell the team").await;
    let mut other = anna();
    other.tenant = "globex".to_owned();
    let items = vec![super::new("theirs")];
    let added = world.add(&other, &incident(), None, items).await;
    added.expect("added");
    make(world, "globex").await.expect("signed");
    sign_and_trust(world).await
}

/// Has the trail of `acme` signed. What an auditor keeps elsewhere.
pub async fn sign_and_trust(world: &World) -> Trusted {
    make(world, "acme").await.expect("signed");
    let note = proofs::checkpoint(&world.app, &admin()).await;
    let keys = keys::verifiers(&world.app, "acme").await.expect("keys");
    let head = TreeHead::open(&note.expect("a checkpoint"), &keys).expect("a signature");
    Trusted {
        keys,
        checkpoint: Some(head),
        lists: false,
    }
}

async fn sign(world: &World) {
    for tenant in ["acme", "globex"] {
        let made = make(world, tenant).await;
        assert!(
            made.expect("signed").is_some(),
            "{tenant} has no checkpoint"
        );
    }
}

async fn make(world: &World, tenant: &str) -> Result<Option<u64>, ProblemCode> {
    let base = "https://checks.example.org/platform".parse();
    let made = checkpoints::make(&world.app, tenant, &base.expect("an address")).await;
    made.map_err(|error| error.code())
}

/// What is broken first in any of the trails, of which there has to be one.
pub async fn broken(world: &World, trusted: &Trusted) -> Option<Break> {
    let verdicts = audit::verify(&world.app, None, trusted).await;
    let verdicts = verdicts.expect("verified");
    assert!(!verdicts.is_empty(), "there is no trail");
    verdicts.into_iter().find_map(|verdict| verdict.broken)
}

async fn row(world: &World) -> StoredRow {
    let rows = world.app.store().audit_rows("acme", Some(ROW - 1), 1).await;
    rows.expect("rows").remove(0)
}

/// The statement that gives a row other words and the hash that goes with them.
async fn hashed_anew(world: &World, bytes: fn(&[u8]) -> String) -> String {
    let mut row = row(world).await;
    let StoredValue::Present(words, salt) = &row.words else {
        panic!("there are no words");
    };
    let words = words.replace("Call back", "Do nothing");
    row.words = StoredValue::Present(words.clone(), *salt);
    let hash: Hash = leaf_hash(&row.leaf("acme"));
    format!(
        "UPDATE audit SET words = '{words}', hash = {} WHERE tenant = 'acme' AND sequence = {ROW};",
        bytes(&hash)
    )
}

/// Everything that counts rows, but for what is kept elsewhere.
fn forget_rows_from(row: u64, head: &str) -> String {
    let last = row - 1;
    format!(
        "DELETE FROM audit WHERE tenant = 'acme' AND sequence >= {row};
         {head};
         UPDATE checklist SET audit_sequence = {last} WHERE tenant = 'acme';
         DELETE FROM audit_checkpoint WHERE tenant = 'acme'; DELETE FROM audit_tile WHERE tenant = 'acme';"
    )
}

pub async fn an_honest_trail_is_unbroken_and_signed_to_its_end(world: &World) {
    let trusted = written_and_signed(world).await;
    world.tick(&anna(), &incident(), "Tidy up").await;
    assert_eq!(world.broken().await, None);
    assert_eq!(broken(world, &trusted).await, None);
    let verdicts = audit::verify(&world.app, Some("acme"), &trusted).await;
    let verdict = verdicts.expect("verified").remove(0);
    let signed = trusted.checkpoint.expect("a checkpoint").size;
    assert_eq!((verdict.signed, verdict.rows), (signed, signed + 1));
}

pub async fn rows_that_were_hashed_anew_are_not_those_of_the_checkpoint(
    world: &World,
    alter: impl AsyncFn(String),
    bytes: fn(&[u8]) -> String,
) {
    written_and_signed(world).await;
    alter(hashed_anew(world, bytes).await).await;
    let found = world.broken().await.expect("broken");
    assert!(found.reason.contains("checkpoint"), "{}", found.reason);
    // Nor does the server put its name under them.
    world.tick(&anna(), &incident(), "Tidy up").await;
    assert_eq!(make(world, "acme").await, Err(ProblemCode::Internal));
}

pub async fn a_tail_with_everything_that_counts_it_is_missed_by_who_holds_a_checkpoint(
    world: &World,
    alter: impl AsyncFn(String),
    head: &str,
) {
    let trusted = written_and_signed(world).await;
    alter(forget_rows_from(ROW + 1, head)).await;
    assert_eq!(world.broken().await, None, "nothing is left to tell");
    let found = broken(world, &trusted).await.expect("broken");
    assert_eq!(found.sequence, ROW + 1, "{}", found.reason);
}

pub async fn all_rows_of_one_of_several_tenants_are_missed(
    world: &World,
    alter: impl AsyncFn(String),
    head: &str,
) {
    let trusted = written_and_signed(world).await;
    let everything = format!(
        "{} DELETE FROM item WHERE tenant = 'acme'; DELETE FROM checklist WHERE tenant = 'acme';
         DELETE FROM audit_key WHERE tenant = 'acme';",
        forget_rows_from(1, head)
    );
    alter(everything).await;
    assert_eq!(world.broken().await, None, "nothing is left to tell");
    let found = broken(world, &trusted).await.expect("broken");
    assert!(
        found.reason.contains("no trail of that origin"),
        "{}",
        found.reason
    );
    let verdicts = audit::verify(&world.app, Some("acme"), &trusted).await;
    for verdict in verdicts.expect("verified") {
        assert!(
            verdict.broken.is_some(),
            "an empty trail against a checkpoint"
        );
    }
}

pub async fn a_checkpoint_of_another_key_is_refused(world: &World, alter: impl AsyncFn(String)) {
    let trusted = written_and_signed(world).await;
    let head = trusted.checkpoint.clone().expect("a checkpoint");
    let forger = SigningKey::from_bytes(&[7; 32]);
    let note = head.sign(&forger);
    alter(format!(
        "UPDATE audit_checkpoint SET note = '{note}' WHERE tenant = 'acme';"
    ))
    .await;
    let found = world.broken().await.expect("broken");
    assert!(
        found.reason.contains("none of the known keys"),
        "{}",
        found.reason
    );
    // With the key in the database replaced as well, only the true key tells.
    let key = VerifierKey::of(&head.origin, &forger);
    alter(format!(
        "UPDATE audit_key SET verifier = '{key}' WHERE tenant = 'acme';"
    ))
    .await;
    assert_eq!(world.broken().await, None);
    let only_key = Trusted {
        checkpoint: None,
        ..trusted
    };
    let verdicts = audit::verify(&world.app, Some("acme"), &only_key).await;
    assert!(verdicts.expect("verified")[0].broken.is_some());
}

pub async fn an_old_checkpoint_finds_a_forked_tree_whoever_has_signed_it(
    world: &World,
    alter: impl AsyncFn(String),
    bytes: fn(&[u8]) -> String,
) {
    let trusted = written_and_signed(world).await;
    let forked = hashed_anew(world, bytes).await;
    alter(format!(
        "{forked} DELETE FROM audit_checkpoint WHERE tenant = 'acme';"
    ))
    .await;
    world.tick(&anna(), &incident(), "Tidy up").await;
    sign(world).await;
    assert_eq!(
        world.broken().await,
        None,
        "it was signed by the key itself"
    );
    let found = broken(world, &trusted).await.expect("broken");
    assert!(
        found.reason.contains("given checkpoint"),
        "{}",
        found.reason
    );
}

pub async fn values_that_were_deleted_leave_a_trail_that_verifies(
    world: &World,
    alter: impl AsyncFn(String),
    bytes: fn(&[u8]) -> String,
) {
    let trusted = written_and_signed(world).await;
    let row = row(world).await;
    let committed = |value: StoredValue| match value {
        StoredValue::Present(value, salt) => bytes(&commitment(&salt, &value)),
        StoredValue::Erased(_) => panic!("it is deleted already"),
    };
    alter(format!(
        "UPDATE audit SET actor = NULL, actor_salt = NULL, actor_erased = {},
             words = NULL, words_salt = NULL, words_erased = {}
         WHERE tenant = 'acme' AND sequence = {ROW};",
        committed(row.actor),
        committed(row.words)
    ))
    .await;
    assert_eq!(broken(world, &trusted).await, None);
}

pub async fn a_rotated_key_signs_and_the_one_before_still_verifies(world: &World) {
    let trusted = written_and_signed(world).await;
    let new = keys::rotate(&world.app, &admin()).await.expect("a new key");
    assert!(!trusted.keys.contains(&new));
    let acts = world.acts(&admin()).await;
    assert!(acts.iter().any(|act| {
        act.changes
            .iter()
            .any(|change| change.after == Some(new.to_string()))
    }));
    sign(world).await;
    let note = proofs::checkpoint(&world.app, &admin()).await;
    let note = note.expect("a checkpoint");
    assert!(TreeHead::open(&note, std::slice::from_ref(&new)).is_ok());
    assert!(TreeHead::open(&note, &trusted.keys).is_err());
    assert_eq!(world.broken().await, None);
}

pub async fn a_long_trail_is_proven_from_its_tiles(world: &World) {
    world.with_incidents().await;
    for round in 0..4 {
        let texts = (0..150).map(|item| super::new(&format!("{round}-{item}")));
        let mut list = incident();
        list.object_id = format!("INC-{round}");
        let added = world.add(&anna(), &list, None, texts.collect()).await;
        added.expect("added");
        assert!(make(world, "acme").await.expect("signed").is_some());
    }
    let tree = world.app.store().audit_tree("acme").await.expect("a tree");
    assert_eq!(tree.tiles, [2], "600 rows have two complete tiles");
    assert_eq!(world.broken().await, None);
    let query = |sequence, from, size| proofs::ProofQuery {
        sequence,
        from,
        size,
    };
    for (sequence, from, size) in [
        (Some(3), None, None),
        (None, Some(300), None),
        (Some(600), None, Some(601)),
    ] {
        let proof = proofs::proof(&world.app, &admin(), query(sequence, from, size)).await;
        assert!(!proof.expect("a proof").hashes.is_empty());
    }
    for (sequence, from, size) in [
        (None, None, None),
        (Some(1), Some(1), None),
        (Some(0), None, None),
        (Some(tree.size + 1), None, None),
        (Some(5), None, Some(4)),
        (None, Some(0), None),
        (Some(1), None, Some(tree.size + 1)),
    ] {
        let refused = proofs::proof(&world.app, &admin(), query(sequence, from, size)).await;
        let code = refused.expect_err("refused").code();
        assert_eq!(
            code,
            ProblemCode::InvalidRequest,
            "{sequence:?} {from:?} {size:?}"
        );
    }
    let auditor = admin();
    let tile = |path: &'static str| proofs::tile(&world.app, &auditor, path);
    assert_eq!(tile("0/000").await.expect("a tile").len(), 256 * 32);
    assert_eq!(tile("0/002.p/5").await.expect("a tile").len(), 5 * 32);
    assert_eq!(tile("1/000.p/2").await.expect("a tile").len(), 2 * 32);
    assert!(tile("entries/000").await.expect("leaves").len() > 256 * 100);
    for path in [
        "0/002",
        "0/003.p/1",
        "1/000",
        "2/000.p/1",
        "entries/003",
        "0/0",
        "",
    ] {
        let code = tile(path).await.expect_err("no tile").code();
        assert_eq!(code, ProblemCode::NotFound, "{path}");
    }
}

pub async fn nothing_is_proven_before_something_was_signed(world: &World) {
    world.with_incidents().await;
    let code = proofs::checkpoint(&world.app, &admin())
        .await
        .expect_err("none")
        .code();
    assert_eq!(code, ProblemCode::CheckpointNotFound);
    let refused = proofs::checkpoint(&world.app, &anna()).await;
    assert_eq!(
        refused.expect_err("no auditor").code(),
        ProblemCode::PermissionDenied
    );
    let refused = keys::rotate(&world.app, &admin()).await;
    assert_eq!(
        refused.expect_err("no key").code(),
        ProblemCode::KeyNotFound
    );
}
