//! Types and templates: drafts, versions, preconditions, what is rejected.
//!
//! Part of the conformance suite.

use checklist_services::listing::ListQuery;
use checklist_services::preview::{FragmentOrType, template_for};
use checklist_services::{platform_type, template};
use checklist_shared::Context;
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::template::TemplateStatus;
use checklist_shared::wire::admin::{Class, PutType, TemplateBundle, Type};
use checklist_store::expected::{ExpectedState, state_of_type};
use checklist_store::keyset::Keyset;

use super::{World, admin, anna, five, incident, new, on, person, pointers, template_of};

pub async fn a_draft_is_seen_by_those_alone_who_write_templates(world: &World) {
    let draft = world.draft(five()).await;
    assert_eq!((draft.version, draft.status), (1, TemplateStatus::Draft));
    let unseen = template::get(&world.app, &anna(), "five", None)
        .await
        .expect_err("refused");
    assert_eq!(unseen.code(), ProblemCode::TemplateNotFound);
    let unseen = template::history(&world.app, &anna(), "five")
        .await
        .expect_err("refused");
    assert_eq!(unseen.code(), ProblemCode::TemplateNotFound);
    assert!(
        template::list(&world.app, &anna(), &ListQuery::default())
            .await
            .expect("a list")
            .templates
            .is_empty()
    );
    let seen = template::get(&world.app, &admin(), "five", None)
        .await
        .expect("the draft");
    assert_eq!(*seen, draft);
    let row = template::list(&world.app, &admin(), &ListQuery::default())
        .await
        .expect("a list")
        .templates
        .remove(0);
    assert_eq!(
        (row.version, row.draft_version, row.status),
        (0, Some(1), TemplateStatus::Draft)
    );
}

pub async fn publishing_makes_the_draft_the_version_that_lists_are_made_from(world: &World) {
    world.with_incidents().await;
    let draft = template_of(
        "five",
        serde_json::json!([{"Key": "a", "Text": {"en": "Alone"}}]),
    );
    world.draft(draft).await;
    assert_eq!(
        world.read(&anna(), &incident()).await.template_version,
        Some(1)
    );
    template::publish(&world.app, &admin(), "five", ExpectedState::Anything)
        .await
        .expect("published");
    let list = world.read(&anna(), &incident()).await;
    assert_eq!((list.template_version, list.counts.total), (Some(2), 1));

    let first = template::get(&world.app, &anna(), "five", Some(1))
        .await
        .expect("the first version");
    assert_eq!(
        (first.version, first.items.len(), first.status),
        (1, 6, TemplateStatus::Published)
    );
    let (history, _) = template::history(&world.app, &anna(), "five")
        .await
        .expect("a history");
    let versions: Vec<_> = history
        .versions
        .iter()
        .map(|row| (row.version, row.items, row.published_by.id.as_str()))
        .collect();
    assert_eq!(versions, [(2, 1, "admin"), (1, 6, "admin")]);
    assert_eq!(history.published.map(|template| template.version), Some(2));
    assert_eq!(history.draft, None);
}

pub async fn without_a_draft_there_is_nothing_to_publish(world: &World) {
    let unknown = template::publish(&world.app, &admin(), "five", ExpectedState::Anything)
        .await
        .expect_err("refused");
    assert_eq!(unknown.code(), ProblemCode::TemplateNotFound);
    world.publish(five()).await;
    let again = template::publish(&world.app, &admin(), "five", ExpectedState::Anything)
        .await
        .expect_err("refused");
    assert_eq!(
        (again.code(), again.problem.status),
        (ProblemCode::TemplatePublished, 409)
    );
}

pub async fn everything_that_is_wrong_with_a_template_is_told_at_once(world: &World) {
    let mut draft = template_of(
        "five",
        serde_json::json!([
            {"Key": "a", "Text": {"en": "One"}},
            {"Key": "a", "Text": {"en": " "}, "DueOffset": "soon"},
            {"Key": "b", "Text": {"en": "Three"}, "ParentKey": "a"},
        ]),
    );
    draft.id = "six".into();
    let refused = template::put_draft(&world.app, &admin(), "five", draft, ExpectedState::Anything)
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), ProblemCode::InvalidRequest);
    assert_eq!(
        pointers(&refused),
        [
            "/Id",
            "/Items/1/Key",
            "/Items/1/Text",
            "/Items/1/DueOffset",
            "/Items/2/ParentKey"
        ]
    );
}

