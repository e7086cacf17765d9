//! The directory: tenants, keys, people, sessions and revocations.
//!
//! Part of the conformance suite.

use checklist_shared::permission::{Permission, Role};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;
use checklist_store::directory::{
    ApiKeyRecord, DirectoryChange, DirectoryOutcome, EmbedKeyRecord, PendingSignIn, SessionRecord,
    Tenant, UserRecord,
};
use checklist_store::keyset::Keyset;
use checklist_store::sort_name::sort_name;

use super::{World, stamp};

const NOON: Timestamp = Timestamp::from_millis(1_763_640_000_000);

fn later(minutes: i64) -> Timestamp {
    Timestamp::from_millis(NOON.as_millis() + minutes * 60_000)
}

fn tenant(id: &str) -> Tenant {
    Tenant {
        id: id.to_owned(),
        name: format!("Tenant {id}"),
        epoch: Timestamp::from_millis(0),
        disabled: false,
        created_at: NOON,
    }
}

/// Every list of every incident.
fn incidents() -> TokenContext {
    TokenContext {
        object_type: "incident".to_owned(),
        object_id: "*".to_owned(),
        purpose: "*".to_owned(),
        template_id: None,
        facts: None,
    }
}

fn embed_key(tenant: &str, kid: &str) -> EmbedKeyRecord {
    EmbedKeyRecord {
        tenant: tenant.to_owned(),
        kid: kid.to_owned(),
        algorithm: "EdDSA".to_owned(),
        public_key: r#"{"kty":"OKP"}"#.to_owned(),
        origins: Some(vec!["https://forms.example".to_owned()]),
        issuer: Some("https://portal.example".to_owned()),
        permissions: Some([Permission::Read, Permission::Audit].into_iter().collect()),
        contexts: Some(vec![incidents()]),
        own: false,
        created_at: NOON,
        expires_at: Some(later(60)),
        revoked_at: None,
        used_at: None,
    }
}

fn api_key(tenant: &str, id: &str, secret: u8) -> ApiKeyRecord {
    ApiKeyRecord {
        id: id.to_owned(),
        tenant: tenant.to_owned(),
        name: "Portal".to_owned(),
        secret: [secret; 32],
        roles: vec![Role::Editor, Role::Auditor],
        contexts: Some(vec![incidents()]),
        sources: vec!["CI".to_owned()],
        created_by: "Ada".to_owned(),
        created_at: NOON,
        expires_at: None,
        revoked_at: None,
        used_at: None,
    }
}

fn user(tenant: &str, subject: &str) -> UserRecord {
    UserRecord {
        tenant: tenant.to_owned(),
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        name: "Anna".to_owned(),
        roles: vec![Role::Admin],
        disabled: false,
        epoch: Timestamp::from_millis(0),
        created_at: NOON,
        signed_in_at: None,
    }
}

fn session(tenant: &str, subject: &str, secret: u8) -> SessionRecord {
    SessionRecord {
        secret: [secret; 32],
        tenant: tenant.to_owned(),
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        created_at: NOON,
        expires_at: later(60),
        used_at: NOON,
    }
}

async fn make(world: &World, change: DirectoryChange) -> DirectoryOutcome {
    let store = world.app.store();
    store
        .change_directory(change, stamp())
        .await
        .expect("a store")
}

pub async fn a_tenant_keeps_its_beginning_and_its_epoch_when_it_is_renamed(world: &World) {
    let store = world.app.store();
    assert!(store.tenants().await.expect("a list").is_empty());
    make(world, DirectoryChange::PutTenant(tenant("beta"))).await;
    make(world, DirectoryChange::PutTenant(tenant("acme"))).await;
    let end = |at| DirectoryChange::EndEverything {
        tenant: "acme".to_owned(),
        at,
    };
    make(world, end(later(2))).await;
    make(world, end(later(1))).await;
    let renamed = Tenant {
        name: "Acme Inc.".to_owned(),
        disabled: true,
        created_at: later(9),
        ..tenant("acme")
    };
    make(world, DirectoryChange::PutTenant(renamed.clone())).await;
    let expected = Tenant {
        epoch: later(2),
        created_at: NOON,
        ..renamed
    };
    assert_eq!(
        store.tenants().await.expect("a list"),
        [expected.clone(), tenant("beta")]
    );
    assert_eq!(
        store.trust("acme").await.expect("trust").tenant,
        Some(expected)
    );
}

