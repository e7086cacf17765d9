//! Journal, audit trail and purge.
//!
//! Part of the conformance suite.

use std::time::Duration;

use checklist_auth::Principal;
use checklist_runtime::clock::Clock;
use checklist_services::retention::Retention;
use checklist_services::{audit, checklist, housekeeping, journal, platform_type};
use checklist_shared::Context;
use checklist_shared::administration::Category;
use checklist_shared::event::What;
use checklist_shared::item::{Basis, Status};
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::admin::{Class, Type};
use checklist_shared::wire::write::{UpdateItems, WriteAnswer};
use checklist_store::expected::ExpectedState;

use super::{
    SET_UP, World, admin, anna, ben, body, incident, new, not_applied, on, person, status,
};

const DAY: i64 = 24 * 60 * 60;

async fn logged_tick(
    world: &World,
    principal: &Principal,
    context: &Context,
    text: &str,
) -> WriteAnswer {
    let id = world.item(context, text).await.id;
    let request = UpdateItems {
        log_in_journal: Some(true),
        ..UpdateItems::new(context.clone(), false, vec![status(id, Status::Done)])
    };
    checklist::update_items(&world.app, principal, request, body())
        .await
        .expect("ticked")
}

pub async fn operations_of_one_actor_within_two_minutes_form_one_entry(world: &World) {
    world.with_incidents().await;
    let answer = logged_tick(world, &anna(), &incident(), "Call back").await;
    assert_eq!(
        (
            answer.journal.written,
            answer.journal.entries,
            answer.journal.reason
        ),
        (true, 1, None)
    );
    let first = world.journal(&anna(), 0).await;
    assert_eq!(first[0].text, "1 checked, 1 of 5 done");
    for text in ["Write it down", "Tell the team"] {
        world.clock.advance_seconds(30);
        logged_tick(world, &anna(), &incident(), text).await;
    }
    let continued = world.journal(&anna(), first[0].cursor).await;
    assert_eq!(continued.len(), 1, "a continued entry appears again, once");
    assert_eq!(continued[0].id, first[0].id);
    assert_eq!(continued[0].text, "3 checked, 3 of 5 done");
    assert_eq!(continued[0].events.len(), 3);
    assert_eq!(
        continued[0].until.as_millis() - continued[0].from.as_millis(),
        60_000
    );
    world.clock.advance_seconds(120);
    logged_tick(world, &anna(), &incident(), "Tidy up").await;
    let later = world.journal(&anna(), continued[0].cursor).await;
    assert_ne!(later[0].id, first[0].id);
    assert_eq!(later[0].text, "1 checked, 4 of 5 done");
}

pub async fn somebody_elses_change_in_between_begins_a_new_entry(world: &World) {
    world.with_incidents().await;
    logged_tick(world, &anna(), &incident(), "Call back").await;
    world.tick(&ben(), &incident(), "Tidy up").await;
    logged_tick(world, &anna(), &incident(), "Tell the team").await;
    logged_tick(world, &ben(), &incident(), "Go home").await;
    let told: Vec<_> = world
        .journal(&anna(), 0)
        .await
        .into_iter()
        .map(|entry| (entry.actor.id, entry.text))
        .collect();
    let expected = [
        ("anna", "1 checked, 1 of 5 done"),
        ("anna", "1 checked, 3 of 5 done"),
        ("ben", "1 checked, 4 of 5 done"),
    ];
    assert_eq!(
        told,
        expected.map(|(who, text)| (who.to_owned(), text.to_owned()))
    );
}

pub async fn without_a_wish_there_is_neither_entry_nor_reason(world: &World) {
    world.with_incidents().await;
    let answer = world.tick(&anna(), &incident(), "Call back").await;
    assert_eq!(answer.journal, Default::default());
    assert!(world.journal(&anna(), 0).await.is_empty());
}

