//! A round avatar with a person's initials.
//!
//! Never the only way to identify a person: the name is next to it or in a label.

use leptos::prelude::*;

/// Renders a person's initials in a circle.
#[component]
pub fn Avatar(
    /// The initials.
    letters: String,
) -> impl IntoView {
    view! { <span class="avatar" aria-hidden="true">{letters}</span> }.into_any()
}

/// Two letters for a name, as they are written in it; the style sheet makes them large. (What
/// knows the letters of the world by their size is a tenth of the download.)
pub(super) fn initials(name: &str) -> String {
    let mut words = name
        .split(|c: char| !may_begin(c))
        .filter_map(|word| word.chars().next());
    let first = words.next();
    let last = words.next_back();
    first.into_iter().chain(last).collect()
}

/// Whether a character can be one of a name: no sign or blank of ASCII, Latin 1 or the block of
/// general punctuation.
const fn may_begin(c: char) -> bool {
    c.is_ascii_alphanumeric() || (c > '\u{bf}' && !matches!(c, '\u{2000}'..='\u{206f}'))
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn a_name_shrinks_to_its_first_and_last_letter() {
        assert_eq!(initials("M. Keller"), "MK");
        assert_eq!(initials("anna maria jansen"), "aj");
        assert_eq!(initials("operator"), "o");
        assert_eq!(initials("…"), "");
    }
}