pub async fn an_embed_key_is_the_tenants_own_and_never_comes_back_once_revoked(world: &World) {
    let store = world.app.store();
    let keys = async |tenant: &str| store.trust(tenant).await.expect("trust").embed_keys;
    for key in [
        embed_key("acme", "portal"),
        embed_key("beta", "portal"),
        embed_key("acme", "b"),
    ] {
        assert_eq!(
            make(world, DirectoryChange::PutEmbedKey(key)).await,
            DirectoryOutcome::Done
        );
    }
    assert_eq!(
        keys("acme").await,
        [embed_key("acme", "b"), embed_key("acme", "portal")]
    );
    let replaced = EmbedKeyRecord {
        algorithm: "ES256".to_owned(),
        origins: None,
        issuer: None,
        permissions: None,
        contexts: None,
        expires_at: None,
        created_at: later(5),
        ..embed_key("acme", "portal")
    };
    make(world, DirectoryChange::PutEmbedKey(replaced.clone())).await;
    let replaced = EmbedKeyRecord {
        created_at: NOON,
        ..replaced
    };
    assert_eq!(keys("acme").await[1], replaced);

    let revoke = |tenant: &str, at| DirectoryChange::RevokeEmbedKey {
        tenant: tenant.to_owned(),
        kid: "portal".to_owned(),
        at,
    };
    assert_eq!(
        make(world, revoke("gamma", NOON)).await,
        DirectoryOutcome::Missing
    );
    assert_eq!(
        make(world, revoke("acme", later(6))).await,
        DirectoryOutcome::Done
    );
    assert_eq!(
        make(world, revoke("acme", later(7))).await,
        DirectoryOutcome::Done
    );
    assert_eq!(keys("acme").await[1].revoked_at, Some(later(6)));
    assert_eq!(keys("beta").await[0].revoked_at, None);
    let again = DirectoryChange::PutEmbedKey(embed_key("acme", "portal"));
    assert_eq!(make(world, again).await, DirectoryOutcome::Taken);
}

pub async fn an_api_key_is_found_by_its_secret_and_revoked_by_its_own_tenant_alone(world: &World) {
    let store = world.app.store();
    let add = DirectoryChange::AddApiKey;
    make(world, add(api_key("acme", "one", 1))).await;
    make(world, add(api_key("beta", "two", 2))).await;
    assert_eq!(
        make(world, add(api_key("acme", "three", 2))).await,
        DirectoryOutcome::Taken
    );
    assert_eq!(
        store.api_key([1; 32]).await.expect("a key"),
        Some(api_key("acme", "one", 1))
    );
    assert_eq!(store.api_key([9; 32]).await.expect("none"), None);
    let revoke = |tenant: &str| DirectoryChange::RevokeApiKey {
        tenant: tenant.to_owned(),
        id: "one".to_owned(),
        at: later(1),
    };
    assert_eq!(make(world, revoke("beta")).await, DirectoryOutcome::Missing);
    assert_eq!(make(world, revoke("acme")).await, DirectoryOutcome::Done);
    let listed = store
        .api_keys("acme", Keyset::whole())
        .await
        .expect("a list");
    assert_eq!((listed.len(), listed[0].revoked_at), (1, Some(later(1))));
}

pub async fn a_person_is_registered_once_a_tenant_and_found_by_identity(world: &World) {
    let store = world.app.store();
    let early = UserRecord {
        created_at: later(-5),
        ..user("beta", "anna")
    };
    for user in [user("acme", "anna"), early.clone(), user("acme", "ben")] {
        make(world, DirectoryChange::PutUser(user)).await;
    }
    let changed = UserRecord {
        name: "Anna B.".to_owned(),
        roles: vec![Role::Reader],
        disabled: true,
        ..user("acme", "anna")
    };
    make(world, DirectoryChange::PutUser(changed.clone())).await;
    assert_eq!(
        store.users("acme", Keyset::whole()).await.expect("a list"),
        [user("acme", "ben"), changed.clone()]
    );
    let found = store.registrations("https://id.example", "anna").await;
    assert_eq!(found.expect("a list"), [early, changed]);
    let elsewhere = store.registrations("https://other.example", "anna").await;
    assert!(elsewhere.expect("a list").is_empty());
}

