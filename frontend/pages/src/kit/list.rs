//! A list of resources that is read page by page: what is loaded, and its view with search, rows,
//! count, and a button for more.
//!
//! The search field keeps the focus while the rows change, and so does the button as long as there
//! is more. The count is announced.

use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen_futures::spawn_local;

use super::{
    Binding, Button, Columns, Empty, Failure, Field, Skeleton, SubmitButton, element, focus, poll,
};
use crate::api::{self, ApiError};
use crate::app::{App, use_app};
use crate::wording::{Wording, counted};

/// How many rows are read at a time.
const PAGE_SIZE: usize = 100;
/// How many at a time when all of them are needed.
const LARGE_PAGE_SIZE: usize = 500;
/// How many empty pages a search skips by itself: the server answers before it has looked at all.
const MAX_EMPTY_PAGES: usize = 20;

/// A page of a list.
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The cursor of the next page; none on the last one.
    pub next: Option<String>,
    /// How many rows there are in all, where the server says so.
    pub total: Option<u64>,
}

impl<T> From<(Vec<T>, Option<String>)> for Page<T> {
    fn from((rows, next): (Vec<T>, Option<String>)) -> Self {
        Self {
            rows,
            next,
            total: None,
        }
    }
}

impl<T> From<Vec<T>> for Page<T> {
    fn from(rows: Vec<T>) -> Self {
        (rows, None).into()
    }
}

type Address = Arc<dyn Fn(Option<&str>) -> String + Send + Sync>;
type Request<T> = Pin<Box<dyn Future<Output = Result<Page<T>, ApiError>>>>;
type Fetch<T> = Arc<dyn Fn(String) -> Request<T> + Send + Sync>;

/// What is loaded of a list.
pub struct PagedList<T: Send + Sync + 'static> {
    id: StoredValue<String>,
    address: StoredValue<Address>,
    fetch: StoredValue<Fetch<T>>,
    /// What is searched for.
    search: RwSignal<String>,
    /// Whether an empty answer is due to a search or filter.
    is_filtered: Signal<bool>,
    /// The rows so far.
    pub rows: RwSignal<Vec<T>>,
    /// How many there are in all, where the server says so.
    pub total: RwSignal<Option<u64>>,
    next: RwSignal<Option<String>>,
    is_loaded: RwSignal<bool>,
    is_loading: RwSignal<bool>,
    error: RwSignal<Option<ApiError>>,
    /// Counts readings from the beginning, so that a late answer of an earlier one is dropped.
    reading: RwSignal<u32>,
}

impl<T: Send + Sync> Clone for PagedList<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for PagedList<T> {}

