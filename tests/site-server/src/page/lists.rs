//! The pages of lists and items.

use percent_encoding::percent_decode_str;
use serde_json::Value;
use uuid::Uuid;

use super::html::{Page, answer as html, text};
use super::not_found;
use crate::query::row::behind;
use crate::request::{Answer, Incoming};
use crate::store::{Field, Item, List, Site, item};

/// How many rows a page shows.
const ROWS: usize = 100;

/// The page of all lists.
pub fn all(site: &Site) -> Page {
    let rows: String = site
        .lists
        .iter()
        .filter(|list| !list.hidden)
        .map(|list| {
            format!(
                "<tr><th scope=\"row\"><a href=\"/lists/{}\">{}</a></th><td>{}</td><td class=\"number\">{}</td></tr>",
                list.id,
                text(&list.title),
                text(&list.description),
                list.items.len()
            )
        })
        .collect();
    Page {
        title: site.title.clone(),
        body: format!(
            "<p>The lists of the site <code>{}</code>, over SharePoint REST at <code>{}/_api</code> and over Microsoft Graph at <code>/v1.0</code>.</p>\
             <div class=\"wide\" role=\"region\" aria-label=\"Lists\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">List</th><th scope=\"col\">Description</th><th scope=\"col\" class=\"number\">Items</th></tr></thead><tbody>{rows}</tbody></table></div>",
            text(&site.path),
            text(&site.path)
        ),
    }
}

/// Answers `/lists/{id}` and `/lists/{id}/{item}`.
pub fn answer(site: &Site, incoming: &Incoming, path: &str) -> Answer {
    let mut parts = path.trim_start_matches("/lists/").split('/');
    let list = parts.next().and_then(|id| Uuid::parse_str(id).ok());
    let list = list.and_then(|id| site.list(id));
    let number = parts.next().map(str::parse::<u32>);
    match (list, number) {
        (Some(list), None) => html(200, &one(site, list, incoming)),
        (Some(list), Some(Ok(number))) => shown(site, list, number),
        _ => html(404, &not_found()),
    }
}

/// Answers the addresses that the protocols give to lists and items.
pub fn in_site(site: &Site, incoming: &Incoming, path: &str) -> Answer {
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    if path.eq_ignore_ascii_case(&site.path) {
        return html(200, &all(site));
    }
    if let Some(list) = site.list_at(&path) {
        return html(200, &one(site, list, incoming));
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or((&path, ""));
    let number = name.strip_suffix("_.000").and_then(|id| id.parse().ok());
    let asked = incoming
        .read_query()
        .get("ID")
        .and_then(|id| id.parse().ok());
    match (site.list_at(folder), number.or(asked)) {
        (Some(list), Some(number)) => shown(site, list, number),
        (Some(list), None) if name.ends_with(".aspx") => html(200, &one(site, list, incoming)),
        _ => html(404, &not_found()),
    }
}

/// The columns that people made, behind the title.
fn columns(list: &List) -> Vec<&Field> {
    let title = list.field("Title").into_iter();
    title
        .chain(list.custom_fields().filter(|field| !field.hidden))
        .collect()
}

fn one(site: &Site, list: &List, incoming: &Incoming) -> Page {
    let query = incoming.read_query();
    let after: u32 = query
        .get("after")
        .and_then(|id| id.parse().ok())
        .unwrap_or(0);
    let columns = columns(list);
    let head: String = columns
        .iter()
        .map(|field| format!("<th scope=\"col\">{}</th>", text(&field.title)))
        .collect();
    let page: Vec<&Item> = list
        .items
        .range(after + 1..)
        .map(|(_, item)| item)
        .take(ROWS)
        .collect();
    let rows: String = page
        .iter()
        .map(|item| {
            let cells: String = columns
                .iter()
                .map(|field| format!("<td>{}</td>", text(&value_of(site, list, item, field))))
                .collect();
            format!(
                "<tr><th scope=\"row\"><a href=\"/lists/{}/{1}\" aria-label=\"Item {1}\">{1}</a></th>{cells}</tr>",
                list.id, item.id
            )
        })
        .collect();
    let last = page.last().map_or(after, |item| item.id);
    let next = if list.items.range(last + 1..).next().is_some() {
        format!(
            "<p><a href=\"/lists/{}?after={last}\">Next page</a></p>",
            list.id
        )
    } else {
        String::new()
    };
    let count = list.items.len();
    let words = if count == 1 { "item" } else { "items" };
    let table = if count == 0 {
        "<p>The list is empty.</p>".to_owned()
    } else {
        format!(
            "<div class=\"wide\" role=\"region\" aria-label=\"Items\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Id</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )
    };
    Page {
        title: list.title.clone(),
        body: format!(
            "<p>{}</p><p>{count} {words}</p>{table}{next}",
            text(&list.description)
        ),
    }
}

fn shown(site: &Site, list: &List, number: u32) -> Answer {
    let Some(item) = list.items.get(&number) else {
        return html(404, &not_found());
    };
    let own = [
        "Created",
        "Author",
        "Modified",
        "Editor",
        "_UIVersionString",
    ];
    let own = own.iter().filter_map(|name| list.field(name));
    let hidden = list.custom_fields().filter(|field| field.hidden);
    let fields = columns(list).into_iter().chain(hidden).chain(own);
    let rows: String = fields
        .map(|field| {
            let value = text(&value_of(site, list, item, field));
            format!("<dt>{}</dt><dd>{value}</dd>", text(&field.title))
        })
        .collect();
    html(
        200,
        &Page {
            title: format!("{} – item {number}", list.title),
            body: format!(
                "<dl>{rows}</dl><p><a href=\"/lists/{}\">All items of {}</a></p>",
                list.id,
                text(&list.title)
            ),
        },
    )
}

fn value_of(site: &Site, list: &List, row: &Item, field: &Field) -> String {
    let linked = field.kind.is_person() || (field.kind.is_lookup() && !field.built_in);
    written(site, field, &item::value(site, list, row, field), linked)
}

fn written(site: &Site, field: &Field, value: &Value, linked: bool) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(flag) => if *flag { "Yes" } else { "No" }.to_owned(),
        Value::Array(all) => {
            let all: Vec<_> = all
                .iter()
                .map(|one| written(site, field, one, linked))
                .collect();
            all.join(", ")
        }
        Value::Object(members) => {
            let part = |name: &str| members.get(name).and_then(Value::as_str);
            match (part("Description"), part("Url")) {
                (Some(words), Some(url)) if words != url => format!("{words} ({url})"),
                (_, Some(url)) => url.to_owned(),
                _ => part("Label").unwrap_or_default().to_owned(),
            }
        }
        number if linked => {
            let found = behind(site, field, number, field.target_field());
            let name = found.and_then(|(_, value)| value.as_str().map(str::to_owned));
            name.unwrap_or_else(|| number.to_string())
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
    }
}
