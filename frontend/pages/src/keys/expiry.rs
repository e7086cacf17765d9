//! When a key expires: at the end of a day, where the person is.

use checklist_control::browser::date_and_time;
use checklist_shared::Timestamp;
use js_sys::Date;
use serde_json::json;

use crate::kit::*;

/// A time that is chosen as a day and means its end.
const END_OF_DAY: Conversion = Conversion {
    format: |_| String::new(),
    parse: |day| Some(json!(end_of(day)?)),
};

/// The field `ExpiresAt` of a new key.
pub fn field(form: Form) -> AnyView {
    let words = use_app().language.keys();
    let bind = form.at("/ExpiresAt").optional().converted(END_OF_DAY);
    view! { <Field bind label=words.expires hint=words.expires_hint kind="date" /> }.into_any()
}

fn end_of(day: &str) -> Option<Timestamp> {
    let mut parts = day.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let (month, day) = (i32::try_from(month).ok()? - 1, i32::try_from(day).ok()? + 1);
    let millis = Date::new_with_year_month_day(year, month, day).get_time();
    millis
        .is_finite()
        .then(|| Timestamp::from_millis(millis as i64))
}

/// The time when a key expires, for people.
#[must_use]
pub fn format(app: App, expires: Option<Timestamp>) -> String {
    let never = || app.language.keys().never.to_owned();
    expires.map_or_else(never, |at| date_and_time(at, app.language.tag()))
}