pub async fn templates_and_types_are_written_by_their_admins_alone(world: &World) {
    let kind = Type {
        name: "task".into(),
        classes: vec![],
        templates: Default::default(),
        always_journal: false,
    };
    let owner = person("otto", Role::Owner);
    let refusals = [
        template::put_draft(&world.app, &owner, "five", five(), ExpectedState::Anything)
            .await
            .expect_err("refused")
            .code(),
        template::publish(&world.app, &owner, "five", ExpectedState::Anything)
            .await
            .expect_err("refused")
            .code(),
        platform_type::put(
            &world.app,
            &owner,
            "task",
            kind.clone().into(),
            ExpectedState::Anything,
        )
        .await
        .expect_err("refused")
        .code(),
    ];
    assert_eq!(refusals, [ProblemCode::PermissionDenied; 3]);
    platform_type::put(
        &world.app,
        &person("tina", Role::TemplateAdmin),
        "task",
        kind.into(),
        ExpectedState::Anything,
    )
    .await
    .expect("written");
}

pub async fn a_type_names_published_templates_alone(world: &World) {
    let kind = Type {
        name: "task".into(),
        classes: vec![Class::ChecklistItem, Class::ChecklistItem],
        templates: [("a/b".to_owned(), "nowhere".to_owned())].into(),
        always_journal: true,
    };
    let refused = platform_type::put(
        &world.app,
        &admin(),
        "task",
        kind.clone().into(),
        ExpectedState::Anything,
    )
    .await
    .expect_err("refused");
    let error = &refused.problem.errors[0];
    assert_eq!(
        (error.pointer.as_str(), error.code),
        ("/Templates/a~1b", FieldErrorCode::Invalid)
    );
    world.publish(five()).await;
    let kind = Type {
        templates: [(String::new(), "five".to_owned())].into(),
        ..kind
    };
    platform_type::put(
        &world.app,
        &admin(),
        "task",
        kind.into(),
        ExpectedState::Anything,
    )
    .await
    .expect("written");
    let read = platform_type::get(&world.app, &anna(), "task")
        .await
        .expect("the type");
    assert_eq!(
        (read.classes, read.always_journal),
        (vec![Class::ChecklistItem], true)
    );
    let code = platform_type::get(&world.app, &anna(), "ticket")
        .await
        .expect_err("refused")
        .code();
    assert_eq!(code, ProblemCode::TypeNotFound);
    assert_eq!(
        platform_type::list(&world.app, &anna(), &ListQuery::default())
            .await
            .expect("a list")
            .types
            .len(),
        1
    );
}

pub async fn the_impact_of_a_publication_is_counted_before_it(world: &World) {
    world.with_incidents().await;
    for id in ["1", "2", "3"] {
        let context = checklist_shared::Context::new("incident", id, "");
        world.tick(&anna(), &context, "Call back").await;
    }
    let now = template::impact(&world.app, &admin(), "five")
        .await
        .expect("counted");
    assert_eq!((now.version, now.lists), (1, 0));
    world.draft(five()).await;
    let then = template::impact(&world.app, &admin(), "five")
        .await
        .expect("counted");
    assert_eq!((then.version, then.lists), (2, 3));
}

pub async fn an_export_can_be_imported_as_drafts(world: &World) {
    world.publish(five()).await;
    world
        .publish(template_of(
            "six",
            serde_json::json!([{"Key": "a", "Text": {"en": "x"}}]),
        ))
        .await;
    let bundle = template::export(&world.app, &admin())
        .await
        .expect("exported");
    assert_eq!(bundle.templates.len(), 2);
    let mut elsewhere = admin();
    elsewhere.tenant = "globex".into();
    template::import(&world.app, &elsewhere, bundle.clone().into(), false)
        .await
        .expect("imported");
    template::publish(&world.app, &elsewhere, "six", ExpectedState::Anything)
        .await
        .expect("published");
    let moved = template::get(&world.app, &elsewhere, "six", None)
        .await
        .expect("there");
    assert_eq!(moved.items, bundle.templates[1].items);
    let twice = TemplateBundle {
        templates: vec![five(), five()],
    };
    let refused = template::import(&world.app, &elsewhere, twice.into(), false)
        .await
        .expect_err("refused");
    assert_eq!(refused.problem.errors[0].pointer, "/Templates/1/Id");
}

