//! The journal: readable entries, each with its single events.

use checklist_shared::event::Event;
use checklist_shared::wire::admin::JournalEntry;

use super::labels::{actor, event_label, list};
use super::search::{Log, search_view};
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.logs();
    let search = Log::Journal.search();
    let entries = Log::Journal.rows::<JournalEntry>(search, "Entries");
    let columns = Columns::new()
        .class("log")
        .cell_of("when", words.when, |entry: &JournalEntry| time(entry.until))
        .cell(words.who, |entry| actor(words, &entry.actor))
        .cell_of("event", words.event, |entry| {
            view! { <span class="happened" lang="en">{entry.text.clone()}</span> }
        })
        .cell(words.list, |entry| list(words, &entry.context))
        .details(
            |entry| fill(words.details_of_entry, &[("n", &entry.id.to_string())]),
            move |entry| details(app, entry),
        );
    let empty = (words.journal_empty, words.journal_empty_hint);
    view! {
        <PageHead title=app.language.frame().journal intro=words.journal_intro>
            {Log::Journal.file_link(app, "button outlined", search)}
        </PageHead>
        {search_view(app, Log::Journal, search, *entries, columns.into(), empty)}
    }
    .into_any()
}

fn details(app: App, entry: &JournalEntry) -> AnyView {
    let words = app.language.logs();
    let event = |event: &Event| {
        let text = match event.text.as_str() {
            "" => words.whole_list.to_owned(),
            text => text.to_owned(),
        };
        let after = event.after.as_ref().filter(|after| **after != event.text);
        let change = after.map(|after| match event.before.as_deref().unwrap_or_default() {
            "" => after.clone(),
            before => [before, " → ", after].concat(),
        });
        view! {
            <li>
                <span class="happened">{event_label(words, event.what)}</span>
                <span dir="auto">{text}</span>
                {change.map(|change| view! { <small dir="auto">{change}</small> })}
            </li>
        }
    };
    view! {
        <div class="details">
            <ul class="events">{entry.events.iter().map(event).collect::<Vec<_>>()}</ul>
            {Log::Journal.list_link(app, &entry.context)}
        </div>
    }
    .into_any()
}
