//! The rows of a log as they come: newest first, more on demand, each with its details.
//!
//! A search may look at many rows before it finds one; it goes on by itself for a while and then
//! says how far it has looked.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::search::Log;
use super::told::time;
use crate::api::{self, ApiError};
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::parts::head::empty;
use crate::parts::load::{failed, waiting};
use crate::parts::table;
use crate::route::Search;
use crate::wording::Wording;

/// How many answers without a row a search asks for by itself.
const PATIENCE: u32 = 20;

/// A piece of a log.
pub struct Piece<T> {
    /// Its rows.
    pub rows: Vec<T>,
    /// Where the next piece begins.
    pub cursor: u64,
    /// Whether there is more.
    pub more: bool,
}

/// A piece that is on its way.
pub type Reading<T> = std::pin::Pin<Box<dyn Future<Output = Result<Piece<T>, ApiError>>>>;

/// How the rows of a log are read and drawn.
pub struct Kind<T: 'static> {
    /// Which log.
    pub log: Log,
    /// Reads a piece.
    pub read: fn(App, String) -> Reading<T>,
    /// What tells a row from all others.
    pub id: fn(&T) -> u64,
    /// Draws a row.
    pub row: fn(App, &T) -> El,
    /// The heads of the columns.
    pub heads: Vec<&'static str>,
    /// What is said when there is nothing at all.
    pub empty: (&'static str, &'static str),
}

struct State<T: Send + Sync + 'static> {
    rows: RwSignal<Vec<T>>,
    cursor: RwSignal<u64>,
    more: RwSignal<bool>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<ApiError>>,
    /// Counts searches, so that an answer that comes too late is not shown.
    search: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for State<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for State<T> {}

/// The rows of a log.
pub fn rows<T: Clone + Send + Sync + 'static>(app: App, kind: Kind<T>) -> AnyView {
    let words = app.language.logs();
    let state = State {
        rows: RwSignal::new(Vec::<T>::new()),
        cursor: RwSignal::new(0),
        more: RwSignal::new(true),
        busy: RwSignal::new(false),
        failure: RwSignal::new(None),
        search: RwSignal::new(0),
    };
    let Kind {
        log,
        read,
        id,
        row,
        heads,
        empty: nothing_yet,
    } = kind;
    let search = Memo::new(move |_| log.search(&app.route.get()));
    let load = move || spawn_local(go_on(app, log, state, search.get_untracked(), read));
    Effect::new(move |_| {
        search.track();
        state.search.update(|search| *search += 1);
        state.rows.set(Vec::new());
        state.cursor.set(0);
        state.more.set(true);
        state.busy.set(false);
        state.failure.set(None);
        load();
    });
    let none = Memo::new(move |_| state.rows.with(Vec::is_empty));
    let table = live(move || {
        if none.get() {
            return nothing();
        }
        let each = For(ForProps::builder()
            .each(move || state.rows.get())
            .key(id)
            .children(move |entry| row(app, &entry).view())
            .build());
        el("div")
            .class("card table-card")
            .el(el("table")
                .class("table stacking log")
                .el(table::heads(&heads))
                .child(each.into_any()))
            .view()
    });
    let foot = live(move || {
        if let Some(failure) = state.failure.get() {
            return failed(app, &failure, move || {
                state.failure.set(None);
                load();
            })
            .view();
        }
        match (state.busy.get(), none.get(), state.more.get()) {
            (true, ..) => waiting(app).view(),
            (_, true, false) if search.with(Search::is_empty) => {
                empty(nothing_yet.0, nothing_yet.1, Vec::new()).view()
            }
            (_, true, false) => empty(words.found_none, words.found_none_hint, Vec::new()).view(),
            (_, _, false) => el("p").class("quiet centred").text(words.end).view(),
            (_, still_none, true) => {
                let label = if still_none {
                    words.search_on
                } else {
                    words.older
                };
                el("div")
                    .class("buttons centre")
                    .el(button("button outlined", label, load))
                    .view()
            }
        }
    });
    all(vec![
        table,
        el("div").attr("aria-live", "polite").child(foot).view(),
    ])
}

async fn go_on<T: Clone + Send + Sync + 'static>(
    app: App,
    log: Log,
    state: State<T>,
    search: Search,
    read: fn(App, String) -> Reading<T>,
) {
    let mine = state.search.get_untracked();
    if state.busy.get_untracked() {
        return;
    }
    state.busy.set(true);
    for _ in 0..PATIENCE {
        let answer = read(app, log.call(&search, state.cursor.get_untracked())).await;
        if state.search.try_get_untracked() != Some(mine) {
            return; // searched for something else meanwhile, or left the page
        }
        match answer {
            Ok(piece) => {
                let found = !piece.rows.is_empty();
                state.cursor.set(piece.cursor);
                state.more.set(piece.more);
                state.rows.update(|rows| rows.extend(piece.rows));
                if found || !piece.more {
                    break;
                }
            }
            Err(failure) => {
                state.failure.set(Some(failure));
                break;
            }
        }
    }
    state.busy.set(false);
}

/// A row that can be opened: its cells, and what stands under it when it is open.
pub fn opening(
    app: App,
    at: checklist_shared::Timestamp,
    label: String,
    cells: Vec<El>,
    details: impl Fn() -> El + Send + 'static,
) -> El {
    let words = app.language.logs();
    let open = RwSignal::new(false);
    let columns = (cells.len() + 2).to_string();
    let toggle = el("td").class("toggle-cell").el(el("button")
        .attr("type", "button")
        .class("button")
        .follow("aria-expanded", move || Some(open.get().to_string()))
        .attr("aria-label", label)
        .text(words.details)
        .on("click", move |_| open.update(|open| *open = !*open)));
    el("tbody")
        .follow("class", move || open.get().then(|| "open".to_owned()))
        .el(el("tr")
            .el(el("td")
                .class("when")
                .attr("data-label", words.when)
                .el(time(app, at)))
            .els(cells)
            .el(toggle))
        .live(move || {
            if open.get() {
                el("tr")
                    .class("details-row")
                    .el(el("td").attr("colspan", columns.clone()).el(details()))
                    .view()
            } else {
                nothing()
            }
        })
}

/// One line of details.
pub fn detail(label: &'static str, value: El) -> [El; 2] {
    [el("dt").text(label), el("dd").el(value)]
}

/// The link that shows one list alone.
pub fn only(app: App, log: Log, context: &checklist_shared::Context) -> El {
    let search = Search {
        object_type: context.object_type.clone(),
        object_id: context.object_id.clone(),
        purpose: context.purpose.clone(),
        ..Search::default()
    };
    crate::navigation::link("quiet-link", &log.route(search)).text(app.language.logs().only_this)
}

/// Reads a piece of a log; `open` takes the answer apart.
pub async fn piece<A, T>(
    app: App,
    call: String,
    open: fn(A) -> Piece<T>,
) -> Result<Piece<T>, ApiError>
where
    A: serde::de::DeserializeOwned,
{
    api::get::<A>(app, &call).await.map(open)
}
