//! Render: lists as HTML, for the first paint of a host's page.
//!
//! A host's server requests them while it renders a page.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::permission::Permissions;
use crate::problem::Problem;

macro_rules! render {
    (texts { $($texts:tt)* }
     flags { $($(#[doc = $flag_doc:tt])+ $flag:ident $flag_attribute:tt [$flag_option:tt $flag_label:tt];)* }
     choices { $($(#[doc = $choice_doc:tt])+ $setting:ident $choice_attribute:tt
                 [$choice:ident $word:tt $choice_option:tt $values:ident($no:ident, $yes:ident) $label:tt];)* }
     page { $($(#[doc = $page_doc:tt])+ $page:ident $page_attribute:tt $page_option:tt;)* }) => {
        /// `POST /Render`: exactly one of `Context` and `Contexts`, and what the element's
        /// attributes say.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "PascalCase", deny_unknown_fields)]
        pub struct Render {
            /// One list; the answer is its HTML.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub context: Option<Context>,
            /// Many lists, at most 200; the answer is JSON with the HTML of each.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub contexts: Option<Vec<Context>>,
            /// The reader's language; else that of the token, else Accept-Language.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub language: Option<String>,
            /// The reader's time zone by its IANA name, for example `Europe/Berlin`; else UTC.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub time_zone: Option<String>,
            /// What the reader may do, where that is less than the caller may: the reader's own token
            /// decides once the page's script is there.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub permissions: Option<Permissions>,
            /// A list with more items is not drawn: the answer to `Context` is 204 then.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub max_items: Option<u32>,
            $(
                $(#[doc = $flag_doc])+
                #[serde(default, rename = $flag_option)]
                pub $flag: bool,
            )*
            $(
                $(#[doc = $choice_doc])+
                #[serde(default, rename = $choice_option)]
                pub $choice: $values,
            )*
            /// Whether the list loads its styles or has them inside.
            #[serde(default)]
            pub styles: Styles,
            /// The nonce of the page's policy (`style-src 'nonce-…'`), which lets the styles inside count;
            /// with `Styles` `Inline` alone.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(feature = "openapi", schema(example = "kX8fVn3tQh0="))]
            pub style_nonce: Option<String>,
            $(
                $(#[doc = $page_doc])+
                #[serde(default, rename = $page_option, skip_serializing_if = "Option::is_none")]
                pub $page: Option<String>,
            )*
        }

        $(
            $(#[doc = $choice_doc])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
            #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
            pub enum $values {
                /// As it is without the attribute.
                #[default]
                $no,
                /// What the word of the attribute says.
                $yes,
            }
        )*

        impl Render {
            /// The attributes of the element, beside those of the list: name and value.
            #[must_use]
            pub fn attributes(&self) -> Vec<(&'static str, &str)> {
                let mut attributes = Vec::new();
                $(if self.$flag {
                    attributes.push(($flag_attribute, ""));
                })*
                $(if self.$choice == $values::$yes {
                    attributes.push(($choice_attribute, $word));
                })*
                $(if let Some(text) = &self.$page {
                    attributes.push(($page_attribute, text));
                })*
                attributes
            }

            /// The texts of the page's own among them, by the names of their options.
            #[must_use]
            pub fn page_texts(&self) -> Vec<(&'static str, &Option<String>)> {
                vec![$(($page_option, &self.$page)),*]
            }
        }
    };
}

checklist_descriptors::descriptors!(render);

/// Where the styles of a list come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Styles {
    /// From the control's style sheet, which a browser loads once for all lists and keeps.
    #[default]
    Linked,
    /// From inside the list, for a first paint that waits for nothing; with `Context` alone.
    Inline,
}

/// The answer to `Contexts`: HTML or a problem each, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RenderAnswer {
    /// One entry for each context asked for.
    pub results: Vec<RenderResult>,
}

/// One entry of a batched answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum RenderResult {
    /// The list.
    List(RenderedList),
    /// Why there is none.
    Problem(Problem),
}

/// A list as finished HTML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RenderedList {
    /// Which list.
    pub context: Context,
    /// Its revision when it was drawn.
    pub revision: u64,
    /// A `<checklist-control>` with declarative shadow DOM, to be put into a page as it is.
    pub html: String,
}