pub async fn every_change_and_nothing_else_makes_the_version_grow(world: &World) {
    let store = world.app.store();
    let version = async || store.directory_version().await.expect("a number");
    let mut last = version().await;
    for change in [
        DirectoryChange::PutTenant(tenant("acme")),
        DirectoryChange::PutEmbedKey(embed_key("acme", "k")),
        DirectoryChange::AddApiKey(api_key("acme", "one", 1)),
        DirectoryChange::PutUser(user("acme", "anna")),
        DirectoryChange::RevokeToken {
            tenant: "acme".to_owned(),
            jti: "t".to_owned(),
            at: NOON,
            until: later(15),
        },
        DirectoryChange::EndEverything {
            tenant: "acme".to_owned(),
            at: NOON,
        },
        DirectoryChange::RevokeApiKey {
            tenant: "acme".to_owned(),
            id: "one".to_owned(),
            at: NOON,
        },
        DirectoryChange::RevokeEmbedKey {
            tenant: "acme".to_owned(),
            kid: "k".to_owned(),
            at: NOON,
        },
    ] {
        make(world, change.clone()).await;
        let now = version().await;
        assert!(now > last, "{change:?}");
        last = now;
    }
    let missing = DirectoryChange::RevokeApiKey {
        tenant: "acme".to_owned(),
        id: "nobody's".to_owned(),
        at: NOON,
    };
    make(world, missing).await;
    store
        .begin_session(session("acme", "anna", 1), stamp())
        .await
        .expect("a session");
    store
        .end_session([1; 32], stamp().at)
        .await
        .expect("an end");
    assert_eq!(version().await, last);
}

pub async fn a_session_shows_the_person_as_registered_now_and_ends(world: &World) {
    let store = world.app.store();
    make(world, DirectoryChange::PutUser(user("acme", "anna"))).await;
    for secret in [1, 2] {
        let begun = store
            .begin_session(session("acme", "anna", secret), stamp())
            .await;
        begun.expect("a session");
    }
    let disabled = UserRecord {
        disabled: true,
        ..user("acme", "anna")
    };
    make(world, DirectoryChange::PutUser(disabled.clone())).await;
    store
        .session_used([1; 32], later(3))
        .await
        .expect("a note of it");
    let found = store.session([1; 32]).await.expect("an answer");
    let used = SessionRecord {
        used_at: later(3),
        ..session("acme", "anna", 1)
    };
    let signed_in = UserRecord {
        signed_in_at: Some(stamp().at),
        ..disabled
    };
    assert_eq!(found, Some((used, signed_in)));
    store
        .end_session([1; 32], stamp().at)
        .await
        .expect("an end");
    assert_eq!(store.session([1; 32]).await.expect("an answer"), None);

    let end = DirectoryChange::EndEverything {
        tenant: "acme".to_owned(),
        at: later(1),
    };
    make(world, end).await;
    assert_eq!(store.session([2; 32]).await.expect("an answer"), None);
}

