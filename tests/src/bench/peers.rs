//! The pages of the comparison in the browser: the control, and the same list written small with
//! other libraries (`tests/bench-pages`), each with what it downloads.
//!
//! All get their items from the same call of the same server, but for those that come with their
//! items and styles in the page.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::person::Person;
use crate::place::Place;
use crate::server::Server;

/// Where the control's script lies on the server.
const CONTROL: &str = "/control/checklist-control.js";

/// The styles of the vanilla element, for when a server draws it.
const SMALL_STYLES: &str =
    "ul{list-style:none;margin:0;padding:0}li{display:flex;gap:8px;padding:6px}label{flex:1}";

/// A page of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    Vanilla,
    VanillaServed,
    Control,
    ControlServed,
    Lit,
    React,
    Survey,
}

/// All of them; the first is what the others are compared with.
pub(super) const PEERS: [Peer; 7] = [
    Peer::Vanilla,
    Peer::VanillaServed,
    Peer::Control,
    Peer::ControlServed,
    Peer::Lit,
    Peer::React,
    Peer::Survey,
];

/// Files under their paths: media type and content, compressed as every platform would.
type Files = Arc<Mutex<HashMap<String, (&'static str, Vec<u8>)>>>;

/// The server of the pages, on an origin of its own.
pub(super) struct Host {
    pub(super) origin: String,
    files: Files,
}

impl Peer {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Vanilla => "vanilla element",
            Self::VanillaServed => "vanilla, drawn by a server",
            Self::Control => "the control",
            Self::ControlServed => "the control, drawn by a server",
            Self::Lit => "Lit 3",
            Self::React => "React 19",
            Self::Survey => "SurveyJS 2.5",
        }
    }

    /// Longer lists than this take it minutes.
    pub(super) const fn most(self) -> usize {
        match self {
            Self::Survey => 1_000,
            _ => usize::MAX,
        }
    }

    /// Its files in the folder of the built pages.
    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Vanilla | Self::VanillaServed => &["vanilla.js"],
            Self::Control | Self::ControlServed => &[],
            Self::Lit => &["lit.js"],
            Self::React => &["react.js"],
            Self::Survey => &["survey.js", "survey.css"],
        }
    }

    /// Bytes that it downloads beside its page and its items, compressed with brotli.
    ///
    /// # Errors
    /// What cannot be read.
    pub(super) fn weight(self, built: &Path, server: &Server) -> Result<usize, String> {
        match self {
            Self::Control | Self::ControlServed => weight_of_control(server),
            _ => self
                .files()
                .iter()
                .map(|name| Ok(brotli(&read(&built.join(name))?).len()))
                .sum(),
        }
    }

    /// The page with a list; `None` when the server does not draw lists.
    pub(super) fn page(self, of: &Bound<'_>) -> Option<String> {
        let script = |name: &str| format!("<script type='module' src='/{name}'></script>");
        let body = match self {
            Self::Vanilla | Self::Lit => {
                format!(
                    "<small-checklist></small-checklist>{}",
                    script(self.files()[0])
                )
            }
            Self::VanillaServed => format!("{}{}", of.drawn_small(), script("vanilla.js")),
            Self::React => format!("<div id='root'></div>{}", script("react.js")),
            Self::Survey => format!(
                "<link rel='stylesheet' href='/survey.css'><div id='root'><p class='status'></p><div id='survey'></div></div>{}",
                script("survey.js")
            ),
            Self::Control => of.element(&of.tag()),
            Self::ControlServed => of.element(&of.drawn()?),
        };
        let place = json!({ "api": of.api(), "token": of.token, "context": of.place.context() });
        Some(format!(
            "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>List</title>\
             <meta name='viewport' content='width=device-width'><link rel='icon' href='data:,'>\
             <script type='application/json' id='place'>{place}</script></head><body>{body}</body></html>"
        ))
    }
}

/// A list on the server, and who looks at it.
pub(super) struct Bound<'a> {
    pub(super) server: &'a Server,
    pub(super) place: &'a Place,
    pub(super) person: &'a Person,
    pub(super) token: &'a str,
}

