//! The lists of a site over SharePoint REST: all generic lists, and one by any of its names.

use serde_json::Value;
use url::Url;

use super::client::{RestClient, list_path};
use super::{columns, json};
use crate::client::Deadline;
use crate::error::{ErrorKind, Result};
use crate::field::Column;
use crate::list::ListKey;
use crate::odata_url;
use crate::protocol::{ListInfo, ListMatch};
use crate::response::SiteResponse;

/// The template of a list of plain items.
const GENERIC: u64 = 100;
/// The properties of a list; its root folder is the URL that people know.
const FACTS: &str = "Id,Title,ItemCount,RootFolder/ServerRelativeUrl";

/// The lists that people keep items in.
pub(super) async fn fetch_lists(client: &RestClient, deadline: Deadline) -> Result<Vec<ListInfo>> {
    let filter = odata_url::in_query(&format!("Hidden eq false and BaseTemplate eq {GENERIC}"));
    let path = format!(
        "web/lists?$select={FACTS},Hidden,BaseTemplate&$expand=RootFolder&$filter={filter}"
    );
    let mut next = Some(odata_url::api(&client.site, &path)?);
    let mut lists = Vec::new();
    while let Some(url) = next {
        let response = client
            .get(deadline, url.clone(), ErrorKind::SiteNotFound)
            .await?;
        let page = json::collection(&response)?;
        // A site may not have looked at the filter.
        let generic = page.values.iter().filter(|list| {
            list.get("Hidden").and_then(Value::as_bool) != Some(true)
                && list
                    .get("BaseTemplate")
                    .and_then(Value::as_u64)
                    .is_none_or(|kind| kind == GENERIC)
        });
        for list in generic {
            lists.push(
                parse_info(&client.site, list)
                    .ok_or_else(|| response.unexpected_error("has no id of a list"))?,
            );
        }
        next = page
            .next
            .and_then(|link| url.join(&link).ok())
            .filter(|link| *link != url);
    }
    Ok(lists)
}

/// Looks a list up by title, id or internal name. Its columns are in the same response.
pub(super) async fn find_list(
    client: &RestClient,
    deadline: Deadline,
    key: &ListKey,
) -> Result<Option<ListMatch>> {
    for (path, query) in paths(client, key) {
        let whole = with_columns(&path, &query);
        match fetch_list(client, deadline, &whole).await {
            // Where the site does not expand the columns, they are requested separately.
            Err(error) if matches!(error.status(), Some(400 | 501)) => {
                let bare = format!("{path}?{query}$select=Id,Title");
                if let Some(found) = fetch_list(client, deadline, &bare).await? {
                    return Ok(Some(found));
                }
            }
            // Some sites answer 500 for an address without a list.
            Err(error)
                if matches!(key, ListKey::InternalName(_)) && error.status() == Some(500) => {}
            Err(error) => return Err(error),
            Ok(None) => {}
            Ok(found) => return Ok(found),
        }
    }
    Ok(None)
}

/// Asks for a list and its columns.
pub(super) fn with_columns(path: &str, query: &str) -> String {
    format!("{path}?{query}$select={FACTS},Fields&$expand=Fields,RootFolder")
}

/// Where a list may be, and what has to be said in the query.
pub(super) fn paths(client: &RestClient, key: &ListKey) -> Vec<(String, String)> {
    match key {
        ListKey::Title(title) => {
            let title = odata_url::literal(title);
            vec![(format!("web/lists/GetByTitle({title})"), String::new())]
        }
        ListKey::Id(id) => vec![(format!("web/lists(guid'{id}')"), String::new())],
        ListKey::InternalName(name) => {
            // Lists lie below `Lists`, libraries beside it.
            let site = client.site.path().trim_end_matches('/');
            let site = percent_encoding::percent_decode_str(site).decode_utf8_lossy();
            ["Lists/", ""]
                .map(|folder| {
                    let web_url = odata_url::quote_literal(&format!("{site}/{folder}{name}"));
                    let query = format!("@u={}&", odata_url::in_query(&web_url));
                    ("web/GetList(@u)".to_owned(), query)
                })
                .to_vec()
        }
    }
}

async fn fetch_list(
    client: &RestClient,
    deadline: Deadline,
    tail: &str,
) -> Result<Option<ListMatch>> {
    let url = odata_url::api(&client.site, tail)?;
    let response = match client.get(deadline, url, ErrorKind::ListNotFound).await {
        Err(error) if error.kind() == ErrorKind::ListNotFound => return Ok(None),
        other => other?,
    };
    parse_list(&client.site, &response).map(Some)
}

/// A list as a response describes it.
pub(super) fn parse_list(site: &Url, response: &SiteResponse) -> Result<ListMatch> {
    let entity = json::entity(response)?;
    let info = parse_info(site, &entity)
        .ok_or_else(|| response.unexpected_error("has no id of the list"))?;
    let fields = entity.get("Fields").and_then(Value::as_array);
    let columns = fields.map(|all| all.iter().filter_map(columns::column).collect());
    let columns = columns.filter(|columns: &Vec<Column>| !columns.is_empty());
    Ok(ListMatch { info, columns })
}

fn parse_info(site: &Url, list: &Value) -> Option<ListInfo> {
    let text = |name: &str| list.get(name).and_then(Value::as_str).map(str::to_owned);
    let folder = list
        .get("RootFolder")
        .and_then(|folder| folder.get("ServerRelativeUrl"));
    let web_url = folder.and_then(Value::as_str).and_then(|path| {
        // As it stands: a question mark in a name is no query.
        let mut url = site.clone();
        url.set_query(None);
        url.set_path(path);
        path.starts_with('/').then(|| url.into())
    });
    Some(ListInfo {
        id: text("Id")?,
        title: text("Title").unwrap_or_default(),
        web_url,
        item_count: list.get("ItemCount").and_then(Value::as_u64),
    })
}

/// How many items the list says it has.
pub(super) async fn item_count(
    client: &RestClient,
    deadline: Deadline,
    list: &ListInfo,
) -> Result<u64> {
    let url = odata_url::api(&client.site, &list_path(list, COUNT))?;
    let response = client.get(deadline, url, ErrorKind::ListNotFound).await?;
    parse_item_count(&response)
}

/// Asks for the number of items alone.
pub(super) const COUNT: &str = "?$select=ItemCount";

/// The number of items in the response to that.
pub(super) fn parse_item_count(response: &SiteResponse) -> Result<u64> {
    let entity = json::entity(response)?;
    let count = entity.get("ItemCount").and_then(Value::as_u64);
    count.ok_or_else(|| response.unexpected_error("does not say how many items there are"))
}
