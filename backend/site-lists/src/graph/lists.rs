//! The lists of a site over Microsoft Graph: all generic lists, and one by any of its names.

use serde_json::Value;

use super::client::GraphClient;
use crate::client::Deadline;
use crate::error::{ErrorKind, Result};
use crate::list::ListKey;
use crate::odata_url;
use crate::protocol::{ListInfo, ListMatch};

/// The properties of a list.
const FACTS: &str = "id,name,displayName,webUrl";

/// The lists that people keep items in. System lists come only where they are asked for.
pub(super) async fn fetch_lists(graph: &GraphClient, deadline: Deadline) -> Result<Vec<ListInfo>> {
    let path = format!("lists?$select={FACTS},list");
    let all = graph.all(deadline, &path, ErrorKind::SiteNotFound).await?;
    let generic = all.iter().filter(|list| {
        let part = |name: &str| list.get("list").and_then(|facet| facet.get(name));
        let template = part("template").and_then(Value::as_str);
        part("hidden").and_then(Value::as_bool) != Some(true)
            && template.is_none_or(|template| template == "genericList")
    });
    Ok(generic.filter_map(parse_info).collect())
}

/// Looks a list up by title, id or internal name.
pub(super) async fn find_list(
    graph: &GraphClient,
    deadline: Deadline,
    key: &ListKey,
) -> Result<Option<ListMatch>> {
    let name = match key {
        ListKey::Title(name) | ListKey::InternalName(name) => odata_url::percent_encode(name),
        ListKey::Id(id) => id.to_string(),
    };
    let url = graph
        .url(deadline, &format!("lists/{name}?$select={FACTS}"))
        .await?;
    let response = match graph.get(deadline, url, ErrorKind::ListNotFound).await {
        Ok(response) => response,
        Err(error) if error.kind() == ErrorKind::ListNotFound => return Ok(None),
        // A name that is no id at all is refused rather than not found.
        Err(error) if error.status() == Some(400) => return Ok(None),
        Err(error) => return Err(error),
    };
    let list = response.json()?;
    let info =
        parse_info(&list).ok_or_else(|| response.unexpected_error("has no id of the list"))?;
    Ok(Some(ListMatch {
        info,
        columns: None,
    }))
}

fn parse_info(list: &Value) -> Option<ListInfo> {
    let text = |name: &str| list.get(name).and_then(Value::as_str).map(str::to_owned);
    Some(ListInfo {
        id: text("id")?,
        title: text("displayName")
            .or_else(|| text("name"))
            .unwrap_or_default(),
        web_url: text("webUrl"),
        item_count: None,
    })
}
