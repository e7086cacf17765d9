//! Statistics for each item of a template, counted over the lists that follow it.
//!
//! Part of the conformance suite.

use checklist_services::template_health::{self, HealthQuery};
use checklist_services::{checklist, housekeeping};
use checklist_shared::Context;
use checklist_shared::definition::DefinitionField;
use checklist_shared::item::{Kind, Status};
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Role};
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::lists::BeginLists;
use checklist_shared::wire::runs::StartAgain;
use checklist_shared::wire::template_health::{ItemHealth, TemplateHealth};
use checklist_shared::wire::write::UpdateItem;
use checklist_store::template_health::HealthSearch;

use super::refreshing::refresh;
use super::{World, admin, anna, body, new, on, only, person, status, template_of};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

fn list(number: usize) -> Context {
    Context::new("incident", &format!("INC-{number:04}"), "")
}

async fn begin(world: &World, lists: std::ops::Range<usize>) {
    let contexts: Vec<Context> = lists.map(list).collect();
    for some in contexts.chunks(200) {
        let request = BeginLists {
            contexts: some.to_vec(),
        };
        let begun = checklist::begin_lists(&world.app, &anna(), request).await;
        assert!(
            begun
                .expect("begun")
                .results
                .iter()
                .all(|one| one.problem.is_none())
        );
    }
}

async fn set(world: &World, number: usize, text: &str, to: Status, reason: Option<&str>) {
    let update = UpdateItem {
        reason: reason.map(str::to_owned).into(),
        ..status(world.item(&list(number), text).await.id, to)
    };
    let set = world
        .update(&anna(), &list(number), None, vec![update])
        .await;
    set.expect("set");
}

async fn tick(world: &World, number: usize, text: &str) {
    set(world, number, text, Status::Done, None).await;
}

async fn delete(world: &World, number: usize, text: &str) {
    let id = world.item(&list(number), text).await.id;
    let deleted = world.delete(&anna(), &list(number), None, vec![id]).await;
    deleted.expect("deleted");
}

async fn health_of(world: &World, query: HealthQuery) -> TemplateHealth {
    let health = template_health::get(&world.app, &admin(), "five", &query).await;
    health.expect("figures")
}

async fn health(world: &World) -> TemplateHealth {
    health_of(world, HealthQuery::default()).await
}

fn item<'a>(health: &'a TemplateHealth, key: &str) -> &'a ItemHealth {
    let mut items = health.items.iter();
    let item = items.find(|item| item.key == key);
    item.unwrap_or_else(|| panic!("nothing is said of '{key}'"))
}

fn recurring(health: &TemplateHealth) -> Vec<(&str, u32)> {
    let recurring = health.recurring.iter().flatten();
    let pairs = recurring.map(|one| (one.text.as_str(), one.lists));
    pairs.collect()
}

