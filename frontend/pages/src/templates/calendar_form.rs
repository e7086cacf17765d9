//! The fields for what due dates count from, and for the calendar that they are counted in.

use checklist_shared::calendar::Weekday;
use js_sys::{Array, Function, Intl, Object, Reflect};

use super::condition_form::FACT_NAMES;
use super::editor::Editor;
use crate::draft::{CalendarDraft, Draft};
use crate::kit::*;
use wasm_bindgen::JsCast;

/// The id of the time zones that are suggested.
const TIME_ZONES: &str = "time-zones";

/// The fields.
pub fn due_dates(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    let from = editor.bind(
        "due-from",
        "/DueFrom",
        |draft| Some(&mut draft.due_from),
        (),
    );
    let is_used = Memo::new(move |_| editor.draft.with(|draft| draft.calendar.is_used));
    let switch = Flag::new(
        move || is_used.get(),
        move |on| {
            change(editor, "/Calendar", |calendar| {
                calendar.is_used = on;
                if calendar.time_zone.is_empty() {
                    calendar.time_zone = own_time_zone();
                }
            });
        },
    );
    let fields = move || is_used.get().then(|| fields(editor));
    view! {
        <Field
            bind=from
            label=words.due_from
            hint=words.due_from_hint
            suggestions=FACT_NAMES
        />
        <Switch bind=switch label=words.calendar hint=words.calendar_hint />
        {fields}
    }
    .into_any()
}

/// The name of a day of the week.
pub fn weekday(app: App, day: Weekday) -> &'static str {
    let words = app.language.templates();
    match day {
        Weekday::Monday => words.monday,
        Weekday::Tuesday => words.tuesday,
        Weekday::Wednesday => words.wednesday,
        Weekday::Thursday => words.thursday,
        Weekday::Friday => words.friday,
        Weekday::Saturday => words.saturday,
        Weekday::Sunday => words.sunday,
    }
}

fn change(editor: Editor, place: &str, change: impl FnOnce(&mut CalendarDraft)) {
    editor.change(place, |draft| change(&mut draft.calendar));
}

fn fields(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    let bind = |id, field: &str, part: fn(&mut Draft) -> &mut String| {
        let place = ["/Calendar/", field].concat();
        editor.bind(id, place, move |draft| Some(part(draft)), ())
    };
    let zone = bind("time-zone", "TimeZone", |draft| {
        &mut draft.calendar.time_zone
    });
    let start = bind("work-start", "WorkingHours", |draft| {
        &mut draft.calendar.start
    });
    let end = bind("work-end", "WorkingHours", |draft| &mut draft.calendar.end);
    let holidays = bind("holidays", "Holidays", |draft| &mut draft.calendar.holidays);
    let days = Weekday::ALL
        .into_iter()
        .map(|day| (working_day(editor, day), weekday(editor.app, day)));
    let days_error = Signal::derive(move || editor.error_at("/Calendar/WorkingDays"));
    let zones = time_zones()
        .into_iter()
        .map(|zone| view! { <option value=zone></option> });
    view! {
        <div class="form-fields">
            <Field
                bind=zone
                label=words.time_zone
                hint=words.time_zone_hint
                suggestions=TIME_ZONES
            />
            <datalist id=TIME_ZONES>{zones.collect::<Vec<_>>()}</datalist>
            <CheckBoxes legend=words.working_days boxes=days.collect() error=days_error />
            <div class="form-pair">
                <Field bind=start label=words.work_start hint=words.work_hint kind="time" />
                <Field bind=end label=words.work_end kind="time" />
            </div>
            <Field
                bind=holidays
                label=words.holidays
                hint=words.holidays_hint
                rows=4
                is_code=true
            />
        </div>
    }
    .into_any()
}

fn working_day(editor: Editor, day: Weekday) -> Flag {
    let works = move || {
        editor
            .draft
            .with(|draft| draft.calendar.working_days.contains(&day))
    };
    let set = move |works| {
        change(editor, "/Calendar/WorkingDays", |calendar| {
            calendar.set_working(day, works);
        });
    };
    Flag::new(works, set)
}

/// The time zone of whoever writes; empty where the browser does not tell.
fn own_time_zone() -> String {
    let format = Intl::DateTimeFormat::new(&Array::new(), &Object::new());
    let zone = Reflect::get(&format.resolved_options(), &"timeZone".into());
    zone.ok()
        .and_then(|zone| zone.as_string())
        .unwrap_or_default()
}

/// The time zones that the browser knows; none in one that does not tell.
fn time_zones() -> Vec<String> {
    let names = || {
        let intl = Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
        let supported = Reflect::get(&intl, &"supportedValuesOf".into()).ok()?;
        let supported: Function = supported.dyn_into().ok()?;
        let names = supported.call1(&intl, &"timeZone".into()).ok()?;
        let names = Array::from(&names);
        Some(names.iter().filter_map(|name| name.as_string()).collect())
    };
    names().unwrap_or_default()
}
