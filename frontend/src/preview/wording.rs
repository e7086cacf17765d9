//! The few words around a previewed template, in the reader's language.
//!
//! What the control says too comes from its texts. Called by `view` and by the loading of the
//! preview.

use crate::i18n::{Language, Plural, fill, plural};

/// The words of one language.
pub(super) struct Wording {
    /// The language.
    pub language: Language,
    /// Said of a template without items.
    pub empty: &'static str,
    /// Said while the template is on its way.
    #[cfg_attr(
        not(feature = "csr"),
        expect(dead_code, reason = "nothing is loaded on the server")
    )]
    pub loading: &'static str,
    counted: Plural,
    assigned: &'static str,
    due: &'static str,
    /// Years, months, weeks, days, hours, minutes.
    units: [Plural; 6],
}

const fn forms(one: &'static str, other: &'static str) -> Plural {
    Plural { one, other }
}

const ENGLISH: Wording = Wording {
    language: Language::En,
    empty: "This template has no items.",
    loading: "Loading the preview…",
    counted: forms("Preview, {n} item", "Preview, {n} items"),
    assigned: "For: {role}",
    due: "Due {time} after the start",
    units: [
        forms("{n} year", "{n} years"),
        forms("{n} month", "{n} months"),
        forms("{n} week", "{n} weeks"),
        forms("{n} day", "{n} days"),
        forms("{n} hour", "{n} hours"),
        forms("{n} minute", "{n} minutes"),
    ],
};

const GERMAN: Wording = Wording {
    language: Language::De,
    empty: "Diese Vorlage hat keine Punkte.",
    loading: "Die Vorschau wird geladen …",
    counted: forms("Vorschau, {n} Punkt", "Vorschau, {n} Punkte"),
    assigned: "Für: {role}",
    due: "Fällig {time} nach Beginn",
    units: [
        forms("{n} Jahr", "{n} Jahre"),
        forms("{n} Monat", "{n} Monate"),
        forms("{n} Woche", "{n} Wochen"),
        forms("{n} Tag", "{n} Tage"),
        forms("{n} Stunde", "{n} Stunden"),
        forms("{n} Minute", "{n} Minuten"),
    ],
};

impl Wording {
    /// The words for a language tag such as `de-AT`.
    pub fn of(tag: &str) -> &'static Self {
        match Language::of(tag) {
            Language::En => &ENGLISH,
            Language::De => &GERMAN,
        }
    }

    /// For example "Preview, 4 items".
    pub fn counted(&self, items: u32) -> String {
        plural(self.language, &self.counted, items, &[])
    }

    /// For example "For: service desk".
    pub fn assigned(&self, role: &str) -> String {
        fill(self.assigned, &[("role", role)])
    }

    /// For example "Due 2 days after the start"; `None` for what is no ISO 8601 duration.
    pub fn due(&self, duration: &str) -> Option<String> {
        let parts: Vec<String> = parts(duration)?
            .into_iter()
            .map(|(number, unit)| plural(self.language, &self.units[unit], number, &[]))
            .collect();
        (!parts.is_empty()).then(|| fill(self.due, &[("time", &parts.join(" "))]))
    }
}

/// The numbers of a duration such as `P1DT4H`, each with its unit's place in [`Wording::units`].
fn parts(duration: &str) -> Option<Vec<(u32, usize)>> {
    let mut parts = Vec::new();
    let mut number: Option<u32> = None;
    let mut units = b"YMWD".as_slice();
    for byte in duration.strip_prefix('P')?.bytes() {
        if byte.is_ascii_digit() {
            let digit = u32::from(byte - b'0');
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
        } else if byte == b'T' && number.is_none() {
            units = b"HM";
        } else {
            let place = units.iter().position(|unit| *unit == byte)?;
            let number = number.take()?;
            if number > 0 {
                // Hours and minutes stand behind the four units of the calendar.
                parts.push((number, if units.len() == 2 { place + 4 } else { place }));
            }
        }
    }
    number.is_none().then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_said_in_words() {
        let english = Wording::of("en-GB");
        assert_eq!(
            english.due("P2D").as_deref(),
            Some("Due 2 days after the start")
        );
        assert_eq!(
            english.due("P1DT4H").as_deref(),
            Some("Due 1 day 4 hours after the start")
        );
        assert_eq!(
            Wording::of("de-AT").due("PT1H").as_deref(),
            Some("Fällig 1 Stunde nach Beginn")
        );
    }

    #[test]
    fn what_is_no_duration_is_not_said() {
        for text in [
            "",
            "P",
            "PT",
            "2D",
            "PD",
            "P2X",
            "P0D",
            "P2",
            "Pé",
            "PT2D",
            "P99999999999D",
        ] {
            assert_eq!(Wording::of("en").due(text), None, "{text}");
        }
    }

    #[test]
    fn one_item_is_not_items() {
        assert_eq!(Wording::of("en").counted(1), "Preview, 1 item");
        assert_eq!(Wording::of("en").counted(4), "Preview, 4 items");
        assert_eq!(Wording::of("de").counted(4), "Vorschau, 4 Punkte");
        assert_eq!(Wording::of("xx").counted(0), "Preview, 0 items");
    }
}
