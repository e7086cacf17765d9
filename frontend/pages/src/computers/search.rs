//! What the inventory is searched for: words and a status, kept in the address.

use checklist_shared::computer::ComputerStatus;

use super::labels;
use crate::kit::*;
use crate::route::Filter;

/// What the page that is open is searched for.
#[must_use]
pub fn filter(route: &Route) -> Filter {
    match route {
        Route::Computers(filter) => filter.clone(),
        _ => Filter::default(),
    }
}

/// The fields. They follow `current` when back and forward change the address.
pub fn form(app: App, current: Memo<Filter>) -> AnyView {
    let words = app.language.computers();
    let draft = RwSignal::new(current.get_untracked());
    Effect::new(move |_| draft.set(current.get()));
    let search = move || {
        let draft = draft.get_untracked();
        if draft != current.get_untracked() {
            app.rename(Route::Computers(draft));
        }
    };
    let text = Binding::new(
        "computers-search",
        move || current.with(|filter| filter.text.clone()),
        move |text| draft.update(|filter| filter.text = text),
    );
    let status = Binding::new(
        "computers-status",
        move || current.with(|filter| filter.status.clone()),
        move |status| {
            draft.update(|filter| filter.status = status);
            search();
        },
    );
    let statuses = ComputerStatus::ALL.map(|status| {
        let label = labels::status_name(app, status).to_owned();
        (status.name().to_owned(), label)
    });
    let any = (String::new(), words.any_status.to_owned());
    let options: Vec<_> = std::iter::once(any).chain(statuses).collect();
    let is_filtered = Memo::new(move |_| !current.with(Filter::is_empty));
    let reset = move || {
        let reset = move || app.rename(Route::Computers(Filter::default()));
        is_filtered
            .get()
            .then(|| view! { <Button label=words.reset click=reset /> })
    };
    let frame = app.language.frame();
    view! {
        <form class="card search" role="search" on:submit=submitted(search)>
            <div class="search-fields">
                <Field bind=text label=frame.search hint=words.search_hint kind="search" />
                <Select bind=status label=words.status options />
            </div>
            <div class="buttons"><SubmitButton label=frame.search_now />{reset}</div>
        </form>
    }
    .into_any()
}
