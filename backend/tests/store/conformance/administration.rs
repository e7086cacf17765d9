//! Administrators' acts are in the audit trail, as part of its chain, with old and new values.
//!
//! Part of the conformance suite.

use checklist_auth::Principal;
use checklist_services::{
    admin_links, api_keys, audit, embed_keys, journal, platform_type, revocations, template,
    tenants, users,
};
use checklist_shared::administration::{Action, AdministrativeAct, Category, FieldChange, Subject};
use checklist_shared::permission::Role;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::{AdminLinkState, NewApiKey, Revocation, User};
use checklist_shared::wire::admin::{TemplateBundle, Type};
use checklist_store::administration::{Act, Target};
use checklist_store::directory::SessionRecord;
use checklist_store::expected::ExpectedState;

use super::{World, admin, anna, five, incident, on, person, stamp};

fn change<'a>(act: &'a AdministrativeAct, field: &str) -> (Option<&'a str>, Option<&'a str>) {
    let of = |change: &&FieldChange| change.field == field;
    let found = act.changes.iter().find(of);
    found.map_or((None, None), |change| {
        (change.before.as_deref(), change.after.as_deref())
    })
}

/// Registers Anna with these roles, or gives them to her.
async fn put_user(world: &World, roles: Vec<Role>) {
    let user = User {
        issuer: "https://id.example".into(),
        subject: "7".into(),
        name: "Anna".into(),
        roles,
        disabled: false,
        last_sign_in_at: None,
    };
    users::put(&world.app, &admin(), user.into(), &ExpectedState::Anything)
        .await
        .expect("written");
}

pub async fn every_act_is_a_row_with_its_author_and_the_values_before_and_after(world: &World) {
    let (app, ada) = (&world.app, admin());
    tenants::put(app, "acme", Some("Acme".into()), None)
        .await
        .expect("a tenant");
    let wish = NewApiKey {
        name: "Portal".into(),
        roles: vec![Role::Editor],
        contexts: None,
        sources: Some(vec!["CI".into()]),
        expires_at: None,
    };
    let key = api_keys::create(app, &ada, wish).await.expect("a key");
    api_keys::revoke(app, &ada, &key.key.id)
        .await
        .expect("revoked");
    put_user(world, vec![Role::Reader]).await;
    put_user(world, vec![Role::Reader, Role::Admin]).await;
    let everything = Revocation {
        jti: None,
        everything: Some(true),
    };
    revocations::revoke(app, &ada, everything)
        .await
        .expect("revoked");
    let kind: Type = serde_json::from_value(serde_json::json!({
        "Name": "incident", "Classes": ["ChecklistItem"]
    }))
    .expect("a type");
    platform_type::put(app, &ada, "incident", kind.into(), ExpectedState::Anything)
        .await
        .expect("a type");
    let rows = world.acts(&ada).await;
    let told: Vec<_> = rows
        .iter()
        .map(|act| (act.subject, act.action, act.name.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (Subject::Tenant, Action::Created, "Acme"),
            (Subject::ApiKey, Action::Created, "Portal"),
            (Subject::ApiKey, Action::Revoked, "Portal"),
            (Subject::User, Action::Created, "Anna"),
            (Subject::User, Action::Changed, "Anna"),
            (Subject::Tenant, Action::Revoked, "Acme"),
            (Subject::Type, Action::Created, ""),
        ]
    );
    assert_eq!(change(&rows[1], "Roles"), (None, Some("editor")));
    assert_eq!(
        change(&rows[4], "Roles"),
        (Some("reader"), Some("reader, admin"))
    );
    assert_eq!(rows[4].changes.len(), 1, "what stayed is not named");
    assert_eq!(rows[4].id, "https://id.example 7");
    let query = journal::LogQuery {
        subject: Some(Subject::Tenant),
        action: Some(Action::Created),
        ..Default::default()
    };
    let page = audit::page(app, &ada, query).await.expect("a page");
    let by: Vec<&str> = page.rows.iter().map(|row| row.actor.id.as_str()).collect();
    assert_eq!(by, ["operator"]);
}

pub async fn no_secret_is_in_the_trail(world: &World) {
    let wish = NewApiKey {
        name: "Portal".into(),
        roles: vec![Role::Editor],
        contexts: None,
        sources: None,
        expires_at: None,
    };
    let made = api_keys::create(&world.app, &admin(), wish)
        .await
        .expect("a key");
    let text = serde_json::to_string(&world.acts(&admin()).await).expect("JSON");
    assert!(!text.contains(&made.secret[3..]), "{text}");
}

