//! What a tenant has: what the first page of the administration shows.

use checklist_auth::Principal;
use checklist_shared::wire::admin::Type;
use checklist_shared::wire::overview::{ListFigures, Overview, WebhookFigures};
use checklist_store::error::ServiceResult;
use checklist_store::lists::COUNTED_LISTS;

use super::access;
use crate::app::App;

/// Counts what the tenant has.
///
/// # Errors
/// `PermissionDenied`.
pub async fn get(app: &App, principal: &Principal) -> ServiceResult<Overview> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let found = app.store().overview(&principal.tenant, now).await?;
    let known = app.store().types(&principal.tenant).await?;
    let names_retired = |kind: &&Type| {
        let mut named = kind.templates.values();
        named.any(|id| known.retired_templates.contains(id))
    };
    let with_retired = known.types.iter().filter(names_retired);
    let total = found.lists.min(COUNTED_LISTS.into());
    Ok(Overview {
        templates: found.templates,
        published_templates: found.published_templates,
        types: found.types,
        types_with_retired_templates: with_retired.map(|kind| kind.name.clone()).collect(),
        api_keys: found.api_keys,
        embed_keys: found.embed_keys,
        people: found.people,
        has_vault: app.vault().is_some(),
        lists: ListFigures {
            total,
            open: total.saturating_sub(found.complete + found.waived + found.empty),
            complete: found.complete,
            waived: found.waived,
            empty: found.empty,
            has_more: found.lists > total,
        },
        webhooks: WebhookFigures {
            total: found.webhooks,
            failing: found.failing_webhooks,
            turned_off: found.webhooks_turned_off,
        },
        // The layer above knows it.
        demo: false,
    })
}
