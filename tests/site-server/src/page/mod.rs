//! The pages for people: lists and items to look at, and the switches for faults. Plain HTML made
//! here, readable without a script, in light and dark, on 320 pixels.

mod faults;
mod html;
mod lists;

use serde_json::json;

use crate::core::Core;
use crate::faults::Kind;
use crate::request::{Answer, Incoming};
use crate::store::Site;
use html::{Page, text};

const STYLE: &str = include_str!("page.css");

/// Answers for a page.
#[must_use]
pub fn answer(core: &Core, site: &Site, incoming: &Incoming) -> Answer {
    let path = incoming.path.trim_end_matches('/');
    let get = matches!(incoming.method.as_str(), "GET" | "HEAD");
    match (path, incoming.method.as_str()) {
        ("", "GET" | "HEAD") => html::answer(200, &lists::all(site)),
        ("/page.css", "GET" | "HEAD") => {
            Answer::text(200, "text/css; charset=utf-8", STYLE.to_owned())
        }
        ("/faults", "GET" | "HEAD") if wants_json(incoming) => faults::as_json(core),
        ("/faults", "GET" | "HEAD") => html::answer(200, &faults::page(core, None)),
        ("/faults", "POST") => faults::change(core, incoming),
        ("/faults", "DELETE") => {
            core.faults.clear();
            Answer::empty(204)
        }
        ("/requests", "GET" | "HEAD") => requests(core),
        (path, _) if get && path.starts_with("/lists/") => lists::answer(site, incoming, path),
        // The addresses of lists and items in the site lead to the same pages.
        (path, _) if get && path.to_lowercase().starts_with(&site.path.to_lowercase()) => {
            lists::in_site(site, incoming, path)
        }
        _ => html::answer(404, &not_found()),
    }
}

fn wants_json(incoming: &Incoming) -> bool {
    incoming
        .header("accept")
        .is_some_and(|accept| accept.contains("application/json"))
}

fn not_found() -> Page {
    Page {
        title: "Not found".to_owned(),
        body: format!(
            "<p>{} <a href=\"/\">All lists</a></p>",
            text("Nothing lies at this address.")
        ),
    }
}

/// What came in, for programs that count.
fn requests(core: &Core) -> Answer {
    let all = core.log.all().into_iter().map(|seen| {
        json!({"at": seen.at.to_string(), "method": seen.method, "target": seen.target, "user": seen.user,
            "status": seen.status, "inBatch": seen.in_batch, "fault": seen.fault,
            "userAgent": seen.user_agent})
    });
    let body = json!({"requests": all.collect::<Vec<_>>()});
    Answer::json(200, "application/json; charset=utf-8", &body)
}

/// The kinds of faults as the choices of a form.
fn kinds() -> String {
    Kind::all()
        .map(|(_, name, words)| {
            format!("<option value=\"{}\">{}</option>", text(name), text(words))
        })
        .collect()
}