pub async fn what_was_given_before_does_not_come_back_with_the_tenant_or_the_person(world: &World) {
    let store = world.app.store();
    make(world, DirectoryChange::PutTenant(tenant("acme"))).await;
    make(world, DirectoryChange::PutUser(user("acme", "anna"))).await;
    let person = |disabled, minutes| {
        DirectoryChange::PutUser(UserRecord {
            disabled,
            epoch: later(minutes),
            ..user("acme", "anna")
        })
    };
    let house = |disabled, minutes| {
        DirectoryChange::PutTenant(Tenant {
            disabled,
            epoch: later(minutes),
            ..tenant("acme")
        })
    };
    let epochs = async || {
        let tenant = store.trust("acme").await.expect("trust").tenant;
        let user = store.users("acme", Keyset::whole()).await.expect("a list")[0].clone();
        (tenant.expect("a tenant").epoch, user.epoch)
    };
    // A change that does not disable or enable leaves the epochs alone.
    make(world, person(false, 1)).await;
    make(world, house(false, 1)).await;
    let begin = Timestamp::from_millis(0);
    assert_eq!(epochs().await, (begin, begin));
    for (disabled, minutes) in [(true, 2), (false, 3)] {
        make(world, person(disabled, minutes)).await;
        make(world, house(disabled, minutes)).await;
        assert_eq!(epochs().await, (later(minutes), later(minutes)));
    }
}

pub async fn the_last_administrator_stays_one_also_when_two_step_down_at_once(world: &World) {
    let store = world.app.store();
    for subject in ["anna", "ben"] {
        make(world, DirectoryChange::PutUser(user("acme", subject))).await;
    }
    // Administrators of other tenants and disabled ones do not count.
    make(world, DirectoryChange::PutUser(user("beta", "carl"))).await;
    let out = UserRecord {
        disabled: true,
        ..user("acme", "dora")
    };
    make(world, DirectoryChange::PutUser(out)).await;
    let step_down = |subject: &str| {
        DirectoryChange::PutUserButLastAdministrator(UserRecord {
            roles: vec![Role::Reader],
            ..user("acme", subject)
        })
    };
    let (one, other) = futures_util::future::join(
        store.change_directory(step_down("anna"), stamp()),
        store.change_directory(step_down("ben"), stamp()),
    )
    .await;
    let mut done = [one.expect("an answer"), other.expect("an answer")];
    done.sort_by_key(|changed| *changed == DirectoryOutcome::LastAdministrator);
    assert_eq!(
        done,
        [DirectoryOutcome::Done, DirectoryOutcome::LastAdministrator]
    );
    let people = store.users("acme", Keyset::whole()).await.expect("a list");
    let left = people
        .iter()
        .filter(|user| user.roles.contains(&Role::Admin) && !user.disabled);
    assert_eq!(left.count(), 1);
    // Other people can be changed freely, and the last administrator may change her name.
    let renamed = UserRecord {
        name: "Annabel".to_owned(),
        ..people[0].clone()
    };
    let rename = DirectoryChange::PutUserButLastAdministrator(renamed);
    assert_eq!(make(world, rename).await, DirectoryOutcome::Done);
}

pub async fn revoking_everything_ends_keys_and_sessions_of_that_tenant_alone(world: &World) {
    let store = world.app.store();
    for tenant in ["acme", "beta"] {
        make(
            world,
            DirectoryChange::PutEmbedKey(embed_key(tenant, "portal")),
        )
        .await;
        make(world, DirectoryChange::PutUser(user(tenant, "anna"))).await;
    }
    make(world, DirectoryChange::AddApiKey(api_key("acme", "one", 1))).await;
    make(world, DirectoryChange::AddApiKey(api_key("beta", "two", 2))).await;
    for (tenant, secret) in [("acme", 1), ("beta", 2)] {
        let begun = SessionRecord {
            created_at: later(5),
            ..session(tenant, "anna", secret)
        };
        store
            .begin_session(begun, stamp())
            .await
            .expect("a session");
    }
    let end = DirectoryChange::EndEverything {
        tenant: "acme".to_owned(),
        at: later(5),
    };
    make(world, end).await;
    let revoked = async |tenant: &str| {
        let key = store.trust(tenant).await.expect("trust").embed_keys[0].revoked_at;
        let program = store
            .api_keys(tenant, Keyset::whole())
            .await
            .expect("a list")[0]
            .revoked_at;
        (key, program)
    };
    assert_eq!(revoked("acme").await, (Some(later(5)), Some(later(5))));
    assert_eq!(revoked("beta").await, (None, None));
    assert_eq!(store.session([1; 32]).await.expect("none"), None);
    assert!(store.session([2; 32]).await.expect("one").is_some());
}

