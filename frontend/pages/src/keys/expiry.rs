//! When a key ends: a day, meant until its end where the person is.

use checklist_control::browser::date_and_time;
use checklist_shared::Timestamp;
use js_sys::Date;
use leptos::prelude::*;

use crate::app::App;
use crate::element::El;
use crate::parts::field::Field;
use crate::wording::Wording;

/// The field.
pub fn field(app: App, id: &'static str, day: RwSignal<String>) -> El {
    let words = app.language.keys();
    Field::new(id, words.expires)
        .hint(words.expires_hint)
        .of_kind("date", "", move |text| day.set(text))
}

/// The end of the day that was typed.
#[must_use]
pub fn end_of(day: &str) -> Option<Timestamp> {
    let mut parts = day.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let date = Date::new_with_year_month_day(
        year,
        i32::try_from(month).ok()? - 1,
        i32::try_from(day).ok()? + 1,
    );
    date.get_time()
        .is_finite()
        .then(|| Timestamp::from_millis(date.get_time() as i64))
}

/// When a key ends, for people.
#[must_use]
pub fn told(app: App, expires: Option<Timestamp>) -> String {
    expires.map_or_else(
        || app.language.keys().never.to_owned(),
        |expires| date_and_time(expires, app.language.tag()),
    )
}
