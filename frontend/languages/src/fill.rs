//! Puts values into the places of a text, each in its own direction.

/// First strong isolate, and what ends it: what stands between them does not turn the rest round.
const ISOLATE: char = '\u{2068}';
const END: char = '\u{2069}';

/// Puts values into the places of a text: `{name}` becomes the value of that name. Where one of
/// them is written from right to left, each value is isolated, so that quotes and full stops stay
/// where the sentence has them.
///
/// ```
/// use checklist_languages::fill;
/// assert_eq!(fill("{done} of {total} done", &[("done", "3"), ("total", "5")]), "3 of 5 done");
/// assert_eq!(fill("“{text}”.", &[("text", "שלום")]), "“\u{2068}שלום\u{2069}”.");
/// ```
#[must_use]
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mixed = turns(text) || values.iter().any(|(_, value)| turns(value));
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            // A brace without its partner is text.
            filled.push('{');
            rest = after;
            continue;
        };
        if let Some((_, value)) = values.iter().find(|(key, _)| *key == name) {
            if mixed {
                filled.push(ISOLATE);
            }
            filled.push_str(value);
            if mixed {
                filled.push(END);
            }
        }
        rest = tail;
    }
    filled.push_str(rest);
    filled
}

/// Whether a text holds a letter that is written from right to left: the blocks from Hebrew to
/// extended Arabic, and their forms for presentation.
fn turns(text: &str) -> bool {
    text.chars().any(
        |c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_looks_like_a_place_is_not_filled_again() {
        assert_eq!(
            fill("“{text}”", &[("text", "{who}"), ("who", "nobody")]),
            "“{who}”"
        );
    }

    #[test]
    fn a_lone_brace_stays() {
        assert_eq!(fill("a { b", &[]), "a { b");
    }

    #[test]
    fn a_latin_name_in_an_arabic_sentence_is_isolated_and_nothing_in_an_english_one() {
        assert_eq!(
            fill("عدّل {who} القائمة.", &[("who", "M. Keller")]),
            "عدّل \u{2068}M. Keller\u{2069} القائمة."
        );
        assert_eq!(fill("By {who}.", &[("who", "Žofie")]), "By Žofie.");
    }
}
