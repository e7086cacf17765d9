//! The calendar of a template, as it is edited.

use checklist_shared::calendar::{Calendar, TimeOfDay, Weekday, WorkingHours};
use checklist_shared::date::Date;

/// A calendar that is being edited. It is kept while it is switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarDraft {
    /// Whether the template has one.
    pub is_used: bool,
    /// The time zone.
    pub time_zone: String,
    /// The working days.
    pub working_days: Vec<Weekday>,
    /// When work begins, as it is typed; empty for the whole day.
    pub start: String,
    /// When work ends, likewise; 00:00 is the end of the day.
    pub end: String,
    /// The holidays, a date in each line.
    pub holidays: String,
}

impl Default for CalendarDraft {
    fn default() -> Self {
        Self {
            is_used: false,
            time_zone: String::new(),
            working_days: Weekday::ALL[..5].to_vec(),
            start: String::new(),
            end: String::new(),
            holidays: String::new(),
        }
    }
}

impl CalendarDraft {
    pub(super) fn of(calendar: Option<&Calendar>) -> Self {
        let Some(calendar) = calendar else {
            return Self::default();
        };
        let hours = calendar.working_hours;
        // A field for a time has no 24:00.
        let end = |hours: WorkingHours| hours.end.to_string().replace("24:00", "00:00");
        let holidays: Vec<String> = calendar.holidays.iter().map(Date::to_string).collect();
        Self {
            is_used: true,
            time_zone: calendar.time_zone.clone(),
            working_days: calendar.working_days.clone(),
            start: hours.map_or_else(String::new, |hours| hours.start.to_string()),
            end: hours.map_or_else(String::new, end),
            holidays: holidays.join("\n"),
        }
    }

    /// The calendar; none if there is none. What [`Self::wrong_fields`] names is left out.
    #[must_use]
    pub fn calendar(&self) -> Option<Calendar> {
        let days = Weekday::ALL.into_iter();
        self.is_used.then(|| Calendar {
            time_zone: self.time_zone.clone(),
            working_days: days.filter(|day| self.working_days.contains(day)).collect(),
            working_hours: self.hours().ok().flatten(),
            holidays: self.dates().flatten().collect(),
        })
    }

    /// The fields that cannot be read, by their names in the calendar.
    #[must_use]
    pub fn wrong_fields(&self) -> Vec<&'static str> {
        let hours = self.hours().is_err().then_some("WorkingHours");
        let holidays = self
            .dates()
            .any(|date| date.is_none())
            .then_some("Holidays");
        let wrong = hours.into_iter().chain(holidays);
        wrong.filter(|_| self.is_used).collect()
    }

    /// Adds a working day, or takes it out.
    pub fn set_working(&mut self, day: Weekday, works: bool) {
        self.working_days.retain(|own| *own != day);
        if works {
            self.working_days.push(day);
        }
    }

    fn hours(&self) -> Result<Option<WorkingHours>, ()> {
        if self.start.is_empty() && self.end.is_empty() {
            return Ok(None);
        }
        // Some browsers add seconds.
        let time = |typed: &str| typed.get(..5).unwrap_or(typed).parse::<TimeOfDay>();
        let end = if self.end.starts_with("00:00") {
            "24:00"
        } else {
            &self.end
        };
        match (time(&self.start), time(end)) {
            (Ok(start), Ok(end)) => Ok(Some(WorkingHours { start, end })),
            _ => Err(()),
        }
    }

    /// The date of each line; `None` where there is none.
    fn dates(&self) -> impl Iterator<Item = Option<Date>> {
        let lines = self.holidays.lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .map(|line| line.parse().ok())
    }
}
