//! What a log is searched for: the fields, and the calls they make.

use checklist_shared::Context;
use js_sys::Date;

use super::labels::{
    ACTOR_KINDS, CATEGORIES, EVENTS, SUBJECTS, actor_kind_label, category_label, event_label,
    options, subject_label,
};
use crate::kit::*;
use crate::route::Search;

/// A log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log {
    /// The journal.
    Journal,
    /// The audit trail.
    Audit,
}

impl Log {
    /// The page with that search.
    #[must_use]
    pub fn route(self, search: Search) -> Route {
        match self {
            Self::Journal => Route::Journal(search),
            Self::Audit => Route::Audit(search),
        }
    }

    /// What the open page is searched for.
    #[must_use]
    pub fn search(self) -> Memo<Search> {
        search_of(move |route| match (self, route) {
            (Self::Journal, Route::Journal(search)) | (Self::Audit, Route::Audit(search)) => {
                Some(search)
            }
            _ => None,
        })
    }

    /// The rows, newest first.
    #[must_use]
    pub fn rows<T: RowType>(self, search: Memo<Search>, member: &'static str) -> PagedList<T> {
        let address = move |after: Option<&str>| search.with(|search| self.call(search, after));
        let is_filtered = move || !search.with(Search::is_empty);
        PagedList::new(address, member).filtered_when(is_filtered)
    }

    fn call(self, search: &Search, after: Option<&str>) -> String {
        let after = after.map(|after| ("After", after));
        let page = [("Order", "Newest"), ("Limit", "50")];
        self.address(search, page.into_iter().chain(after))
    }

    /// The call for everything as a file, oldest first.
    fn file_call(self, search: &Search) -> String {
        self.address(search, [("Order", "Oldest"), ("Format", "Csv")])
    }

    fn address<'a>(
        self,
        search: &Search,
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        for (name, value) in search.fields() {
            let value = match &*name {
                "From" => start_of_day(&value, 0),
                // The last day is included.
                "To" => start_of_day(&value, 1),
                _ => Some(value.trim().to_owned()),
            };
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                query.append_pair(&name, &value);
            }
        }
        let call = match self {
            Self::Journal => "Journal?",
            Self::Audit => "Audit?",
        };
        [call, &query.finish()].concat()
    }

    /// The link to everything as a file.
    #[must_use]
    pub fn file_link(self, app: App, class: &'static str, search: Memo<Search>) -> AnyView {
        let file = move || api::address(&search.with(|search| self.file_call(search)));
        view! { <a class=class download="" href=file>{app.language.logs().csv}</a> }.into_any()
    }

    /// The link to the rows of one list.
    #[must_use]
    pub fn list_link(self, app: App, context: &Context) -> AnyView {
        self.link(app.language.logs().only_this, of_list(context))
    }

    /// The link to that search.
    #[must_use]
    pub fn link(self, text: &'static str, search: Search) -> AnyView {
        view! { <PageLink to=self.route(search) class="quiet-link">{text}</PageLink> }.into_any()
    }
}

/// The search for the rows of one list.
#[must_use]
pub fn of_list(context: &Context) -> Search {
    Search {
        object_type: context.object_type.clone(),
        object_id: context.object_id.clone(),
        purpose: context.purpose.clone(),
        ..Search::default()
    }
}

/// The moment in which a day begins in the reader's time zone, some days later.
fn start_of_day(day: &str, later: u32) -> Option<String> {
    let mut parts = day.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let month = i32::try_from(month).ok()? - 1;
    let date = Date::new_with_year_month_day(year, month, i32::try_from(day + later).ok()?);
    let is_valid = date.get_time().is_finite();
    is_valid.then(|| date.to_iso_string().into())
}

/// The form and the rows of a log.
pub fn search_view(
    app: App,
    log: Log,
    search: Memo<Search>,
    list: List,
    columns: Table,
    empty: (&'static str, &'static str),
) -> AnyView {
    let words = app.language.logs();
    let has_none = move || list.count() == 0;
    let more = move || {
        if has_none() {
            words.search_on
        } else {
            words.older
        }
    };
    let end = move || {
        if list.has_more() || has_none() {
            ""
        } else {
            words.end
        }
    };
    view! {
        {form(app, log, search)}
        <ResourceList
            list
            columns
            empty
            nothing_found=(words.found_none, words.found_none_hint)
            more=Signal::derive(move || more().to_owned())
            count=Signal::derive(move || end().to_owned())
        />
    }
    .into_any()
}

/// What is searched for behind "More filters".
const MORE: &[&str] = &[
    "Subject",
    "ActorKind",
    "ObjectType",
    "ObjectId",
    "Purpose",
    "ItemId",
    "OperationId",
];

fn form(app: App, log: Log, search: Memo<Search>) -> AnyView {
    let words = app.language.logs();
    let form = search_fields(search);
    let line = move |pointer: &'static str, label: &'static str, kind: &'static str| {
        view! { <Field bind=form.at(pointer) label kind /> }
    };
    let choices = (log == Log::Audit).then(|| {
        let categories = options(words, (words.anything, CATEGORIES), category_label);
        let events = options(words, (words.anything, EVENTS), event_label);
        view! {
            <Select bind=form.at("/Category") label=words.category options=categories />
            <Select bind=form.at("/What") label=words.what options=events />
        }
    });
    let fields = view! {
        {line("/Text", words.text, "search")}
        {line("/Actor", words.actor, "search")}
        {choices}
        {line("/From", words.from, "date")}
        {line("/To", words.to, "date")}
    };
    let kinds = options(words, (words.anyone, ACTOR_KINDS), actor_kind_label);
    let of_audit = (log == Log::Audit).then(|| {
        let subjects = options(words, (words.anything, SUBJECTS), subject_label);
        view! {
            {line("/ItemId", words.item, "search")}
            {line("/OperationId", words.operation, "search")}
            <Select bind=form.at("/Subject") label=words.subject options=subjects />
        }
    });
    let more = view! {
        <Select bind=form.at("/ActorKind") label=words.actor_kind options=kinds />
        {line("/ObjectType", words.object_type, "search")}
        {line("/ObjectId", words.object_id, "search")}
        {line("/Purpose", words.purpose, "search")}
        {of_audit}
    };
    let page = move |search| log.route(search);
    search_form(
        form,
        search,
        page,
        fields.into_any(),
        Some((MORE, more.into_any())),
    )
}