pub async fn request_credential_and_type_can_each_ask_for_the_journal(world: &World) {
    world.with_incidents().await;
    assert!(
        logged_tick(world, &anna(), &incident(), "Call back")
            .await
            .journal
            .written
    );
    let mut asking = anna();
    asking.journal = true;
    assert!(
        world
            .tick(&asking, &incident(), "Tell the team")
            .await
            .journal
            .written
    );
    let kind = platform_type::get(&world.app, &admin(), "incident")
        .await
        .expect("the type");
    platform_type::put(
        &world.app,
        &admin(),
        "incident",
        Type {
            always_journal: true,
            ..kind
        }
        .into(),
        ExpectedState::Anything,
    )
    .await
    .expect("written");
    assert!(
        world
            .tick(&anna(), &incident(), "Tidy up")
            .await
            .journal
            .written
    );
}

pub async fn the_reason_names_the_class_that_is_missing_and_adding_it_works_at_once(world: &World) {
    let list = Context::new("task", "1", "");
    world
        .add(
            &anna(),
            &list,
            None,
            vec![new("one"), new("two"), new("three"), new("four")],
        )
        .await
        .expect("added");
    let reason_of = async |text: &str| {
        let journal = logged_tick(world, &anna(), &list, text).await.journal;
        journal.reason.unwrap_or_default()
    };
    let reason = reason_of("one").await;
    assert!(reason.contains("'task' is not registered"), "{reason}");
    world.put_type("task", &[Class::ChecklistItem], &[]).await;
    assert_eq!(
        reason_of("two").await,
        "Nothing is journaled: add UnitOfWork to the classes of the type 'task'."
    );
    world.put_type("task", &[Class::UnitOfWork], &[]).await;
    assert_eq!(
        reason_of("three").await,
        "Nothing is journaled: add ChecklistItem to the classes of the type 'task'."
    );
    world
        .put_type("task", &[Class::UnitOfWork, Class::ChecklistItem], &[])
        .await;
    let journal = logged_tick(world, &anna(), &list, "four").await.journal;
    assert!(journal.written && journal.reason.is_none());
}

pub async fn the_journal_is_read_page_by_page_within_the_credentials_contexts(world: &World) {
    world.with_incidents().await;
    let list = |id: &str| Context::new("incident", id, "");
    for id in ["1", "2", "3"] {
        logged_tick(world, &anna(), &list(id), "Call back").await;
    }
    let query = |after, limit| journal::LogQuery {
        after,
        limit: Some(limit),
        ..Default::default()
    };
    let first = journal::page(&world.app, &anna(), query(0, 2))
        .await
        .expect("a page");
    assert_eq!((first.entries.len(), first.more), (2, true));
    let second = journal::page(&world.app, &anna(), query(first.cursor, 2))
        .await
        .expect("a page");
    assert_eq!((second.entries.len(), second.more), (1, false));
    let nothing = journal::page(&world.app, &anna(), query(second.cursor, 2))
        .await
        .expect("a page");
    assert_eq!((nothing.entries.len(), nothing.cursor), (0, second.cursor));

    let narrow = world.journal(&on(anna(), &list("2")), 0).await;
    assert_eq!(
        narrow
            .iter()
            .map(|entry| entry.context.object_id.as_str())
            .collect::<Vec<_>>(),
        ["2"]
    );
    let of_object = journal::LogQuery {
        object_type: Some("incident".into()),
        object_id: Some("3".into()),
        ..Default::default()
    };
    let found = journal::page(&world.app, &anna(), of_object.clone())
        .await
        .expect("a page")
        .entries;
    assert_eq!(
        found
            .iter()
            .map(|entry| entry.context.object_id.as_str())
            .collect::<Vec<_>>(),
        ["3"]
    );
    let foreign = journal::page(&world.app, &on(anna(), &list("2")), of_object)
        .await
        .expect("a page")
        .entries;
    assert!(foreign.is_empty());
    let blind = person("x", Role::SiteOperator);
    let code = journal::page(&world.app, &blind, query(0, 2))
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::PermissionDenied);
}

