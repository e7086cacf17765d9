//! The descriptors of the elements: one table, from which everything else is generated.
//!
//! Rust reads the table as a macro: [`descriptors!`] passes it to a macro of the
//! caller, which generates a struct, a component or a function (the control's `Settings`, the
//! props of `ChecklistControl`, the options of `Render`). `cargo xtask describe` reads it as
//! [`CONTROL`], [`PREVIEW`] and [`WORKLIST`] and generates scripts, manifest, typings, the tables in the
//! documents and the demo's switches. Run it after changing the table.

/// Hands the table to the macro `$then`. Its parts, each row with its documentation in front:
/// * `texts`: setting, attribute, default in words;
/// * `flags`: setting, attribute, and in brackets the option of `Render` and a label;
/// * `choices`, of which one word counts: setting, attribute, and in brackets the option in Rust,
///   the word, the option of `Render` with its two values, and a label;
/// * `page`, texts that concern the element alone: option in Rust, attribute, option of `Render`.
#[macro_export]
macro_rules! descriptors {
    ($then:ident) => {
        $then! {
            texts {
                /// Where the web services live, without `/api/…`.
                base_url "base-url" "the server that this script came from; the page's own origin if it came from the npm package";
                /// The type of the object, for example `incident`.
                object_type "object-type" "";
                /// The id of the object. Without it the control is a draft: nothing is sent until it is set.
                object_id "object-id" "";
                /// Distinguishes several lists of one object; has to be set when a page shows more than one.
                purpose "purpose" "the default list";
                /// The id of the template (fragment); without it, the object type determines the template.
                template "template" "";
                /// The number of a closed run to show, read-only. The server rejects any other value, and nothing is shown.
                run "run" "the present run";
                /// The language: a tag such as `de` or `pt-BR`.
                lang "lang" "that of the page around it";
            }
            flags {
                /// Items cannot be checked, and no checkboxes are rendered.
                disable_check "disable-check" ["DisableCheck" "Disable check"];
                /// Items cannot be added, edited, deleted or moved.
                disable_edit "disable-edit" ["DisableEdit" "Disable edit"];
                /// Changes of items are logged in the object's journal; its type needs the classes UnitOfWork and ChecklistItem.
                log_in_journal "log-in-journal" ["LogInJournal" "Log in journal"];
                /// Does not show who else has the list open, and does not show this person to others.
                hide_presence "hide-presence" ["HidePresence" "Hide presence"];
                /// Hides completed items until the viewer shows them; the viewer's choice is remembered for each list.
                hide_completed "hide-completed" ["HideCompleted" "Hide completed"];
                /// The form is not valid until the list is completed.
                required "required" ["Required" "Required"];
                /// Cannot be changed, and is not part of the form's data.
                disabled "disabled" ["Disabled" "Disabled"];
                /// Cannot be changed, but can be focused and read.
                readonly "readonly" ["ReadOnly" "Read-only"];
            }
            choices {
                /// With `off`, nothing is sent before `flush()` or the form's submit, which waits for it.
                autosave_off "autosave" [autosave "off" "Autosave" Autosave(On, Off) "Save with the form"];
                /// With `compact`, one line shows the progress of the list and opens it in place.
                compact "display" [display "compact" "Display" Display(Full, Compact) "One line"];
                /// With `compact`, rows are 32 px high; on touch screens they keep their normal height.
                dense "density" [density "compact" "Density" Density(Normal, Compact) "Dense rows"];
                /// With `tab`, unsent changes are kept for this tab only; otherwise a page that the same person opens within 7 days sends them.
                unsent_in_tab "unsent" [unsent "tab" "Unsent" Unsent(Browser, Tab) "Keep unsent changes in this tab only"];
            }
            page {
                /// The name of the value in the form.
                name "name" "Name";
                /// The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`.
                token_url "token-url" "TokenUrl";
            }
        }
    };
}

/// One descriptor of an element.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The attribute; of one without, the property.
    pub name: &'static str,
    /// The kind of value.
    pub kind: Kind,
    /// The setting in Rust, and the prop of the Leptos component; empty where there is none.
    pub setting: &'static str,
    /// The option of `Render`; empty where there is none.
    pub option: &'static str,
    /// What holds where it is not set, in words; empty where nothing does.
    pub default: &'static str,
    /// A few words for a switch; empty where there is none.
    pub label: &'static str,
    /// What it means. Lines of the table in one, with a blank in front.
    documentation: &'static str,
}

