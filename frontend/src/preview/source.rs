//! What a preview shows, and the page around it.

use crate::i18n::Words;
use crate::port::{ErrorDetail, TokenCallback, TokenReason};

/// What to preview: a template, else the one that a type names for a purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The base URL of the web services, without `/api/…`.
    pub base_url: String,
    /// The template (fragment) id; wins over the type.
    pub template: String,
    /// The platform type.
    pub object_type: String,
    /// Which of the type's templates.
    pub purpose: String,
    /// Facts to show the template for, a JSON object such as `{"Priority": 1}`; empty for none, which
    /// shows every item.
    pub facts: String,
    /// Language tag.
    pub lang: String,
    /// The texts; the default is those of the language tag.
    pub words: Option<Words>,
}

impl Source {
    /// The words around the texts.
    #[must_use]
    pub fn words(&self) -> Words {
        self.words.unwrap_or_else(|| Words::of(&self.lang))
    }
}

/// The host of a preview.
pub trait PreviewHost {
    /// A token for reading; empty where the page's own session will do.
    fn token(&self, reason: TokenReason, done: TokenCallback);

    /// There is something to see: whatever stood in for it may go.
    fn shown(&self);

    /// The template cannot be shown.
    fn error(&self, problem: ErrorDetail);
}