pub async fn the_audit_trail_tells_each_change_with_text_actor_basis_and_operation(world: &World) {
    world.with_incidents().await;
    let id = world.item(&incident(), "Call back").await.id;
    world
        .update(
            &anna(),
            &incident(),
            Some("op-1"),
            vec![status(id, Status::Done)],
        )
        .await
        .expect("ticked");
    world
        .add(&ben(), &incident(), None, vec![new("x"), new("y")])
        .await
        .expect("added");
    let rows = world.audit(&admin()).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.sequence - SET_UP,
                row.revision.unwrap_or_default(),
                row.actor.id.as_str(),
                row.event.as_ref().map(|event| event.what),
                row.event.as_ref().map_or("", |event| &event.text),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (1, 1, "anna", Some(What::Created), ""),
            (2, 1, "anna", Some(What::Checked), "Call back"),
            (3, 2, "ben", Some(What::Added), "x"),
            (4, 2, "ben", Some(What::Added), "y"),
        ]
    );
    assert_eq!(
        (
            rows[1].event.as_ref().and_then(|event| event.basis),
            rows[1].operation_id.as_deref()
        ),
        (Some(Basis::Assumed), Some("op-1"))
    );
    for pair in rows.windows(2) {
        assert_ne!(pair[1].hash, pair[0].hash);
    }
    let verdicts = audit::verify(&world.app, None, &audit::Trusted::default())
        .await
        .expect("verified");
    assert_eq!((verdicts[0].rows, &verdicts[0].broken), (SET_UP + 4, &None));
}

pub async fn the_audit_trail_is_for_auditors_within_their_contexts(world: &World) {
    world.with_incidents().await;
    let other = Context::new("incident", "INC-2", "");
    world.tick(&anna(), &incident(), "Call back").await;
    world.tick(&anna(), &other, "Call back").await;
    let query = journal::LogQuery::default;
    let code = audit::page(&world.app, &anna(), query())
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::PermissionDenied);
    let auditor = person("ada", Role::Auditor);
    assert_eq!(world.audit(&auditor).await.len(), 4);
    let narrow = world.audit(&on(auditor.clone(), &other)).await;
    assert_eq!(
        narrow.iter().map(|row| row.sequence).collect::<Vec<_>>(),
        [SET_UP + 3, SET_UP + 4]
    );
    let of_object = journal::LogQuery {
        object_id: Some("INC-2".into()),
        after: SET_UP + 3,
        ..query()
    };
    let page = audit::page(&world.app, &auditor, of_object)
        .await
        .expect("a page");
    assert_eq!(
        page.rows.iter().map(|row| row.sequence).collect::<Vec<_>>(),
        [SET_UP + 4]
    );
    let short = journal::LogQuery {
        limit: Some(1),
        ..query()
    };
    let page = audit::page(&world.app, &auditor, short)
        .await
        .expect("a page");
    assert_eq!((page.rows.len(), page.cursor, page.more), (1, 1, true));
}

pub async fn a_refused_request_leaves_no_trace(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let before = world.audit(&admin()).await.len();
    let unknown = checklist_shared::ItemId::from_bytes([9; 16]);
    let answer = world
        .update(
            &anna(),
            &incident(),
            None,
            vec![status(unknown, Status::Done)],
        )
        .await;
    not_applied(answer);
    world.tick(&anna(), &incident(), "Call back").await;
    assert_eq!(world.audit(&admin()).await.len(), before);
}

pub async fn what_is_deleted_is_gone_after_thirty_days_and_the_audit_trail_stays(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    let gone = world.item(&incident(), "Tidy up").await.id;
    world
        .delete(&anna(), &incident(), None, vec![gone])
        .await
        .expect("deleted");
    world.tick(&anna(), &incident(), "Go home").await;
    let rows = world.audit(&admin()).await;

    world.clock.advance_seconds(29 * DAY);
    assert_eq!(
        housekeeping::purge(&world.app).await.expect("purged").items,
        0
    );
    let delta = world
        .read_since(&anna(), &incident(), Some(1))
        .await
        .expect("changes");
    assert!(delta.delta && delta.removed == [gone]);
    world.clock.advance_seconds(2 * DAY);
    assert_eq!(
        housekeeping::purge(&world.app).await.expect("purged").items,
        1
    );
    // The deletion is purged, so a client with an older revision gets the whole list.
    let whole = world
        .read_since(&anna(), &incident(), Some(1))
        .await
        .expect("a list");
    assert!(!whole.delta);
    assert_eq!(whole.items.map(|items| items.len()), Some(5));
    assert!(
        world
            .read_since(&anna(), &incident(), Some(2))
            .await
            .expect("changes")
            .delta
    );
    assert_eq!(world.audit(&admin()).await, rows);
    let verdict = audit::verify(&world.app, Some("acme"), &audit::Trusted::default())
        .await
        .expect("verified");
    assert_eq!(verdict[0].broken, None);
    world.tick(&anna(), &incident(), "Tell the team").await;
}

