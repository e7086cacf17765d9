//! Every text of the control, by topic: a row for each text with a column for each language.
//!
//! Names in braces are places, filled by [`fill`](crate::fill). A name of a text is public: hosts
//! put their own words in its place under that name. The compiler holds that no wording is missing.
//! Where languages are not built in, English is kept as lines, which weigh less in a download.

mod actions;
mod announcements;
#[cfg(any(feature = "all", test))]
mod conditions;
mod details;
#[cfg(any(feature = "all", test))]
mod failures;
mod history;
mod item;
mod list;
mod notices;
mod several;
mod signal;
mod template;
mod waiver;

#[cfg(any(feature = "all", test))]
use crate::language::Language;

#[cfg(any(feature = "all", test))]
pub use conditions::Conditions;
#[cfg(any(feature = "all", test))]
pub use failures::Failures;

/// A text in its plural forms, with `|` between them. They stand in the order zero, one, two,
/// few, many, other, as many as the language distinguishes. The number stands at `{n}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plural(pub &'static str);

impl Plural {
    /// The form at a place; the last one where there are fewer.
    pub(super) fn form(self, place: usize) -> &'static str {
        let mut forms = self.0.split('|');
        let first = forms.next().unwrap_or_default();
        forms.take(place).last().unwrap_or(first)
    }
}

/// Makes the texts of a topic: the place of each, a method that says it, and its wordings.
macro_rules! topic {
    (
        after $start:expr;
        $(
            $(#[doc = $about:literal])+
            $name:ident: $kind:ident
                en $en:literal
                de $de:literal
                fr $fr:literal
                es $es:literal
                ar $ar:literal;
        )+
    ) => {
        /// Where each text stands in the topic.
        #[expect(non_camel_case_types, reason = "they are the names of the texts")]
        #[derive(Clone, Copy)]
        enum Place {
            $($name,)+
        }

        const COUNT: usize = [$(Place::$name),+].len();

        /// Where the topic begins.
        pub(super) const START: usize = $start;

        /// Where the next one begins.
        pub(super) const END: usize = START + COUNT;

        /// The names of the texts, in the order of their places.
        pub(super) const NAMES: [&str; COUNT] = [$(stringify!($name)),+];

        /// The wordings of a language.
        #[cfg(any(feature = "all", test))]
        pub(super) const fn wordings(language: crate::Language) -> [&'static str; COUNT] {
            match language {
                crate::Language::En => [$($en),+],
                crate::Language::De => [$($de),+],
                crate::Language::Fr => [$($fr),+],
                crate::Language::Es => [$($es),+],
                crate::Language::Ar => [$($ar),+],
            }
        }

        /// The English wordings, a line for each.
        #[cfg(not(any(feature = "all", test)))]
        pub(super) const ENGLISH: &str = concat!($($en, "\n"),+);

        impl crate::Texts {
            $(
                $(#[doc = $about])+
                #[inline]
                #[must_use]
                pub const fn $name(&self) -> super::topic!(@type $kind) {
                    super::topic!(@read $kind, self.0[START + Place::$name as usize])
                }
            )+
        }
    };
    (@type text) => { &'static str };
    (@type plural) => { crate::Plural };
    (@read text, $text:expr) => { $text };
    (@read plural, $text:expr) => { crate::Plural($text) };
}
use topic;

/// Where the first topic begins.
const START: usize = 0;

/// How many texts there are.
const COUNT: usize = signal::END;

/// The words of one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Texts([&'static str; COUNT]);

/// Puts the topics together, in the order in which they follow each other.
macro_rules! topics {
    ($($topic:ident),+) => {
        impl Texts {
            /// The names of the texts, in the order of their places.
            pub const NAMES: [&'static str; COUNT] = {
                let mut all = [""; COUNT];
                $(all = with_topic(all, $topic::START, $topic::NAMES);)+
                all
            };

            /// The texts of a language that is built in.
            #[cfg(any(feature = "all", test))]
            const fn built_in(language: Language) -> Self {
                let mut all = [""; COUNT];
                $(all = with_topic(all, $topic::START, $topic::wordings(language));)+
                Self(all)
            }

            /// The English texts.
            #[cfg(not(any(feature = "all", test)))]
            pub(super) fn english() -> Self {
                Self::from_iter([$($topic::ENGLISH),+].into_iter().flat_map(str::lines))
            }
        }
    };
}
topics!(
    list,
    item,
    details,
    actions,
    several,
    notices,
    announcements,
    template,
    history,
    waiver,
    signal
);

const fn with_topic<const N: usize>(
    mut all: [&'static str; COUNT],
    start: usize,
    topic: [&'static str; N],
) -> [&'static str; COUNT] {
    let mut at = 0;
    while at < N {
        all[start + at] = topic[at];
        at += 1;
    }
    all
}

impl Texts {
    /// The texts from lines in the order of [`Texts::NAMES`]; those that are not there are empty.
    #[must_use]
    pub fn from_lines(lines: &'static str) -> Self {
        Self::from_iter(lines.split('\n'))
    }

    fn from_iter(lines: impl Iterator<Item = &'static str>) -> Self {
        let mut texts = Self([""; COUNT]);
        for (text, line) in texts.0.iter_mut().zip(lines) {
            *text = line;
        }
        texts
    }

    /// The texts of a language.
    #[cfg(any(feature = "all", test))]
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        static ALL: [Texts; 5] = [
            Texts::built_in(Language::En),
            Texts::built_in(Language::De),
            Texts::built_in(Language::Fr),
            Texts::built_in(Language::Es),
            Texts::built_in(Language::Ar),
        ];
        &ALL[language as usize]
    }

    /// Every text with its name.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::NAMES.into_iter().zip(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use crate::Language;

    #[test]
    fn the_lines_of_a_language_become_the_same_texts() {
        for language in Language::ALL {
            let texts = Texts::of(language);
            let lines: Vec<_> = texts.entries().map(|(_, text)| text).collect();
            let lines = lines.join("\n").leak();
            assert_eq!(&Texts::from_lines(lines), texts);
        }
    }

    #[test]
    fn every_text_has_a_name_and_a_place_of_its_own() {
        let mut names = Texts::NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Texts::NAMES.len());
        assert!(names.iter().all(|name| !name.is_empty()));
        let german = Texts::of(Language::De);
        assert_eq!(german.save(), "Speichern");
        let named = german.entries().find(|(name, _)| *name == "save");
        assert_eq!(named, Some(("save", german.save())));
    }
}
