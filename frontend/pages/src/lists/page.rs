//! One checklist, to look at: its state, its items as they are now, and the ways to its history.

use checklist_control::browser::{date, date_and_time};
use checklist_control::i18n::Words;
use checklist_control::model::answer::answer_text;
use checklist_shared::Context;
use checklist_shared::checklist::ListMark;
use checklist_shared::due::Due;
use checklist_shared::item::{Actor, Kind, Status};
use checklist_shared::permission::Permission;
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::{GetItems, ListAnswer};

use super::runs::{self, Shown};
use super::{progress, purpose, state_pill, template};
use crate::kit::*;
use crate::logs::labels::{name, name_and_kind};
use crate::route::{ListSearch, Search};

/// The page.
pub fn page(app: App, context: Context) -> AnyView {
    let shown = Shown::new(None);
    let read = move || {
        let request = GetItems {
            context: Some(context.clone()),
            run: shown.get(),
            language: Some(app.language.tag().to_owned()),
            ..GetItems::default()
        };
        api::post::<ListAnswer>(app, "GetItems", request)
    };
    let back = Route::Lists(ListSearch::default());
    let body = load(read, move |list: ListAnswer| list_view(app, &list, shown));
    view! {
        <BackLink to=back label=app.language.frame().lists />
        {body}
    }
    .into_any()
}

fn list_view(app: App, list: &ListAnswer, shown: Shown) -> AnyView {
    let words = app.language.lists();
    let context = &list.context;
    let search = Search {
        object_type: context.object_type.clone(),
        object_id: context.object_id.clone(),
        purpose: context.purpose.clone(),
        ..Search::default()
    };
    let may_audit = app
        .session
        .with_untracked(|session| session.may(Permission::Audit));
    let audit = Route::Audit(search.clone());
    let audit = may_audit
        .then(|| view! { <PageLink to=audit class="button outlined">{words.audit}</PageLink> });
    let not_written =
        (list.revision == 0).then(|| view! { <p class="notice">{words.not_written}</p> });
    let (about, items) = (about(app, list), items(app, list));
    let may_start = list.permissions.allows(Permission::Lock) && list.locked.is_none();
    let again = may_start.then(|| {
        let list = list.clone();
        let ask = move || runs::ask(app, &list, move || shown.set(None));
        view! { <Button label=words.start_again_ask click=ask /> }
    });
    let closed = runs::closed_notice(app, list, shown);
    let runs = list.run.is_some().then(|| runs::panel(app, context, shown));
    view! {
        <PageHead title=context.object_id.clone()>
            {again}
            <PageLink to=Route::Journal(search) class="button outlined">{words.journal}</PageLink>
            {audit}
        </PageHead>
        {closed}
        {not_written}
        <Panel id="list-title" title=words.about>{about}</Panel>
        <Panel id="items-title" title=words.items is_bare=true>{items}</Panel>
        {runs}
    }
    .into_any()
}

fn about(app: App, list: &ListAnswer) -> AnyView {
    let words = app.language.lists();
    let context = &list.context;
    let text = |text: &str| view! { <bdi>{text.to_owned()}</bdi> }.into_any();
    let mark = |label, by: &Actor, at, reason: Option<&String>| {
        let at = date_and_time(at, app.language.tag());
        let name = name(app.language.logs(), by);
        let by = fill(words.by_at, &[("name", &name), ("time", &at)]);
        let reason = reason.cloned();
        let reason =
            reason.map(|reason| view! { <small class="under" dir="auto">{reason}</small> });
        (label, view! { <bdi>{by}</bdi>{reason} }.into_any())
    };
    let locked = list.locked.as_ref();
    let locked = locked.map(|lock| mark(words.locked, &lock.by, lock.at, lock.reason.as_ref()));
    let waived = list.waived.as_ref();
    let waived = waived.map(|waiver| {
        let ListMark { reason, by, at } = waiver;
        mark(words.waiver, by, *at, reason.as_ref())
    });
    let lines = [
        (
            words.state,
            state_pill(app, list.state, list.locked.is_some()),
        ),
        (words.progress, text(&progress(app, list.counts))),
        (words.object_type, text(&context.object_type)),
        (words.purpose, text(&purpose(app, &context.purpose))),
        (
            words.template,
            template(app, list.template_id.as_deref(), list.template_version),
        ),
        (words.revision, text(&list.revision.to_string())),
    ];
    facts(lines.into_iter().chain(waived).chain(locked))
}

fn items(app: App, list: &ListAnswer) -> AnyView {
    let words = app.language.lists();
    let items = list.items.as_deref().unwrap_or_default();
    if items.is_empty() {
        return view! { <p class="padded quiet">{words.no_items}</p> }.into_any();
    }
    let rows = items.iter().map(|item| item_row(app, item));
    view! { <ul class="list-items">{rows.collect::<Vec<_>>()}</ul> }.into_any()
}

fn item_row(app: App, item: &ItemView) -> AnyView {
    let words = app.language.lists();
    let text = item.text.clone();
    let under = (item.parent_id.is_some()).then_some("nested");
    match item.kind {
        Kind::Section => {
            return view! { <li class="list-section"><h3 dir="auto">{text}</h3></li> }.into_any();
        }
        Kind::Info => {
            return view! { <li class=under><p class="quiet" dir="auto">{text}</p></li> }
                .into_any();
        }
        Kind::Item => {}
    }
    let status = match item.status {
        Status::Done => pill("", words.done),
        Status::NotApplicable => pill("plain", words.not_applicable),
        Status::Open => pill("warm", words.to_do),
    };
    let required = item.required.then(|| pill("plain", words.required));
    let retired = item.retired_at.map(|_| pill("plain", words.retired));
    let lines = details(app, item).into_iter().map(|line| {
        view! { <span dir="auto">{line}</span> }
    });
    view! {
        <li class=under>
            <span class="pills">{status}</span>
            <span class="list-item">
                <span dir="auto">{text}</span>
                <small class="list-details">{lines.collect::<Vec<_>>()}</small>
            </span>
            <span class="pills">{required}{retired}</span>
        </li>
    }
    .into_any()
}

/// What else there is to say of an item, in the order in which people ask.
fn details(app: App, item: &ItemView) -> Vec<String> {
    let words = app.language.lists();
    let tag = app.language.tag();
    let resolved = item.status != Status::Open;
    let by = item.status_by.as_ref().filter(|_| resolved);
    let by = by.zip(item.status_at).map(|(by, at)| {
        let at = date_and_time(at, tag);
        fill(
            words.by_at,
            &[
                ("name", &name_and_kind(app.language.logs(), by)),
                ("time", &at),
            ],
        )
    });
    let due = item.due.map(|due| {
        let due = match due {
            Due::At(at) => date_and_time(at, tag),
            Due::Day(day) => date(day, tag),
        };
        fill(words.due, &[("time", &due)])
    });
    let answer = item.answer.as_ref();
    let answer = answer.map(|answer| answer_text(answer, Words::of(tag)));
    let reason = item.reason.as_ref();
    let note = item.note.as_ref();
    let assignee = item.assignee.as_ref().map(|who| match who.other_id() {
        Some(id) => format!("{} ({id})", who.name),
        None => who.name.clone(),
    });
    [
        by,
        answer.map(|text| fill(words.answer, &[("text", &text)])),
        reason.map(|text| fill(words.reason, &[("text", text)])),
        assignee.map(|name| fill(words.assignee, &[("name", &name)])),
        due,
        note.map(|text| fill(words.note, &[("text", text)])),
    ]
    .into_iter()
    .flatten()
    .collect()
}
