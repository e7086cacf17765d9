//! The six site-list activities of the contract, with service connections, handles, or credentials
//! in the request.
//!
//! `wire` defines requests and responses, `connection_ref` resolves the connection of a call,
//! `contents` lists what a site offers, `many_items` reads pages of items, `open` keeps sites open,
//! and `refusal` converts errors of a site.

mod caller;
mod connection_ref;
pub mod contents;
mod many_items;
mod open;
mod refusal;
pub mod test;
mod tokens;
pub mod wire;

use checklist_auth::Principal;
use checklist_shared::problem::ProblemCode;
use checklist_store::error::{ServiceError, ServiceResult};
use site_lists::{ErrorKind, ObjectExpressionParameter, Site, SiteError, SiteList, get_site_item};

use crate::app::App;
use crate::connections::decrypted::{self, DecryptedConnection};
use crate::connections::note_sign_in;
pub use caller::SiteCaller;
pub(super) use caller::need_sites;
pub use many_items::{get_all, get_all_written};
pub(super) use refusal::site_refusal;
use wire::{
    AddSiteItem, DeleteSiteItem, EditSiteItem, EstablishSiteConnection, Established, GetSiteItem,
    ItemAdded, ItemChanged, ItemRead,
};

/// Opens the site of a service connection for a caller who may use it.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`, `VaultMissing`, or that the connection is unusable.
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

/// `EstablishSiteConnection`: signs in, and returns the connection without secrets but with a
/// handle that later calls send instead of credentials.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`, `ConnectionNotFound`, or an error of the site.
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
    facts.map_err(|error| site_refusal(&error))?;
    let connection = connection_ref::with_handle(app, asking.principal, &connection_ref).await?;
    Ok(Established { connection })
}

/// `AddSiteItem`: creates an item.
///
/// # Errors
/// See `establish`; `UnsupportedFieldType`, `InvalidValue` and similar before anything is sent.
pub async fn add(
    app: &App,
    asking: &SiteCaller<'_>,
    request: AddSiteItem,
) -> ServiceResult<ItemAdded> {
    let site = open::site_of_call(app, asking, request.connection).await?;
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

/// `EditSiteItem`: changes an item; unconditionally unless the request contains a version.
///
/// # Errors
/// See `add`; `SiteConflict` if the item has another version.
pub async fn edit(
    app: &App,
    asking: &SiteCaller<'_>,
    request: EditSiteItem,
) -> ServiceResult<ItemChanged> {
    let site = open::site_of_call(app, asking, request.connection).await?;
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

/// `DeleteSiteItem`: deletes an item.
///
/// # Errors
/// See `establish`; `SiteConflict` if the item has another version.
pub async fn delete(
    app: &App,
    asking: &SiteCaller<'_>,
    request: DeleteSiteItem,
) -> ServiceResult<ItemChanged> {
    let site = open::site_of_call(app, asking, request.connection).await?;
    site.delete(&request.list, request.item_id, request.e_tag.as_deref())
        .await
        .map_err(|error| site_refusal(&error))?;
    Ok(ItemChanged { e_tag: None })
}

/// `GetSiteItem`: reads an item.
///
/// # Errors
/// See `establish`.
pub async fn get(
    app: &App,
    asking: &SiteCaller<'_>,
    request: GetSiteItem,
) -> ServiceResult<ItemRead> {
    let site = open::site_of_call(app, asking, request.connection).await?;
    let id = item_number(request.item_id)?;
    let item = get_site_item(&site, &request.list, id)
        .await
        .map_err(|error| site_refusal(&error))?;
    Ok(ItemRead {
        e_tag: item.result.etag.clone(),
        result: item.result.dictionary(),
        warnings: item.warnings,
    })
}

/// The error of a write, with a pointer to the field that caused it.
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

/// Converts an id to the 32-bit number of the contract.
fn item_number(id: i64) -> ServiceResult<i32> {
    i32::try_from(id).map_err(|_| {
        ServiceError::new(
            ProblemCode::ItemNotFound,
            format!("No item has the id {id}."),
        )
    })
}
