//! What the fuzz targets hold, one module a property. Each is called by its target, and with the
//! seeds by ordinary tests of the crate that it is about. Files of the server, the pages and the
//! local site server stand in here as they are, so that not all of the product is built for them.

#[path = "../../../frontend/pages/src/runs/events.rs"]
mod events;
#[path = "../../../backend/src/http/extract/field_errors.rs"]
mod field_errors;
#[path = "../../site-server/src/odata/filter/mod.rs"]
pub mod filter;
mod fragment_id;
#[path = "../../site-server/src/store/instant.rs"]
mod instant;
mod odata_filter;
mod request_json;
#[path = "../../../backend/src/http/extract/schema.rs"]
mod schema;
mod server_sent_events;
mod site_answers;
#[path = "../../../backend/src/http/extract/strict.rs"]
mod strict;

/// Where filters look for the one thing of the site server that they need.
mod store {
    pub(crate) use super::instant;
}

use filter::{Comparison, Expression, Operand};

pub use fragment_id::hold as fragment_id;
pub use request_json::hold as request_json;
pub use server_sent_events::hold as server_sent_events;
pub use site_answers::{hold_challenge as sign_in_challenge, hold_wait as retry_after};

/// The filter of the client of site lists, read by the grammar of the local site server.
pub fn odata_filter(data: &[u8]) {
    odata_filter::hold(data, site_lists::fuzzed::text_filter, equation);
}

fn equation(text: &str) -> Option<(Vec<String>, String)> {
    match filter::parse(text).ok()? {
        Expression::Compare(Operand::Path(name), Comparison::Equal, Operand::Text(value)) => {
            Some((name, value))
        }
        _ => None,
    }
}
