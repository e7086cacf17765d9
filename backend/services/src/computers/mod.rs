//! The inventory of computers: reading and importing.
//!
//! `import` decides what rows change, `sheet` parses rows from CSV. The permission for site-list
//! activities covers both, because the inventory exists to be exported.

pub mod import;
pub mod row;
mod sheet;

use checklist_auth::Principal;
use checklist_shared::computer::ComputerStatus;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::computers::{ComputerView, ComputersPage};
use checklist_store::computers::{ComputerFilter, ComputerPosition, ComputerRecord};
use checklist_store::error::{ServiceError, ServiceResult};

use super::access::FieldErrors;
use super::listing::Cursor;
use super::sites::need_sites;
use crate::app::App;

/// The name in its cursors.
const LIST: &str = "Computers";
/// The default page size.
const USUAL: u32 = 100;
/// The maximum page size.
pub const MOST: u32 = 1_000;
/// The maximum length of a search text, in characters.
const LONGEST_SEARCH: usize = 200;

/// Filters of the computer list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputerQuery {
    /// Words that must all occur in name, serial number, asset tag, assignee or location.
    pub search: Option<String>,
    /// Only computers of this status.
    pub status: Option<ComputerStatus>,
    /// `Next` of the previous page.
    pub after: Option<String>,
    /// The page size: 1 to 1,000, 100 if absent.
    pub limit: Option<u32>,
}

/// Lists a page of the tenant's computers, by name.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(
    app: &App,
    principal: &Principal,
    query: &ComputerQuery,
) -> ServiceResult<ComputersPage> {
    need_sites(principal)?;
    let filter = filter_of(query)?;
    let page = app.store().computers(&principal.tenant, filter).await?;
    let last = page.rows.last().filter(|_| page.more);
    Ok(ComputersPage {
        next: last.map(|row| ComputerPosition::of(&row.computer).encode(LIST)),
        total: page.total,
        computers: page.rows.into_iter().map(view).collect(),
    })
}

/// Reads one computer of the tenant.
///
/// # Errors
/// `PermissionDenied`, `ComputerNotFound`.
pub async fn get(app: &App, principal: &Principal, id: &str) -> ServiceResult<ComputerView> {
    need_sites(principal)?;
    let found = app
        .store()
        .computers_by_id(&principal.tenant, vec![id.to_owned()])
        .await?;
    found.into_iter().next().map(view).ok_or_else(|| {
        ServiceError::new(
            ProblemCode::ComputerNotFound,
            "There is no computer with this id.",
        )
    })
}

fn view(record: ComputerRecord) -> ComputerView {
    ComputerView {
        computer: record.computer,
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}

fn filter_of(query: &ComputerQuery) -> ServiceResult<ComputerFilter> {
    let mut faults = FieldErrors::default();
    let search = query.search.as_deref().unwrap_or("");
    faults.length(|| "/Search".to_owned(), Some(search), LONGEST_SEARCH);
    if search.contains('\0') {
        faults.say(
            "/Search",
            FieldErrorCode::Invalid,
            "A text without control characters.",
        );
    }
    let limit = faults.page_size(query.limit, USUAL, MOST);
    let after = Cursor::after(LIST, query.after.as_deref(), &mut faults);
    faults.refuse()?;
    Ok(ComputerFilter {
        words: search.split_whitespace().map(str::to_lowercase).collect(),
        status: query.status,
        after,
        limit,
    })
}

impl Cursor for ComputerPosition {
    fn parts(&self) -> Vec<String> {
        vec![self.name_key.clone(), self.id.clone()]
    }

    fn of(parts: &[&str]) -> Option<Self> {
        let (name_key, id) = Cursor::of(parts)?;
        Some(Self { name_key, id })
    }
}
