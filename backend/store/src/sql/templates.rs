//! The rows of templates: drafts and published versions.
//!
//! A published version never changes. The draft of a template has the highest version number.

use checklist_shared::template::Template;

use super::{Session, values};
use crate::store::StoreError;

/// The newest version of a template; a draft counts only with `or_draft`.
pub(crate) async fn newest<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    or_draft: bool,
) -> Result<Option<Template>, StoreError> {
    let sql = "SELECT document FROM template_version
         WHERE tenant = $1 AND template_id = $2 AND ($3 OR status = 'Published')
         ORDER BY version DESC LIMIT 1";
    session
        .query_opt(sql, values![tenant, id, or_draft], |row| row.get_json(0))
        .await
}
