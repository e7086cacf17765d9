//! GetItems: projections, batches, changes since a revision, languages, which template applies.
//!
//! Part of the conformance suite.

use std::collections::BTreeMap;

use checklist_services::checklist::GetItemsAnswer;
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::permission::{Permission, Role};
use checklist_shared::problem::ProblemCode;
use checklist_shared::progress::State;
use checklist_shared::wire::list::{GetItems, ListResult, View};
use checklist_shared::wire::write::AddItem;

use super::{World, anna, incident, new, on, only, person, status, template_of, texts};

pub async fn a_list_never_written_is_projected_and_reading_it_writes_nothing(world: &World) {
    world.with_incidents().await;
    let first = world.read(&anna(), &incident()).await;
    let second = world.read(&person("ben", Role::Reader), &incident()).await;
    assert_eq!(first.revision, 0);
    assert_eq!(first.state, State::Open);
    assert!(!first.completed);
    assert_eq!(
        (
            first.counts.total,
            first.counts.open,
            first.counts.required_open
        ),
        (5, 5, 1)
    );
    assert_eq!(
        texts(&first),
        [
            "Call back",
            "Write it down",
            "Tell the team",
            "After",
            "Tidy up",
            "Go home"
        ]
    );
    assert_eq!(
        (first.template_id.as_deref(), first.template_version),
        (Some("five"), Some(1))
    );
    assert_eq!(first.title.as_deref(), Some("Template five"));
    let ids = |list: &checklist_shared::wire::list::ListAnswer| -> Vec<_> {
        list.items.iter().flatten().map(|item| item.id).collect()
    };
    assert_eq!(ids(&first), ids(&second));
    let behind = world
        .app
        .store()
        .lists_behind("acme", "five", u32::MAX, 0, 10)
        .await
        .expect("counted");
    assert_eq!(behind.total, 0, "reading has made a list");
    assert!(world.audit(&super::admin()).await.is_empty());
}

pub async fn a_purpose_without_a_template_is_empty_and_never_completed(world: &World) {
    world.with_incidents().await;
    let list = world
        .read(&anna(), &Context::new("incident", "INC-1", "elsewhere"))
        .await;
    assert_eq!((list.state, list.completed), (State::Empty, false));
    assert_eq!(list.items, Some(Vec::new()));
    assert_eq!(list.template_id, None);
}

pub async fn a_summary_leaves_the_items_out(world: &World) {
    world.with_incidents().await;
    let request = GetItems {
        context: Some(incident()),
        view: View::Summary,
        ..GetItems::default()
    };
    let GetItemsAnswer::One(list) = world.ask(&anna(), request).await.expect("a summary") else {
        panic!()
    };
    assert_eq!(list.items, None);
    assert_eq!(list.counts.total, 5);
    assert_eq!(list.blockers.len(), 5);
}

pub async fn a_batch_answers_each_context_with_a_list_or_a_problem_in_order(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let foreign = Context::new("incident", "INC-2", "");
    let unknown = Context {
        template_id: Some("nowhere".into()),
        ..Context::new("incident", "INC-1", "x")
    };
    let invalid = Context::new("incident", "", "");
    let request = GetItems {
        contexts: Some(vec![foreign, incident(), unknown, invalid]),
        ..GetItems::default()
    };
    let mut caller = on(anna(), &incident());
    if let checklist_store::scope::ContextScope::Listed(contexts) = &mut caller.contexts {
        contexts[0].purpose = "*".into();
    }
    let GetItemsAnswer::Many(answers) = world.ask(&caller, request).await.expect("answers") else {
        panic!()
    };
    let told: Vec<_> = answers
        .results
        .iter()
        .map(|result| match result {
            ListResult::List(list) => Ok(list.revision),
            ListResult::Problem(problem) => Err(problem.code),
        })
        .collect();
    assert_eq!(
        told,
        [
            Err(ProblemCode::ContextNotFound),
            Ok(1),
            Err(ProblemCode::TemplateNotFound),
            Err(ProblemCode::InvalidRequest)
        ]
    );
}

