//! Service connections, consents and handles in a store.
//!
//! Part of the conformance suite.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use checklist_store::administration::{Act, Cause, Target};
use checklist_store::connections::{
    ConnectionRecord, HandleRecord, PendingConsent, SaveOutcome, SealedSecret,
};
use checklist_store::keyset::Keyset;

use super::{World, act, stamp};

/// The act of creating connection 1.
fn made() -> Act {
    act(Target::Connection("1".into()), Action::Created)
}

const NOON: Timestamp = Timestamp::from_millis(1_763_640_000_000);

fn later(seconds: i64) -> Timestamp {
    Timestamp::from_millis(NOON.as_millis() + seconds * 1_000)
}

fn record(tenant: &str, id: &str, name: &str) -> ConnectionRecord {
    ConnectionRecord {
        tenant: tenant.to_owned(),
        id: id.to_owned(),
        name: name.to_owned(),
        name_key: name.to_lowercase(),
        owner: "ada".to_owned(),
        owner_name: "Ada".to_owned(),
        origin: "https://intranet.example".to_owned(),
        settings: r#"{"a":1}"#.to_owned(),
        sealed: Some(SealedSecret {
            key_id: "one".to_owned(),
            bytes: vec![0, 1, 2, 255],
        }),
        problem: None,
        revision: 1,
        created_at: NOON,
        updated_at: NOON,
    }
}

/// Keeps the first connection of `acme`.
async fn intranet(world: &World) -> ConnectionRecord {
    let first = record("acme", "1", "Intranet");
    let added = world.app.store().add_connection(first.clone(), made());
    assert_eq!(added.await.expect("a store"), SaveOutcome::Done);
    first
}

/// The record after a change.
fn changed(before: &ConnectionRecord) -> ConnectionRecord {
    ConnectionRecord {
        revision: before.revision + 1,
        updated_at: later(60),
        ..before.clone()
    }
}

pub async fn a_connection_is_kept_as_it_is_and_is_its_tenants_own(world: &World) {
    let store = world.app.store();
    let (intranet, team) = (record("acme", "1", "Intranet"), record("acme", "2", "Able"));
    for record in [&intranet, &team, &record("beta", "1", "Beta's")] {
        let added = store.add_connection(record.clone(), made()).await;
        assert_eq!(added.expect("a store"), SaveOutcome::Done);
    }
    let all = store
        .connections("acme", Keyset::whole())
        .await
        .expect("a list");
    assert_eq!(all, [team.clone(), intranet.clone()], "by name");
    let page = |after: &str| Keyset {
        after: after.to_owned(),
        limit: 1,
    };
    let first = store.connections("acme", page("")).await.expect("a page");
    assert_eq!(first, std::slice::from_ref(&team));
    let second = store.connections("acme", page(&team.name_key)).await;
    assert_eq!(second.expect("a page"), std::slice::from_ref(&intranet));
    let one = store.connection("acme", "1").await.expect("a store");
    assert_eq!(one, Some(intranet));
    assert_eq!(store.connection("gamma", "1").await.expect("a store"), None);
    assert!(
        !store
            .delete_connection("gamma", "1", stamp())
            .await
            .expect("a store")
    );
    assert!(
        store
            .delete_connection("acme", "1", stamp())
            .await
            .expect("a store")
    );
    assert!(
        !store
            .delete_connection("acme", "1", stamp())
            .await
            .expect("a store")
    );
    assert_eq!(store.connection("acme", "1").await.expect("a store"), None);
    assert_eq!(
        store
            .connections("beta", Keyset::whole())
            .await
            .expect("a list")
            .len(),
        1
    );
    let tenants = store.tenants().await.expect("a list");
    let ids: Vec<&str> = tenants.iter().map(|tenant| tenant.id.as_str()).collect();
    assert_eq!(ids, ["acme", "beta"], "tenants are written along");
}

pub async fn a_name_is_taken_once_a_tenant_whatever_its_case(world: &World) {
    let store = world.app.store();
    let add = async |record| store.add_connection(record, made()).await.expect("a store");
    assert_eq!(
        add(record("acme", "1", "Intranet")).await,
        SaveOutcome::Done
    );
    assert_eq!(
        add(record("acme", "2", "INTRANET")).await,
        SaveOutcome::NameTaken
    );
    assert_eq!(
        add(record("beta", "2", "Intranet")).await,
        SaveOutcome::Done
    );
    assert_eq!(add(record("acme", "3", "Other")).await, SaveOutcome::Done);
    let renamed = ConnectionRecord {
        name: "intranet".to_owned(),
        name_key: "intranet".to_owned(),
        ..changed(&record("acme", "3", "Other"))
    };
    let saved = store
        .save_connection(renamed, Cause::Upkeep)
        .await
        .expect("a store");
    assert_eq!(saved, SaveOutcome::NameTaken);
}