impl<T: Clone + Send + Sync + 'static> PagedList<T> {
    /// The list at the address that `address` gives for a cursor. It is read again when a signal
    /// changes that `address` reads.
    #[must_use]
    pub fn new<A: DeserializeOwned + 'static, P: Into<Page<T>> + 'static>(
        address: impl Fn(Option<&str>) -> String + Send + Sync + 'static,
        page: fn(A) -> P,
    ) -> Self {
        let list = Self::with_search("list", RwSignal::new(String::new()), address, page);
        Effect::new(move |_| list.restart_when_changed());
        list
    }

    /// The list of a call that knows `Limit`, `After` and `Search`.
    #[must_use]
    pub fn searchable<A: DeserializeOwned + 'static, P: Into<Page<T>> + 'static>(
        call: &'static str,
        page: fn(A) -> P,
    ) -> Self {
        let search = RwSignal::new(String::new());
        let address = move |after: Option<&str>| {
            search.with(|search| list_address(call, search, PAGE_SIZE, after))
        };
        let list = Self::with_search(&call.to_lowercase(), search, address, page);
        Effect::new(move |_| list.restart_when_changed());
        list
    }

    fn with_search<A: DeserializeOwned + 'static, P: Into<Page<T>> + 'static>(
        id: &str,
        search: RwSignal<String>,
        address: impl Fn(Option<&str>) -> String + Send + Sync + 'static,
        page: fn(A) -> P,
    ) -> Self {
        let app = use_app();
        let address: Address = Arc::new(address);
        let fetch: Fetch<T> = Arc::new(move |call| {
            Box::pin(async move { Ok(page(api::get::<A>(app, &call).await?).into()) })
        });
        Self {
            id: StoredValue::new(id.to_owned()),
            address: StoredValue::new(address),
            fetch: StoredValue::new(fetch),
            search,
            is_filtered: Signal::derive(move || search.with(|search| !search.is_empty())),
            rows: RwSignal::new(Vec::new()),
            total: RwSignal::new(None),
            next: RwSignal::new(None),
            is_loaded: RwSignal::new(false),
            is_loading: RwSignal::new(false),
            error: RwSignal::new(None),
            reading: RwSignal::new(0),
        }
    }

    /// Whether there is another page. Tracked.
    #[must_use]
    pub fn has_more(self) -> bool {
        self.next.with(Option::is_some)
    }

    /// Says when an empty answer is due to a filter of the page.
    #[must_use]
    pub fn filtered_when(self, is_filtered: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            is_filtered: Signal::derive(is_filtered),
            ..self
        }
    }

    fn restart_when_changed(self) {
        self.address.with_value(|address| address(None));
        untrack(|| self.reload());
    }

    /// Reads the list again from its beginning; the rows stay until the answer is there.
    pub fn reload(self) {
        // A page that was left has nothing to reload.
        if self.reading.try_update(|reading| *reading += 1).is_some() {
            self.load_after(None);
        }
    }

    /// Reads the next page.
    pub fn load_more(self) {
        if !self.is_loading.get_untracked() {
            self.load_after(self.next.get_untracked());
        }
    }

    fn request(self, after: Option<&str>) -> Option<Request<T>> {
        let address = self.address.try_get_value()?;
        let call = untrack(|| address(after));
        Some((self.fetch.try_get_value()?)(call))
    }

    fn load_after(self, after: Option<String>) {
        let reading = self.reading.get_untracked();
        self.error.set(None);
        self.is_loading.set(true);
        spawn_local(async move {
            let is_more = after.is_some();
            let (mut replaces, mut after) = (!is_more, after);
            for _ in 0..MAX_EMPTY_PAGES {
                let Some(request) = self.request(after.as_deref()) else {
                    return;
                };
                let answer = request.await;
                if self.reading.try_get_untracked() != Some(reading) {
                    return; // reloaded meanwhile, or the page was left
                }
                match answer {
                    Ok(page) => {
                        let is_done = !page.rows.is_empty() || page.next.is_none();
                        self.rows.update(|rows| {
                            if std::mem::take(&mut replaces) {
                                *rows = page.rows;
                            } else {
                                rows.extend(page.rows);
                            }
                        });
                        after.clone_from(&page.next);
                        self.next.set(page.next);
                        self.total.set(page.total);
                        self.is_loaded.set(true);
                        if is_done {
                            break;
                        }
                    }
                    Err(error) => {
                        self.error.set(Some(error));
                        break;
                    }
                }
            }
            self.is_loading.set(false);
            // The button is gone; the focus that it had goes on to the count.
            if is_more
                && self.next.with_untracked(Option::is_none)
                && let Some(count) = element(&self.element_id("count"))
            {
                focus(&count);
            }
        });
    }

    /// Reads the first page again: what has changed replaces what is shown, what is new comes first.
    pub async fn refresh_first_page(self, id: fn(&T) -> &str) {
        let Some(request) = self.request(None) else {
            return;
        };
        if let Ok(page) = request.await {
            self.rows.try_update(|rows| {
                rows.retain(|row| page.rows.iter().all(|new| id(new) != id(row)));
                let older = std::mem::replace(rows, page.rows);
                rows.extend(older);
            });
        }
    }

    /// Reads again as many rows as are loaded; they stay until the answer is there.
    pub async fn refresh(self) {
        let reading = self.reading.try_get_untracked();
        let (mut rows, mut next) = (Vec::new(), None);
        loop {
            let Some(request) = self.request(next.as_deref()) else {
                return;
            };
            let answer = request.await;
            if self.reading.try_get_untracked() != reading {
                return; // reloaded meanwhile, or the page was left
            }
            let Ok(page) = answer else { return };
            rows.extend(page.rows);
            next = page.next;
            // More may have been loaded meanwhile.
            if next.is_none() || rows.len() >= self.rows.with_untracked(Vec::len) {
                break;
            }
        }
        self.rows.set(rows);
        self.next.set(next);
    }

    /// Reads the first page again every `millis` while a row is pending.
    pub fn poll(self, millis: u32, is_pending: fn(&T) -> bool, id: fn(&T) -> &str) {
        let is_due = move || {
            self.rows
                .try_with_untracked(|rows| rows.iter().any(is_pending))
        };
        poll(millis, is_due, move || self.refresh_first_page(id));
    }

    fn element_id(self, part: &str) -> String {
        self.id.with_value(|id| [id, "-", part].concat())
    }
}

