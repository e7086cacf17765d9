//! Access to the browser: clock, randomness, timers, language, storage.
//!
//! The only module that uses these, so that everything else can be tested without a browser.

use checklist_shared::date::Date as Day;
use checklist_shared::{Due, ItemId, Timestamp};
use js_sys::{Array, Date, Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::i18n::due::{Today, two_digit_hours};

/// Milliseconds since 1970, by the clock of this machine.
#[must_use]
pub fn now() -> i64 {
    Date::now() as i64
}

/// A number from 0 to 255.
#[must_use]
pub fn chance() -> u8 {
    (js_sys::Math::random() * 256.0) as u8
}

/// A UUIDv7 that nobody else has.
#[must_use]
pub fn new_id() -> ItemId {
    let mut random = [0_u8; 10];
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut random).ok());
    if filled.is_none() {
        // Pages without a secure context still get ids that do not collide in practice.
        random.fill_with(chance);
    }
    ItemId::from_millis_and_random(now().unsigned_abs(), random)
}

/// Does something later; after no time at all it is done when everything changed so far is drawn.
pub fn set_timeout(millis: u32, act: Box<dyn FnOnce()>) {
    let act = once_callback(Box::new(move |_| act()));
    if let Some(window) = web_sys::window() {
        let millis = i32::try_from(millis).unwrap_or(i32::MAX);
        let _ = window
            .set_timeout_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), millis);
    }
}

/// Does something as soon as the browser has nothing else to do, or soon where it does not tell.
pub fn when_idle(act: Box<dyn FnOnce()>) {
    /// Milliseconds after which it is done anyway.
    const PATIENCE: u32 = 500;
    let Some(window) = web_sys::window() else {
        return;
    };
    let act = once_callback(Box::new(move |_| act()));
    let options = object();
    set(&options, "timeout", &PATIENCE.into());
    let asked = window.request_idle_callback_with_options(
        act.unchecked_ref(),
        options.unchecked_ref::<web_sys::IdleRequestOptions>(),
    );
    if asked.is_err() {
        let _ =
            window.set_timeout_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), 1);
    }
}

/// Receives the result of a promise.
type SettleCallback = Box<dyn FnOnce(Result<JsValue, JsValue>)>;

/// Tells what became of a promise. By one function that is called either way: of two, the one
/// that is not called would never be given back.
pub fn on_settled(promise: &Promise, done: SettleCallback) {
    let settled = Promise::all_settled(&Array::of1(promise));
    let settle = once_callback(Box::new(move |all: JsValue| {
        let one = Array::from(&all).get(0);
        let of = |name: &str| Reflect::get(&one, &name.into()).unwrap_or(JsValue::UNDEFINED);
        done(if of("status") == "fulfilled" {
            Ok(of("value"))
        } else {
            Err(of("reason"))
        });
    }));
    let then = Reflect::get(&settled, &"then".into()).ok();
    if let Some(then) = then.and_then(|then| then.dyn_into::<Function>().ok()) {
        let _ = then.call1(&settled, &settle);
    }
}

/// Does something as soon as the script that runs now is through.
pub fn soon(act: Box<dyn FnOnce()>) {
    if let Some(window) = web_sys::window() {
        window.queue_microtask(once_callback(Box::new(move |_| act())).unchecked_ref());
    }
}

/// A one-shot callback. It has to be called, because only the call frees it. One type for all
/// callbacks, because each type of closure adds to the download.
fn once_callback(act: Box<dyn FnOnce(JsValue)>) -> JsValue {
    Closure::once_into_js(act)
}

/// A plain object without fields.
#[must_use]
pub fn object() -> Object {
    Object::new()
}

/// Sets a field of a plain object, which cannot fail.
pub fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// The height of the window, in CSS pixels.
#[must_use]
pub fn height() -> f64 {
    let height = web_sys::window().and_then(|window| window.inner_height().ok());
    height.and_then(|height| height.as_f64()).unwrap_or(0.0)
}

/// Scrolls the page down by so many CSS pixels, at once.
pub fn scroll_by(down: f64) {
    if let Some(window) = web_sys::window() {
        window.scroll_by_with_x_and_y(0.0, down);
    }
}

/// The language of the page, else of the browser.
#[must_use]
pub fn language() -> String {
    let Some(window) = web_sys::window() else {
        return String::new();
    };
    let page = window
        .document()
        .and_then(|document| document.document_element());
    page.and_then(|page| page.get_attribute("lang"))
        .filter(|tag| !tag.is_empty())
        .or_else(|| window.navigator().language())
        .unwrap_or_default()
}

/// The bounds of the reader's present day.
#[must_use]
pub fn today() -> Today {
    let midnight = |offset: u32| {
        let date = Date::new_0();
        // Through the calendar, because a day is not always 24 hours.
        date.set_hours(0);
        date.set_minutes(0);
        date.set_seconds(0);
        date.set_milliseconds(0);
        date.set_date(date.get_date() + offset);
        date.get_time() as i64
    };
    let here = Date::new_0();
    let (month, day) = (i64::from(here.get_month()) + 1, i64::from(here.get_date()));
    let date = Day::from_calendar(i64::from(here.get_full_year()), month, day);
    Today {
        date: date.unwrap_or(Day::from_days(0)),
        now: now(),
        start: midnight(0),
        end: midnight(1),
        tomorrow_end: midnight(2),
    }
}

/// The time of day in the reader's way of writing, for example `09:14`.
#[must_use]
pub fn time_of_day(time: Timestamp, language: &str) -> String {
    format(
        time,
        language,
        Parts {
            date: false,
            clock: true,
        },
    )
}

