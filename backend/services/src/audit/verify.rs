//! Verifies audit trails: computes each row's leaf again, and the tree of all of them.
//!
//! Rows that are appended meanwhile are not looked at. A row that cannot be read is an error, not a
//! verdict.

use checklist_shared::audit_trail::merkle::{Frontier, leaf_hash};
use checklist_store::error::ServiceResult;

use crate::app::App;

/// The number of rows that are read at a time.
const PAGE: u32 = 1_000;

/// The result of verifying a tenant's trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The verified tenant.
    pub tenant: String,
    /// The number of intact rows, from the first on.
    pub rows: u64,
    /// What is broken first, if anything.
    pub broken: Option<Break>,
}

/// Where a trail is not what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The sequence number of the first row that is not known to be intact.
    pub sequence: u64,
    /// The reason, as a sentence.
    pub reason: String,
}

/// Verifies the trail of every tenant, or of one. An unknown tenant yields no verdict.
///
/// # Errors
/// The store failed.
pub async fn verify(app: &App, tenant: Option<&str>) -> ServiceResult<Vec<Verdict>> {
    let tenants = match tenant {
        Some(tenant) if app.store().has_tenant(tenant).await? => vec![tenant.to_owned()],
        Some(_) => Vec::new(),
        None => app.store().audited_tenants().await?,
    };
    let mut verdicts = Vec::new();
    for of in tenants {
        let verdict = verify_tenant(app, of).await?;
        // A tenant that has only types has no audit trail yet.
        if tenant.is_some() || verdict.rows > 0 || verdict.broken.is_some() {
            verdicts.push(verdict);
        }
    }
    Ok(verdicts)
}

async fn verify_tenant(app: &App, tenant: String) -> ServiceResult<Verdict> {
    let size = app.store().audit_head(&tenant).await?;
    let mut tree = Frontier::default();
    let reason = broken(app, &tenant, size, &mut tree).await?;
    Ok(Verdict {
        tenant,
        rows: tree.size(),
        broken: reason.map(|reason| Break {
            sequence: tree.size() + 1,
            reason,
        }),
    })
}

/// Appends the rows up to number `size` to the tree until one is broken, and says why.
async fn broken(
    app: &App,
    tenant: &str,
    size: u64,
    tree: &mut Frontier,
) -> ServiceResult<Option<String>> {
    let mut after = None;
    loop {
        let rows = app.store().audit_rows(tenant, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = Some(last.sequence);
        for row in &rows {
            if tree.size() == size && row.sequence > size {
                break;
            }
            if row.sequence != tree.size() + 1 {
                return said("the row is missing");
            }
            let leaf = leaf_hash(&row.leaf(tenant));
            if row.hash != Some(leaf) {
                return said("the row is not what was written");
            }
            tree.push(leaf);
        }
        if tree.size() == size {
            break;
        }
    }
    if tree.size() < size {
        return said("the rows from here on are missing");
    }
    let missing = app.store().missing_audit_row(tenant).await?;
    Ok(missing.map(|(list, row)| {
        let (object_type, object_id) = (list.object_type, list.object_id);
        format!("a list of {object_type} {object_id} knows of row {row}, which is missing")
    }))
}

fn said(reason: &str) -> ServiceResult<Option<String>> {
    Ok(Some(reason.to_owned()))
}
