//! The six workflow activities of the contract, each one function with the contract's arguments
//! and results.
//!
//! Whoever wants more (streams, versions, many changes at once) finds it at [`Site`].

use std::sync::Arc;

use futures_util::TryStreamExt;
use serde_json::Value;

use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::ObjectExpressionParameter;
use crate::item::SiteItem;
use crate::item_query::ItemFilter;
use crate::list::SiteList;
use crate::options::SiteOptions;
use crate::site::Site;
use crate::transport::Transport;
use crate::warnings::Warnings;

/// A result and warnings about it.
#[derive(Clone, Debug, PartialEq)]
pub struct WithWarnings<T> {
    /// The result.
    pub result: T,
    /// Fall-backs and the like.
    pub warnings: Vec<String>,
}

/// EstablishSiteConnection: opens a connection, signs in and sees that the site is there.
///
/// ```no_run
/// use std::sync::Arc;
/// use site_lists::{AuthenticationType, DirectTransport, SiteConnection, SiteOptions, establish_site_connection};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let connection = SiteConnection::new("https://intranet.example/sites/it", AuthenticationType::Ntlm)
///     .with_credentials("ada", std::env::var("SITE_PASSWORD")?);
/// let transport = Arc::new(DirectTransport::new()?);
/// let site = establish_site_connection(&connection, transport, SiteOptions::default()).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The connection's data cannot be used, nobody answers, or the credentials are refused.
pub async fn establish_site_connection(
    connection: &SiteConnection,
    transport: Arc<dyn Transport>,
    options: SiteOptions,
) -> Result<Site> {
    let site = Site::open(connection, transport, options)?;
    site.info().await?;
    Ok(site)
}

/// AddSiteItem: creates an item and gives back its id.
///
/// ```no_run
/// use site_lists::{ObjectExpressionParameter, Site, SiteList, add_site_item};
///
/// # async fn example(site: Site) -> site_lists::Result<()> {
/// let fields = [
///     ObjectExpressionParameter::new("Title", "PC-0815"),
///     ObjectExpressionParameter::new("Memory", 32),
/// ];
/// let id = add_site_item(&site, &SiteList::from("Computers"), &fields).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// A field does not fit its column, a user is unknown, or the site refuses it.
pub async fn add_site_item(
    site: &Site,
    list: &SiteList,
    fields: &[ObjectExpressionParameter],
) -> Result<i32> {
    let outcome = site.add(list, fields, None).await?;
    i32::try_from(outcome.id).map_err(|_| {
        SiteError::new(
            ErrorKind::UnexpectedResponse,
            format!("The site gave the item the id {}.", outcome.id),
        )
    })
}

/// EditSiteItem: changes fields of an item, whatever version it has.
///
/// ```no_run
/// use site_lists::{ObjectExpressionParameter, Site, SiteList, edit_site_item};
///
/// # async fn example(site: Site) -> site_lists::Result<()> {
/// let scrapped = [ObjectExpressionParameter::new("Status", "Scrapped")];
/// edit_site_item(&site, &SiteList::from("Computers"), 7, &scrapped).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As for [`add_site_item`], and where there is no such item.
pub async fn edit_site_item(
    site: &Site,
    list: &SiteList,
    item_id: i32,
    fields: &[ObjectExpressionParameter],
) -> Result<()> {
    site.edit(list, item_id.into(), fields, None)
        .await
        .map(drop)
}

/// DeleteSiteItem: deletes an item.
///
/// ```no_run
/// use site_lists::{ErrorKind, Site, SiteList, delete_site_item};
///
/// # async fn example(site: Site) -> site_lists::Result<()> {
/// match delete_site_item(&site, &SiteList::from("Computers"), 7).await {
///     Err(error) if error.kind() == ErrorKind::ItemNotFound => println!("it was gone already"),
///     other => other?,
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// There is no such item, or the site refuses it.
pub async fn delete_site_item(site: &Site, list: &SiteList, item_id: i32) -> Result<()> {
    site.delete(list, item_id.into(), None).await.map(drop)
}

/// GetSiteItem: reads an item.
///
/// ```no_run
/// use site_lists::{Site, SiteList, SiteUserOrGroup, get_site_item};
///
/// # async fn example(site: Site) -> Result<(), Box<dyn std::error::Error>> {
/// let item = get_site_item(&site, &SiteList::from("Computers"), 7).await?.result;
/// let owner: Option<SiteUserOrGroup> = item.field("AssignedTo").ok_or("no field")?.get_value()?;
/// println!("{:?}, changed {:?}", owner, item.standard.last_modified_date_time);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// There is no such item.
pub async fn get_site_item(
    site: &Site,
    list: &SiteList,
    item_id: i32,
) -> Result<WithWarnings<SiteItem>> {
    let (result, warnings) = site.item(list, item_id.into()).await?;
    Ok(WithWarnings { result, warnings })
}

/// GetSiteItems: reads the items whose `field` holds `value`, or all where no field is named.
///
/// ```no_run
/// use serde_json::json;
/// use site_lists::{Site, SiteList, get_site_items};
///
/// # async fn example(site: Site) -> Result<(), Box<dyn std::error::Error>> {
/// let found = get_site_items(&site, &SiteList::from("Computers"), "Status", &json!("In use")).await?;
/// for item in &found.result {
///     let name: String = item.field("Title").ok_or("no title")?.get_value()?;
///     println!("{name}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// There is no such field, or the list could not be read to its end.
pub async fn get_site_items(
    site: &Site,
    list: &SiteList,
    field: &str,
    value: &Value,
) -> Result<WithWarnings<Vec<SiteItem>>> {
    let warnings = Warnings::default();
    let filter = (!field.trim().is_empty()).then(|| ItemFilter::new(field.trim(), value.clone()));
    let result = site.items(list, filter, &warnings).try_collect().await?;
    Ok(WithWarnings {
        result,
        warnings: warnings.all(),
    })
}
