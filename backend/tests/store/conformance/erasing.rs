//! Erasure of people and of old names: nothing names them any more, and every proof still holds.

use checklist_auth::Principal;
use checklist_services::audit::proofs::{self, ProofQuery};
use checklist_services::audit::{self, Trusted};
use checklist_services::{checklist, erasure, housekeeping};
use checklist_shared::Context;
use checklist_shared::administration::{Action, Subject};
use checklist_shared::item::{Actor, ActorKind, ActorSource, Status};
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::progress::State;
use checklist_shared::wire::access::UserRef;
use checklist_shared::wire::erasure::{ErasableText, Erasure, PutRetention};
use checklist_shared::wire::runs::StartAgain;
use checklist_shared::wire::write::{AddItems, LockList, UpdateItem, Waive, WriteAnswer};
use checklist_store::directory::{DirectoryChange, UserRecord};
use serde_json::json;

use super::proposing::{done, propose};
use super::{World, admin, anna, ben, body, incident, new, person, signed, status};

const ISSUER: &str = "https://portal.example";
/// Her id and what she writes; nothing else in the tests has this in it.
const SUBJECT: &str = "zoe_7%";
const NAME: &str = "Zoe Quill";
const ADDED: &str = "Call Ms. Quillon back";

const DAY: i64 = 24 * 60 * 60;

fn zoe_of(issuer: &str) -> Principal {
    let actor = Actor::person(SUBJECT, NAME);
    Principal {
        actor: actor.vouched_for_by(ActorSource::EmbedToken, Some(issuer)),
        ..person(SUBJECT, Role::Owner)
    }
}

fn zoe() -> Principal {
    zoe_of(ISSUER)
}

/// An agent that acts for her.
fn assistant() -> Principal {
    let mut agent = Actor::of(ActorKind::Agent, "finch", "Finch");
    agent.on_behalf_of = Some(Box::new(zoe().actor));
    Principal {
        actor: agent,
        ..zoe()
    }
}

async fn erase(world: &World) -> Result<Erasure, ProblemCode> {
    let user = UserRef {
        issuer: ISSUER.to_owned(),
        subject: SUBJECT.to_owned(),
    };
    let erased = erasure::erase_person(&world.app, &admin(), user).await;
    erased.map_err(|error| error.code())
}

async fn decide(world: &World, days: Option<u32>, texts: &[ErasableText]) {
    let request = PutRetention {
        personal_days: days.map_or(Patch::Clear, Patch::Set),
        texts: Patch::Set(texts.to_vec()),
    };
    let decided = erasure::put_retention(&world.app, &admin(), request).await;
    assert_eq!(decided.expect("decided").personal_days, days);
}

/// Locks the list for a reason, or unlocks it.
async fn lock(world: &World, reason: Option<&str>) {
    let request = LockList {
        context: incident(),
        locked: reason.is_some(),
        reason: reason.map(str::to_owned),
        operation_id: None,
        language: None,
    };
    let locked = checklist::lock(&world.app, &zoe(), request, body()).await;
    locked.expect("locked or unlocked");
}

/// Adds her item; the same request each time.
async fn add(world: &World, principal: &Principal) -> WriteAnswer {
    let request = AddItems {
        operation_id: Some("added".to_owned()),
        ..AddItems::new(incident(), vec![new(ADDED)])
    };
    let added = checklist::add_items(&world.app, principal, request, [7; 32]).await;
    added.expect("added")
}

/// A run that she has worked in, and closed for a reason of hers.
async fn closed_run(world: &World) {
    let list = Context::new("incident", "INC-8", "");
    world.tick(&zoe(), &list, "Call back").await;
    let item = world.item(&list, "Tell the team").await.id;
    let noted = UpdateItem {
        note: Patch::Set("Quillon is on leave again".to_owned()),
        ..UpdateItem::of(item)
    };
    let noted = world.update(&zoe(), &list, None, vec![noted]).await;
    noted.expect("noted");
    let request = StartAgain::new(list, "Quillon begins anew".to_owned(), None);
    let started = checklist::start_again(&world.app, &zoe(), request, body()).await;
    started.expect("started");
}