/// What a descriptor holds, and in which direction it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text: attribute and property.
    Text,
    /// Yes or no: attribute and property.
    Flag,
    /// One word or nothing: attribute and property.
    Choice(&'static str),
    /// JSON: an attribute, and a property of that TypeScript type or its text.
    Json(&'static str),
    /// A property of that TypeScript type, to be set by scripts.
    Object(&'static str),
    /// A property of that TypeScript type, to be read.
    Output(&'static str),
}

impl Descriptor {
    /// What it means, in a sentence.
    #[must_use]
    pub const fn documentation(&self) -> &'static str {
        self.documentation.trim_ascii()
    }

    const fn of(name: &'static str, kind: Kind, documentation: &'static str) -> Self {
        Self {
            name,
            kind,
            setting: "",
            option: "",
            default: "",
            label: "",
            documentation,
        }
    }

    const fn setting(mut self, setting: &'static str, default: &'static str) -> Self {
        self.setting = setting;
        self.default = default;
        self
    }

    const fn option(mut self, option: &'static str, label: &'static str) -> Self {
        self.option = option;
        self.label = label;
        self
    }
}

macro_rules! rows {
    (texts { $($(#[doc = $text_doc:tt])+ $text:ident $text_attribute:tt $default:tt;)* }
     flags { $($(#[doc = $flag_doc:tt])+ $flag:ident $flag_attribute:tt [$flag_option:tt $flag_label:tt];)* }
     choices { $($(#[doc = $choice_doc:tt])+ $choice:ident $choice_attribute:tt
                 [$field:ident $word:tt $choice_option:tt $values:ident($no:ident, $yes:ident) $choice_label:tt];)* }
     page { $($(#[doc = $page_doc:tt])+ $page:ident $page_attribute:tt $page_option:tt;)* }) => {
        const ATTRIBUTES: &[Descriptor] = &[
            $(Descriptor::of($text_attribute, Kind::Text, concat!($($text_doc),+)).setting(stringify!($text), $default),)*
            $(Descriptor::of($flag_attribute, Kind::Flag, concat!($($flag_doc),+))
                .setting(stringify!($flag), "false").option($flag_option, $flag_label),)*
            $(Descriptor::of($choice_attribute, Kind::Choice($word), concat!($($choice_doc),+))
                .setting(stringify!($choice), "").option($choice_option, $choice_label),)*
            $(Descriptor::of($page_attribute, Kind::Text, concat!($($page_doc),+)).option($page_option, ""),)*
        ];
    };
}

crate::descriptors!(rows);

/// Properties that scripts set.
const OBJECTS: &[Descriptor] = &[
    Descriptor::of(
        "tokenProvider",
        Kind::Object(
            "(request: {contexts: object[], reason: \"call\" | \"renew\"}) => Promise<{token: string, expiresAt: Date | number | string}>",
        ),
        "Returns a token for the contexts; one call serves the whole page. Assigning another function triggers no call; later calls use it.",
    ),
    Descriptor::of(
        "people",
        Kind::Object(
            "({id: string, name: string, detail?: string} | string)[] | ((prefix: string, options: {signal: AbortSignal}) => ({id: string, name: string, detail?: string} | string)[] | Promise<({id: string, name: string, detail?: string} | string)[]>)",
        ),
        "People to suggest as assignees and for mentions in notes: a list, or a function that finds them by the start of a name. `id` is the `sub` of their tokens; `detail` tells people of one name apart; a text is a name without an id. Other names can still be typed. Assigning another function triggers no call.",
    ),
    Descriptor::of(
        "messages",
        Kind::Object("Record<string, string>"),
        "Texts that replace the control's own, by key; placeholders are in braces, plural forms are separated by `|`. The keys are those of the language files.",
    ),
];

/// Properties that scripts read.
const OUTPUTS: &[Descriptor] = &[
    Descriptor::of(
        "value",
        Kind::Output("string"),
        "The submitted value: JSON `{Completed, State, Revision}`.",
    ),
    Descriptor::of(
        "completed",
        Kind::Output("boolean"),
        "Whether the list is completed; false while loading, on error and without items.",
    ),
    Descriptor::of(
        "state",
        Kind::Output("\"Unknown\" | \"Empty\" | \"Open\" | \"Complete\""),
        "The state of the list; `Unknown` while loading and on error.",
    ),
    Descriptor::of(
        "counts",
        Kind::Output(
            "{Total: number, Done: number, NotApplicable: number, Open: number, RequiredOpen: number}",
        ),
        "The number of items by status.",
    ),
    Descriptor::of(
        "blockers",
        Kind::Output("{Id: string, Text: string}[]"),
        "The open items that keep the list from being completed; the first 20.",
    ),
    Descriptor::of(
        "items",
        Kind::Output("object[]"),
        "The items on the screen, in order.",
    ),
    Descriptor::of(
        "pendingCount",
        Kind::Output("number"),
        "The number of operations that the server has not confirmed yet.",
    ),
];

/// All descriptors of `<checklist-control>`.
pub const CONTROL: &[&[Descriptor]] = &[ATTRIBUTES, OBJECTS, OUTPUTS];

/// What `<checklist-preview>` has in common with the control, by name.
pub const SHARED_WITH_PREVIEW: &[&str] = &[
    "base-url",
    "template",
    "lang",
    "token-url",
    "tokenProvider",
    "messages",
];

/// What it has of its own.
pub const PREVIEW: &[Descriptor] = &[
    Descriptor::of(
        "type",
        Kind::Text,
        "The object type whose template is shown when `template` is not set.",
    ),
    Descriptor::of(
        "purpose",
        Kind::Text,
        "Distinguishes several templates of the type.",
    ),
    Descriptor::of(
        "facts",
        Kind::Json("Record<string, string | number | boolean>"),
        "Facts to try the template with, such as `{\"Priority\": 1}`: only what applies by them is shown. Without them every item is, with its condition in words.",
    ),
];

/// What `<checklist-worklist>` has in common with the control, by name.
pub const SHARED_WITH_WORKLIST: &[&str] =
    &["base-url", "lang", "token-url", "tokenProvider", "messages"];

/// What it has of its own.
pub const WORKLIST: &[Descriptor] = &[
    Descriptor::of(
        "assignee",
        Kind::Text,
        "Whose items: `me` for the person of the token, `*` for everybody's and nobody's, else the `Id` of an assignee.",
    )
    .setting("assignee", "`me`"),
    Descriptor::of("late", Kind::Flag, "Shows overdue items only."),
    Descriptor::of(
        "proposed",
        Kind::Flag,
        "Shows only items for which somebody proposes a status that nobody has decided on.",
    ),
    Descriptor::of(
        "object-type",
        Kind::Text,
        "Shows only items of objects of that type.",
    ),
    Descriptor::of(
        "purpose",
        Kind::Text,
        "Shows only items of lists of that purpose.",
    ),
    Descriptor::of(
        "template",
        Kind::Text,
        "Shows only items of lists that follow the template of that id.",
    ),
    Descriptor::of(
        "text",
        Kind::Text,
        "Shows only items whose text contains each of these words.",
    ),
    Descriptor::of(
        "limit",
        Kind::Text,
        "How many items are loaded at a time, 1 to 200.",
    )
    .setting("limit", "50"),
    Descriptor::of(
        "href",
        Kind::Text,
        "The address of an object's page, with `{ObjectType}`, `{ObjectId}`, `{Purpose}` and `{ItemId}` as placeholders. Without it a button dispatches `checklist-open`.",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_there_once_and_every_descriptor_is_documented() {
        let all: Vec<&Descriptor> = CONTROL.iter().copied().flatten().collect();
        let names: HashSet<&str> = all.iter().map(|descriptor| descriptor.name).collect();
        assert_eq!(names.len(), all.len());
        for descriptor in all.iter().copied().chain(PREVIEW).chain(WORKLIST) {
            assert!(descriptor.documentation().ends_with('.'), "{descriptor:?}");
            assert!(
                !descriptor.documentation().starts_with(' '),
                "{descriptor:?}"
            );
        }
        for name in SHARED_WITH_PREVIEW.iter().chain(SHARED_WITH_WORKLIST) {
            assert!(names.contains(name), "{name}");
        }
    }
}
