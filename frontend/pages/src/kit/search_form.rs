//! The form above a list that is searched: its fields, those behind "More filters", and the buttons.
//!
//! The address bar always has the search, so that it can be bookmarked and sent; back and forward
//! change it too.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::controls::{Button, SubmitButton};
use super::form::Form;
use super::form_view::submitted;
use super::paged_list::List;
use crate::app::use_app;
use crate::route::{PageSearch, Route};
use crate::wording::Wording;

/// What the open page is searched for, as far as `of` finds it in the route.
pub(crate) fn search_of<S: PageSearch + Send + Sync + 'static>(
    of: impl Fn(Route) -> Option<S> + Send + Sync + 'static,
) -> Memo<S> {
    let app = use_app();
    Memo::new(move |_| of(app.route.get()).unwrap_or_default())
}

/// What the fields of a search are bound to.
pub(crate) fn search_fields<S: PageSearch + Send + Sync + 'static>(search: Memo<S>) -> Form {
    let form = Form::new("search", &search.get_untracked());
    Effect::new(move |_| form.reset(&search.get()));
    form
}

/// The form with these fields; `more` are behind "More filters", which is open while one of the
/// parameters beside them is searched for. `page` is the page with a search.
pub(crate) fn search_form<S: PageSearch + Send + Sync + 'static>(
    form: Form,
    search: Memo<S>,
    page: impl Fn(S) -> Route + Copy + Send + Sync + 'static,
    fields: AnyView,
    more: Option<(&'static [&'static str], AnyView)>,
) -> AnyView {
    let app = use_app();
    let submit = move |()| {
        let fields: Option<BTreeMap<String, String>> = untrack(|| form.read());
        let wanted = S::of_fields(fields.unwrap_or_default());
        if wanted != search.get_untracked() {
            app.rename(page(wanted));
        }
    };
    let clear = move |()| app.rename(page(search.with_untracked(S::cleared)));
    let parameters = more.as_ref().map_or(&[][..], |(parameters, _)| parameters);
    let is_given = move |search: &S| {
        let fields = search.fields();
        let given = |name: &&str| fields.get(*name).is_some_and(|value| !value.is_empty());
        parameters.iter().any(given)
    };
    let form = Parts {
        submit: Callback::new(submit),
        clear: Callback::new(clear),
        is_empty: Memo::new(move |_| search.with(S::is_empty)),
        opens_more: Memo::new(move |_| search.with(is_given)),
        fields,
        more: more.map(|(_, more)| more),
    };
    form.view()
}

/// A form of whatever search.
struct Parts {
    submit: Callback<()>,
    clear: Callback<()>,
    is_empty: Memo<bool>,
    opens_more: Memo<bool>,
    fields: AnyView,
    more: Option<AnyView>,
}

impl Parts {
    fn view(self) -> AnyView {
        let words = use_app().language.frame();
        let Self {
            submit,
            clear,
            is_empty,
            opens_more,
            fields,
            more,
        } = self;
        let more = more.map(|more| {
            view! {
                <details class="search-more" open=move || opens_more.get()>
                    <summary class="button">{words.more_filters}</summary>
                    <div class="search-fields">{more}</div>
                </details>
            }
        });
        let reset = move || {
            let clear = move || clear.run(());
            (!is_empty.get()).then(|| view! { <Button label=words.reset click=clear /> })
        };
        view! {
            <form class="card search" role="search" on:submit=submitted(move || submit.run(()))>
                <div>
                    <div class="search-fields">{fields}</div>
                    {more}
                </div>
                <div class="buttons"><SubmitButton label=words.search_now />{reset}</div>
            </form>
        }
        .into_any()
    }
}

/// The name of the button for more rows: the search goes on where it has found nothing so far.
pub(crate) fn more_or_search_on(list: List) -> Signal<String> {
    let words = use_app().language.frame();
    Signal::derive(move || {
        let name = match list.count() {
            0 => words.search_on,
            _ => words.load_more,
        };
        name.to_owned()
    })
}
