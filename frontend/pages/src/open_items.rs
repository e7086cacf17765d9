//! Open items of all checklists: mine, overdue, waiting for a decision, or all. Each can be ticked, or
//! decided on, where it stands.

mod change;

use checklist_control::browser::{date, date_and_time, today};
use checklist_control::i18n::Words;
use checklist_control::model::answer::answer_text;
use checklist_shared::Timestamp;
use checklist_shared::due::Due;
use checklist_shared::item::Status;
use checklist_shared::proposal::Proposal;
use checklist_shared::wire::find::{FindItems, FoundItem, ItemFilter};

use crate::kit::*;
use crate::logs::labels::name_and_kind;
use crate::route::{ITEM_VIEWS, ItemSearch};

/// How many items are read at a time.
const PAGE_SIZE: u32 = 50;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.open_items();
    let search = search_of(|route| match route {
        Route::OpenItems(search) => Some(search),
        _ => None,
    });
    // Another view has other columns, and says something else where there is nothing.
    let view = Memo::new(move |_| search.with(|search| search.view.clone()));
    let list = move || list(app, search, &view.get());
    view! {
        <PageHead title=app.language.frame().open_items intro=words.intro />
        {tabs(app, search)}
        {form(app, search)}
        {list}
    }
    .into_any()
}

fn tabs(app: App, search: Memo<ItemSearch>) -> AnyView {
    let words = app.language.open_items();
    let names = [words.mine, words.late, words.proposed, words.all];
    let views = [""].into_iter().chain(ITEM_VIEWS);
    let tabs = views.zip(names).map(|(view, name)| {
        let of_view = move |search: &ItemSearch| ItemSearch {
            view: view.to_owned(),
            ..search.clone()
        };
        let address = move || href(&Route::OpenItems(search.with(of_view)));
        let is_current = move || {
            search
                .with(|search| of_view(search) == *search)
                .then_some("page")
        };
        view! { <li><a class="tab" href=address aria-current=is_current>{name}</a></li> }
    });
    view! {
        <nav aria-label=words.show>
            <ul class="tabs">{tabs.collect::<Vec<_>>()}</ul>
        </nav>
    }
    .into_any()
}

fn form(app: App, search: Memo<ItemSearch>) -> AnyView {
    let words = app.language.open_items();
    let form = search_fields(search);
    let line = move |pointer: &'static str, label: &'static str| {
        view! { <Field bind=form.at(pointer) label kind="search" /> }
    };
    let fields = view! {
        {line("/Text", words.text)}
        {line("/ObjectType", words.object_type)}
        {line("/Template", app.language.lists().template_id)}
    };
    search_form(form, search, Route::OpenItems, fields.into_any(), None)
}

fn list(app: App, search: Memo<ItemSearch>, view: &str) -> AnyView {
    let words = app.language.open_items();
    let asked = move |after: Option<&str>| {
        let question = search.with(|search| question(app, search, after));
        PageRequest::posting("FindItems", &question)
    };
    let list = PagedList::<FoundItem>::new(asked, "Items");
    let list = list.filtered_when(move || !search.with(ItemSearch::is_empty));
    let columns = Columns::new()
        .heading(words.item, move |found: &FoundItem| item(app, found))
        .cell_of("long", words.list, |found| {
            let to = Route::List(found.context.clone());
            let (id, kind) = (
                found.context.object_id.clone(),
                found.context.object_type.clone(),
            );
            let title = found.title.clone();
            view! {
                <PageLink to class=""><bdi>{id}</bdi></PageLink>
                <small class="under"><bdi>{kind}</bdi></small>
                {title.map(|title| view! { <small class="under" dir="auto">{title}</small> })}
            }
        })
        .cell(words.due, move |found| {
            found.item.due.map(|due| due_date(app, due))
        })
        .cell(words.assignee, |found| {
            let who = found.item.assignee.clone();
            who.map(|who| {
                let id = who.other_id().map(str::to_owned);
                view! {
                    <bdi>{who.name}</bdi>
                    {id.map(|id| view! { <small class="under"><bdi>{id}</bdi></small> })}
                }
            })
        })
        .actions(words.actions, move |found| {
            change::buttons(app, *list, found)
        });
    let empty = match view {
        "Late" => (words.none_late, words.none_late_hint),
        "Proposed" => (words.none_proposed, words.none_proposed_hint),
        "All" => (words.none_all, words.none_all_hint),
        _ => (words.none_mine, words.none_mine_hint),
    };
    view! { <ResourceList list columns empty more=more_or_search_on(*list) /> }.into_any()
}

