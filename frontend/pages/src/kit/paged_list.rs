//! A list of resources that is read page by page: what is loaded of it, and reading more.

use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;
use wasm_bindgen_futures::spawn_local;

use super::poll::poll;
use super::row::{Format, Page, Row, RowType};
use crate::api::{self, ApiError, Body};
use crate::app::{App, use_app};
use crate::dom::{element, focus, keep_focus};
use crate::navigation::{SEARCH, parameter, path};

/// How many rows are read at a time.
const PAGE_SIZE: usize = 100;
/// How many at a time when all of them are needed.
const LARGE_PAGE_SIZE: usize = 500;
/// How many empty pages a search skips by itself: the server answers before it has looked at all.
const MAX_EMPTY_PAGES: usize = 20;

type Address = Arc<dyn Fn(Option<&str>) -> PageRequest + Send + Sync>;
/// The id of a row, by which it is found again when it has changed.
type RowId = Box<dyn Fn(&Row) -> Option<String>>;

/// How a page is asked for: by a GET, or by a POST if there is a body.
pub struct PageRequest {
    call: String,
    body: Option<Body>,
}

impl From<String> for PageRequest {
    fn from(call: String) -> Self {
        Self { call, body: None }
    }
}

impl PageRequest {
    /// By a POST of that question.
    #[must_use]
    pub fn posting(call: &str, question: &impl Serialize) -> Self {
        Self {
            call: call.to_owned(),
            body: Some(Body::of(question)),
        }
    }
}

/// Rows of a list as what they are.
pub type Rows<'a, T> =
    std::iter::FilterMap<std::slice::Iter<'a, Row>, fn(&'a Row) -> Option<&'a T>>;

/// A list of rows of that type.
pub struct PagedList<T> {
    list: List,
    row: PhantomData<fn() -> T>,
}

impl<T> Clone for PagedList<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PagedList<T> {}

impl<T> std::ops::Deref for PagedList<T> {
    type Target = List;

    fn deref(&self) -> &List {
        &self.list
    }
}

impl<T> From<PagedList<T>> for List {
    fn from(list: PagedList<T>) -> Self {
        list.list
    }
}

impl<T: RowType> PagedList<T> {
    /// The list at the address that `address` gives for a cursor; `member` of an answer has the
    /// rows. It is read again when a signal changes that `address` reads.
    #[must_use]
    pub fn new<A: Into<PageRequest>>(
        address: impl Fn(Option<&str>) -> A + Send + Sync + 'static,
        member: &'static str,
    ) -> Self {
        let search = RwSignal::new(String::new());
        let address = Arc::new(move |after: Option<&str>| address(after).into());
        List::new("list", search, address, Format::of::<T>(member)).into()
    }

    /// The list of a call that knows `Limit`, `After` and `Search`; the rows are in a member named
    /// like the end of the call. The address of the page has what is searched for, so that it
    /// outlives a reload, and back and forward lead through searches.
    #[must_use]
    pub fn searchable(call: &'static str) -> Self {
        let member = member_of(call);
        let search = RwSignal::new(parameter(SEARCH));
        let (app, page) = (use_app(), path());
        Effect::new(move |_| {
            app.route.track();
            let wanted = parameter(SEARCH);
            // The address may be another page's already.
            if page == path() && search.with_untracked(|search| *search != wanted) {
                search.set(wanted);
            }
        });
        let address = move |after: Option<&str>| {
            search.with(|search| list_address(call, search, PAGE_SIZE, after).into())
        };
        let id = member.to_lowercase();
        List::new(&id, search, Arc::new(address), Format::of::<T>(member)).into()
    }

    /// Says when an empty answer is due to a filter of the page.
    #[must_use]
    pub fn filtered_when(self, is_filtered: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let is_filtered = Signal::derive(is_filtered);
        List {
            is_filtered,
            ..self.list
        }
        .into()
    }

    /// What the rows say, those that are loaded. Tracked.
    pub fn with<R>(self, read: impl FnOnce(Rows<'_, T>) -> R) -> R {
        self.rows
            .with(|rows| read(rows.iter().filter_map(Row::get::<T>)))
    }

    /// Reads the first page again every `millis` while a row is pending.
    pub fn poll(self, millis: u32, is_pending: fn(&T) -> bool, id: fn(&T) -> &str) {
        let list = self.list;
        let is_pending = move |row: &Row| row.get::<T>().is_some_and(is_pending);
        let is_due = move || {
            list.rows
                .try_with_untracked(|rows| rows.iter().any(is_pending))
        };
        let id = move |row: &Row| row.get::<T>().map(|row| id(row).to_owned());
        poll(millis, is_due, move || {
            list.refresh_first_page(Box::new(id))
        });
    }
}

impl<T> From<List> for PagedList<T> {
    fn from(list: List) -> Self {
        Self {
            list,
            row: PhantomData,
        }
    }
}

/// A list of rows of any type.
#[derive(Clone, Copy)]
pub struct List {
    app: App,
    id: StoredValue<String>,
    address: StoredValue<Address>,
    format: Format,
    /// What is searched for.
    pub(super) search: RwSignal<String>,
    /// Whether an empty answer is due to a search or filter.
    pub(super) is_filtered: Signal<bool>,
    /// The rows so far.
    pub(super) rows: RwSignal<Vec<Row>>,
    /// How many there are in all, where the server says so.
    pub total: RwSignal<Option<u64>>,
    next: RwSignal<Option<String>>,
    pub(super) is_loaded: RwSignal<bool>,
    is_loading: RwSignal<bool>,
    pub(super) error: RwSignal<Option<ApiError>>,
    /// Counts readings from the beginning, so that a late answer of an earlier one is dropped.
    reading: RwSignal<u32>,
}

impl List {
    fn new(id: &str, search: RwSignal<String>, address: Address, format: Format) -> Self {
        let list = Self {
            app: use_app(),
            id: StoredValue::new(id.to_owned()),
            address: StoredValue::new(address),
            format,
            search,
            is_filtered: Signal::derive(move || search.with(|search| !search.is_empty())),
            rows: RwSignal::new(Vec::new()),
            total: RwSignal::new(None),
            next: RwSignal::new(None),
            is_loaded: RwSignal::new(false),
            is_loading: RwSignal::new(false),
            error: RwSignal::new(None),
            reading: RwSignal::new(0),
        };
        Effect::new(move |_| {
            list.address.with_value(|address| address(None));
            untrack(|| list.reload());
        });
        list
    }