pub async fn each_figure_of_an_item_counts_what_it_says(world: &World) {
    world.with_incidents().await;
    begin(world, 0..4).await;
    world.clock.advance_seconds(HOUR);
    tick(world, 0, "Call back").await;
    world.clock.advance_seconds(HOUR);
    tick(world, 1, "Call back").await;
    set(world, 1, "Call back", Status::Open, None).await;
    tick(world, 1, "Call back").await;
    set(world, 1, "Call back", Status::Open, None).await;
    set(
        world,
        2,
        "Write it down",
        Status::NotApplicable,
        Some("No pen"),
    )
    .await;
    let call = world.item(&list(2), "Call back").await;
    let reword = UpdateItem {
        text: Patch::Set("Ring back".to_owned()),
        base_version: Some(call.version),
        ..UpdateItem::of(call.id)
    };
    let reworded = world.update(&anna(), &list(2), None, vec![reword]).await;
    reworded.expect("reworded");
    delete(world, 3, "Go home").await;
    // Due a day after the beginning: one is done in time, one too late, and two are overdue.
    tick(world, 0, "Tell the team").await;
    world.clock.advance_seconds(2 * DAY);
    tick(world, 1, "Tell the team").await;
    let health = health(world).await;
    assert_eq!((health.lists, health.truncated), (4, false));
    let expected = ItemHealth {
        key: "a".to_owned(),
        text: "Call back".to_owned(),
        is_current: true,
        lists: 4,
        done: 1,
        open: 3,
        edited: 1,
        reopened: 2,
        // After one hour, and after two.
        median_seconds: Some(5_400),
        ..ItemHealth::default()
    };
    assert_eq!(item(&health, "a"), &expected);
    let told = item(&health, "c");
    let figures = (told.done, told.resolved_late, told.overdue);
    assert_eq!((figures, told.open), ((2, 1, 2), 2));
    assert_eq!(item(&health, "b").not_applicable, 1);
    let home = item(&health, "s2");
    assert_eq!((home.lists, home.deleted, home.open), (3, 1, 3));
    let keys = health.items.iter().map(|item| item.key.as_str());
    let keys: Vec<_> = keys.collect();
    assert_eq!(keys, ["a", "b", "c", "s1", "s2"], "a section is no item");
    world.clock.advance_seconds(31 * DAY);
    housekeeping::purge(&world.app).await.expect("purged");
    let health = self::health(world).await;
    assert_eq!(item(&health, "s2").deleted, 0, "it cannot be restored");
}

pub async fn a_list_counts_with_its_present_run(world: &World) {
    world.with_incidents().await;
    begin(world, 0..2).await;
    world.clock.advance_seconds(HOUR);
    tick(world, 0, "Call back").await;
    let request = StartAgain::new(list(0), "Monday".to_owned(), None);
    let again = checklist::start_again(&world.app, &anna(), request, body()).await;
    again.expect("started");
    let of_all = health(world).await;
    let figure = item(&of_all, "a");
    let figures = (figure.lists, figure.done, figure.median_seconds);
    assert_eq!(figures, (2, 0, None));
    let query = HealthQuery {
        since: Some(world.app.clock().now()),
        ..HealthQuery::default()
    };
    let of_new = health_of(world, query).await;
    assert_eq!((of_new.lists, item(&of_new, "a").lists), (1, 1));
}

pub async fn a_text_recurs_whatever_its_case_and_spaces(world: &World) {
    world.with_incidents().await;
    let texts: [&[&str]; 4] = [
        &["Ask  the user", "ask the user", "Once", "=1+1"],
        &["اتصل بالعميل", "ASK THE USER", "=1+1", "Deleted"],
        &["اتصل  بالعميل", "tidy UP", "Deleted"],
        &["Tidy up", "Ask The User"],
    ];
    for (number, texts) in texts.into_iter().enumerate() {
        let items = texts.iter().map(|text| new(text)).collect();
        let added = world.add(&anna(), &list(number), None, items).await;
        added.expect("added");
        world.clock.advance_seconds(1);
    }
    for number in [1, 2] {
        delete(world, number, "Deleted").await;
    }
    let of_all = health(world).await;
    let expected = [
        ("Ask The User", 3),
        ("=1+1", 2),
        ("Tidy up", 2),
        ("اتصل  بالعميل", 2),
    ];
    assert_eq!(recurring(&of_all), expected);
    let keys = of_all.recurring.iter().flatten();
    let keys: Vec<_> = keys.map(|one| one.key.as_deref()).collect();
    assert_eq!(keys, [None, None, Some("s1"), None]);
}

