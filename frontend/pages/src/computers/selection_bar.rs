//! The table of computers: a page at a time, each row to be chosen or let go.

use checklist_shared::wire::computers::{ComputerView, ComputersPage};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{CALLS, search, told};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::element::{El, button, el, live, nothing, ticked};
use crate::parts::load::{failed, waiting};
use crate::route::Filter;
use crate::wording::{Wording, counted, fill};

/// How many computers are read at a time.
const PIECE: usize = 100;
/// How many at a time when all of them are to be chosen.
const LARGE_PIECE: usize = 1_000;

/// What was read of the inventory.
#[derive(Clone, Copy)]
pub struct Rows {
    app: App,
    /// The computers that are shown.
    pub shown: RwSignal<Vec<ComputerView>>,
    /// How many the search finds in all; none until the first answer.
    pub total: RwSignal<Option<u64>>,
    next: RwSignal<Option<String>>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<ApiError>>,
    /// Counts searches, so that an answer that comes too late is not shown.
    search: RwSignal<u32>,
}

/// The call for the computers past a cursor.
fn call(filter: &Filter, limit: usize, after: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("Limit", &limit.to_string());
    for (name, value) in filter.fields() {
        if !value.trim().is_empty() {
            query.append_pair(name, value.trim());
        }
    }
    if let Some(after) = after {
        query.append_pair("After", after);
    }
    [CALLS, "?", &query.finish()].concat()
}

impl Rows {
    /// Reads what the address says, now and whenever it says something else.
    #[must_use]
    pub fn of(app: App) -> Self {
        let rows = Self {
            app,
            shown: RwSignal::new(Vec::new()),
            total: RwSignal::new(None),
            next: RwSignal::new(None),
            busy: RwSignal::new(false),
            failure: RwSignal::new(None),
            search: RwSignal::new(0),
        };
        let wanted = Memo::new(move |_| search::filter(&app.route.get()));
        Effect::new(move |_| {
            rows.read_again(&wanted.get());
        });
        rows
    }

    /// Reads everything anew.
    pub fn read_again(self, filter: &Filter) {
        self.search.update(|search| *search += 1);
        self.failure.set(None);
        self.read(filter.clone(), None);
    }

    /// What the address says.
    #[must_use]
    pub fn filter(self) -> Filter {
        search::filter(&self.app.route.get_untracked())
    }

    fn read(self, filter: Filter, after: Option<String>) {
        let mine = self.search.get_untracked();
        self.busy.set(true);
        spawn_local(async move {
            let path = call(&filter, PIECE, after.as_deref());
            let answer = api::get::<ComputersPage>(self.app, &path).await;
            if self.search.try_get_untracked() != Some(mine) {
                return; // searched for something else meanwhile, or left the page
            }
            match answer {
                Ok(page) => {
                    self.total.set(Some(page.total));
                    self.next.set(page.next);
                    if after.is_none() {
                        self.shown.set(page.computers);
                    } else {
                        self.shown.update(|shown| shown.extend(page.computers));
                    }
                }
                Err(failure) => self.failure.set(Some(failure)),
            }
            self.busy.set(false);
        });
    }

    /// Chooses everything that the search finds, however much of it is shown.
    pub fn choose_all(self) {
        let (app, filter) = (self.app, self.filter());
        spawn_local(async move {
            let mut ids = Vec::new();
            let mut after = None;
            loop {
                let path = call(&filter, LARGE_PIECE, after.as_deref());
                match api::get::<ComputersPage>(app, &path).await {
                    Ok(page) => {
                        ids.extend(page.computers.into_iter().map(|view| view.computer.id));
                        after = page.next;
                    }
                    Err(failure) => {
                        app.say(crate::parts::load::sentence(app, &failure));
                        return;
                    }
                }
                if after.is_none() {
                    break;
                }
            }
            app.selected.update(|selected| selected.add(ids));
        });
    }

    /// The table.
    pub fn table(self) -> AnyView {
        let none = Memo::new(move |_| self.shown.with(Vec::is_empty));
        live(move || {
            if none.get() {
                return nothing();
            }
            let each = For(ForProps::builder()
                .each(move || self.shown.get())
                // A computer that was changed by an import is drawn anew.
                .key(|view| (view.computer.id.clone(), view.updated_at))
                .children(move |view| row(self.app, &view).view())
                .build());
            el("div")
                .class("card table-card")
                .el(el("table")
                    .class("table stacking computers")
                    .el(self.heads())
                    .el(el("tbody").child(each.into_any())))
                .view()
        })
    }

