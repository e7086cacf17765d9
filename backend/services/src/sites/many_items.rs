//! `GetSiteItems`: reads many items of a list, page by page.
//!
//! Invariant: the memory of an answer is bounded by the page size, not by the length of the list.

use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_store::error::{ServiceError, ServiceResult};
use site_lists::{ItemFilter, ItemPage, ItemQuery, Operator, SiteItem};

use super::caller::SiteCaller;
use super::open::site_of_call;
use super::refusal;
use super::wire::{GetSiteItems, ItemsRead};
use crate::access::FieldErrors;
use crate::app::App;

/// The default page size of an answer: some megabytes.
const USUAL_ITEMS: usize = 1_000;

/// Reads the items whose `Field` matches `Value`, or all items; at most `Top` of them. Used by the
/// command line, which holds the whole result in memory.
///
/// # Errors
/// See `establish`; a list that cannot be read to its end is an error, never a partial result.
pub async fn get_all(
    app: &App,
    asking: &SiteCaller<'_>,
    request: GetSiteItems,
) -> ServiceResult<ItemsRead> {
    let mut result = Vec::new();
    let each = |item: SiteItem| result.push(item.dictionary());
    let page = each_item(app, asking, request, None, each).await?;
    Ok(ItemsRead {
        result,
        next: page.next,
        warnings: page.warnings,
    })
}

/// Returns the JSON of `ItemsRead`, with at most [`USUAL_ITEMS`] items by default. Each item is
/// serialised as soon as it is read, so memory holds that JSON and one page of the site's response.
///
/// # Errors
/// See `get_all`.
pub async fn get_all_written(
    app: &App,
    asking: &SiteCaller<'_>,
    request: GetSiteItems,
) -> ServiceResult<Vec<u8>> {
    let mut body = b"{\"Result\":[".to_vec();
    let mut failed = None;
    let each = |item: SiteItem| {
        if body.last() != Some(&b'[') {
            body.push(b',');
        }
        if let Err(error) = serde_json::to_writer(&mut body, &item) {
            failed.get_or_insert(error);
        }
    };
    let page = each_item(app, asking, request, Some(USUAL_ITEMS), each).await?;
    let mut rest = serde_json::Map::new();
    if let Some(next) = page.next {
        rest.insert("Next".to_owned(), next.into());
    }
    rest.insert("Warnings".to_owned(), page.warnings.into());
    let rest = serde_json::Value::Object(rest).to_string();
    body.extend_from_slice(b"],");
    body.extend_from_slice(rest.trim_start_matches('{').as_bytes());
    match failed {
        None => Ok(body),
        Some(error) => Err(ServiceError::new(
            ProblemCode::Internal,
            format!("An item cannot be written: {error}"),
        )),
    }
}

async fn each_item(
    app: &App,
    asking: &SiteCaller<'_>,
    request: GetSiteItems,
    usual: Option<usize>,
    each: impl FnMut(SiteItem) + Send,
) -> ServiceResult<ItemPage> {
    let site = site_of_call(app, asking, request.connection).await?;
    let field = request.field.unwrap_or_default();
    let field = field.trim();
    let operator = request.operator.unwrap_or_default();
    if field.is_empty() && operator != Operator::Equals {
        let mut faults = FieldErrors::default();
        let why = "An operator compares a field; name it.";
        faults.say("/Field", FieldErrorCode::Required, why);
        faults.refuse()?;
    }
    let value = request.value;
    let filter = (!field.is_empty()).then(|| ItemFilter::new(field, value).with_operator(operator));
    let query = ItemQuery {
        filter,
        select: request.select,
        top: request.top,
        after: request.after,
    };
    let read = site
        .for_each_up_to(&request.list, &query, usual, each)
        .await;
    let mut page = read.map_err(|error| refusal::of_query(&error, &query))?;
    if let Some(usual) = usual.filter(|_| query.top.is_none() && page.next.is_some()) {
        page.warnings.push(format!(
            "These are {usual} items, as many as one answer has where Top says nothing. There may be more: send the same request with Next as After."
        ));
    }
    Ok(page)
}