pub async fn an_act_that_changes_nothing_or_is_refused_leaves_no_row(world: &World) {
    let (app, ada) = (&world.app, admin());
    put_user(world, vec![Role::Reader]).await;
    put_user(world, vec![Role::Reader]).await;
    api_keys::revoke(app, &ada, "nobody's")
        .await
        .expect_err("there is none");
    embed_keys::revoke(app, &ada, "nobody's")
        .await
        .expect_err("there is none");
    template::discard_draft(app, &ada, "five", ExpectedState::Anything)
        .await
        .expect_err("there is none");
    assert_eq!(world.acts(&ada).await.len(), 1);
}

pub async fn templates_tell_which_texts_went_live(world: &World) {
    let (app, ada) = (&world.app, admin());
    world.publish(five()).await;
    let mut next = five();
    next.items[0].text =
        serde_json::from_value(serde_json::json!({ "en": "Ring back" })).expect("a text");
    let bundle = TemplateBundle {
        templates: vec![next],
    };
    template::import(app, &ada, bundle.into(), false)
        .await
        .expect("imported");
    template::publish(app, &ada, "five", ExpectedState::Anything)
        .await
        .expect("published");
    template::put_draft(app, &ada, "five", five(), ExpectedState::Anything)
        .await
        .expect("a draft");
    template::discard_draft(app, &ada, "five", ExpectedState::Anything)
        .await
        .expect("discarded");
    let rows = world.acts(&ada).await;
    let actions: Vec<Action> = rows.iter().map(|act| act.action).collect();
    assert_eq!(
        actions,
        [
            Action::DraftSaved,
            Action::Published,
            Action::Imported,
            Action::Published,
            Action::DraftSaved,
            Action::DraftDiscarded,
        ]
    );
    for row in [2, 3] {
        assert_eq!(
            change(&rows[row], "Items/a/Text/en"),
            (Some("Call back"), Some("Ring back")),
            "{row}"
        );
    }
    assert_eq!(change(&rows[3], "Version"), (Some("1"), Some("2")));
    assert_eq!(
        change(&rows[5], "Items/a/Text/en"),
        (Some("Call back"), Some("Ring back")),
        "what is in force again"
    );
}

pub async fn signing_in_and_out_is_in_the_trail(world: &World) {
    let (app, ada) = (&world.app, admin());
    put_user(world, vec![Role::Admin]).await;
    let at = Timestamp::from_millis(1_763_640_000_000);
    let session = SessionRecord {
        secret: [7; 32],
        tenant: "acme".into(),
        issuer: "https://id.example".into(),
        subject: "7".into(),
        created_at: at,
        expires_at: Timestamp::from_millis(at.as_millis() + 1_000),
        used_at: at,
    };
    let store = app.store();
    store
        .begin_session(session, stamp())
        .await
        .expect("a session");
    store.end_session([7; 32], at).await.expect("ended");
    store.end_session([7; 32], at).await.expect("ended already");
    let query = journal::LogQuery {
        category: Some(Category::SignIn),
        ..Default::default()
    };
    let page = audit::page(app, &ada, query).await.expect("a page");
    let told: Vec<_> = page
        .rows
        .iter()
        .filter_map(|row| row.act.as_ref())
        .map(|act| (act.action, act.name.as_str()))
        .collect();
    assert_eq!(
        told,
        [(Action::SignedIn, "Anna"), (Action::SignedOut, "Anna")]
    );
}

pub async fn acts_and_changes_of_lists_are_one_trail(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    put_user(world, vec![Role::Reader]).await;
    world.tick(&anna(), &incident(), "Tidy up").await;
    let act = Act::new(stamp(), Target::AdminLink, Action::Tested);
    let recorded = world.app.store().record_act("acme", act).await;
    recorded.expect("recorded");
    let page = audit::page(&world.app, &admin(), journal::LogQuery::default())
        .await
        .expect("a page");
    for (row, next) in page.rows.iter().zip(&page.rows[1..]) {
        assert_eq!(next.sequence, row.sequence + 1);
        assert_ne!(next.hash, row.hash);
        assert_eq!(row.context.is_some(), row.act.is_none());
    }
    let verdicts = audit::verify(&world.app, Some("acme"), &audit::Trusted::default())
        .await
        .expect("verified");
    assert_eq!(verdicts[0].broken, None);
    assert_eq!(verdicts[0].rows, page.rows.len() as u64);
}