/// A list in which she has done everything that leaves a name or a text, and others after her.
pub async fn written(world: &World) {
    world.with_incidents().await;
    decide(world, None, &ErasableText::ALL).await;
    closed_run(world).await;
    let (zoe, list) = (zoe(), incident());
    let mut logged = zoe.clone();
    logged.journal = true;
    world.tick(&logged, &list, "Call back").await;
    world.tick(&assistant(), &list, "Tell the team").await;
    add(world, &zoe).await;
    let item = world.item(&list, ADDED).await.id;
    let note = |text: &str| UpdateItem {
        note: Patch::Set(text.to_owned()),
        ..UpdateItem::of(item)
    };
    let noted = world
        .update(
            &zoe,
            &list,
            Some("noted"),
            vec![note("Quillon is on leave")],
        )
        .await;
    noted.expect("noted");
    let reason = UpdateItem {
        reason: Patch::Set("as Quillon says".to_owned()),
        ..status(item, Status::NotApplicable)
    };
    world
        .update(&zoe, &list, None, vec![reason])
        .await
        .expect("not applicable");
    let gone = world.item(&list, "Go home").await;
    propose(world, &assistant(), vec![done(&gone, "Quillon has left")]).await;
    // The rows of others repeat her words.
    world
        .update(&ben(), &list, Some("ben"), vec![status(item, Status::Done)])
        .await
        .expect("done");
    world
        .update(&ben(), &list, None, vec![note("Ben's own note")])
        .await
        .expect("noted");
    let waive = Waive::new(list, "Quillon allows it".to_owned(), false, None);
    let waived = checklist::waive(&world.app, &zoe, waive, body()).await;
    assert_eq!(waived.expect("waived").state, State::Waived);
    lock(world, Some("Quillon asks")).await;
}

/// Everything that the services tell of the tenant, as JSON.
async fn told(world: &World) -> String {
    let list = world.read(&anna(), &incident()).await;
    let rows = world.app.store().audit_rows("acme", None, 10_000).await;
    let all = json!([
        world.audit(&admin()).await,
        world.acts(&admin()).await,
        world.journal(&anna(), 0).await,
        list,
    ]);
    format!("{all} {:?}", rows.expect("rows"))
}

fn names_her(text: &str) -> bool {
    text.to_lowercase().contains("quill") || text.contains(SUBJECT)
}

async fn assert_intact(world: &World, trusted: Trusted) {
    let trusted = Trusted {
        lists: true,
        ..trusted
    };
    for verdict in audit::verify(&world.app, None, &trusted)
        .await
        .expect("verified")
    {
        assert_eq!(verdict.broken, None);
        assert_eq!(verdict.differences, Vec::<String>::new());
    }
}

pub async fn an_erased_person_is_named_nowhere_and_every_proof_holds(world: &World) {
    written(world).await;
    let trusted = signed::sign_and_trust(world).await;
    let size = trusted.checkpoint.as_ref().expect("a checkpoint").size;
    let prove = async |sequence: u64| {
        let query = ProofQuery {
            sequence: Some(sequence),
            from: None,
            size: Some(size),
        };
        let proof = proofs::proof(&world.app, &admin(), query).await;
        proof.expect("a proof")
    };
    let rows = world.audit(&admin()).await;
    let by_her = rows.iter().filter(|row| names_her(&row.actor.name));
    let by_her: Vec<u64> = by_her.map(|row| row.sequence).collect();
    assert!(by_her.len() >= 5, "{rows:?}");
    assert!(names_her(&told(world).await));
    let before = prove(by_her[0]).await;
    assert!(
        before
            .leaf
            .as_ref()
            .is_some_and(|leaf| leaf.actor.is_some())
    );

    let erasure = erase(world).await.expect("erased");
    assert!(
        erasure.audit_rows > by_her.len() as u64,
        "also words of others: {erasure:?}"
    );
    assert!(
        erasure.journal_entries > 0 && erasure.lists > 0,
        "{erasure:?}"
    );
    assert!(erasure.records > 0, "remembered answers: {erasure:?}");

    let left = told(world).await;
    assert!(!names_her(&left), "{left}");
    for row in world.audit(&admin()).await {
        let is_hers = by_her.contains(&row.sequence) || row.actor.kind == ActorKind::Erased;
        assert_eq!(row.actor == Actor::erased(), is_hers, "{row:?}");
    }
    let mut after = prove(by_her[0]).await;
    let leaf = after.leaf.as_mut().expect("a leaf");
    assert_eq!(leaf.actor, None);
    leaf.actor = before.leaf.as_ref().and_then(|leaf| leaf.actor.clone());
    leaf.words = before.leaf.as_ref().and_then(|leaf| leaf.words.clone());
    assert_eq!(after, before, "nothing else of the proof has changed");
    assert_intact(world, trusted).await;

    let item = world.item(&incident(), "[erased]").await;
    assert_eq!(item.note.as_deref(), Some("Ben's own note"));
    assert_eq!(item.reason, None);
    assert_eq!(
        item.status_by,
        Some(ben().actor.into()),
        "he has done it himself"
    );
    let item = world.item(&incident(), "Go home").await;
    let proposal = item.proposal.expect("the proposal itself stays");
    assert_eq!(proposal.by, Actor::erased());
    assert_eq!((proposal.reason, proposal.evidence), (None, None));
    let list = world.read(&anna(), &incident()).await;
    let waiver = list.waived.expect("the waiver itself stays");
    assert_eq!(
        (list.state, waiver.by, waiver.reason),
        (State::Waived, Actor::erased(), None)
    );
    let acts = world.acts(&admin()).await;
    let act = acts.iter().find(|act| act.action == Action::Erased);
    let act = act.expect("the erasure is a row");
    assert_eq!(
        (act.subject, act.id.as_str(), act.name.as_str()),
        (Subject::User, "", "")
    );
    assert_eq!(
        erase(world).await,
        Ok(Erasure::default()),
        "nothing is left"
    );
}