pub async fn other_templates_and_tenants_are_not_counted(world: &World) {
    world.with_incidents().await;
    let mut other = super::five();
    other.id = "other".to_owned();
    world.publish(other).await;
    world
        .put_type("note", &[super::Class::ChecklistItem], &[("", "other")])
        .await;
    begin(world, 0..1).await;
    for number in 0..3 {
        let note = Context::new("note", &number.to_string(), "");
        world.tick(&anna(), &note, "Call back").await;
        let added = world.add(&anna(), &note, None, vec![new("Ask")]).await;
        added.expect("added");
    }
    let of_all = health(world).await;
    let figure = item(&of_all, "a");
    assert_eq!((of_all.lists, figure.lists, figure.done), (1, 1, 0));
    assert_eq!(recurring(&of_all), []);
    let mut foreign = admin();
    foreign.tenant = "beta".to_owned();
    let refused = template_health::get(&world.app, &foreign, "five", &HealthQuery::default()).await;
    let refused = refused.expect_err("no such template");
    assert_eq!(refused.code(), ProblemCode::TemplateNotFound);
}

pub async fn a_key_that_only_older_lists_have_is_told_with_its_text(world: &World) {
    world.with_incidents().await;
    begin(world, 0..3).await;
    tick(world, 0, "Write it down").await;
    tick(world, 1, "Write it down").await;
    let next = template_of(
        "five",
        serde_json::json!([{"Key": "n", "Text": {"en": "New"}}, {"Key": "a", "Text": {"en": "Call"}}]),
    );
    world.publish(next).await;
    // It follows the new version, and keeps what somebody has done.
    let refreshed = checklist::refresh_items(&world.app, &anna(), refresh(list(0)), body()).await;
    refreshed.expect("refreshed");
    let of_all = health(world).await;
    let shown = of_all.items.iter();
    let shown: Vec<_> = shown
        .map(|item| {
            (
                item.key.as_str(),
                item.text.as_str(),
                item.is_current,
                item.lists,
            )
        })
        .collect();
    let expected = [
        ("n", "New", true, 1),
        ("a", "Call", true, 3),
        ("b", "Write it down", false, 3),
        ("c", "Tell the team", false, 2),
        ("s1", "Tidy up", false, 2),
        ("s2", "Go home", false, 2),
    ];
    assert_eq!(shown, expected);
    assert_eq!(item(&of_all, "b").done, 2);
    assert_eq!(item(&of_all, "c").deleted, 0, "the template has removed it");
    let query = HealthQuery {
        version: Some(1),
        ..HealthQuery::default()
    };
    let of_first = health_of(world, query).await;
    assert_eq!((of_first.lists, item(&of_first, "n").lists), (2, 0));
}

pub async fn what_nobody_has_to_do_any_more_is_not_open_and_a_key_of_no_version_is_not_told(
    world: &World,
) {
    world.with_incidents().await;
    begin(world, 0..2).await;
    for number in 0..2 {
        let id = world.item(&list(number), "Write it down").await.id;
        let note = UpdateItem {
            note: Patch::Set("The blue pen".to_owned()),
            ..UpdateItem::of(id)
        };
        let noted = world.update(&anna(), &list(number), None, vec![note]).await;
        noted.expect("noted");
    }
    let next = template_of(
        "five",
        serde_json::json!([{"Key": "a", "Text": {"en": "Call"}}]),
    );
    world.publish(next).await;
    // It is kept for its note, and retired.
    let refreshed = checklist::refresh_items(&world.app, &anna(), refresh(list(0)), body()).await;
    refreshed.expect("refreshed");
    let of_both = health(world).await;
    let figure = item(&of_both, "b");
    assert_eq!((figure.lists, figure.open), (1, 1));
    let refreshed = checklist::refresh_items(&world.app, &anna(), refresh(list(1)), body()).await;
    refreshed.expect("refreshed");
    let keys = health(world).await.items;
    let keys: Vec<_> = keys.iter().map(|item| item.key.as_str()).collect();
    assert_eq!(keys, ["a"]);
}

