//! The texts of a preview about a row's role and duration, in the reader's language.
//!
//! They are the control's texts.

use checklist_shared::template::CountedIn;

use crate::i18n::{Words, fill, plural};

/// For example "For: service desk".
pub(super) fn assignee_line(words: Words, role: &str) -> String {
    fill(words.texts.for_role(), &[("role", role)])
}

/// For example "Due 2 days after the start", or "Due 2 working days after “Created”" where it counts from
/// a fact; empty for what is no ISO 8601 duration.
pub(super) fn due_phrase(
    words: Words,
    duration: Option<&str>,
    counted_in: CountedIn,
    fact: Option<&str>,
) -> String {
    let Some(time) = duration.and_then(|duration| duration_in(words, duration, counted_in)) else {
        return String::new();
    };
    match fact {
        Some(fact) => {
            let line = words.texts.due_after_fact();
            fill(line, &[("time", &time), ("fact", fact)])
        }
        None => fill(words.texts.due_after(), &[("time", &time)]),
    }
}

/// For example "1 day 4 hours" for `P1DT4H`, in the language of a tag; `None` for what is no ISO 8601
/// duration.
#[must_use]
pub fn duration_phrase(tag: &str, duration: &str, counted_in: CountedIn) -> Option<String> {
    duration_in(Words::of(tag), duration, counted_in)
}

fn duration_in(words: Words, duration: &str, counted_in: CountedIn) -> Option<String> {
    let texts = words.texts;
    let (days, hours) = match counted_in {
        CountedIn::Time | CountedIn::Days => (texts.days(), texts.hours()),
        CountedIn::WorkingTime | CountedIn::WorkingDays => {
            (texts.working_days(), texts.working_hours())
        }
    };
    let units = [
        texts.years(),
        texts.months(),
        texts.weeks(),
        days,
        hours,
        texts.minutes(),
    ];
    let parts: Vec<String> = parts(duration)?
        .into_iter()
        .map(|(number, unit)| plural(words, units[unit], number, &[]))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The numbers of a duration such as `P1DT4H`, each with its unit's place in the list of units.
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

    fn due(tag: &str, duration: &str) -> String {
        due_phrase(Words::of(tag), Some(duration), CountedIn::Time, None)
    }

    #[test]
    fn durations_are_said_in_words() {
        assert_eq!(due("en-GB", "P2D"), "Due 2 days after the start");
        assert_eq!(due("en-GB", "P1DT4H"), "Due 1 day 4 hours after the start");
        assert_eq!(due("de-AT", "PT1H"), "Fällig 1 Stunde nach Beginn");
        assert_eq!(
            due("ar", "P2DT3H"),
            "الموعد بعد البداية بـ \u{2068}يومين \u{2068}3\u{2069} ساعات\u{2069}"
        );
        let work =
            |tag, counted_in, fact| due_phrase(Words::of(tag), Some("P1DT4H"), counted_in, fact);
        assert_eq!(
            work("en", CountedIn::WorkingTime, None),
            "Due 1 working day 4 working hours after the start"
        );
        assert_eq!(
            work("de", CountedIn::WorkingTime, Some("Created")),
            "Fällig 1 Arbeitstag 4 Arbeitsstunden nach „Created“"
        );
        assert_eq!(
            work("es", CountedIn::Time, Some("Created")),
            "Vence 1 día 4 horas después de «Created»"
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
            assert_eq!(due("en", text), "", "{text}");
        }
    }

    #[test]
    fn one_item_is_not_items() {
        let counted = |tag, n| {
            let words = Words::of(tag);
            plural(words, words.texts.preview_count(), n, &[])
        };
        assert_eq!(counted("en", 1), "Preview, 1 item");
        assert_eq!(counted("en", 4), "Preview, 4 items");
        assert_eq!(counted("de", 4), "Vorschau, 4 Einträge");
        assert_eq!(counted("fr", 0), "Aperçu, 0 élément");
        assert_eq!(counted("xx", 0), "Preview, 0 items");
    }
}
