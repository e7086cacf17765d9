//! Site-list activities: the six of the contract, over service connections, handles or
//! credentials that a caller brings along.
//!
//! `wire` is what callers send and get, `connection_ref` finds out which connection a call refers to and may be
//! used, `contents` shows what there is to choose from, `many_items` reads many, `open` keeps sites
//! open, `refusal` tells what a site has refused.

mod connection_ref;
pub mod contents;
mod many_items;
mod open;
mod refusal;
pub mod test;
mod tokens;
pub mod wire;

use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use secrecy::SecretString;
use site_lists::{ErrorKind, ObjectExpressionParameter, Site, SiteError, SiteList, get_site_item};

use super::access;
use crate::app::App;
use crate::auth::{Credential, Principal};
use crate::error::{ServiceError, ServiceResult};
use crate::services::connections::decrypted::{self, DecryptedConnection};
use crate::services::connections::note_sign_in;
pub use many_items::{get_all, get_all_written};
pub use open::OpenSites;
pub(super) use refusal::refused;
use wire::{
    AddSiteItem, DeleteSiteItem, EditSiteItem, EstablishSiteConnection, Established, GetSiteItem,
    ItemAdded, ItemChanged, ItemRead,
};

/// Who asks, and the credential for the site that they have brought along.
pub struct SiteCaller<'a> {
    /// Who asks us.
    pub principal: &'a Principal,
    /// What `Site-Authorization` held; for `PassThrough` alone.
    pub site_authorization: Option<SecretString>,
}

/// The site of a service connection, opened for somebody who may use it.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`, `VaultMissing`, or that it cannot be used.
pub(super) async fn of_connection(
    app: &App,
    principal: &Principal,
    id: &str,
) -> ServiceResult<(Site, DecryptedConnection)> {
    need_sites(principal)?;
    let opened = decrypted::open(app, &principal.tenant, id).await?;
    let asking = SiteCaller {
        principal,
        site_authorization: None,
    };
    let connection_ref = connection_ref::ConnectionRef::Stored(Box::new(opened.clone()));
    let site = open::site(app, &asking, &connection_ref).await?;
    Ok((site, opened))
}

/// Refuses everybody without the permission, and every embed token: pages of others have no
/// business with sites, nor with the inventory that goes there.
pub(super) fn need_sites(principal: &Principal) -> ServiceResult<()> {
    access::need(principal, Permission::Sites)?;
    if matches!(principal.credential, Credential::EmbedToken { .. }) {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "This is not for embed tokens; use an API key, a token of the identity provider or a session.",
        ));
    }
    Ok(())
}

/// EstablishSiteConnection: signs in, and gives back the connection without secrets and with a
/// handle that later calls send instead of credentials.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`, `ConnectionNotFound`, or what the site refuses.
pub async fn establish(
    app: &App,
    asking: &SiteCaller<'_>,
    request: EstablishSiteConnection,
) -> ServiceResult<Established> {
    need_sites(asking.principal)?;
    let connection_ref = connection_ref::for_establish(app, asking, request).await?;
    let site = open::site(app, asking, &connection_ref).await?;
    let facts = site.info().await;
    if let connection_ref::ConnectionRef::Stored(opened) = &connection_ref {
        let tenant = &asking.principal.tenant;
        match &facts {
            Ok(_) => note_sign_in(app, tenant, opened, None).await,
            Err(error) if error.kind() == ErrorKind::SignInRefused => {
                note_sign_in(app, tenant, opened, Some(&error.to_string())).await;
            }
            Err(_) => {}
        }
    }
    facts.map_err(|error| refused(&error))?;
    let connection = connection_ref::with_handle(app, asking.principal, &connection_ref).await?;
    Ok(Established { connection })
}

/// AddSiteItem: creates an item.
///
/// # Errors
/// As `establish`; `UnsupportedFieldType`, `InvalidValue` and the like before anything is sent.
pub async fn add(
    app: &App,
    asking: &SiteCaller<'_>,
    request: AddSiteItem,
) -> ServiceResult<ItemAdded> {
    let site = site(app, asking, request.connection).await?;
    let outcome = site.add(&request.list, &request.fields, None).await;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Err(write_error(&site, &request.list, &request.fields, &error).await),
    };
    Ok(ItemAdded {
        item_id: outcome.id,
        e_tag: outcome.etag,
    })
}

/// EditSiteItem: changes an item, whatever version it has unless one is named.
///
/// # Errors
/// As `add`; `SiteConflict` when the item has another version than the one named.
pub async fn edit(
    app: &App,
    asking: &SiteCaller<'_>,
    request: EditSiteItem,
) -> ServiceResult<ItemChanged> {
    let site = site(app, asking, request.connection).await?;
    let outcome = site
        .edit(
            &request.list,
            request.item_id,
            &request.fields,
            request.e_tag.as_deref(),
        )
        .await;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Err(write_error(&site, &request.list, &request.fields, &error).await),
    };
    Ok(ItemChanged {
        e_tag: outcome.etag,
    })
}

/// DeleteSiteItem: deletes an item.
///
/// # Errors
/// As `establish`; `SiteConflict` when the item has another version than the one named.
pub async fn delete(
    app: &App,
    asking: &SiteCaller<'_>,
    request: DeleteSiteItem,
) -> ServiceResult<ItemChanged> {
    let site = site(app, asking, request.connection).await?;
    site.delete(&request.list, request.item_id, request.e_tag.as_deref())
        .await
        .map_err(|error| refused(&error))?;
    Ok(ItemChanged { e_tag: None })
}

/// GetSiteItem: reads an item.
///
/// # Errors
/// As `establish`.
pub async fn get(
    app: &App,
    asking: &SiteCaller<'_>,
    request: GetSiteItem,
) -> ServiceResult<ItemRead> {
    let site = site(app, asking, request.connection).await?;
    let id = item_number(request.item_id)?;
    let told = get_site_item(&site, &request.list, id)
        .await
        .map_err(|error| refused(&error))?;
    Ok(ItemRead {
        e_tag: told.result.etag.clone(),
        result: told.result.dictionary(),
        warnings: told.warnings,
    })
}

/// A refusal of a write, which points at the field that it is about.
async fn write_error(
    site: &Site,
    list: &SiteList,
    fields: &[ObjectExpressionParameter],
    error: &SiteError,
) -> ServiceError {
    let columns = match error.field() {
        Some(_) => site.columns(list).await.unwrap_or_default(),
        None => Vec::new(),
    };
    refusal::of_fields(error, fields, &columns)
}

/// The site that a call is about.
async fn site(
    app: &App,
    asking: &SiteCaller<'_>,
    connection: wire::ConnectionArgument,
) -> ServiceResult<Site> {
    need_sites(asking.principal)?;
    let connection_ref = connection_ref::for_call(app, asking, connection).await?;
    open::site(app, asking, &connection_ref).await
}

/// An id as the contract has it: a 32-bit number.
fn item_number(id: i64) -> ServiceResult<i32> {
    i32::try_from(id).map_err(|_| {
        ServiceError::new(
            ProblemCode::ItemNotFound,
            format!("No item has the id {id}."),
        )
    })
}
