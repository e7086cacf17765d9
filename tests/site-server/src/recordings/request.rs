//! Requests of the comparison: asked of a scene without a socket in between, their answers judged.

use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Map, Value};

use super::Outcome;
use super::compare::difference;
use super::kind::Kind;
use super::scene::Scene;
use crate::core::Identity;
use crate::request::{Answer, Incoming};

/// Asks for the default answer, and where it is not the same, for exactly the recorded members.
pub fn tried(
    scene: &Scene,
    status: u16,
    recorded: &Value,
    members: &Map<String, Value>,
    kind: Kind,
    path: &str,
    more: &str,
) -> Outcome {
    let mark = if path.contains('?') { '&' } else { '?' };
    let by_itself = format!("{path}{mark}{}", more.trim_start_matches('&'));
    let first = compared(status, recorded, &ask(scene, "GET", &by_itself, None));
    if first == Outcome::Same {
        return first;
    }
    let mut select = Vec::new();
    let mut expand = Vec::new();
    selection(members, kind, "", &mut select, &mut expand);
    let query = format!(
        "$select={}&$expand={}{more}",
        select.join(","),
        expand.join(",")
    );
    let exact = format!("{path}{mark}{query}");
    let second = compared(status, recorded, &ask(scene, "GET", &exact, None));
    if second == Outcome::Same {
        return Outcome::Selected;
    }
    if kind != Kind::Item {
        return second;
    }
    // Everything that an item shows by itself, and what was named besides.
    let named: Vec<_> = select
        .iter()
        .filter(|name| name.contains('/'))
        .cloned()
        .collect();
    let own = ["CommentsDisabled", "CommentsDisabledScope", "UniqueId"];
    let own = own.iter().filter(|name| members.contains_key(**name));
    let all: Vec<String> = std::iter::once("*".to_owned())
        .chain(named)
        .chain(own.map(|name| (*name).to_owned()))
        .collect();
    let query = format!(
        "$select={}&$expand={}{more}",
        all.join(","),
        expand.join(",")
    );
    let third = compared(
        status,
        recorded,
        &ask(scene, "GET", &format!("{path}{mark}{query}"), None),
    );
    if third == Outcome::Same {
        Outcome::Selected
    } else {
        second
    }
}

/// The names that a request for these members selects and expands.
fn selection(
    members: &Map<String, Value>,
    kind: Kind,
    prefix: &str,
    select: &mut Vec<String>,
    expand: &mut Vec<String>,
) {
    for (name, value) in members {
        let path = format!("{prefix}{name}");
        let below = match value {
            Value::Array(all) => all.first().and_then(Value::as_object),
            Value::Object(inner) => Some(inner),
            _ => None,
        };
        let leads = LEADS.contains(&name.as_str())
            || (kind == Kind::Item
                && below.is_some_and(|inner| {
                    !inner.contains_key("Url") && !inner.contains_key("TermGuid")
                }));
        match below {
            Some(inner) if leads => {
                expand.push(path.clone());
                let before = select.len();
                selection(inner, Kind::Web, &format!("{path}/"), select, expand);
                if select.len() == before {
                    select.push(path);
                }
            }
            None if LEADS.contains(&name.as_str()) => {
                expand.push(path.clone());
                select.push(path);
            }
            _ => select.push(path),
        }
    }
}

/// Members that lead to something else.
const LEADS: [&str; 17] = [
    "AttachmentFiles",
    "ContentType",
    "ContentTypes",
    "CurrentUser",
    "DefaultView",
    "FieldValuesAsHtml",
    "FieldValuesAsText",
    "FieldValuesForEdit",
    "Fields",
    "Items",
    "Lists",
    "ParentList",
    "RegionalSettings",
    "RootFolder",
    "SiteUsers",
    "TimeZone",
    "Views",
];

pub fn list_path(scene: &Scene) -> String {
    format!("web/lists(guid'{}')", scene.list)
}

pub fn compared(status: u16, recorded: &Value, ours: &Answer) -> Outcome {
    let own = ours.value().unwrap_or_default();
    if ours.status != status {
        let said = own["odata.error"]["message"]["value"]
            .as_str()
            .unwrap_or_default();
        return Outcome::Different(format!("{} instead of {status} ({said})", ours.status));
    }
    difference(recorded, &own, "").map_or(Outcome::Same, Outcome::Different)
}

/// Asks the server, without a socket in between.
pub fn ask(scene: &Scene, method: &str, path: &str, body: Option<Value>) -> Answer {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut headers = HeaderMap::new();
    let json = HeaderValue::from_static("application/json;odata=nometadata");
    headers.insert("accept", json.clone());
    headers.insert("content-type", json);
    headers.insert("authorization", HeaderValue::from_static("Bearer alice"));
    headers.insert("host", HeaderValue::from_static("site.test"));
    let incoming = Incoming {
        at: crate::clock::now(),
        method: Method::from_bytes(method.as_bytes()).unwrap_or_default(),
        path: format!("/sites/demo/_api/{path}"),
        query: query.to_owned(),
        headers,
        body: body
            .map(|body| body.to_string().into_bytes())
            .unwrap_or_default(),
        secure: true,
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        user: "alice".to_owned(),
        in_batch: false,
        digest_shown: false,
    };
    scene
        .core
        .answer(&incoming, &Identity::Named("alice".to_owned()))
}
