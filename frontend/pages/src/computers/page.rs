//! The inventory: a search, the table, what is selected and what can be done with it, the import.

use checklist_shared::wire::computers::ComputerView;

use super::inventory::{Computers, address};
use super::selection_bar::selection_bar;
use super::{import, labels, search};
use crate::kit::*;
use crate::route::Filter;

/// How many computers are read at a time.
const PAGE_SIZE: usize = 100;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.computers();
    let filter = search::filter();
    let address =
        move |after: Option<&str>| filter.with(|filter| address(filter, PAGE_SIZE, after));
    let list =
        Computers::new(address, "Computers").filtered_when(move || !filter.with(Filter::is_empty));
    let import = move |class| view! { <Button label=words.import class click=move || import::open(app, list) /> };
    view! {
        <PageHead title=app.language.frame().computers intro=words.intro>{import("outlined")}</PageHead>
        {search::form(app, filter)}
        {selection_bar(app, list, filter)}
        <ResourceList list columns=columns(app, list) count=count(app, list) empty=(words.empty, words.empty_hint)>
            {import("primary")}
        </ResourceList>
    }
    .into_any()
}

fn count(app: App, list: Computers) -> Signal<String> {
    let words = app.language.computers();
    Signal::derive(move || {
        let loaded = list.count();
        match list.total.get().unwrap_or_default() {
            0 => String::new(),
            total if loaded < total => {
                let (loaded, total) = (loaded.to_string(), total.to_string());
                fill(words.count_of, &[("n", &loaded), ("total", &total)])
            }
            total => counted(app.language, total, words.count),
        }
    })
}

fn columns(app: App, list: Computers) -> Columns<ComputerView> {
    let words = app.language.computers();
    let selected = app.selected;
    let is_selected = move |view: &ComputerView| selected.with(|all| all.has(&view.computer.id));
    let text = |text: &Option<String>| text.clone().map(|text| view! { <bdi>{text}</bdi> });
    Columns::new()
        .class("computers")
        .selection(
            move || select_loaded(app, list),
            move |view| select_one(app, view),
            is_selected,
        )
        .heading(words.name, |view: &ComputerView| {
            let (name, id) = (view.computer.name.clone(), view.computer.id.clone());
            view! { <bdi class="long">{name}</bdi><span class="id long">{id}</span> }
        })
        .cell(words.status, move |view| {
            labels::status_pill(app, view.computer.status)
        })
        .cell_of("long", words.serial_number, move |view| {
            text(&view.computer.serial_number)
        })
        .cell_of("long", words.model, move |view| {
            let names = [&view.computer.manufacturer, &view.computer.model];
            let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
            text(&(!names.is_empty()).then(|| names.join(" ")))
        })
        .cell_of("long", words.assigned_to, move |view| {
            text(&view.computer.assigned_to)
        })
        .cell_of("long", words.location, move |view| {
            text(&view.computer.location)
        })
}

/// The box that selects all rows that are loaded.
fn select_loaded(app: App, list: Computers) -> AnyView {
    let selected = app.selected;
    let is_on = move || {
        list.with(|mut rows| selected.with(|all| rows.all(|row| all.has(&row.computer.id))))
    };
    let set = move |is_on| {
        let ids: Vec<String> =
            untrack(|| list.with(|rows| rows.map(|row| row.computer.id.clone()).collect()));
        selected.update(|all| {
            if is_on {
                all.add(ids);
            } else {
                all.remove(ids);
            }
        });
    };
    selection_box(app.language.computers().select_rows.to_owned(), is_on, set)
}

fn select_one(app: App, view: &ComputerView) -> AnyView {
    let words = app.language.computers();
    let name = fill(words.select_named, &[("name", &view.computer.name)]);
    let (id, own) = (view.computer.id.clone(), view.computer.id.clone());
    let is_on = move || app.selected.with(|all| all.has(&id));
    selection_box(name, is_on, move |is_on| {
        app.selected.update(|all| all.set(&own, is_on));
    })
}

fn selection_box(
    name: String,
    is_on: impl Fn() -> bool + Send + Sync + 'static,
    set: impl Fn(bool) + 'static,
) -> AnyView {
    let changed = move |event| set(event_target_checked(&event));
    view! {
        <label><input type="checkbox" class="box" aria-label=name prop:checked=is_on on:change=changed /></label>
    }
    .into_any()
}