impl Bound<'_> {
    fn api(&self) -> String {
        format!("{}{}", self.server.base_url(), crate::API)
    }

    fn tag(&self) -> String {
        format!(
            "<checklist-control base-url='{}' object-type='{}' object-id='{}'></checklist-control>",
            self.server.base_url(),
            self.place.object_type,
            self.place.object_id
        )
    }

    /// The element with its token from the page, as the others have theirs.
    fn element(&self, tag: &str) -> String {
        format!(
            "{tag}<script>document.querySelector('checklist-control').tokenProvider = async () =>\
             ({{ token: JSON.parse(document.getElementById('place').textContent).token }});</script>\
             <script type='module' src='{}{CONTROL}'></script>",
            self.server.base_url()
        )
    }

    /// The element as the server draws it, where it does.
    fn drawn(&self) -> Option<String> {
        // As `docs/FIRST-PAINT.md` has it for the fastest first paint.
        let wish = json!({ "Context": self.place.context(), "Language": "en", "Styles": "Inline" });
        let answer = self.person.send("Render", &wish);
        (answer.status == 200)
            .then(|| String::from_utf8(answer.body).ok())
            .flatten()
    }

    /// The small list as a server would draw it, with its styles inside as well.
    fn drawn_small(&self) -> String {
        let list = self.person.list();
        let mut rows = String::new();
        let mut done = 0;
        for item in list.items() {
            let (id, text) = (&item["Id"], &item["Text"]);
            let (id, text) = (id.as_str().unwrap_or(""), text.as_str().unwrap_or(""));
            let checked = if item["Status"] == "Done" {
                " checked"
            } else {
                ""
            };
            done += usize::from(!checked.is_empty());
            let _ = write!(
                rows,
                "<li data-id='{id}'><input type='checkbox' id='c-{id}'{checked}><label for='c-{id}'>{text}</label>\
                 <button type='button' class='edit'>Edit</button><button type='button' class='delete'>Delete</button></li>"
            );
        }
        format!(
            "<small-checklist><template shadowrootmode='open'><style>{SMALL_STYLES}</style><p class='status'>{done} of {} done</p><ul>{rows}</ul>\
             <form><input name='text'></form></template></small-checklist>",
            list.items().len()
        )
    }
}

impl Host {
    /// Opens the origin and serves the built pages there.
    ///
    /// # Errors
    /// What cannot be read or opened.
    pub(super) async fn open(built: &Path) -> Result<Self, String> {
        let files = Files::default();
        let names = [
            "vanilla.js",
            "lit.js",
            "react.js",
            "survey.js",
            "survey.css",
        ];
        for name in names {
            let kind = if name.ends_with("css") {
                "text/css"
            } else {
                "text/javascript"
            };
            let content = brotli(&read(&built.join(name))?);
            lock(&files).insert(format!("/{name}"), (kind, content));
        }
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let routes = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&files));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Ok(Self {
            origin: format!("http://{address}"),
            files,
        })
    }

    /// Serves a page at a path.
    pub(super) fn serve(&self, path: &str, page: &str) {
        // A page is made for each reader, so it is compressed as it is sent.
        let content = quick_brotli(page.as_bytes());
        lock(&self.files).insert(path.to_owned(), ("text/html; charset=utf-8", content));
    }
}

async fn answer(State(files): State<Files>, uri: Uri) -> Response {
    match lock(&files).get(uri.path()) {
        Some((kind, content)) => (
            [
                (header::CONTENT_TYPE, *kind),
                (header::CONTENT_ENCODING, "br"),
                (header::CACHE_CONTROL, "no-store"),
            ],
            content.clone(),
        )
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn lock(files: &Files) -> std::sync::MutexGuard<'_, HashMap<String, (&'static str, Vec<u8>)>> {
    files.lock().expect("nobody panics with the lock held")
}

/// The control's script and everything that it names.
fn weight_of_control(server: &Server) -> Result<usize, String> {
    let http = server.http();
    let load = |path: &str| {
        let answer = crate::client::send(
            http.request(reqwest::Method::GET, path)
                .header("accept-encoding", "br"),
        );
        if answer.status == 200 {
            Ok(answer.body)
        } else {
            Err(format!("{path} answered {}", answer.status))
        }
    };
    let script = String::from_utf8(http.get(CONTROL).body).map_err(|error| error.to_string())?;
    let mut weight = load(CONTROL)?.len();
    for name in named_in(&script) {
        weight += load(&format!("/control/{name}"))?.len();
    }
    Ok(weight)
}

/// The files that the script loads first: glue, code and style sheet.
fn named_in(script: &str) -> Vec<&str> {
    let mut names: Vec<&str> = script
        .split(['"', '\'', '`'])
        .filter_map(|word| word.strip_prefix("./"))
        .filter(|word| word.starts_with("checklist-"))
        .filter(|word| {
            [".js", ".wasm", ".css"]
                .iter()
                .any(|end| word.ends_with(end))
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    compress(bytes, 11)
}

fn quick_brotli(bytes: &[u8]) -> Vec<u8> {
    compress(bytes, 4)
}

fn compress(bytes: &[u8], quality: u32) -> Vec<u8> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, quality, 22);
    writer
        .write_all(bytes)
        .expect("a vector takes what it is given");
    writer.into_inner()
}

/// What a page is asked for and answers is JSON.
pub(super) fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(f64::NAN)
}