pub async fn remembered_operations_are_purged_after_a_day(world: &World) {
    let list = Context::new("note", "1", "");
    world
        .add(&anna(), &list, Some("one"), vec![new("x")])
        .await
        .expect("added");
    world.clock.advance_seconds(DAY / 2);
    world
        .add(&anna(), &list, Some("two"), vec![new("y")])
        .await
        .expect("added");
    for seconds in [DAY / 2 + 1, DAY] {
        world.clock.advance_seconds(seconds);
        let purged = housekeeping::purge(&world.app).await;
        assert_eq!(purged.expect("purged").operations, 1);
    }
}

pub async fn old_entries_of_the_journal_go_where_they_are_not_kept_and_cursors_go_on(
    world: &World,
) {
    world.with_incidents().await;
    let retention = |days: u64| Retention {
        journal: Some(Duration::from_secs(days * DAY.unsigned_abs())),
        ..Retention::default()
    };
    for text in ["Call back", "Write it down", "Tell the team"] {
        logged_tick(world, &anna(), &incident(), text).await;
        world.clock.advance_seconds(10 * DAY);
    }
    let before = world.journal(&anna(), 0).await;
    assert_eq!(before.len(), 3);
    housekeeping::purge(&world.app).await.expect("purged");
    assert_eq!(world.journal(&anna(), 0).await, before, "kept for ever");
    let purge = async |days| {
        let purged = housekeeping::purge_older_than(&world.app, retention(days));
        purged.await.expect("purged");
    };
    purge(25).await;
    assert_eq!(world.journal(&anna(), 0).await, before[1..]);
    let rows = world.audit(&admin()).await;
    // The newest entry stays: later ones come after it for a host that reads on from its cursor.
    purge(1).await;
    assert_eq!(world.journal(&anna(), 0).await, before[2..]);
    logged_tick(world, &anna(), &incident(), "Go home").await;
    let later = world.journal(&anna(), before[2].cursor).await;
    assert_eq!(later.len(), 1);
    assert_eq!(world.audit(&admin()).await.len(), rows.len() + 1);
    let verdict = audit::verify(&world.app, Some("acme"), &audit::Trusted::default()).await;
    assert_eq!(verdict.expect("verified")[0].broken, None);
}