    fn heads(self) -> El {
        let words = self.app.language.computers();
        let selected = self.app.selected;
        let all_chosen = move || {
            self.shown.with(|shown| {
                selected.with(|selected| shown.iter().all(|view| selected.has(&view.computer.id)))
            })
        };
        let choose = move |chosen: bool| {
            let ids: Vec<String> = self.shown.with_untracked(|shown| {
                let ids = shown.iter().map(|view| view.computer.id.clone());
                ids.collect()
            });
            selected.update(|selected| {
                if chosen {
                    selected.add(ids);
                } else {
                    selected.remove(ids);
                }
            });
        };
        let names = [
            words.name,
            words.status,
            words.serial_number,
            words.model,
            words.assigned_to,
            words.location,
        ];
        el("thead").el(el("tr")
            .el(el("td").class("choose").el(el("label").el(el("input")
                .attr("type", "checkbox")
                .class("box")
                .attr("aria-label", words.choose_shown)
                .checked(all_chosen)
                .on("change", move |event| choose(ticked(&event))))))
            .els(names.map(|name| el("th").attr("scope", "col").text(name))))
    }

    /// What stands below the table: what is on its way, what failed, and the way to more.
    pub fn foot(self) -> AnyView {
        let (app, words) = (self.app, self.app.language.computers());
        let more = live(move || {
            if let Some(failure) = self.failure.get() {
                return failed(app, &failure, move || {
                    self.failure.set(None);
                    self.read(self.filter(), self.next.get_untracked());
                })
                .view();
            }
            let shown = self.shown.with(Vec::len);
            let total = self.total.get().unwrap_or_default();
            match (self.busy.get(), self.next.get()) {
                (true, _) if shown == 0 => waiting(app).view(),
                (busy, Some(next)) => {
                    let counts = [("n", shown.to_string()), ("total", total.to_string())];
                    let counts = counts
                        .each_ref()
                        .map(|(name, value)| (*name, value.as_str()));
                    el("div")
                        .class("more")
                        .el(el("p").class("quiet").text(fill(words.shown_of, &counts)))
                        .el(button("button outlined", words.more, move || {
                            if !self.busy.get_untracked() {
                                self.read(self.filter(), Some(next.clone()));
                            }
                        })
                        .flag("aria-busy", busy))
                        .view()
                }
                (_, None) if shown > 0 => el("p")
                    .class("quiet centred")
                    .text(counted(
                        app.language,
                        total,
                        words.found_one,
                        words.found_other,
                    ))
                    .view(),
                _ => nothing(),
            }
        });
        el("div").attr("aria-live", "polite").child(more).view()
    }
}

fn row(app: App, view: &ComputerView) -> El {
    let words = app.language.computers();
    let computer = &view.computer;
    let selected = app.selected;
    let (id, own) = (computer.id.clone(), computer.id.clone());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let model = [&computer.manufacturer, &computer.model];
    let model: Vec<&str> = model.into_iter().flatten().map(String::as_str).collect();
    let long = |label: &'static str, text: String| {
        let cell = el("td").class("long").attr("data-label", label);
        if text.is_empty() {
            cell
        } else {
            cell.el(el("bdi").text(text))
        }
    };
    let chosen = {
        let id = id.clone();
        move || selected.with(|selected| selected.has(&id))
    };
    el("tr")
        .follow("class", {
            let chosen = chosen.clone();
            move || chosen().then(|| "chosen".to_owned())
        })
        .el(el("td").class("choose").el(el("label").el(el("input")
            .attr("type", "checkbox")
            .class("box")
            .attr(
                "aria-label",
                fill(words.choose, &[("name", &computer.name)]),
            )
            .checked(chosen)
            .on("change", move |event| {
                let chosen = ticked(&event);
                selected.update(|selected| selected.set(&own, chosen));
            }))))
        .el(el("th")
            .attr("scope", "row")
            .class("long")
            .el(el("bdi").text(computer.name.clone()))
            .el(el("span").class("id").text(id)))
        .el(el("td")
            .attr("data-label", words.status)
            .el(told::status(app, computer.status)))
        .el(long(words.serial_number, text(&computer.serial_number)))
        .el(long(words.model, model.join(" ")))
        .el(long(words.assigned_to, text(&computer.assigned_to)))
        .el(long(words.location, text(&computer.location)))
}