fn list_address(call: &str, search: &str, limit: usize, after: Option<&str>) -> String {
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

/// Reads a list to its end.
///
/// # Errors
/// Why there is no answer.
pub async fn read_all<A: DeserializeOwned, T, P: Into<Page<T>>>(
    app: App,
    call: &str,
    page: fn(A) -> P,
) -> Result<Vec<T>, ApiError> {
    let address = |after: Option<&str>| list_address(call, "", LARGE_PAGE_SIZE, after);
    read_all_pages(app, address, page).await
}

/// Reads a list with addresses of its own to its end.
///
/// # Errors
/// Why there is no answer.
pub async fn read_all_pages<A: DeserializeOwned, T, P: Into<Page<T>>>(
    app: App,
    address: impl Fn(Option<&str>) -> String,
    page: fn(A) -> P,
) -> Result<Vec<T>, ApiError> {
    let (mut rows, mut after) = (Vec::new(), None::<String>);
    loop {
        let answer = page(api::get::<A>(app, &address(after.as_deref())).await?).into();
        rows.extend(answer.rows);
        match answer.next {
            Some(next) => after = Some(next),
            None => return Ok(rows),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Loading,
    Failed,
    Empty,
    NothingFound,
    /// The search has not found anything in what it has looked at so far.
    Unfinished,
    Rows,
}

/// The view of a list.
#[component]
pub fn ResourceList<T: Clone + Serialize + Send + Sync + 'static>(
    list: PagedList<T>,
    columns: Columns<T>,
    /// What the search looks at; no search field without.
    #[prop(optional, into)]
    search: Option<&'static str>,
    /// Title and hint where there is nothing, whatever is searched for.
    empty: (&'static str, &'static str),
    /// The label of the button for more.
    #[prop(optional, into)]
    more: Option<Signal<String>>,
    /// Title and hint where a search or filter finds nothing, in other words.
    #[prop(optional, into)]
    nothing_found: Option<(&'static str, &'static str)>,
    /// The count in other words.
    #[prop(optional, into)]
    count: Option<Signal<String>>,
    /// What can be done where there is nothing.
    #[prop(optional)]
    children: Option<ChildrenFn>,
) -> AnyView {
    let words = use_app().language.frame();
    let columns = Arc::new(columns);
    // A memo, so that the table is drawn once and its rows come and go.
    let state = Memo::new(
        move |_| match (list.is_loaded.get(), list.rows.with(Vec::is_empty)) {
            (false, _) if list.error.with(Option::is_some) => State::Failed,
            (false, _) => State::Loading,
            (true, false) => State::Rows,
            (true, true) if list.has_more() => State::Unfinished,
            (true, true) if list.is_filtered.get_untracked() => State::NothingFound,
            (true, true) => State::Empty,
        },
    );
    let rows = move || match state.get() {
        State::Loading => view! { <Skeleton /> }.into_any(),
        State::Failed | State::Unfinished => ().into_any(),
        State::Rows => columns.table(list.rows),
        State::NothingFound => match nothing_found {
            Some((title, hint)) => view! { <Empty title hint /> }.into_any(),
            None => view! { <p class="card nothing quiet">{words.nothing_found}</p> }.into_any(),
        },
        State::Empty => match children.clone() {
            Some(children) => {
                view! { <Empty title=empty.0 hint=empty.1>{children()}</Empty> }.into_any()
            }
            None => view! { <Empty title=empty.0 hint=empty.1 /> }.into_any(),
        },
    };
    let has_count = search.is_some() || count.is_some();
    let count = count.unwrap_or_else(|| default_count(list));
    let count = has_count.then(|| {
        view! { <p class="quiet" id=list.element_id("count") role="status" tabindex="-1">{move || count.get()}</p> }
    });
    // A memo, so that the button keeps the focus when there is still more.
    let has_more = Memo::new(move |_| list.has_more());
    let more = more.unwrap_or_else(|| words.load_more.into());
    let more = move || {
        has_more.get().then(
            || view! { <Button label=more class="outlined" click=move || list.load_more() /> },
        )
    };
    let failure = move || {
        let retry = move || list.load_after(list.next.get_untracked());
        list.error
            .get()
            .map(|error| view! { <Failure error retry /> })
    };
    view! {
        {search.map(|hint| search_form(list, hint))}
        {rows}
        <div class="more">{count}{more}</div>
        {failure}
    }
    .into_any()
}

fn default_count<T: Clone + Send + Sync + 'static>(list: PagedList<T>) -> Signal<String> {
    let language = use_app().language;
    let words = language.frame();
    Signal::derive(move || {
        let forms = if list.has_more() {
            words.rows_so_far
        } else {
            words.rows
        };
        match list.rows.with(Vec::len) as u64 {
            0 => String::new(),
            count => counted(language, count, forms),
        }
    })
}

fn search_form<T: Clone + Send + Sync + 'static>(
    list: PagedList<T>,
    hint: &'static str,
) -> AnyView {
    let words = use_app().language.frame();
    let text = RwSignal::new(String::new());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let wanted = text.with_untracked(|text| text.trim().to_owned());
        if list.search.with_untracked(|search| *search == wanted) {
            list.reload();
        } else {
            list.search.set(wanted);
        }
    };
    let typed = move |typed: String| {
        let is_cleared =
            typed.is_empty() && list.search.with_untracked(|search| !search.is_empty());
        text.set(typed);
        if is_cleared {
            list.search.set(String::new());
        }
    };
    let bind = Binding::new(list.element_id("search"), String::new, typed);
    view! {
        <form class="card search" role="search" on:submit=submit>
            <div class="search-fields"><Field bind label=words.search hint kind="search" /></div>
            <div class="buttons"><SubmitButton label=words.search_now /></div>
        </form>
    }
    .into_any()
}
