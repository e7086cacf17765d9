//! Reads what a site offers: its lists, and the columns of a list.

use checklist_shared::wire::site_lists::{SiteColumn, SiteColumns, SiteListFacts, SiteLists};
use checklist_store::error::ServiceResult;
use site_lists::{Column, ListInfo, Site, SiteList};

use super::caller::{SiteCaller, need_sites};
use super::connection_ref::{self, ConnectionRef};
use super::open;
use super::refusal::site_refusal;
use super::wire::ConnectionArgument;
use crate::app::App;
use crate::connections::decrypted;

/// The site to read.
pub enum SiteRef {
    /// The site of a service connection, by id.
    ServiceConnection(String),
    /// The site of a connection as the activities take it.
    Connection(Box<ConnectionArgument>),
}

/// Reads the lists of a site.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`, or an error of the site.
pub async fn lists(app: &App, asking: &SiteCaller<'_>, place: SiteRef) -> ServiceResult<SiteLists> {
    let site = site(app, asking, place).await?;
    let lists = site.lists().await.map_err(|error| site_refusal(&error))?;
    Ok(SiteLists {
        lists: lists.into_iter().map(list).collect(),
    })
}

/// Reads the columns of a list, which is found by title, id or internal name. Never cached: the
/// person may just have created a column.
///
/// # Errors
/// See `lists`; `ListNotFound`.
pub async fn columns(
    app: &App,
    asking: &SiteCaller<'_>,
    place: SiteRef,
    name: &str,
) -> ServiceResult<SiteColumns> {
    let site = site(app, asking, place).await?;
    let named = SiteList::from(name);
    site.forget(&named);
    let facts = site
        .list(&named)
        .await
        .map_err(|error| site_refusal(&error))?;
    let columns = site.columns(&named).await;
    let columns = columns.map_err(|error| site_refusal(&error))?;
    Ok(SiteColumns {
        list: list(facts),
        columns: offered_columns(columns),
    })
}

/// The columns that can be selected, in wire format.
#[must_use]
pub fn offered_columns(columns: Vec<Column>) -> Vec<SiteColumn> {
    let offered = columns.into_iter().filter(Column::is_offered);
    offered.map(column).collect()
}

async fn site(app: &App, asking: &SiteCaller<'_>, place: SiteRef) -> ServiceResult<Site> {
    need_sites(asking.principal)?;
    let connection_ref = match place {
        SiteRef::ServiceConnection(id) => {
            let opened = decrypted::open(app, &asking.principal.tenant, &id).await?;
            ConnectionRef::Stored(Box::new(opened))
        }
        SiteRef::Connection(argument) => connection_ref::for_call(app, asking, *argument).await?,
    };
    open::site(app, asking, &connection_ref).await
}

fn list(facts: ListInfo) -> SiteListFacts {
    SiteListFacts {
        id: facts.id,
        title: facts.title,
        item_count: facts.item_count,
        web_url: facts.web_url,
    }
}

fn column(column: Column) -> SiteColumn {
    SiteColumn {
        writable: column.is_writable(),
        r#type: column.field_type.map(|kind| kind.to_string()),
        internal_name: column.internal_name,
        display_name: column.display_name,
        site_type: column.site_type,
        hidden: column.hidden,
        read_only: column.read_only,
        required: column.required,
        indexed: column.indexed,
        unique: column.unique,
        multiple: column.multiple,
        max_length: column.max_length,
        choices: column.choices,
        fill_in: column.fill_in,
    }
}