pub async fn acts_are_hidden_from_a_credential_for_some_lists(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let auditor = person("ada", Role::Auditor);
    let everywhere = checklist_shared::Context::new("*", "*", "*");
    for scope in [incident(), everywhere] {
        let narrow: Principal = on(auditor.clone(), &scope);
        assert!(world.acts(&narrow).await.is_empty(), "{scope:?}");
        assert_eq!(world.audit(&narrow).await.len(), 2, "{scope:?}");
    }
}

pub async fn a_tenant_that_does_not_exist_is_not_verified(world: &World) {
    world.with_incidents().await;
    let found = audit::verify(&world.app, Some("nobody's"), &audit::Trusted::default()).await;
    assert!(found.expect("verified").is_empty());
    let found = audit::verify(&world.app, Some("acme"), &audit::Trusted::default()).await;
    assert_eq!(found.expect("verified").len(), 1);
}

pub async fn a_one_time_link_holds_for_ten_minutes_one_use_and_one_browser(world: &World) {
    let app = &world.app;
    tenants::put(app, "acme", None, None)
        .await
        .expect("a tenant");
    admin_links::create(app, &Principal::operator("acne"), None)
        .await
        .err()
        .expect("no such tenant");
    let operator = Principal::operator("acme");
    let secret = admin_links::create(app, &operator, None)
        .await
        .expect("a link")
        .secret;
    let open = async |cookie: Option<&str>| {
        let (link, cookie) = admin_links::open(app, &secret, cookie)
            .await
            .expect("opened");
        (link.state, cookie)
    };
    let use_it = async |cookie: Option<&str>| {
        let used = admin_links::redeem(app, &secret, cookie, Some("Grace"), 60).await;
        used.expect("answered")
            .map(|begun| begun.session.name)
            .map_err(|link| link.state)
    };
    let (state, mine) = open(None).await;
    assert_eq!(state, AdminLinkState::Open);
    let (state, theirs) = open(None).await;
    assert_eq!(state, AdminLinkState::OtherBrowser, "the second visitor");
    for cookie in [None, Some(theirs.as_str())] {
        assert_eq!(use_it(cookie).await, Err(AdminLinkState::OtherBrowser));
    }
    assert_eq!(use_it(Some(&mine)).await, Ok("Grace".to_owned()));
    assert_eq!(use_it(Some(&mine)).await, Err(AdminLinkState::Used));
    assert_eq!(open(Some(&mine)).await.0, AdminLinkState::Used);

    let late = admin_links::create(app, &operator, None)
        .await
        .expect("a link")
        .secret;
    let (_, cookie) = admin_links::open(app, &late, None).await.expect("opened");
    world.clock.advance_seconds(10 * 60);
    let used = admin_links::redeem(app, &late, Some(&cookie), Some("Late"), 60).await;
    let refused = used.expect("answered").err().expect("refused");
    assert_eq!(refused.state, AdminLinkState::Expired);
    let people = users::all(app, &admin()).await.expect("people");
    assert_eq!(people.len(), 1, "{people:?}");
    assert_eq!(
        (people[0].issuer.as_str(), &people[0].roles[..]),
        ("local", &[Role::Admin][..])
    );

    let again = admin_links::create(app, &operator, Some(&people[0].subject))
        .await
        .expect("a link for somebody who is there")
        .secret;
    let (link, cookie) = admin_links::open(app, &again, None).await.expect("opened");
    assert_eq!(link.name.as_deref(), Some("Grace"));
    let begun = admin_links::redeem(app, &again, Some(&cookie), None, 60).await;
    assert!(begun.expect("answered").is_ok());
    let told: Vec<_> = world
        .acts(&admin())
        .await
        .iter()
        .map(|act| (act.subject, act.action))
        .collect();
    assert_eq!(
        told,
        [
            (Subject::Tenant, Action::Created),
            (Subject::AdminLink, Action::Created),
            (Subject::User, Action::Created),
            (Subject::Session, Action::SignedIn),
            (Subject::AdminLink, Action::Created),
            (Subject::AdminLink, Action::Created),
            (Subject::Session, Action::SignedIn),
        ]
    );
}
