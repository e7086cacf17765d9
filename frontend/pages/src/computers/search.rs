//! What the inventory is searched for: words and a status.

use checklist_shared::computer::ComputerStatus;

use super::labels;
use crate::kit::*;
use crate::route::Filter;

/// What the open page is searched for.
pub fn filter() -> Memo<Filter> {
    search_of(|route| match route {
        Route::Computers(filter) => Some(filter),
        _ => None,
    })
}

/// The form.
pub fn form(app: App, filter: Memo<Filter>) -> AnyView {
    let words = app.language.computers();
    let form = search_fields(filter);
    let statuses = ComputerStatus::ALL.map(|status| {
        let label = labels::status_name(app, status).to_owned();
        (status.name().to_owned(), label)
    });
    let any = (String::new(), words.any_status.to_owned());
    let options: Vec<_> = std::iter::once(any).chain(statuses).collect();
    let label = app.language.frame().search;
    let fields = view! {
        <Field bind=form.at("/Search") label hint=words.search_hint kind="search" />
        <Select bind=form.at("/Status") label=words.status options />
    };
    search_form(form, filter, Route::Computers, fields.into_any(), None)
}