pub async fn logs_are_read_in_either_order_and_within_a_time(world: &World) {
    world.with_incidents().await;
    let list = |id: &str| Context::new("incident", id, "");
    let mut between = Vec::new();
    for id in ["1", "2", "1", "3"] {
        world.clock.advance_seconds(600);
        between.push(world.clock.now());
        let texts = ["Call back", "Tidy up"];
        let text = texts[usize::from(between.len() == 3)];
        logged_tick(world, &anna(), &list(id), text).await;
    }
    let journal = async |query: journal::LogQuery| {
        let page = journal::page(&world.app, &anna(), query)
            .await
            .expect("a page");
        let objects: Vec<String> = page
            .entries
            .iter()
            .map(|entry| entry.context.object_id.clone())
            .collect();
        (objects.join(" "), page.cursor, page.more)
    };
    let newest = journal::LogQuery {
        newest_first: true,
        limit: Some(3),
        ..Default::default()
    };
    let (objects, cursor, more) = journal(newest.clone()).await;
    assert_eq!((objects.as_str(), more), ("3 1 2", true));
    let rest = journal(journal::LogQuery {
        after: cursor,
        ..newest.clone()
    })
    .await;
    assert_eq!((rest.0.as_str(), rest.2), ("1", false));
    let of_object = journal::LogQuery {
        object_id: Some("1".into()),
        limit: Some(1),
        ..newest.clone()
    };
    let (objects, cursor, more) = journal(of_object.clone()).await;
    assert_eq!((objects.as_str(), more), ("1", true));
    let older = journal(journal::LogQuery {
        after: cursor,
        ..of_object
    })
    .await;
    assert_eq!((older.0.as_str(), older.2), ("1", false));
    assert!(older.1 < cursor);
    let within = journal::LogQuery {
        from: Some(between[1]),
        to: Some(between[3]),
        ..Default::default()
    };
    assert_eq!(journal(within.clone()).await.0, "2 1");
    let of_one = journal::LogQuery {
        object_id: Some("1".into()),
        ..within.clone()
    };
    assert_eq!(journal(of_one).await.0, "1");

    let audit = async |query: journal::LogQuery| {
        let page = audit::page(&world.app, &admin(), query)
            .await
            .expect("a page");
        page.rows
            .iter()
            .map(|row| row.sequence)
            .collect::<Vec<u64>>()
    };
    let all = audit(Default::default()).await;
    let backwards = audit(journal::LogQuery {
        newest_first: true,
        ..Default::default()
    })
    .await;
    assert_eq!(
        backwards,
        all.iter().rev().copied().collect::<Vec<_>>(),
        "the same rows"
    );
    assert_eq!(audit(within).await, [SET_UP + 3, SET_UP + 4, SET_UP + 5]);
    let of_object = journal::LogQuery {
        newest_first: true,
        object_id: Some("1".into()),
        after: SET_UP + 5,
        ..Default::default()
    };
    assert_eq!(audit(of_object).await, [SET_UP + 2, SET_UP + 1]);
}

pub async fn logs_are_searched_for_words_an_actor_and_a_kind(world: &World) {
    world.with_incidents().await;
    world.tick(&anna(), &incident(), "Call back").await;
    world.tick(&ben(), &incident(), "Tidy up").await;
    logged_tick(world, &ben(), &incident(), "Go home").await;
    let found = async |query: journal::LogQuery| {
        let page = audit::page(&world.app, &admin(), query)
            .await
            .expect("a page");
        let events = page.rows.into_iter().filter_map(|row| row.event);
        let texts: Vec<String> = events.map(|event| event.text).collect();
        (texts, page.more)
    };
    let by_ben = journal::LogQuery {
        actor: Some("BEN".into()),
        what: Some(What::Checked),
        ..Default::default()
    };
    let (texts, more) = found(by_ben.clone()).await;
    assert_eq!(
        (texts, more),
        (vec!["Tidy up".into(), "Go home".into()], false)
    );
    let one = journal::LogQuery {
        limit: Some(1),
        ..by_ben
    };
    assert_eq!(found(one.clone()).await, (vec!["Tidy up".into()], true));
    let next = audit::page(&world.app, &admin(), one.clone())
        .await
        .expect("a page")
        .cursor;
    let rest = journal::LogQuery { after: next, ..one };
    assert_eq!(found(rest).await, (vec!["Go home".into()], false));
    let words = journal::LogQuery {
        text: Some(" call BACK ".into()),
        category: Some(Category::Checklist),
        ..Default::default()
    };
    assert_eq!(found(words).await, (vec!["Call back".into()], false));
    let item = world.item(&incident(), "Tidy up").await.id;
    let about = journal::LogQuery {
        item: Some(item),
        ..Default::default()
    };
    assert_eq!(found(about).await, (vec!["Tidy up".into()], false));
    let items = vec![new("Look again")];
    let added = world.add(&ben(), &incident(), Some("op-7"), items).await;
    added.expect("added");
    let of = |operation: &str| journal::LogQuery {
        operation: Some(operation.to_owned()),
        ..Default::default()
    };
    assert_eq!(found(of("op-7")).await, (vec!["Look again".into()], false));
    assert_eq!(found(of("op")).await, (vec![], false));
    let told = journal::LogQuery {
        text: Some("go home".into()),
        ..Default::default()
    };
    let entries = journal::page(&world.app, &anna(), told)
        .await
        .expect("a page")
        .entries;
    assert_eq!(entries.len(), 1, "found by the words of an item in it");
}
