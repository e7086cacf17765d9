//! RefreshItemsOnTemplateChange and automatic refreshes.
//!
//! Part of the conformance suite.

use checklist_services::{automation, checklist};
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::problem::ProblemCode;
use checklist_shared::template::{RefreshPolicy, Template};
use checklist_shared::wire::write::{LockList, Outcome, RefreshCase, RefreshItems, Waive};
use checklist_store::store::PendingRefresh;

use super::{World, admin, anna, body, incident, new, status, template_of, texts};

pub(super) fn refresh(context: Context) -> RefreshItems {
    RefreshItems::new(context, None, false, None)
}

/// A second version: one item reworded, one removed, one new.
fn next() -> Template {
    template_of(
        "five",
        serde_json::json!([
            {"Key": "a", "Text": {"en": "Call back today", "de": "Heute zurückrufen"}, "Required": true},
            {"Key": "new", "Text": {"en": "Say sorry", "de": "Sich entschuldigen"}},
            {"Key": "c", "Text": {"en": "Tell the team", "de": "Dem Team sagen"}, "DueOffset": "P1D"},
            {"Key": "s", "Kind": "Section", "Text": {"en": "After", "de": "Danach"}},
            {"Key": "s1", "ParentKey": "s", "Text": {"en": "Tidy up", "de": "Aufräumen"}},
            {"Key": "s2", "ParentKey": "s", "Text": {"en": "Go home", "de": "Heimgehen"}},
        ]),
    )
}

/// Publishes a version of `five` that its lists follow by themselves.
pub(super) async fn publish_to_follow(world: &World, template: Template) -> PendingRefresh {
    let template = Template {
        refresh_policy: RefreshPolicy::Auto,
        ..template
    };
    PendingRefresh {
        tenant: "acme".into(),
        template: "five".into(),
        version: world.publish(template).await,
        published_by: Some(admin().actor),
    }
}

pub(super) async fn pending_refreshes(world: &World) -> Vec<PendingRefresh> {
    let pending = world.app.store().pending_refreshes().await;
    pending.expect("read")
}

pub async fn a_dry_run_tells_what_the_refresh_then_does_and_writes_nothing(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.publish(next()).await;
    let before = world.read(&anna(), &incident()).await;
    let update = before.template_update.expect("an update is on offer");
    assert_eq!((update.from_version, update.to_version), (1, 2));
    assert_eq!((update.added, update.changed, update.removed), (1, 1, 1));

    let dry = RefreshItems {
        language: None,
        dry_run: true,
        ..refresh(incident())
    };
    let told = checklist::refresh_items(&world.app, &anna(), dry, body())
        .await
        .expect("told");
    assert_eq!(world.read(&anna(), &incident()).await, before);
    let done = checklist::refresh_items(&world.app, &anna(), refresh(incident()), body())
        .await
        .expect("done");
    assert_eq!((told.revision, done.revision), (1, 2));
    assert_eq!(told.changes, done.changes);
    assert_eq!((told.counts, told.state), (done.counts, done.state));
    let cases: Vec<_> = done
        .changes
        .unwrap_or_default()
        .iter()
        .map(|change| change.case)
        .collect();
    assert!(
        cases.contains(&RefreshCase::ChangedSinceChecked),
        "{cases:?}"
    );
    let outcomes: Vec<_> = done.results.iter().map(|result| result.outcome).collect();
    assert!(
        outcomes.contains(&Outcome::Created) && outcomes.contains(&Outcome::Deleted),
        "{outcomes:?}"
    );

    let after = world.read(&anna(), &incident()).await;
    assert_eq!(
        texts(&after),
        [
            "Call back today",
            "Say sorry",
            "Tell the team",
            "After",
            "Tidy up",
            "Go home"
        ]
    );
    assert_eq!(
        (after.template_version, after.template_update),
        (Some(2), None)
    );
    let again = checklist::refresh_items(&world.app, &anna(), refresh(incident()), body())
        .await
        .expect("told");
    assert_eq!((again.revision, again.changes), (2, Some(Vec::new())));
}

pub async fn a_refresh_of_another_revision_changes_nothing(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.publish(next()).await;
    for dry_run in [true, false] {
        let stale = RefreshItems {
            language: None,
            expected_revision: Some(7),
            dry_run,
            ..refresh(incident())
        };
        let refused = checklist::refresh_items(&world.app, &anna(), stale, body())
            .await
            .expect_err("refused");
        assert_eq!(refused.code(), ProblemCode::RevisionMismatch);
    }
    let right = RefreshItems {
        language: None,
        expected_revision: Some(1),
        ..refresh(incident())
    };
    checklist::refresh_items(&world.app, &anna(), right, body())
        .await
        .expect("refreshed");
}

pub async fn a_list_never_written_is_made_at_the_version_asked_for(world: &World) {
    world.with_incidents().await;
    world.publish(next()).await;
    let first = RefreshItems {
        language: None,
        to_version: Some(1),
        ..refresh(incident())
    };
    let answer = checklist::refresh_items(&world.app, &anna(), first, body())
        .await
        .expect("made");
    assert_eq!(answer.revision, 1);
    let list = world.read(&anna(), &incident()).await;
    assert_eq!(list.template_version, Some(1));
    assert!(list.template_update.is_some());
    let missing = RefreshItems {
        language: None,
        to_version: Some(9),
        ..refresh(incident())
    };
    let refused = checklist::refresh_items(&world.app, &anna(), missing, body())
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::TemplateNotFound);
}

