//! The texts of the pages: one table for each area, one line for each text, in English and German.
//!
//! A text that lacks a language does not compile. Languages, plural forms, numbers and placeholders
//! are those of the control.

pub mod apply;
pub mod computers;
pub mod connections;
pub mod export;
pub mod frame;
pub mod keys;
pub mod lists;
pub mod logs;
pub mod open_items;
pub mod overview;
pub mod passkeys;
pub mod platform_types;
pub mod runs;
pub mod templates;
pub mod webhooks;

use checklist_control::i18n::Plural;
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

/// Makes the trait by which a language gives the table of each area.
macro_rules! areas {
    ($($(#[$about:meta])+ $area:ident: $table:ident;)+) => {
        /// The texts of each area.
        pub trait Wording {
            $($(#[$about])+ fn $area(self) -> &'static $area::$table;)+
        }

        impl Wording for Language {
            $(
                fn $area(self) -> &'static $area::$table {
                    $area::$table::of(self)
                }
            )+
        }
    };
}

areas! {
    /// Frame, sign-in, dialogs, errors.
    frame: Frame;
    /// The overview.
    overview: Overview;
    /// Checklists.
    lists: Lists;
    /// Open items.
    open_items: OpenItems;
    /// Applying a template.
    apply: Apply;
    /// Templates.
    templates: Templates;
    /// Types.
    platform_types: PlatformTypes;
    /// Keys and people.
    keys: Keys;
    /// Passkeys.
    passkeys: Passkeys;
    /// Service connections.
    connections: Connections;
    /// Webhooks.
    webhooks: Webhooks;
    /// Computers.
    computers: Computers;
    /// The export of computers to a site list.
    export: Export;
    /// Runs.
    runs: Runs;
    /// Journal and audit trail.
    logs: Logs;
}

/// A text about a number of things: its forms for one and for several are separated by `|`.
#[must_use]
pub fn counted(language: Language, n: u64, forms: &'static str) -> String {
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    checklist_control::i18n::counted(language, Plural(forms), n)
}
