//! A list that is read page by page and searched by the server: a search field, the rows, and a
//! button for more of them.
//!
//! The field keeps the focus while the rows change, and so does the button as long as there is
//! more. Who reads the list out hears how many rows are shown.

use std::future::Future;
use std::pin::Pin;

use leptos::prelude::*;
use serde::de::DeserializeOwned;
use wasm_bindgen_futures::spawn_local;

use super::field::Field;
use super::load::{failed, waiting};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::element::{El, all, button, el, focus, live, nothing};
use crate::wording::{Wording, counted};

/// How many rows are read at a time.
const PIECE: usize = 100;
/// How many at a time when all of them are needed.
const LARGE_PIECE: usize = 500;
/// How many answers a search waits for while none of them has brought a row.
const EMPTY_ANSWERS: usize = 20;

/// Rows, and where the next ones begin.
pub type Piece<T> = (Vec<T>, Option<String>);
/// Draws rows.
type Draw<T> = Box<dyn Fn(&[T]) -> El + Send>;
type Answer<T> = Pin<Box<dyn Future<Output = Result<Piece<T>, ApiError>>>>;

/// Which list it is.
pub struct Kind<T: 'static> {
    /// The address of the list, which also names the field.
    pub call: &'static str,
    /// Reads a piece, see [`piece`].
    pub read: fn(App, String) -> Answer<T>,
    /// What the search looks at.
    pub hint: &'static str,
    /// Draws rows.
    pub show: Draw<T>,
    /// Stands there where there is nothing, whatever is searched for.
    pub empty: Box<dyn Fn() -> El + Send>,
}

/// Reads a piece of a list; `parts` takes the answer apart.
pub fn piece<A, T>(app: App, call: String, parts: fn(A) -> Piece<T>) -> Answer<T>
where
    A: DeserializeOwned + 'static,
    T: 'static,
{
    Box::pin(async move { Ok(parts(api::get::<A>(app, &call).await?)) })
}

/// Reads a list to its end.
///
/// # Errors
/// Why there is no answer.
pub async fn whole<A: DeserializeOwned, T>(
    app: App,
    call: &str,
    parts: fn(A) -> Piece<T>,
) -> Result<Vec<T>, ApiError> {
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let answer = api::get::<A>(app, &address(call, "", LARGE_PIECE, after.as_deref())).await?;
        let (more, next) = parts(answer);
        rows.extend(more);
        match next {
            Some(next) => after = Some(next),
            None => return Ok(rows),
        }
    }
}

fn address(call: &str, search: &str, limit: usize, after: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("Limit", &limit.to_string());
    if !search.trim().is_empty() {
        query.append_pair("Search", search.trim());
    }
    if let Some(after) = after {
        query.append_pair("After", after);
    }
    [call, "?", &query.finish()].concat()
}

struct Listing<T: 'static> {
    app: App,
    call: &'static str,
    read: fn(App, String) -> Answer<T>,
    /// What is being searched for.
    search: RwSignal<String>,
    rows: RwSignal<Option<Vec<T>>>,
    next: RwSignal<Option<String>>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<ApiError>>,
    /// Counts readings from the beginning, so that an answer that comes too late is not shown.
    reading: RwSignal<u32>,
}

impl<T> Clone for Listing<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Listing<T> {}

/// The list; read anew whenever `epoch` changes.
#[must_use]
pub fn listing<T: Clone + Send + Sync + 'static>(
    app: App,
    epoch: RwSignal<u32>,
    kind: Kind<T>,
) -> AnyView {
    let list = Listing {
        app,
        call: kind.call,
        read: kind.read,
        search: RwSignal::new(String::new()),
        rows: RwSignal::new(None),
        next: RwSignal::new(None),
        busy: RwSignal::new(false),
        failure: RwSignal::new(None),
        reading: RwSignal::new(0),
    };
    Effect::new(move |_| {
        epoch.track();
        list.begin();
    });
    let (show, empty) = (kind.show, kind.empty);
    let rows = live(move || {
        list.rows.with(|rows| match rows.as_deref() {
            None if list.failure.with(Option::is_none) => waiting(app).view(),
            None => nothing(),
            Some([]) if list.search.with_untracked(String::is_empty) => empty().view(),
            Some([]) => el("p")
                .class("card nothing quiet")
                .text(app.language.frame().nothing_found)
                .view(),
            Some(rows) => show(rows).view(),
        })
    });
    all(vec![
        list.form(kind.hint).view(),
        rows,
        list.foot(),
        list.failure_view(),
    ])
}