pub async fn another_template_keeps_the_state_of_the_keys_that_both_have(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world
        .publish(template_of(
            "other",
            serde_json::json!([
                {"Key": "z", "Text": {"en": "Other"}},
                {"Key": "a", "Text": {"en": "Call back"}},
            ]),
        ))
        .await;
    let named = Context {
        template_id: Some("other".into()),
        ..incident()
    };
    checklist::refresh_items(&world.app, &anna(), refresh(named), body())
        .await
        .expect("moved");
    let list = world.read(&anna(), &incident()).await;
    assert_eq!(list.template_id.as_deref(), Some("other"));
    assert_eq!(texts(&list), ["Other", "Call back"]);
    assert_eq!(list.counts.done, 1);
}

pub async fn a_list_without_a_template_has_nothing_to_follow(world: &World) {
    let list = Context::new("note", "1", "");
    world
        .add(&anna(), &list, None, vec![new("x")])
        .await
        .expect("added");
    let refused = checklist::refresh_items(&world.app, &anna(), refresh(list), body())
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::TemplateNotFound);
}

pub async fn a_refresh_over_the_limit_changes_nothing(world: &World) {
    world.with_incidents().await;
    let many: Vec<_> = (0..195)
        .map(|index| new(&format!("mine {index}")))
        .collect();
    world
        .add(&anna(), &incident(), None, many[..190].to_vec())
        .await
        .expect("added");
    let items: Vec<_> = (0..20)
        .map(|index| serde_json::json!({"Key": format!("k{index}"), "Text": {"en": format!("theirs {index}")}}))
        .collect();
    world
        .publish(template_of("five", serde_json::Value::Array(items)))
        .await;
    let refused = checklist::refresh_items(&world.app, &anna(), refresh(incident()), body())
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::LimitExceeded);
    let list = world.read(&anna(), &incident()).await;
    assert_eq!((list.revision, list.template_version), (1, Some(1)));
    assert!(list.template_update.is_some());
}

pub async fn lists_follow_by_themselves_unless_locked_waived_or_complete(world: &World) {
    world.with_incidents().await;
    let list = |id: &str| Context::new("incident", id, "");
    for id in ["open", "locked", "waived", "complete"] {
        world.tick(&anna(), &list(id), "Tell the team").await;
    }
    let lock = LockList {
        language: None,
        context: list("locked"),
        locked: true,
        reason: None,
        operation_id: None,
    };
    checklist::lock(&world.app, &anna(), lock, body())
        .await
        .expect("locked");
    let waive = Waive::new(list("waived"), "urgent".to_owned(), false, None);
    checklist::waive(&world.app, &anna(), waive, body())
        .await
        .expect("waived");
    let items = world
        .read(&anna(), &list("complete"))
        .await
        .items
        .unwrap_or_default();
    let all = items
        .iter()
        .filter(|item| item.kind == checklist_shared::item::Kind::Item)
        .map(|item| status(item.id, Status::Done));
    let done = world
        .update(&anna(), &list("complete"), None, all.collect())
        .await
        .expect("done");
    assert!(done.completed);

    let pending = publish_to_follow(world, next()).await;
    // The publication has started it in the background; a second run does no harm and waits.
    automation::run(&world.app, &pending)
        .await
        .expect("brought along");
    for (id, expected) in [("open", 2), ("locked", 1), ("waived", 1), ("complete", 1)] {
        let list = world.read(&anna(), &list(id)).await;
        assert_eq!(list.template_version, Some(expected), "{id}");
    }
    let rows = world.audit(&admin()).await;
    let row = rows
        .iter()
        .find(|row| {
            row.event.as_ref().map(|event| event.what)
                == Some(checklist_shared::event::What::Refreshed)
        })
        .expect("a row");
    assert_eq!(row.actor.id, "automation");
    let publisher = row.actor.on_behalf_of.as_deref();
    assert_eq!(publisher, Some(&admin().actor));
    assert!(pending_refreshes(world).await.is_empty());
}

pub async fn a_refresh_after_an_undone_one_brings_what_the_first_one_brought(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.publish(next()).await;
    let first = RefreshItems {
        language: None,
        operation_id: Some("refresh".into()),
        ..refresh(incident())
    };
    checklist::refresh_items(&world.app, &anna(), first, body())
        .await
        .expect("refreshed");
    let once = world.read(&anna(), &incident()).await;
    let undo = checklist_shared::wire::write::Undo {
        language: None,
        context: incident(),
        undoes: "refresh".into(),
        operation_id: None,
        log_in_journal: None,
    };
    checklist::undo(&world.app, &anna(), undo, body())
        .await
        .expect("undone");
    checklist::refresh_items(&world.app, &anna(), refresh(incident()), body())
        .await
        .expect("refreshed");
    let twice = world.read(&anna(), &incident()).await;
    assert_eq!(texts(&twice), texts(&once));
    assert_eq!(
        (twice.counts, twice.template_version),
        (once.counts, once.template_version)
    );
}