fn question(app: App, search: &ItemSearch, after: Option<&str>) -> FindItems {
    let given = |field: &str| {
        let field = field.trim();
        (!field.is_empty()).then(|| field.to_owned())
    };
    let is = |view: &str| (search.view == view).then_some(true);
    FindItems {
        filter: ItemFilter {
            assignee: search.view.is_empty().then(|| ItemFilter::ME.to_owned()),
            late: is("Late"),
            proposed: is("Proposed"),
            text: given(&search.text),
            object_type: given(&search.object_type),
            template: given(&search.template),
            ..ItemFilter::default()
        },
        limit: Some(PAGE_SIZE),
        after: after.map(str::to_owned),
        language: Some(app.language.tag().to_owned()),
        today: Some(today().date),
        ..FindItems::default()
    }
}

/// The item: its text, the section, and what somebody proposes for it.
fn item(app: App, found: &FoundItem) -> AnyView {
    let item = &found.item;
    let text = item.text.clone();
    let to = Route::List(found.context.clone());
    let required = (item.required).then(|| pill("plain", app.language.lists().required));
    let section = found.section.clone();
    let section =
        section.map(|section| view! { <small class="under" dir="auto">{section}</small> });
    let proposal = item.proposal.as_deref().filter(|one| !one.accepted);
    view! {
        <PageLink to class="row-link"><span dir="auto">{text}</span></PageLink>
        {required}
        {section}
        {proposal.map(|proposal| proposed(app, item.second_person, proposal))}
    }
    .into_any()
}

fn proposed(app: App, is_of_first_person: bool, proposal: &Proposal) -> AnyView {
    let words = app.language.open_items();
    let sentence = match (proposal.status, is_of_first_person) {
        (Status::Done, true) => words.first_done,
        (Status::NotApplicable, true) => words.first_not_applicable,
        (Status::Done, false) => words.proposes_done,
        (Status::NotApplicable, false) => words.proposes_not_applicable,
        (Status::Open, _) => words.proposes_open,
    };
    let name = name_and_kind(app.language.logs(), &proposal.by);
    let sentence = fill(sentence, &[("name", &name)]);
    let answer = proposal.answer.as_ref().map(|answer| {
        let answer = answer_text(answer, Words::of(app.language.tag()));
        let line = fill(app.language.lists().answer, &[("text", &answer)]);
        view! { <small class="under" dir="auto">{line}</small> }
    });
    let reason = proposal.reason.clone();
    let reason = reason.map(|reason| view! { <small class="under" dir="auto">{reason}</small> });
    let evidence = proposal.evidence.as_ref().map(|evidence| {
        let (name, url) = (evidence.name.clone(), evidence.url.clone());
        view! { <small class="under">{external_link(Some(&url), "", None, name)}</small> }
    });
    view! { <small class="under" dir="auto">{sentence}</small> {answer} {reason} {evidence} }
        .into_any()
}

/// When it is due, and whether that is over.
fn due_date(app: App, due: Due) -> AnyView {
    let today = today();
    let text = match due {
        Due::At(at) => date_and_time(at, app.language.tag()),
        Due::Day(day) => date(day, app.language.tag()),
    };
    let is_late = due.is_over(Timestamp::from_millis(today.now), today.date);
    let late = is_late.then(|| pill("bad", app.language.open_items().overdue));
    let late = late.map(|late| view! { <small class="under">{late}</small> });
    view! { <span>{text}</span> {late} }.into_any()
}