pub async fn a_batch_in_which_every_context_is_refused_answers_each_of_them(world: &World) {
    world.with_incidents().await;
    let request = GetItems {
        contexts: Some(vec![Context::new("incident", "INC-2", ""), incident()]),
        ..GetItems::default()
    };
    let caller = on(anna(), &Context::new("incident", "INC-3", ""));
    let GetItemsAnswer::Many(answers) = world.ask(&caller, request).await.expect("answers") else {
        panic!()
    };
    let codes: Vec<_> = answers
        .results
        .iter()
        .map(|result| match result {
            ListResult::List(list) => panic!("{list:?}"),
            ListResult::Problem(problem) => problem.code,
        })
        .collect();
    assert_eq!(codes, [ProblemCode::ContextNotFound; 2]);
}

pub async fn a_request_names_either_one_context_or_at_most_two_hundred(world: &World) {
    let refused = async |request| {
        world
            .ask(&anna(), request)
            .await
            .expect_err("refused")
            .code()
    };
    assert_eq!(
        refused(GetItems::default()).await,
        ProblemCode::InvalidRequest
    );
    let both = GetItems {
        context: Some(incident()),
        contexts: Some(vec![incident()]),
        ..GetItems::default()
    };
    assert_eq!(refused(both).await, ProblemCode::InvalidRequest);
    let many = GetItems {
        contexts: Some(vec![incident(); 201]),
        ..GetItems::default()
    };
    assert_eq!(refused(many).await, ProblemCode::LimitExceeded);
    let since = GetItems {
        contexts: Some(vec![incident()]),
        since_revision: Some(1),
        ..GetItems::default()
    };
    assert_eq!(refused(since).await, ProblemCode::InvalidRequest);
}

pub async fn reading_needs_the_permission_and_a_covered_context(world: &World) {
    world.with_incidents().await;
    let blind = only(anna(), &[Permission::Check]);
    let code = world
        .try_read(&blind, &incident())
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::PermissionDenied);
    let elsewhere = on(anna(), &Context::new("incident", "INC-2", ""));
    let code = world
        .try_read(&elsewhere, &incident())
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::ContextNotFound);
}

pub async fn changes_since_a_revision_hold_what_changed_and_what_is_gone(world: &World) {
    world.with_incidents().await;
    let projected = world.read(&anna(), &incident()).await;
    world.tick(&anna(), &incident(), "Call back").await;
    let delta = world
        .read_since(&anna(), &incident(), Some(projected.revision))
        .await
        .expect("changes");
    // All items, because the first write may use a later template version than the projection.
    assert!(delta.delta);
    assert_eq!(delta.items.as_ref().map(Vec::len), Some(6));

    world.tick(&anna(), &incident(), "Tell the team").await;
    let gone = world.item(&incident(), "Tidy up").await.id;
    world
        .delete(&anna(), &incident(), None, vec![gone])
        .await
        .expect("deleted");
    let delta = world
        .read_since(&anna(), &incident(), Some(1))
        .await
        .expect("changes");
    assert_eq!(texts(&delta), ["Tell the team"]);
    assert_eq!(delta.removed, [gone]);
    let nothing = world
        .read_since(&anna(), &incident(), Some(3))
        .await
        .expect("changes");
    assert!(nothing.delta && nothing.removed.is_empty() && texts(&nothing).is_empty());
    // A future revision: the client has seen another database.
    let future = world
        .read_since(&anna(), &incident(), Some(99))
        .await
        .expect("a list");
    assert!(!future.delta);
    assert_eq!(texts(&future).len(), 5);
}

pub async fn who_reads_changes_alone_learns_of_places_that_were_rebalanced(world: &World) {
    let list = Context::new("note", "1", "");
    let first = world
        .add(&anna(), &list, None, vec![new("first"), new("last")])
        .await
        .expect("added");
    let first = first.results[0].id;
    let mut mirror: BTreeMap<_, String> = BTreeMap::new();
    let mut seen = 0;
    // Always at the same position: the keys grow until the server rebalances them.
    for round in 0..150 {
        let item = AddItem {
            after_id: Some(first),
            ..new(&format!("item {round}"))
        };
        world
            .add(&anna(), &list, None, vec![item])
            .await
            .expect("added");
        let delta = world
            .read_since(&anna(), &list, Some(seen))
            .await
            .expect("changes");
        seen = delta.revision;
        for item in delta.items.unwrap_or_default() {
            mirror.insert(item.id, item.sort_key);
        }
    }
    let whole = world.read(&anna(), &list).await;
    let items = whole.items.unwrap_or_default();
    assert!(
        items.iter().all(|item| item.sort_key.len() <= 60),
        "nothing was ever rebalanced"
    );
    for item in &items {
        assert_eq!(mirror.get(&item.id), Some(&item.sort_key), "{}", item.text);
    }
}

