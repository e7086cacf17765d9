//! The view of a list: search, rows, count, and a button for more.
//!
//! The search field keeps the focus while the rows change, and so does the button as long as there
//! is more. The count is announced.

use std::sync::Arc;

use leptos::prelude::*;

use super::controls::{Button, SubmitButton};
use super::field::{Binding, Field};
use super::form_view::submitted;
use super::load::{Failure, Skeleton};
use super::page::Empty;
use super::paged_list::List;
use super::table::Table;
use crate::app::use_app;
use crate::wording::{Wording, counted};

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
pub fn ResourceList(
    #[prop(into)] list: List,
    /// Of rows of the list's type.
    #[prop(into)]
    columns: Table,
    /// The label of the search field; no search field without.
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
        State::Rows => columns.view(list.rows),
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
    // Where there is nothing, there is nothing to search.
    let is_searched = Memo::new(move |_| state.get() != State::Empty);
    let search_form = move || {
        let label = search.filter(|_| is_searched.get());
        label.map(|label| search_form(list, label))
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
        let error = list.error.get();
        error.map(|error| view! { <Failure error retry=move || list.retry() /> })
    };
    view! {
        {search_form}
        {rows}
        <div class="more">{count}{more}</div>
        {failure}
    }
    .into_any()
}

/// How many rows there are, in words: those that are loaded where there is more.
pub fn default_count(list: List) -> Signal<String> {
    let language = use_app().language;
    let words = language.frame();
    Signal::derive(move || {
        let forms = if list.has_more() {
            words.rows_so_far
        } else {
            words.rows
        };
        match list.count() {
            0 => String::new(),
            count => counted(language, count, forms),
        }
    })
}

fn search_form(list: List, label: &'static str) -> AnyView {
    let app = use_app();
    let words = app.language.frame();
    let text = RwSignal::new(String::new());
    // What the address says, at first and after back and forward.
    Effect::new(move |_| text.set(list.search.get()));
    let search = move |wanted: String| {
        app.keep_search(&wanted);
        list.search.set(wanted);
    };
    let submit = move || {
        let wanted = text.with_untracked(|text| text.trim().to_owned());
        if list.search.with_untracked(|search| *search == wanted) {
            list.reload();
        } else {
            search(wanted);
        }
    };
    let typed = move |typed: String| {
        let is_cleared =
            typed.is_empty() && list.search.with_untracked(|search| !search.is_empty());
        text.set(typed);
        if is_cleared {
            search(String::new());
        }
    };
    let bind = Binding::new(list.element_id("search"), move || list.search.get(), typed);
    view! {
        <form class="card search" role="search" on:submit=submitted(submit)>
            <div class="search-fields"><Field bind label kind="search" /></div>
            <div class="buttons"><SubmitButton label=words.search_now /></div>
        </form>
    }
    .into_any()
}
