//! The wire types: requests and answers of the checklist web services.
//!
//! Names are PascalCase, as the data contracts demand. Unknown request fields are rejected. Answers
//! may grow by fields, and by values of the enums that clients branch on. Server and control both
//! (de)serialize these types. None that the control reads is `untagged` or flattened, because serde
//! compiles such a type several times.

pub mod access;
pub mod admin;
pub mod apply;
pub mod computers;
pub mod connections;
pub mod erasure;
pub mod find;
pub mod history;
pub mod item;
pub mod list;
pub mod lists;
pub mod live;
pub mod overview;
#[cfg(feature = "records")]
pub mod passkey;
pub mod render;
#[cfg(feature = "records")]
pub mod runs;
#[cfg(feature = "records")]
pub mod signals;
pub mod site_lists;
pub mod template;
pub mod template_health;
pub mod webhooks;
pub mod workflow;
pub mod write;

/// A request whose answer holds texts: it names the reader's language, which comes before that of
/// the token and of the browser.
pub trait ReaderLanguage {
    /// The field `Language`.
    fn language_mut(&mut self) -> &mut Option<String>;
}

macro_rules! reader_language {
    ($($request:ty),* $(,)?) => {
        $(impl ReaderLanguage for $request {
            fn language_mut(&mut self) -> &mut Option<String> {
                &mut self.language
            }
        })*
    };
}

reader_language!(
    find::FindItems,
    list::GetItems,
    write::AddItems,
    write::UpdateItems,
    write::ProposeItems,
    write::DeleteItems,
    write::RestoreItems,
    write::RefreshItems,
    write::Undo,
    write::Waive,
    write::LockList,
);

#[cfg(feature = "records")]
reader_language!(runs::StartAgain);
