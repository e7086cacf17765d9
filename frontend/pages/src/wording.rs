//! The pages' own words, English and German side by side.
//!
//! One table a topic; a text that lacks a language does not compile. Places in braces are filled by
//! the control's `fill`.

pub mod computers;
pub mod connections;
pub mod export;
pub mod frame;
pub mod keys;
pub mod logs;
pub mod platform_types;
pub mod runs;
pub mod templates;
pub mod webhooks;

pub use checklist_control::i18n::{Language, fill};

/// Makes a record of texts with a constant for each language.
macro_rules! wording {
    ($(#[$about:meta])* $name:ident { $($field:ident: $english:literal, $german:literal;)* }) => {
        $(#[$about])*
        pub struct $name {
            $(pub $field: &'static str,)*
        }

        impl $name {
            /// The texts of a language.
            #[must_use]
            pub fn of(language: crate::wording::Language) -> &'static Self {
                static ENGLISH: $name = $name { $($field: $english,)* };
                static GERMAN: $name = $name { $($field: $german,)* };
                match language {
                    crate::wording::Language::De => &GERMAN,
                    _ => &ENGLISH,
                }
            }
        }
    };
}
pub(crate) use wording;

/// The words of each topic, asked of the language.
pub trait Wording {
    /// Frame, sign-in, dialogs, errors.
    fn frame(self) -> &'static frame::Frame;
    /// Templates.
    fn templates(self) -> &'static templates::Templates;
    /// Types.
    fn platform_types(self) -> &'static platform_types::PlatformTypes;
    /// Keys and people.
    fn keys(self) -> &'static keys::Keys;
    /// Service connections.
    fn connections(self) -> &'static connections::Connections;
    /// Webhooks.
    fn webhooks(self) -> &'static webhooks::Webhooks;
    /// Computers.
    fn computers(self) -> &'static computers::Computers;
    /// The export of computers to a site list.
    fn export(self) -> &'static export::Export;
    /// Runs.
    fn runs(self) -> &'static runs::Runs;
    /// Journal and audit trail.
    fn logs(self) -> &'static logs::Logs;
}

impl Wording for Language {
    fn frame(self) -> &'static frame::Frame {
        frame::Frame::of(self)
    }

    fn templates(self) -> &'static templates::Templates {
        templates::Templates::of(self)
    }

    fn platform_types(self) -> &'static platform_types::PlatformTypes {
        platform_types::PlatformTypes::of(self)
    }

    fn keys(self) -> &'static keys::Keys {
        keys::Keys::of(self)
    }

    fn connections(self) -> &'static connections::Connections {
        connections::Connections::of(self)
    }

    fn webhooks(self) -> &'static webhooks::Webhooks {
        webhooks::Webhooks::of(self)
    }

    fn computers(self) -> &'static computers::Computers {
        computers::Computers::of(self)
    }

    fn export(self) -> &'static export::Export {
        export::Export::of(self)
    }

    fn runs(self) -> &'static runs::Runs {
        runs::Runs::of(self)
    }

    fn logs(self) -> &'static logs::Logs {
        logs::Logs::of(self)
    }
}

/// A sentence about a number of things.
#[must_use]
pub fn counted(_language: Language, n: u64, one: &'static str, other: &'static str) -> String {
    // English and German agree on when there is one thing.
    let form = if n == 1 { one } else { other };
    fill(form, &[("n", &n.to_string())])
}
