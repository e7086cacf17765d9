//! The parameters of paginated lists: search text, cursor, page size.
//!
//! Shared by `ApiKeys`, `EmbedKeys`, `Types`, `Templates`, `ServiceConnections`, `Webhooks`
//! and the runs of workflows; `services::listing` implements them.

use serde::Deserialize;
use utoipa::IntoParams;

use checklist_services::listing::ListQuery;

/// Which rows.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListParameters {
    /// Words that all have to stand in a row, whatever the case of their letters. A search looks
    /// at 10,000 rows and then answers with what it has found: `Next` says where to go on.
    search: Option<String>,
    /// The `Next` of the previous page.
    after: Option<String>,
    /// How many: 1 to 500, 100 unless said otherwise.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

impl From<ListParameters> for ListQuery {
    fn from(listing: ListParameters) -> Self {
        Self {
            search: listing.search,
            after: listing.after,
            limit: listing.limit,
        }
    }
}