pub async fn a_preview_is_made_by_template_or_by_type(world: &World) {
    world.with_incidents().await;
    let by_type = |name: &str, purpose: &str| FragmentOrType::Type {
        name: name.into(),
        purpose: purpose.into(),
    };
    let found = template_for(&world.app, &anna(), &by_type("incident", ""))
        .await
        .expect("a template");
    assert_eq!(found.id, "five");
    let code = async |wanted| {
        template_for(&world.app, &anna(), &wanted)
            .await
            .expect_err("refused")
            .code()
    };
    assert_eq!(
        code(by_type("incident", "x")).await,
        ProblemCode::TemplateNotFound
    );
    assert_eq!(code(by_type("ticket", "")).await, ProblemCode::TypeNotFound);
    let fragment = FragmentOrType::Fragment {
        id: "nowhere".into(),
        version: None,
    };
    assert_eq!(code(fragment).await, ProblemCode::TemplateNotFound);
}

/// A request that names one field of a type only.
fn only(change: impl FnOnce(&mut PutType)) -> PutType {
    let mut request = PutType::default();
    change(&mut request);
    request
}

pub async fn a_change_of_a_type_leaves_what_it_does_not_name(world: &World) {
    world.publish(five()).await;
    let kind = Type {
        name: "task".into(),
        classes: vec![Class::ChecklistItem],
        templates: [(String::new(), "five".to_owned())].into(),
        always_journal: true,
    };
    let put = async |change: PutType| {
        platform_type::put(
            &world.app,
            &admin(),
            "task",
            change,
            ExpectedState::Anything,
        )
        .await
        .expect("written")
    };
    put(kind.clone().into()).await;
    let classes = vec![Class::UnitOfWork, Class::ChecklistItem];
    let changed = put(only(|change| change.classes = Patch::Set(classes.clone()))).await;
    let expected = Type {
        classes,
        ..kind.clone()
    };
    assert_eq!(changed, expected);
    let cleared = put(only(|change| {
        change.templates = Patch::Clear;
        change.always_journal = Patch::Clear;
    }))
    .await;
    let expected = Type {
        templates: Default::default(),
        always_journal: false,
        ..expected
    };
    assert_eq!(cleared, expected);
    let read = platform_type::get(&world.app, &anna(), "task").await;
    assert_eq!(read.expect("the type"), expected);
}

pub async fn a_type_that_somebody_else_has_changed_is_not_overwritten(world: &World) {
    let put = async |journal: bool, expected: ExpectedState| {
        let change = only(|change| change.always_journal = Patch::Set(journal));
        let put = platform_type::put(&world.app, &admin(), "task", change, expected).await;
        put.map_err(|error| error.code())
    };
    let missing = put(true, ExpectedState::Something).await;
    assert_eq!(missing, Err(ProblemCode::TypeChanged));
    let first = put(false, ExpectedState::Nothing).await.expect("written");
    let again = put(true, ExpectedState::Nothing).await;
    assert_eq!(again, Err(ProblemCode::TypeChanged));
    let seen = ExpectedState::States(vec![state_of_type(&first)]);
    let second = put(true, seen.clone()).await.expect("written");
    assert_eq!(put(false, seen).await, Err(ProblemCode::TypeChanged));
    let read = platform_type::get(&world.app, &anna(), "task").await;
    assert_eq!(read.expect("the type"), second);
}

