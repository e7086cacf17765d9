//! The languages of the control, and the direction of their scripts.

/// A language that the control speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, for everybody whose language is not here.
    #[default]
    En,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Arabic.
    Ar,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::De, Self::Fr, Self::Es, Self::Ar];

    /// The language of a tag such as `de-AT`; English when the control does not speak it.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or(tag);
        let spoken = |language: &Self| primary.eq_ignore_ascii_case(language.tag());
        Self::ALL.into_iter().find(spoken).unwrap_or_default()
    }

    /// The tag for the `lang` attribute.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Fr => "fr",
            Self::Es => "es",
            Self::Ar => "ar",
        }
    }

    /// The direction of its script, for the `dir` attribute.
    #[must_use]
    pub const fn direction(self) -> &'static str {
        match self {
            Self::Ar => "rtl",
            _ => "ltr",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regional_tags_find_their_language_and_unknown_ones_get_english() {
        assert_eq!(Language::of("de-AT"), Language::De);
        assert_eq!(Language::of("DE"), Language::De);
        assert_eq!(Language::of("ar_EG"), Language::Ar);
        assert_eq!(Language::of("den"), Language::En);
        assert_eq!(Language::of(""), Language::En);
    }
}