impl<T: Clone + Send + Sync + 'static> Listing<T> {
    /// Reads from the beginning.
    fn begin(self) {
        self.reading.update(|reading| *reading += 1);
        self.read_after(None);
    }

    fn read_after(self, after: Option<String>) {
        let mine = self.reading.get_untracked();
        self.failure.set(None);
        self.busy.set(true);
        spawn_local(async move {
            let was_asked_for_more = after.is_some();
            let mut begins = after.is_none();
            let mut after = after;
            // A search answers what it has found before it has looked at everything.
            for _ in 0..EMPTY_ANSWERS {
                let search = self.search.try_get_untracked().unwrap_or_default();
                let call = address(self.call, &search, PIECE, after.as_deref());
                let answer = (self.read)(self.app, call).await;
                if self.reading.try_get_untracked() != Some(mine) {
                    return; // searched for something else meanwhile, or left the page
                }
                match answer {
                    Ok((rows, next)) => {
                        let is_over = !rows.is_empty() || next.is_none();
                        self.rows.update(|shown| match shown {
                            Some(shown) if !begins => shown.extend(rows),
                            _ => *shown = Some(rows),
                        });
                        begins = false;
                        after.clone_from(&next);
                        self.next.set(next);
                        if is_over {
                            break;
                        }
                    }
                    Err(failure) => {
                        self.failure.set(Some(failure));
                        break;
                    }
                }
            }
            self.busy.set(false);
            // The button is gone; the focus that it had goes on to the count.
            if was_asked_for_more && self.next.with_untracked(Option::is_none) {
                let document = leptos::web_sys::window().and_then(|window| window.document());
                let count = document.and_then(|page| page.get_element_by_id(&self.count_id()));
                if let Some(count) = count {
                    focus(&count);
                }
            }
        });
    }

    fn count_id(self) -> String {
        [&self.call.to_lowercase(), "-count"].concat()
    }

    fn form(self, hint: &'static str) -> El {
        let words = self.app.language.frame();
        let typed = RwSignal::new(String::new());
        let id = [&self.call.to_lowercase(), "-search"].concat();
        el("form")
            .class("card search")
            .attr("role", "search")
            .on("submit", move |event| {
                event.prevent_default();
                self.search.set(typed.get_untracked().trim().to_owned());
                self.begin();
            })
            .el(el("div")
                .class("search-fields")
                .el(Field::new(id, words.search)
                    .hint(hint)
                    .of_kind("search", "", move |text| {
                        let is_cleared = text.is_empty();
                        typed.set(text);
                        if is_cleared && !self.search.with_untracked(String::is_empty) {
                            self.search.set(String::new());
                            self.begin();
                        }
                    })))
            .el(el("div").class("buttons").el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(words.search_now)))
    }

    /// How many rows are shown, and the way to more of them.
    fn foot(self) -> AnyView {
        let words = self.app.language.frame();
        let count = el("p")
            .class("quiet")
            .id(self.count_id())
            .attr("role", "status")
            .attr("tabindex", "-1")
            .follow_text(move || {
                let shown = self
                    .rows
                    .with(|rows| rows.as_ref().map_or(0, Vec::len) as u64);
                if shown == 0 {
                    return String::new();
                }
                let (one, other) = if self.next.with(Option::is_some) {
                    (words.shown_so_far_one, words.shown_so_far_other)
                } else {
                    (words.shown_one, words.shown_other)
                };
                counted(self.app.language, shown, one, other)
            });
        // Not drawn anew with every page, so that it keeps the focus.
        let is_more = Memo::new(move |_| self.next.with(Option::is_some));
        el("div")
            .class("more")
            .el(count)
            .live(move || {
                if !is_more.get() {
                    return nothing();
                }
                button("button outlined", words.load_more, move || {
                    if !self.busy.get_untracked() {
                        self.read_after(self.next.get_untracked());
                    }
                })
                .view()
            })
            .view()
    }

    fn failure_view(self) -> AnyView {
        live(move || match self.failure.get() {
            Some(failure) => failed(self.app, &failure, move || {
                self.read_after(self.next.get_untracked());
            })
            .view(),
            None => nothing(),
        })
    }
}