/// Date and time in the reader's way of writing, for example `18 Nov, 09:14`.
#[must_use]
pub fn date_and_time(time: Timestamp, language: &str) -> String {
    format(
        time,
        language,
        Parts {
            date: true,
            clock: true,
        },
    )
}

/// A day in the reader's way of writing, for example `18 Nov`.
#[must_use]
pub fn date(day: Day, language: &str) -> String {
    // Read as local time, a day is that day in every zone; at noon no clock is changed.
    let noon = Date::parse(&format!("{day}T12:00"));
    let noon = Timestamp::from_millis(noon as i64);
    format(
        noon,
        language,
        Parts {
            date: true,
            clock: false,
        },
    )
}

/// The parts of a time that are formatted.
struct Parts {
    date: bool,
    clock: bool,
}

fn format(time: Timestamp, language: &str, parts: Parts) -> String {
    let options = object();
    let set = |name: &str, value: &str| set(&options, name, &value.into());
    if parts.clock {
        let two_digits = two_digit_hours(language);
        set("hour", if two_digits { "2-digit" } else { "numeric" });
        set("minute", "2-digit");
    }
    if parts.date {
        set("day", "numeric");
        set("month", "short");
        let this_year = Date::new_0().get_full_year();
        if date_of(time).get_full_year() != this_year {
            set("year", "numeric");
        }
    }
    let date = date_of(time);
    // A page may carry a language tag that is none; the browser then throws, and its own
    // language has to do.
    let write = Reflect::get(&date, &"toLocaleString".into())
        .ok()
        .and_then(|write| write.dyn_into::<Function>().ok());
    let text = write.and_then(|write| {
        let tagged = write.call2(&date, &language.into(), &options);
        tagged
            .or_else(|_| write.call2(&date, &JsValue::UNDEFINED, &options))
            .ok()?
            .as_string()
    });
    text.unwrap_or_default()
}

fn date_of(time: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(time.as_millis() as f64))
}

/// A due date as `<input type="datetime-local">` wants it, in the reader's zone; a day as
/// `<input type="date">` does.
#[must_use]
pub fn local_input(due: Due) -> String {
    let time = match due {
        Due::Day(day) => return day.to_string(),
        Due::At(time) => time,
    };
    let date = date_of(time);
    // Shifting by the offset makes the UTC form read as local time.
    let shifted = date.get_time() - date.get_timezone_offset() * 60_000.0;
    let text: String = Date::new(&JsValue::from_f64(shifted))
        .to_iso_string()
        .into();
    text.get(..16).unwrap_or_default().to_owned()
}

/// A time in any form that the browser reads, among them what such a field holds.
#[must_use]
pub fn parse_time(text: &str) -> Option<Timestamp> {
    let millis = Date::parse(text);
    millis
        .is_finite()
        .then(|| Timestamp::from_millis(millis as i64))
}

/// A due date as it travels, or as one of those fields holds it.
#[must_use]
pub fn parse_due(text: &str) -> Option<Due> {
    text.parse()
        .map(Due::Day)
        .ok()
        .or_else(|| parse_time(text).map(Due::At))
}

/// A storage of the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageArea {
    /// Every page of this origin, until it is forgotten.
    Browser,
    /// This tab, until it is closed.
    Tab,
}

/// What is kept under keys that begin with `prefix`.
#[must_use]
pub fn recall(store: StorageArea, prefix: &str) -> Vec<(String, String)> {
    let Some(storage) = storage(store) else {
        return Vec::new();
    };
    let count = storage.length().unwrap_or_default();
    let keys = (0..count).filter_map(|at| storage.key(at).ok().flatten());
    keys.filter(|key| key.starts_with(prefix))
        .filter_map(|key| {
            let value = storage.get_item(&key).ok().flatten()?;
            Some((key, value))
        })
        .collect()
}

/// Keeps `value` under `key`; `None` forgets it. `false`: the storage is full, or forbidden.
pub fn keep(store: StorageArea, key: &str, value: Option<&str>) -> bool {
    let Some(storage) = storage(store) else {
        return false;
    };
    match value {
        Some(value) => storage.set_item(key, value).is_ok(),
        None => storage.remove_item(key).is_ok(),
    }
}

fn storage(store: StorageArea) -> Option<web_sys::Storage> {
    let window = web_sys::window()?;
    let storage = match store {
        StorageArea::Browser => window.local_storage(),
        StorageArea::Tab => window.session_storage(),
    };
    storage.ok().flatten()
}

/// Whether the page can be seen.
#[must_use]
pub fn is_visible() -> bool {
    web_sys::window()
        .and_then(|window| window.document())
        .is_some_and(|document| document.visibility_state() == web_sys::VisibilityState::Visible)
}

/// The target of an event, also inside a shadow root.
#[must_use]
pub fn origin(event: &web_sys::Event) -> Option<web_sys::Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}

/// The text that an event pastes.
#[must_use]
pub fn pasted_text(event: &web_sys::Event) -> String {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let read = || {
        let data = get(event, "clipboardData")?;
        let read: Function = get(&data, "getData")?.dyn_into().ok()?;
        read.call1(&data, &"text/plain".into()).ok()?.as_string()
    };
    read().unwrap_or_default()
}

/// Whether keys are called as on Macs here.
#[must_use]
pub fn is_mac() -> bool {
    let platform = web_sys::window().and_then(|window| window.navigator().platform().ok());
    platform.is_some_and(|platform| platform.starts_with("Mac") || platform.starts_with("iP"))
}