pub async fn a_remembered_answer_is_repeated_without_the_erased_name(world: &World) {
    written(world).await;
    erase(world).await.expect("erased");
    let mut other = zoe();
    other.actor = Actor::person("new", "Newcomer");
    let again = add(world, &other).await;
    let answer = json!(again).to_string();
    assert!(!names_her(&answer), "{answer}");
    assert!(
        !answer.contains("Newcomer"),
        "nothing was added again: {answer}"
    );
}

pub async fn texts_stay_unless_the_tenant_names_them(world: &World) {
    written(world).await;
    decide(world, None, &[]).await;
    erase(world).await.expect("erased");
    let left = told(world).await;
    assert!(!left.contains(NAME) && !left.contains(SUBJECT), "{left}");
    assert_eq!(
        *world.item(&incident(), ADDED).await.created_by,
        Actor::erased()
    );
    assert!(
        left.contains("as Quillon says"),
        "her reason is the trail's"
    );
}

pub async fn whoever_has_the_same_id_elsewhere_keeps_the_name(world: &World) {
    world.with_incidents().await;
    let other = zoe_of("https://other.example");
    world.tick(&other, &incident(), "Call back").await;
    world.tick(&zoe(), &incident(), "Tell the team").await;
    erase(world).await.expect("erased");
    let rows = world.audit(&admin()).await;
    let actors: Vec<&Actor> = rows.iter().map(|row| &row.actor).collect();
    assert!(actors.contains(&&other.actor) && actors.contains(&&Actor::erased()));
    let item = world.item(&incident(), "Call back").await;
    assert_eq!(item.status_by, Some(other.actor.into()));
}

pub async fn what_was_written_during_an_erasure_goes_with_the_next_housekeeping(world: &World) {
    world.with_incidents().await;
    erase(world).await.expect("erased");
    world.tick(&zoe(), &incident(), "Call back").await;
    housekeeping::purge(&world.app).await.expect("done");
    assert!(!names_her(&told(world).await), "she is still being erased");
    world.clock.advance_seconds(2 * 60 * 60);
    housekeeping::purge(&world.app).await.expect("done");
    world.tick(&zoe(), &incident(), "Tell the team").await;
    housekeeping::purge(&world.app).await.expect("done");
    assert!(names_her(&told(world).await), "by now she is somebody new");
}