    /// Whether there is another page. Tracked.
    #[must_use]
    pub fn has_more(self) -> bool {
        self.next.with(Option::is_some)
    }

    /// How many rows are loaded. Tracked.
    #[must_use]
    pub fn count(self) -> u64 {
        self.rows.with(Vec::len) as u64
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

    /// Reads the page that could not be read.
    pub(super) fn retry(self) {
        self.load_after(self.next.get_untracked());
    }

    /// Reads a page; none once the page of the list was left.
    async fn page(self, after: Option<&str>) -> Option<Result<Page, ApiError>> {
        let address = self.address.try_get_value()?;
        let asked = untrack(|| address(after));
        let answer = api::value_of(self.app, &asked.call, asked.body).await;
        Some(answer.and_then(|answer| self.format.page(&answer)))
    }

    fn load_after(self, after: Option<String>) {
        let reading = self.reading.get_untracked();
        self.error.set(None);
        self.is_loading.set(true);
        spawn_local(async move {
            let is_more = after.is_some();
            let (mut replaces, mut after) = (!is_more, after);
            for _ in 0..MAX_EMPTY_PAGES {
                let Some(answer) = self.page(after.as_deref()).await else {
                    return;
                };
                if self.reading.try_get_untracked() != Some(reading) {
                    return; // reloaded meanwhile, or the page was left
                }
                match answer {
                    Ok(page) => {
                        let is_done = !page.rows.is_empty() || page.next.is_none();
                        keep_focus();
                        self.rows.update(|rows| {
                            if std::mem::take(&mut replaces) {
                                rows.clear();
                            }
                            rows.extend(page.rows);
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
            // The button is gone; the focus that it had goes on to the count where there is one, else to
            // the first of the new rows.
            if is_more
                && self.next.with_untracked(Option::is_none)
                && let Some(count) = element(&self.element_id("count"))
            {
                focus(&count);
            }
        });
    }

    /// Reads the first page again: what has changed replaces what is shown, what is new comes first.
    async fn refresh_first_page(self, id: RowId) {
        if let Some(Ok(page)) = self.page(None).await {
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
        let (mut rows, mut next) = (Vec::new(), None::<String>);
        loop {
            let Some(Ok(page)) = self.page(next.as_deref()).await else {
                return;
            };
            if self.reading.try_get_untracked() != reading {
                return; // reloaded meanwhile, or the page was left
            }
            rows.extend(page.rows);
            next = page.next;
            // More may have been loaded meanwhile.
            if next.is_none() || rows.len() >= self.rows.with_untracked(Vec::len) {
                break;
            }
        }
        keep_focus();
        self.rows.set(rows);
        self.next.set(next);
    }

    /// The id of a part of the list.
    pub(super) fn element_id(self, part: &str) -> String {
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

fn member_of(call: &'static str) -> &'static str {
    call.rsplit('/').next().unwrap_or(call)
}

/// Reads the list of a call to its end; the rows are in a member named like the end of the call.
///
/// # Errors
/// Why there is no answer.
pub async fn read_all<T: RowType + Clone>(
    app: App,
    call: &'static str,
) -> Result<Vec<T>, ApiError> {
    let address = |after: Option<&str>| list_address(call, "", LARGE_PAGE_SIZE, after);
    read_all_pages(app, address, member_of(call)).await
}

/// Reads a list with addresses of its own to its end.
///
/// # Errors
/// Why there is no answer.
pub async fn read_all_pages<T: RowType + Clone>(
    app: App,
    address: impl Fn(Option<&str>) -> String,
    member: &'static str,
) -> Result<Vec<T>, ApiError> {
    let format = Format::of::<T>(member);
    let (mut rows, mut after) = (Vec::new(), None::<String>);
    loop {
        let answer = api::value_of(app, &address(after.as_deref()), None).await?;
        let page = format.page(&answer)?;
        rows.extend(page.rows.iter().filter_map(Row::get::<T>).cloned());
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(rows),
        }
    }
}