pub async fn templates_are_read_page_by_page_in_the_order_of_their_ids(world: &World) {
    for id in ["b", "Z", "ä", "a", "c"] {
        let template = template_of(id, serde_json::json!([{"Key": "a", "Text": {"en": "x"}}]));
        world.publish(template.clone()).await;
        world.draft(template).await;
    }
    let page = async |after: &str, limit| {
        let page = Keyset {
            after: after.to_owned(),
            limit,
        };
        let rows = world.app.store().templates("acme", page).await;
        let rows = rows.expect("rows").into_iter();
        rows.map(|row| (row.id, row.version, row.draft_version))
            .collect::<Vec<_>>()
    };
    let row = |id: &str| (id.to_owned(), 1, Some(2));
    assert_eq!(page("", 2).await, [row("Z"), row("a")]);
    assert_eq!(page("a", 2).await, [row("b"), row("c")]);
    assert_eq!(page("c", 2).await, [row("ä")]);
    let everything = world.app.store().templates("acme", Keyset::whole()).await;
    assert_eq!(everything.expect("rows").len(), 5);
}

pub async fn a_credential_for_some_lists_is_shown_their_types_and_templates_alone(world: &World) {
    world.with_incidents().await;
    let other = template_of(
        "six",
        serde_json::json!([{"Key": "a", "Text": {"en": "x"}}]),
    );
    world.publish(other).await;
    world
        .put_type("task", &[Class::ChecklistItem], &[("", "six")])
        .await;
    let mut one = on(anna(), &Context::new("incident", "1", ""));
    let all = ListQuery::default();
    let types = platform_type::list(&world.app, &one, &all).await;
    let names: Vec<String> = types
        .expect("types")
        .types
        .into_iter()
        .map(|kind| kind.name)
        .collect();
    assert_eq!(names, ["incident"]);
    let templates = template::list(&world.app, &one, &all).await;
    let ids: Vec<String> = templates
        .expect("templates")
        .templates
        .into_iter()
        .map(|row| row.id)
        .collect();
    assert_eq!(ids, ["five"]);
    // A preview needs no list: it reads the template with that id.
    let named = platform_type::get(&world.app, &one, "task").await;
    assert_eq!(named.expect("the type").name, "task");
    one.permissions = admin().permissions;
    let types = platform_type::list(&world.app, &one, &all).await;
    assert_eq!(types.expect("types").types.len(), 2);
}

pub async fn a_number_of_a_deleted_template_stands_for_no_other_content(world: &World) {
    let template =
        |text: &str| template_of("f", serde_json::json!([{"Key": "a", "Text": {"en": text}}]));
    let admin = admin();
    let delete = || template::delete(&world.app, &admin, "f", ExpectedState::Anything);
    let version = async |version| {
        let found = template::get(&world.app, &anna(), "f", version).await;
        found
            .map(|found| found.version)
            .map_err(|error| error.code())
    };
    world.publish(template("First")).await;
    world.publish(template("Second")).await;
    // A node keeps in memory what it has read.
    assert_eq!(version(Some(2)).await, Ok(2));
    delete().await.expect("deleted");
    assert_eq!(version(Some(2)).await, Err(ProblemCode::TemplateNotFound));
    world.publish(template("Another")).await;
    assert_eq!(version(None).await, Ok(3));
    for gone in [1, 2] {
        let found = version(Some(gone)).await;
        assert_eq!(found, Err(ProblemCode::TemplateNotFound), "version {gone}");
    }
    delete().await.expect("deleted");
    let draft = template("A draft that nobody publishes");
    template::put_draft(&world.app, &admin, "f", draft, ExpectedState::Nothing)
        .await
        .expect("a draft");
    delete().await.expect("deleted");
    world.publish(template("A third one")).await;
    assert_eq!(version(None).await, Ok(4));
}

pub async fn a_template_is_deleted_or_followed_and_never_both(world: &World) {
    let (anna, admin) = (anna(), admin());
    for round in 0..20 {
        let id = format!("f-{round}");
        let items = serde_json::json!([{"Key": "a", "Text": {"en": "x"}}]);
        world.publish(template_of(&id, items)).await;
        let context = Context {
            template_id: Some(id.clone()),
            ..Context::new("note", &id, "")
        };
        let (begun, gone) = tokio::join!(
            world.add(&anna, &context, None, vec![new("One more")]),
            template::delete(&world.app, &admin, &id, ExpectedState::Anything),
        );
        assert!(
            begun.is_ok() != gone.is_ok(),
            "{id}: {begun:?} beside {gone:?}"
        );
    }
}
