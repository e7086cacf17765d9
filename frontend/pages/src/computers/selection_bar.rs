//! How many computers are selected, selecting all that the search finds, and what can be done with
//! the selection.

use checklist_shared::wire::computers::ComputerView;

use super::inventory::{Computers, address};
use super::selection::{MAX_RUN_SIZE, Selection};
use crate::kit::*;
use crate::route::Filter;

/// How many computers are read at a time when all of them are to be selected.
const LARGE_PAGE_SIZE: usize = 1_000;

/// The bar.
pub fn selection_bar(app: App, list: Computers, filter: Memo<Filter>) -> AnyView {
    let words = app.language.computers();
    let selected = app.selected;
    let count = Memo::new(move |_| selected.with(Selection::len));
    let has_selection = Memo::new(move |_| count.get() > 0);
    let total = move || list.total.get().unwrap_or_default();
    // Rows that are not loaded may be selected or not: their number decides.
    let finds_more = Memo::new(move |_| {
        let are_loaded_selected =
            list.with(|mut rows| selected.with(|all| rows.all(|row| all.has(&row.computer.id))));
        total() > 0 && !(are_loaded_selected && count.get() as u64 >= total())
    });
    let select_all = move || {
        let label = move || counted(app.language, total(), words.select);
        let select = move || select_all(app, filter.get_untracked());
        finds_more
            .get()
            .then(|| view! { <Button label=Signal::derive(label) click=select /> })
    };
    let actions = move || {
        has_selection.get().then(|| {
            view! {
                <Button label=words.select_none click=move || selected.update(Selection::clear) />
                <PageLink to=Route::Export class="button primary">{app.language.export().title}</PageLink>
            }
        })
    };
    let text = move || {
        let count = count.get() as u64;
        counted(app.language, count, words.selected)
    };
    let alert = move || {
        let text = fill(words.too_many, &[("n", &MAX_RUN_SIZE.to_string())]);
        (count.get() > MAX_RUN_SIZE).then(|| view! { <Alert text /> })
    };
    view! {
        <div class="chosen-bar" data-chosen=move || has_selection.get().then_some("")>
            <p role="status">{text}</p>
            <div class="buttons">{select_all}{actions}</div>
            {alert}
        </div>
    }
    .into_any()
}

/// Selects everything that a search finds, however much of it is loaded.
fn select_all(app: App, filter: Filter) {
    let request = async move {
        let address = |after: Option<&str>| address(&filter, LARGE_PAGE_SIZE, after);
        read_all_pages::<ComputerView>(app, address, "Computers").await
    };
    app.send(request, move |found| {
        let ids = found.into_iter().map(|view| view.computer.id);
        app.selected.update(|selected| selected.add(ids));
    });
}
