//! Extractors: the caller, a JSON body, a query, a path segment.
//!
//! Invariant: a handler runs only with valid input. Otherwise the response is a problem that names
//! every invalid field that could be found.

mod body;
mod caller;
mod facts;
mod field_errors;
mod path;
mod precondition;
mod query;
#[cfg(test)]
#[path = "../../../../tests/fuzz/src/request_json.rs"]
mod request_json;
mod schema;
mod strict;

pub use body::{
    Body, JsonOrCsv, JsonOrText, MOST_BYTES, MaybeBody, MostBytes, Operation, meaning_of, parse,
};
pub use caller::{Caller, accepted_languages, too_many};
pub use facts::facts_parameter;
pub use path::{Segment, Segments};
pub use precondition::Precondition;
pub use query::Parameters;
#[cfg(test)]
pub use schema::errors_of;