pub async fn what_people_change_of_the_definition_is_counted_as_changed(world: &World) {
    let mut five = super::five();
    five.changeable = DefinitionField::ALL.into_iter().collect();
    world.publish(five).await;
    world
        .put_type("incident", &[super::Class::ChecklistItem], &[("", "five")])
        .await;
    begin(world, 0..3).await;
    let change = async |number, change: fn(&mut UpdateItem)| {
        let id = world.item(&list(number), "Write it down").await.id;
        let mut update = UpdateItem::of(id);
        change(&mut update);
        let changed = world
            .update(&anna(), &list(number), None, vec![update])
            .await;
        let changed = changed.expect("changed");
        let problem = &changed.results[0].problem;
        assert!(problem.is_none(), "{problem:?}");
    };
    change(0, |update| update.kind = Some(Kind::Info)).await;
    change(1, |update| update.required = Some(true)).await;
    let of_all = health(world).await;
    let figure = item(&of_all, "b");
    // A row to read is not open.
    assert_eq!((figure.edited, figure.lists, figure.open), (2, 2, 2));
}

pub async fn lists_of_many_pages_are_all_counted(world: &World) {
    world.with_incidents().await;
    begin(world, 0..520).await;
    for number in [0, 249, 250, 519] {
        tick(world, number, "Call back").await;
        let added = world
            .add(&anna(), &list(number), None, vec![new("Ask")])
            .await;
        added.expect("added");
    }
    let of_all = health(world).await;
    let figure = item(&of_all, "a");
    assert_eq!((of_all.lists, figure.lists, figure.done), (520, 520, 4));
    assert_eq!(recurring(&of_all), [("Ask", 4)]);
}

pub async fn a_page_has_no_more_lists_and_no_more_of_their_histories_than_was_asked_for(
    world: &World,
) {
    world.with_incidents().await;
    begin(world, 0..3).await;
    for number in 0..3 {
        tick(world, number, "Call back").await;
        tick(world, number, "Go home").await;
    }
    let mut search = HealthSearch {
        template: "five".to_owned(),
        version: None,
        since: None,
        after: None,
        lists: 2,
        rows: 100,
    };
    let read = async |search: &HealthSearch| {
        let rows = world.app.store().template_health("acme", search.clone());
        rows.await.expect("rows")
    };
    let first = read(&search).await;
    assert_eq!((first.lists.len(), first.items.len()), (2, 10));
    assert_eq!((first.changes.len(), first.is_cut), (4, false));
    search.after = first.lists.last().map(|list| list.position);
    let rest = read(&search).await;
    assert_eq!((rest.lists.len(), rest.changes.len()), (1, 2));
    assert!(first.lists.iter().all(|list| !rest.lists.contains(list)));
    // The newest rows of both lists, and not all of them.
    (search.after, search.rows) = (None, 3);
    let cut = read(&search).await;
    assert_eq!((cut.items.len(), cut.is_cut), (10, true));
    assert!((1..=3).contains(&cut.changes.len()), "{:?}", cut.changes);
}

pub async fn figures_are_for_authors_and_auditors_of_all_lists_and_texts_for_readers(
    world: &World,
) {
    world.with_incidents().await;
    for number in 0..2 {
        let added = world
            .add(&anna(), &list(number), None, vec![new("Ask")])
            .await;
        added.expect("added");
    }
    let ask = async |who: &checklist_auth::Principal| {
        template_health::get(&world.app, who, "five", &HealthQuery::default()).await
    };
    for role in [Role::TemplateAdmin, Role::Auditor, Role::Admin] {
        let told = ask(&person("ada", role)).await.expect("figures");
        assert_eq!(recurring(&told), [("Ask", 2)], "{role:?}");
    }
    for permission in [Permission::Templates, Permission::Audit] {
        let told = ask(&only(anna(), &[permission])).await.expect("figures");
        assert_eq!((told.lists, told.recurring), (2, None), "{permission:?}");
    }
    let refused = [anna(), on(person("ada", Role::TemplateAdmin), &list(0))];
    for who in refused {
        let refused = ask(&who).await.expect_err("refused");
        assert_eq!(refused.code(), ProblemCode::PermissionDenied);
    }
}
