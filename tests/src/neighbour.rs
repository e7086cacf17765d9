//! A page on another origin: a tiny web server of the test's own, the host platform's.
//!
//! Serves pages that the test writes, under a policy that the test chooses, and answers `POST
//! /token` as a platform does: it signs whatever contexts its own page asks for.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A file to serve: media type and content.
type Page = (&'static str, Vec<u8>);
/// Signs a token for the request's body.
type Mint = Box<dyn Fn(&Value) -> Value + Send + Sync>;

/// The other origin.
pub struct Neighbour {
    /// `http://127.0.0.1:port`.
    pub origin: String,
    shared: Arc<Shared>,
}

struct Shared {
    pages: Mutex<HashMap<String, Page>>,
    policy: Mutex<String>,
    mint: Mint,
    asked: AtomicUsize,
    /// Whether browsers may store its pages.
    stored: AtomicBool,
    closing: AtomicBool,
}

impl Neighbour {
    /// Opens the origin; `mint` answers its page's wishes for tokens.
    #[must_use]
    pub fn open(mint: impl Fn(&Value) -> Value + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
        let origin = format!(
            "http://{}",
            listener
                .local_addr()
                .expect("a bound listener has an address")
        );
        let shared = Arc::new(Shared {
            pages: Mutex::default(),
            policy: Mutex::default(),
            mint: Box::new(mint),
            asked: AtomicUsize::new(0),
            stored: AtomicBool::new(false),
            closing: AtomicBool::new(false),
        });
        let serving = shared.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if serving.closing.load(Ordering::Relaxed) {
                    break;
                }
                let serving = serving.clone();
                std::thread::spawn(move || serving.answer(&connection));
            }
        });
        Self { origin, shared }
    }

    /// Serves a page at a path.
    pub fn serve(&self, path: &str, kind: &'static str, content: &str) {
        let mut pages = self
            .shared
            .pages
            .lock()
            .expect("no test thread panics with the lock held");
        pages.insert(path.to_owned(), (kind, content.as_bytes().to_vec()));
    }

    /// Serves every file of a folder below a path that ends in a slash; `index.html` stands for
    /// its folder.
    ///
    /// # Panics
    /// When the folder cannot be read.
    #[track_caller]
    pub fn serve_folder(&self, path: &str, folder: &Path) {
        let entries = std::fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries.map_while(Result::ok) {
            let (file, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if file.is_dir() {
                self.serve_folder(&format!("{path}{name}/"), &file);
                continue;
            }
            let content =
                std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let page = (kind_of(&name), content);
            let mut pages = self
                .shared
                .pages
                .lock()
                .expect("no test thread panics with the lock held");
            if name == "index.html" {
                pages.insert(path.to_owned(), page.clone());
            }
            pages.insert(format!("{path}{name}"), page);
        }
    }

    /// The policy under which all pages are served.
    pub fn under(&self, policy: &str) {
        *self
            .shared
            .policy
            .lock()
            .expect("no test thread panics with the lock held") = policy.to_owned();
    }

    /// From now on browsers may store its pages, and so wake those that were left.
    pub fn lets_pages_be_stored(&self) {
        self.shared.stored.store(true, Ordering::Relaxed);
    }

    /// How often its page has asked for a token.
    #[must_use]
    pub fn tokens_asked(&self) -> usize {
        self.shared.asked.load(Ordering::Relaxed)
    }
}

/// The media type of a file by the end of its name.
fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(self.origin.trim_start_matches("http://"));
    }
}

impl Shared {
    fn answer(&self, connection: &TcpStream) {
        // A browser that goes away in the middle is no failure of the test.
        let _ = self.try_answer(connection);
    }

    fn try_answer(&self, mut connection: &TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(connection);
        let mut first = String::new();
        reader.read_line(&mut first)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let path = first.split([' ', '?']).nth(1).unwrap_or("/");
        let found = if path == "/token" {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let wish = serde_json::from_slice(&body).unwrap_or(Value::Null);
            Some((
                "application/json",
                (self.mint)(&wish).to_string().into_bytes(),
            ))
        } else {
            self.pages
                .lock()
                .ok()
                .and_then(|pages| pages.get(path).cloned())
        };
        let (status, (kind, content)) = match found {
            Some(page) => ("200 OK", page),
            None => ("404 Not Found", ("text/plain", Vec::new())),
        };
        let policy = self
            .policy
            .lock()
            .map(|policy| policy.clone())
            .unwrap_or_default();
        // Every text here is UTF-8; of WASM a browser wants the bare type.
        let charset = if kind == "application/wasm" {
            ""
        } else {
            "; charset=utf-8"
        };
        let kept = if self.stored.load(Ordering::Relaxed) {
            "no-cache"
        } else {
            "no-store"
        };
        write!(
            connection,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}{charset}\r\nContent-Length: {}\r\n\
             Content-Security-Policy: {policy}\r\nCache-Control: {kept}\r\nConnection: close\r\n\r\n",
            content.len()
        )?;
        connection.write_all(&content)?;
        connection.flush()
    }
}