pub async fn texts_come_in_the_language_that_was_asked_for(world: &World) {
    world.with_incidents().await;
    let mut german = anna();
    german.languages = vec!["de-AT".into(), "en".into()];
    assert_eq!(
        texts(&world.read(&german, &incident()).await)[0],
        "Zurückrufen"
    );
    let request = GetItems {
        context: Some(incident()),
        language: Some("en".into()),
        ..GetItems::default()
    };
    let GetItemsAnswer::One(list) = world.ask(&german, request).await.expect("a list") else {
        panic!()
    };
    assert_eq!(texts(&list)[0], "Call back");
    assert_eq!(list.title.as_deref(), Some("Template five"));
}

pub async fn the_template_is_the_contexts_else_the_credentials_else_the_types(world: &World) {
    world.with_incidents().await;
    for id in ["six", "seven"] {
        world
            .publish(template_of(
                id,
                serde_json::json!([{"Key": "a", "Text": {"en": id}}]),
            ))
            .await;
    }
    let plain = incident();
    let named = Context {
        template_id: Some("six".into()),
        ..incident()
    };
    let mut caller = anna();
    assert_eq!(
        world.read(&caller, &plain).await.template_id.as_deref(),
        Some("five")
    );
    caller.template = Some("seven".into());
    assert_eq!(
        world.read(&caller, &plain).await.template_id.as_deref(),
        Some("seven")
    );
    assert_eq!(
        world.read(&caller, &named).await.template_id.as_deref(),
        Some("six")
    );
    // A written list keeps its template, whatever the request names.
    let id = world.read(&caller, &named).await.items.unwrap_or_default()[0].id;
    world
        .update(&caller, &named, None, vec![status(id, Status::Done)])
        .await
        .expect("written");
    assert_eq!(
        world.read(&caller, &plain).await.template_id.as_deref(),
        Some("six")
    );
    let unknown = Context {
        template_id: Some("nowhere".into()),
        ..incident()
    };
    assert_eq!(
        world.read(&caller, &unknown).await.template_id.as_deref(),
        Some("six")
    );
}

pub async fn an_unknown_template_is_not_found_while_nothing_is_written(world: &World) {
    world.with_incidents().await;
    let unknown = Context {
        template_id: Some("nowhere".into()),
        ..incident()
    };
    let code = world
        .try_read(&anna(), &unknown)
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::TemplateNotFound);
    let code = world
        .add(&anna(), &unknown, None, vec![new("x")])
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::TemplateNotFound);
}

pub async fn an_answer_tells_permissions_and_limits(world: &World) {
    world.with_incidents().await;
    let checker = person("cleo", Role::Checker);
    let list = world.read(&checker, &incident()).await;
    assert_eq!(list.permissions, Role::Checker.permissions());
    assert_eq!(
        (
            list.limits.items.max,
            list.limits.items.warn_at,
            list.limits.items.used
        ),
        (200, 180, 6)
    );
    assert_eq!((list.limits.text, list.limits.batch), (1_000, 200));
}

pub async fn a_due_date_does_not_slide_while_nobody_writes(world: &World) {
    world.with_incidents().await;
    let due = |list: &checklist_shared::wire::list::ListAnswer| {
        let mut items = list.items.iter().flatten();
        let item = items.find(|item| item.template_key.as_deref() == Some("c"));
        item.map(|item| (item.due, item.due_offset.clone()))
            .expect("the item")
    };
    let offset = (None, Some("P1D".to_owned()));
    assert_eq!(due(&world.read(&anna(), &incident()).await), offset);
    world.clock.advance_seconds(3 * 24 * 60 * 60);
    assert_eq!(due(&world.read(&anna(), &incident()).await), offset);
    let now = checklist_runtime::clock::Clock::now(&*world.clock);
    world.tick(&anna(), &incident(), "Call back").await;
    let (written, none) = due(&world.read(&anna(), &incident()).await);
    assert_eq!(
        (written, none),
        (now.plus_iso("P1D").ok().map(Into::into), None)
    );
    world.clock.advance_seconds(24 * 60 * 60);
    assert_eq!(due(&world.read(&anna(), &incident()).await).0, written);
}
