//! What a log is searched for: the fields, the address that keeps them, and the call they make.
//!
//! The address bar always names the search, so that it can be kept and sent.

use js_sys::Date;
use leptos::prelude::*;

use super::told::{KINDS, SUBJECTS, happened, subject};
use crate::app::App;
use crate::element::{El, button, el, live, nothing};
use crate::parts::field::Field;
use crate::route::{Route, Search};
use crate::wording::Wording;

/// Which log.
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

    /// What the page that is open is searched for.
    #[must_use]
    pub fn search(self, route: &Route) -> Search {
        match (self, route) {
            (Self::Journal, Route::Journal(search)) | (Self::Audit, Route::Audit(search)) => {
                search.clone()
            }
            _ => Search::default(),
        }
    }

    /// The call for the rows past a cursor, newest first.
    #[must_use]
    pub fn call(self, search: &Search, after: u64) -> String {
        let mut query = query(search);
        query.push_str("&Limit=50");
        if after > 0 {
            query.push_str(&format!("&After={after}"));
        }
        format!("{}?{query}", self.name())
    }

    /// The call for everything as a file, oldest first.
    #[must_use]
    pub fn file(self, search: &Search) -> String {
        format!(
            "{}?{}&Format=Csv",
            self.name(),
            query(search).replacen("Order=Newest", "Order=Oldest", 1)
        )
    }

    fn name(self) -> &'static str {
        match self {
            Self::Journal => "Journal",
            Self::Audit => "Audit",
        }
    }
}

fn query(search: &Search) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("Order", "Newest");
    for (name, value) in search.fields() {
        let value = match name {
            "From" => start_of(value, 0),
            // The last day is meant as a whole.
            "To" => start_of(value, 1),
            _ => Some(value.to_owned()),
        };
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            query.append_pair(name, value.trim());
        }
    }
    query.finish()
}

/// The moment in which a day begins where the reader is, some days later.
fn start_of(day: &str, later: u32) -> Option<String> {
    let mut parts = day.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let date = Date::new_with_year_month_day(
        year,
        i32::try_from(month).ok()? - 1,
        i32::try_from(day + later).ok()?,
    );
    date.get_time()
        .is_finite()
        .then(|| date.to_iso_string().into())
}

/// The fields.
pub fn form(app: App, log: Log) -> El {
    let words = app.language.logs();
    let search = Memo::new(move |_| log.search(&app.route.get()));
    let typed = RwSignal::new(search.get_untracked());
    // Back and forward change the search too; then the fields follow.
    let epoch = RwSignal::new(0_u32);
    Effect::new(move |before: Option<Search>| {
        let now = search.get();
        if before.is_some_and(|before| before != now) && typed.get_untracked() != now {
            typed.set(now.clone());
            epoch.update(|epoch| *epoch += 1);
        }
        now
    });
    let go = move || {
        let wanted = typed.get_untracked();
        if wanted != search.get_untracked() {
            app.rename(log.route(wanted));
        }
    };
    let more_is_set = {
        let search = search.get_untracked();
        !(search.object_type.is_empty() && search.object_id.is_empty() && search.purpose.is_empty())
    };
    let fields = live(move || {
        epoch.track();
        let now = typed.get_untracked();
        let set = move |change: fn(&mut Search, String)| {
            move |text: String| typed.update(|search| change(search, text))
        };
        let line = |id: &'static str,
                    label: &'static str,
                    value: &str,
                    change: fn(&mut Search, String)| {
            Field::new(id, label).of_kind("search", value, set(change))
        };
        let day = |id: &'static str,
                   label: &'static str,
                   value: &str,
                   change: fn(&mut Search, String)| {
            Field::new(id, label).of_kind("date", value, set(change))
        };
        let what = (log == Log::Audit).then(|| {
            let kinds = KINDS
                .iter()
                .map(|(what, name)| ((*name).to_owned(), happened(app, *what).to_owned()));
            let options = std::iter::once((String::new(), words.anything.to_owned()))
                .chain(kinds)
                .collect();
            Field::new("search-what", words.what).choice(
                options,
                &now.what,
                set(|search, text| search.what = text),
            )
        });
        let category = (log == Log::Audit).then(|| {
            let options = [
                ("", words.anything),
                ("Checklist", words.of_lists),
                ("Administration", words.of_administration),
                ("SignIn", words.of_sign_ins),
            ];
            let options = options
                .into_iter()
                .map(|(name, label)| (name.to_owned(), label.to_owned()))
                .collect();
            Field::new("search-category", words.category).choice(
                options,
                &now.category,
                set(|search, text| search.category = text),
            )
        });
        let about = (log == Log::Audit).then(|| {
            let kinds = SUBJECTS
                .iter()
                .map(|(kind, name)| ((*name).to_owned(), subject(app, *kind).to_owned()));
            let options = std::iter::once((String::new(), words.anything.to_owned()))
                .chain(kinds)
                .collect();
            Field::new("search-subject", words.subject).choice(
                options,
                &now.subject,
                set(|search, text| search.subject = text),
            )
        });
        let object = el("div")
            .class("search-fields")
            .el(line(
                "search-type",
                words.object_type,
                &now.object_type,
                |search, text| search.object_type = text,
            ))
            .el(line(
                "search-object",
                words.object_id,
                &now.object_id,
                |search, text| search.object_id = text,
            ))
            .el(line(
                "search-purpose",
                words.purpose,
                &now.purpose,
                |search, text| search.purpose = text,
            ));
        el("div")
            .el(el("div")
                .class("search-fields")
                .el(line(
                    "search-text",
                    words.text,
                    &now.text,
                    |search, text| search.text = text,
                ))
                .el(line(
                    "search-actor",
                    words.actor,
                    &now.actor,
                    |search, text| search.actor = text,
                ))
                .maybe(category)
                .maybe(what)
                .maybe(about)
                .el(day("search-from", words.from, &now.from, |search, text| {
                    search.from = text
                }))
                .el(day("search-to", words.to, &now.to, |search, text| {
                    search.to = text
                })))
            .el(el("details")
                .class("search-more")
                .flag("open", more_is_set)
                .el(el("summary").class("button").text(words.more_filters))
                .el(object))
            .view()
    });
    let reset = live(move || {
        if search.with(Search::is_empty) {
            return nothing();
        }
        button("button", words.reset, move || {
            typed.set(Search::default());
            epoch.update(|epoch| *epoch += 1);
            go();
        })
        .view()
    });
    el("form")
        .class("card search")
        .attr("role", "search")
        .on("submit", move |event| {
            event.prevent_default();
            go();
        })
        .child(fields)
        .el(el("div")
            .class("buttons")
            .el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(words.search))
            .child(reset))
}