pub async fn a_begun_sign_in_is_finished_once(world: &World) {
    let store = world.app.store();
    let pending = PendingSignIn {
        state: [1; 32],
        browser: [2; 32],
        nonce: "nonce".to_owned(),
        verifier: "verifier".to_owned(),
        tenant: Some("acme".to_owned()),
        return_to: "/admin/".to_owned(),
        expires_at: later(10),
    };
    store.begin_sign_in(pending.clone()).await.expect("kept");
    assert_eq!(store.finish_sign_in([3; 32]).await.expect("none"), None);
    assert_eq!(
        store.finish_sign_in([1; 32]).await.expect("one"),
        Some(pending)
    );
    assert_eq!(store.finish_sign_in([1; 32]).await.expect("none"), None);
}

pub async fn who_is_registered_again_does_not_get_back_what_they_were_given_before(world: &World) {
    let store = world.app.store();
    let ids = ("acme".to_owned(), user("acme", "ben").issuer);
    make(world, DirectoryChange::PutUser(user("acme", "anna"))).await;
    make(world, DirectoryChange::PutUser(user("acme", "ben"))).await;
    let delete = DirectoryChange::DeleteUserButLastAdministrator {
        tenant: ids.0.clone(),
        issuer: ids.1.clone(),
        subject: "ben".to_owned(),
        at: later(5),
    };
    let epoch = async || {
        let found = store.registrations(&ids.1, "ben").await.expect("people");
        found.first().map(|user| user.epoch)
    };
    assert_eq!(epoch().await, Some(Timestamp::from_millis(0)));
    make(world, delete.clone()).await;
    assert_eq!(epoch().await, None);
    make(world, DirectoryChange::PutUser(user("acme", "ben"))).await;
    assert_eq!(epoch().await, Some(later(5)));
    // Once such tokens have expired long since, nothing is known of the deletion any more.
    make(world, delete).await;
    let week = 7 * 24 * 60;
    store
        .purge_directory(later(week + 6))
        .await
        .expect("a purge");
    make(world, DirectoryChange::PutUser(user("acme", "ben"))).await;
    assert_eq!(epoch().await, Some(Timestamp::from_millis(0)));
}

pub async fn what_has_ended_is_purged_and_the_rest_stays(world: &World) {
    let store = world.app.store();
    make(world, DirectoryChange::PutUser(user("acme", "anna"))).await;
    for (jti, until) in [("old", later(1)), ("young", later(30))] {
        let revoked = DirectoryChange::RevokeToken {
            tenant: "acme".to_owned(),
            jti: jti.to_owned(),
            at: NOON,
            until,
        };
        make(world, revoked).await;
    }
    for (kid, own) in [("own", true), ("theirs", false)] {
        let key = EmbedKeyRecord {
            own,
            expires_at: Some(later(1)),
            ..embed_key("acme", kid)
        };
        make(world, DirectoryChange::PutEmbedKey(key)).await;
    }
    for (secret, minutes) in [(1, 1), (2, 30)] {
        let begun = SessionRecord {
            expires_at: later(minutes),
            ..session("acme", "anna", secret)
        };
        store
            .begin_session(begun, stamp())
            .await
            .expect("a session");
    }
    store.purge_directory(later(2)).await.expect("a purge");
    let trust = store.trust("acme").await.expect("trust");
    assert_eq!(trust.revoked_tokens, ["young"]);
    let kids: Vec<_> = trust.embed_keys.iter().map(|key| &key.kid).collect();
    assert_eq!(kids, ["theirs"]);
    assert_eq!(store.session([1; 32]).await.expect("none"), None);
    assert!(store.session([2; 32]).await.expect("one").is_some());
}

/// Registers people with these names, each with the name as subject.
pub async fn register(world: &World, names: &[&str]) {
    for name in names {
        let person = UserRecord {
            name: (*name).to_owned(),
            ..user("acme", name)
        };
        make(world, DirectoryChange::PutUser(person)).await;
    }
}

/// The names of all people, in the order of the store.
pub async fn names(world: &World) -> Vec<String> {
    let people = world.app.store().users("acme", Keyset::whole()).await;
    let people = people.expect("people").into_iter();
    people.map(|user| user.name).collect()
}