pub async fn the_last_administrator_is_not_erased_and_nothing_half(world: &World) {
    world.with_incidents().await;
    world.tick(&zoe(), &incident(), "Call back").await;
    let now = world.app.clock().now();
    let user = UserRecord {
        tenant: "acme".to_owned(),
        issuer: ISSUER.to_owned(),
        subject: SUBJECT.to_owned(),
        name: NAME.to_owned(),
        roles: vec![Role::Admin],
        disabled: false,
        epoch: now,
        created_at: now,
        signed_in_at: None,
    };
    let change = DirectoryChange::PutUser(user);
    let written = world
        .app
        .store()
        .change_directory(change, super::stamp())
        .await;
    written.expect("registered");
    assert_eq!(erase(world).await, Err(ProblemCode::LastAdministrator));
    assert!(names_her(&told(world).await));
    assert_eq!(
        world.app.store().erased_people("acme").await.expect("read"),
        []
    );
}

pub async fn old_names_go_once_a_day_and_their_rows_stay(world: &World) {
    written(world).await;
    lock(world, None).await;
    world.clock.advance_seconds(40 * DAY);
    let trusted = signed::sign_and_trust(world).await;
    world.tick(&ben(), &incident(), "Tidy up").await;
    let rows = world.audit(&admin()).await.len();
    decide(world, Some(30), &ErasableText::ALL).await;
    housekeeping::purge(&world.app).await.expect("done");
    let left = world.audit(&admin()).await;
    assert_eq!(left.len(), rows, "no row is gone");
    let newest = left.iter().max_by_key(|row| row.sequence).expect("rows");
    assert_eq!(newest.actor, ben().actor, "what is young stays");
    let old = left.iter().filter(|row| row.sequence != newest.sequence);
    for row in old {
        assert_eq!(row.actor, Actor::erased(), "{row:?}");
        let is_of_item = row
            .event
            .as_ref()
            .is_some_and(|event| event.item_id.is_some());
        assert!(row.words_erased || !is_of_item, "{row:?}");
    }
    // The list says what it said; only who did it is gone.
    let item = world.item(&incident(), ADDED).await;
    assert_eq!(*item.created_by, Actor::erased());
    let proposal = world.item(&incident(), "Go home").await.proposal;
    let proposal = proposal.expect("the proposal itself stays");
    assert_eq!(proposal.by, Actor::erased());
    assert_eq!(proposal.reason.as_deref(), Some("Quillon has left"));
    let waiver = world.read(&anna(), &incident()).await.waived;
    let waiver = waiver.expect("the waiver itself stays");
    assert_eq!(waiver.by, Actor::erased());
    assert_eq!(waiver.reason.as_deref(), Some("Quillon allows it"));
    assert_eq!(
        world.item(&incident(), "Tidy up").await.status_by,
        Some(ben().actor.into())
    );
    assert_intact(world, trusted).await;
    let runs = async || {
        let acts = world.acts(&admin()).await;
        let is_run = |subject, action| subject == Subject::Retention && action == Action::Erased;
        acts.iter()
            .filter(|act| is_run(act.subject, act.action))
            .count()
    };
    assert_eq!(runs().await, 1);
    housekeeping::purge(&world.app).await.expect("done");
    assert_eq!(runs().await, 1, "not twice a day");
    world.clock.advance_seconds(31 * DAY);
    housekeeping::purge(&world.app).await.expect("done");
    assert_eq!(runs().await, 2);
    assert_eq!(
        world.item(&incident(), "Tidy up").await.status_by,
        Some(Actor::erased().into())
    );
}

pub async fn retention_is_decided_by_administrators_within_bounds(world: &World) {
    world.with_incidents().await;
    let put = async |principal: &Principal, days| {
        let request = PutRetention {
            personal_days: Patch::Set(days),
            ..PutRetention::default()
        };
        let put = erasure::put_retention(&world.app, principal, request).await;
        put.map_err(|error| error.code())
    };
    assert_eq!(put(&anna(), 30).await, Err(ProblemCode::PermissionDenied));
    for days in [0, 36_501] {
        assert_eq!(put(&admin(), days).await, Err(ProblemCode::InvalidRequest));
    }
    assert_eq!(put(&admin(), 30).await.expect("decided").texts, []);
    decide(world, Some(30), &[ErasableText::Notes]).await;
    let kept = put(&admin(), 60).await.expect("decided");
    assert_eq!(kept.texts, [ErasableText::Notes], "what is not named stays");
    let acts = world.acts(&admin()).await;
    let changed = acts.iter().filter(|act| act.subject == Subject::Retention);
    assert_eq!(changed.count(), 3, "each decision is a row");
}