pub async fn a_change_of_an_older_revision_is_refused(world: &World) {
    let store = world.app.store();
    let first = intranet(world).await;
    let second = ConnectionRecord {
        owner: "ben".to_owned(),
        owner_name: "Ben".to_owned(),
        origin: "https://other.example".to_owned(),
        settings: r#"{"a":2}"#.to_owned(),
        sealed: None,
        problem: Some("gone".to_owned()),
        ..changed(&first)
    };
    let save = async |record| {
        store
            .save_connection(record, Cause::Upkeep)
            .await
            .expect("a store")
    };
    assert_eq!(save(second.clone()).await, SaveOutcome::Done);
    let kept = store.connection("acme", "1").await.expect("a store");
    assert_eq!(kept, Some(second));
    assert_eq!(save(changed(&first)).await, SaveOutcome::Changed);
    let nobodys = changed(&record("acme", "9", "Nobody's"));
    assert_eq!(save(nobodys).await, SaveOutcome::Missing);
    let elsewhere = changed(&record("beta", "1", "Intranet"));
    assert_eq!(save(elsewhere).await, SaveOutcome::Missing);
}

pub async fn one_refresh_at_a_time_and_a_claim_ends(world: &World) {
    let store = world.app.store();
    let first = intranet(world).await;
    let claim = async |revision, now, until| {
        let claimed = store.claim_refresh("acme", "1", revision, now, until);
        claimed.await.expect("a store")
    };
    assert!(claim(1, NOON, later(30)).await);
    assert!(!claim(1, later(1), later(31)).await, "somebody is at it");
    assert!(claim(1, later(30), later(60)).await, "they have died");
    let saved = store.save_connection(changed(&first), Cause::Upkeep).await;
    assert_eq!(saved.expect("a store"), SaveOutcome::Done);
    assert!(!claim(1, later(31), later(61)).await, "it was changed");
    assert!(
        claim(2, later(31), later(61)).await,
        "saving ends the claim"
    );
    assert!(claim(2, later(61), later(31)).await, "and it is given back");
    assert!(claim(2, later(32), later(62)).await);
    let foreign = store.claim_refresh("beta", "1", 2, later(99), later(100));
    assert!(!foreign.await.expect("a store"));
}

pub async fn a_begun_consent_is_finished_once(world: &World) {
    let store = world.app.store();
    let pending = PendingConsent {
        state: [1; 32],
        browser: [2; 32],
        tenant: "acme".to_owned(),
        connection: "1".to_owned(),
        revision: 3,
        actor: "ada".to_owned(),
        verifier: vec![9, 0, 9],
        expires_at: later(600),
    };
    store.begin_consent(pending.clone()).await.expect("a store");
    let finish = async |state| store.finish_consent(state).await.expect("a store");
    assert_eq!(finish([7; 32]).await, None);
    assert_eq!(finish([1; 32]).await, Some(pending.clone()));
    assert_eq!(finish([1; 32]).await, None);
    store.begin_consent(pending).await.expect("a store");
    store.purge_connections(later(600)).await.expect("a store");
    assert_eq!(finish([1; 32]).await, None, "it has ended");
}

pub async fn a_handle_is_its_tenants_own_and_ends(world: &World) {
    let store = world.app.store();
    let handle = HandleRecord {
        handle: [5; 32],
        tenant: "acme".to_owned(),
        actor: "ada".to_owned(),
        sealed: vec![1, 2, 3],
        expires_at: later(600),
    };
    store.keep_handle(handle.clone()).await.expect("a store");
    let find = async |tenant, hash| store.handle(tenant, hash).await.expect("a store");
    assert_eq!(find("acme", [5; 32]).await, Some(handle));
    assert_eq!(find("beta", [5; 32]).await, None);
    assert_eq!(find("acme", [6; 32]).await, None);
    store.purge_connections(later(599)).await.expect("a store");
    assert!(find("acme", [5; 32]).await.is_some());
    store.purge_connections(later(600)).await.expect("a store");
    assert_eq!(find("acme", [5; 32]).await, None);
}