pub async fn a_new_name_moves_a_person_in_the_order_of_people(world: &World) {
    register(world, &["berta", "Ärne", "Zoë", "AXEL"]).await;
    assert_eq!(names(world).await, ["Ärne", "AXEL", "berta", "Zoë"]);
    let renamed = UserRecord {
        name: "Ángela".to_owned(),
        ..user("acme", "Zoë")
    };
    make(world, DirectoryChange::PutUser(renamed)).await;
    assert_eq!(names(world).await, ["Ángela", "Ärne", "AXEL", "berta"]);
}

pub async fn two_thousand_people_are_read_by_name_whatever_its_case_and_accents(world: &World) {
    let store = world.app.store();
    // The subjects run against the names.
    let numbered = (0..1_999).map(|number| {
        let spelled = ["Person", "PERSON", "pérson"][number % 3];
        (
            format!("{spelled} {number:04}"),
            format!("{:04}", 9_999 - number),
        )
    });
    let mut expected: Vec<(String, String)> = [
        ("", "without a name"),
        ("ANNA BERG", "1"),
        ("Anna Bérg", "2"),
    ]
    .map(|(name, subject)| (name.to_owned(), subject.to_owned()))
    .into();
    expected.extend(numbered);
    let everybody = expected.iter().rev().map(|(name, subject)| {
        let person = UserRecord {
            name: name.clone(),
            ..user("acme", subject)
        };
        make(world, DirectoryChange::PutUser(person))
    });
    let mut everybody: Vec<_> = everybody.collect();
    assert_eq!(everybody.len(), 2_002);
    while !everybody.is_empty() {
        let some = everybody.drain(everybody.len().saturating_sub(50)..);
        futures_util::future::join_all(some).await;
    }
    let mut read = Vec::new();
    let mut page = Keyset {
        limit: 300,
        ..Keyset::whole()
    };
    loop {
        let people = store.users("acme", page.clone()).await.expect("people");
        let Some(last) = people.last() else {
            break;
        };
        page.after = (
            sort_name(&last.name),
            last.issuer.clone(),
            last.subject.clone(),
        );
        read.extend(people.into_iter().map(|user| (user.name, user.subject)));
    }
    assert_eq!(read, expected);
}

pub async fn people_and_keys_are_read_page_by_page(world: &World) {
    let store = world.app.store();
    for subject in ["c", "a", "B", "b"] {
        make(world, DirectoryChange::PutUser(user("acme", subject))).await;
    }
    make(world, DirectoryChange::PutUser(user("beta", "d"))).await;
    let people = async |after: (&str, &str, &str), limit| {
        let page = Keyset {
            after: (after.0.to_owned(), after.1.to_owned(), after.2.to_owned()),
            limit,
        };
        let people = store.users("acme", page).await.expect("people");
        let subjects = people.into_iter().map(|user| user.subject);
        subjects.collect::<Vec<_>>()
    };
    let issuer = user("acme", "a").issuer;
    assert_eq!(people(("", "", ""), 3).await, ["B", "a", "b"]);
    assert_eq!(people(("anna", &issuer, "b"), 3).await, ["c"]);
    assert_eq!(people(("anna", &issuer, "c"), 3).await, [""; 0]);

    for (number, id) in [(1, "one"), (2, "two"), (3, "three")] {
        let key = ApiKeyRecord {
            created_at: later(i64::from(number) / 2),
            ..api_key("acme", id, number)
        };
        make(world, DirectoryChange::AddApiKey(key)).await;
    }
    let keys = async |after: (i64, &str), limit| {
        let page = Keyset {
            after: (after.0, after.1.to_owned()),
            limit,
        };
        let keys = store.api_keys("acme", page).await.expect("keys");
        keys.into_iter().map(|key| key.id).collect::<Vec<_>>()
    };
    assert_eq!(keys((i64::MAX, ""), 2).await, ["two", "three"]);
    assert_eq!(keys((later(1).as_millis(), "three"), 2).await, ["one"]);
}
