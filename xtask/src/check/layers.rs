//! Which module may depend on which. In the server: http → services → storage and its neighbours →
//! shared. In `shared`: no dependency with a clock, I/O or randomness.

use super::paths::{Mention, mentions};
use super::source::Source;

/// The modules below the services. They know nothing of who calls them.
const BELOW_SERVICES: [&str; 6] = ["storage", "auth", "journal", "live", "vault", "workflow"];

/// What `shared` must stay free of, with the reason.
const IMPURE: [(&str, &str); 10] = [
    ("std::time::SystemTime", "time is handed in"),
    ("std::time::Instant", "time is handed in"),
    ("std::fs", "no files"),
    ("std::net", "no network"),
    ("std::env", "no environment"),
    ("std::process", "no processes"),
    ("std::thread", "no threads: it also runs in the browser"),
    ("rand", "chance is handed in"),
    ("getrandom", "chance is handed in"),
    ("tokio", "no runtime"),
];

/// The modules of the server that draw the control.
const DRAW: [&str; 3] = [
    "backend/src/http/preview.rs",
    "backend/src/http/render.rs",
    "backend/src/http/styling.rs",
];

/// The module with the server's clock and randomness.
const CLOCK: &str = "backend/src/clock";

/// Ends of paths that read the wall clock.
const WALL_CLOCK: [&str; 5] = [
    "SystemTime::now",
    "Timestamp::now",
    "Zoned::now",
    "Utc::now",
    "OffsetDateTime::now_utc",
];

/// Where requests of the server's own are made, and what can make one.
const EGRESS: &str = "backend/src/egress";
const CLIENTS: [&str; 5] = [
    "hyper_util::client",
    "hyper_rustls",
    "reqwest",
    "ureq",
    "tokio::net::TcpStream",
];

/// Ends of paths that make random ids, and crates of chance.
const RANDOM_IDS: [&str; 2] = ["Uuid::now_v7", "Uuid::new_v4"];
const RANDOM_CRATES: [&str; 3] = ["rand", "getrandom", "fastrand"];

/// The client of site lists: where its own connections and its randomness come from.
const SITE_LISTS: &str = "backend/site-lists/src/";
const SITE_TRANSPORT: &str = "backend/site-lists/src/transport/";
const SITE_RANDOM: &str = "backend/site-lists/src/random.rs";

/// The breaches of one file: line and sentence.
pub fn breaches(source: &Source) -> Vec<(usize, String)> {
    let module = module_of(&source.path);
    let mentions = mentions(&source.product, &module);
    let judge: fn(&str, &[&str], &Mention) -> Option<String> =
        if source.path.starts_with("backend/src/") {
            server_breach
        } else if source.path.starts_with(SITE_LISTS) {
            site_lists_breach
        } else if source.path.starts_with("shared/src/") {
            shared_breach
        } else {
            return Vec::new();
        };
    let mut found: Vec<_> = mentions
        .iter()
        .filter_map(|mention| {
            judge(&source.path, &module, mention).map(|sentence| (mention.line, sentence))
        })
        .collect();
    found.dedup();
    found
}

/// `backend/src/http/preview.rs` is the module `http::preview`.
fn module_of(path: &str) -> Vec<&str> {
    let inside = path
        .split_once("src/")
        .map_or(path, |(_, inside)| inside)
        .trim_end_matches(".rs");
    inside
        .split('/')
        .filter(|part| !["mod", "lib", "main"].contains(part))
        .collect()
}

fn server_breach(path: &str, module: &[&str], mention: &Mention) -> Option<String> {
    let here = module.first().copied().unwrap_or_default();
    let reaches = |name: &str| reaches_module(&mention.path, name);
    let what = &mention.path;

    if reaches("http") && (here == "services" || BELOW_SERVICES.contains(&here)) {
        return Some(format!(
            "{here} must not know http ({what}): http calls, it is not called"
        ));
    }
    if reaches("services") && BELOW_SERVICES.contains(&here) {
        return Some(format!(
            "{here} must not know services ({what}): they stand above it"
        ));
    }
    if reaches("storage") && here == "http" {
        return Some(format!(
            "http must not use storage ({what}): a service decides permission, journal and transaction"
        ));
    }
    if begins_with(what, "axum") && (here == "services" || here == "storage") {
        return Some(format!(
            "{here} must not mention axum ({what}): it is used without HTTP too"
        ));
    }
    if begins_with(what, "checklist_control") && !DRAW.contains(&path) {
        return Some(format!(
            "only http/preview.rs, http/render.rs and http/styling.rs draw the control ({what})"
        ));
    }
    if !path.starts_with(CLOCK) {
        if ends_with_any(what, &WALL_CLOCK) {
            return Some(format!("the wall clock is read in clock.rs only ({what})"));
        }
        if ends_with_any(what, &RANDOM_IDS)
            || RANDOM_CRATES.iter().any(|name| begins_with(what, name))
        {
            return Some(format!("random ids are made in clock.rs only ({what})"));
        }
    }
    let listens = path.starts_with("backend/src/cli/listener");
    if !path.starts_with(EGRESS) && !listens && CLIENTS.iter().any(|name| begins_with(what, name)) {
        return Some(format!(
            "every outgoing request goes through egress ({what})"
        ));
    }
    let reads_environment = ends_with_any(
        what,
        &["env::var", "env::vars", "env::var_os", "env::vars_os"],
    );
    if reads_environment && !["config", "cli"].contains(&here) {
        return Some(format!(
            "the environment is read in config and cli only ({what})"
        ));
    }
    None
}

fn site_lists_breach(path: &str, _module: &[&str], mention: &Mention) -> Option<String> {
    let what = &mention.path;
    let connects = CLIENTS.iter().any(|name| begins_with(what, name));
    if connects && !path.starts_with(SITE_TRANSPORT) {
        return Some(format!(
            "every request goes through the caller's transport ({what})"
        ));
    }
    let draws = ends_with_any(what, &RANDOM_IDS)
        || RANDOM_CRATES.iter().any(|name| begins_with(what, name));
    if draws && path != SITE_RANDOM {
        return Some(format!("randomness comes from random.rs only ({what})"));
    }
    if ends_with_any(what, &WALL_CLOCK) {
        return Some(format!("site-lists reads no wall clock ({what})"));
    }
    if ends_with_any(what, &["env::var", "env::vars"]) {
        return Some(format!("a library reads no environment ({what})"));
    }
    None
}

fn shared_breach(_path: &str, _module: &[&str], mention: &Mention) -> Option<String> {
    let what = &mention.path;
    if let Some((_, reason)) = IMPURE.iter().find(|(name, _)| begins_with(what, name)) {
        return Some(format!("shared is pure, {reason} ({what})"));
    }
    if ends_with_any(what, &WALL_CLOCK) || ends_with_any(what, &["Instant::now"]) {
        return Some(format!("shared is pure, time is handed in ({what})"));
    }
    if ends_with_any(what, &RANDOM_IDS) {
        return Some(format!("shared is pure, chance is handed in ({what})"));
    }
    None
}

fn reaches_module(path: &str, name: &str) -> bool {
    ["crate", "checklist_server"]
        .iter()
        .any(|root| begins_with(path, &format!("{root}::{name}")))
}

fn begins_with(path: &str, start: &str) -> bool {
    path.strip_prefix(start)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn ends_with_any(path: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| {
        path.strip_suffix(end)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn told(path: &str, text: &str) -> Vec<String> {
        breaches(&Source::new(Path::new(path), text))
            .into_iter()
            .map(|(line, sentence)| format!("{line}: {sentence}"))
            .collect()
    }

    fn one(path: &str, text: &str) -> String {
        let told = told(path, text);
        assert_eq!(told.len(), 1, "{told:?}");
        told.into_iter().next().unwrap_or_default()
    }

    #[test]
    fn services_know_neither_axum_nor_http() {
        let file = "backend/src/services/checklist.rs";
        assert!(
            one(file, "//! axum\n\nuse axum::Json;")
                .starts_with("3: services must not mention axum")
        );
        assert!(one(file, "use crate::{http::Json, error::Error};").contains("must not know http"));
        assert!(one(file, "use super::super::http::x;").contains("must not know http"));
        assert!(told(file, "use crate::storage::Store; use crate::journal;").is_empty());
    }

    #[test]
    fn storage_knows_nothing_above_it() {
        let file = "backend/src/storage/sqlite/read.rs";
        assert!(one(file, "fn f(e: axum::Error) {}").contains("storage must not mention axum"));
        assert!(one(file, "use crate::services::Principal;").contains("must not know services"));
    }

    #[test]
    fn http_goes_through_the_services() {
        let file = "backend/src/http/checklist.rs";
        assert!(one(file, "use crate::storage::Store;").contains("http must not use storage"));
        assert!(
            told(
                file,
                "use axum::Json; use crate::services; use crate::auth::Principal;"
            )
            .is_empty()
        );
    }

    #[test]
    fn only_previews_and_rendered_lists_draw_the_control() {
        let text = "use checklist_control::Preview;";
        assert!(told("backend/src/http/preview.rs", text).is_empty());
        assert!(told("backend/src/http/render.rs", text).is_empty());
        assert!(one("backend/src/http/checklist.rs", text).contains("http/preview.rs"));
    }

    #[test]
    fn clock_and_chance_live_in_one_file() {
        let text = "fn f() { jiff::Timestamp::now() }";
        assert!(one("backend/src/journal.rs", text).contains("clock.rs only"));
        assert!(one("backend/src/main.rs", "let id = Uuid::now_v7();").contains("clock.rs only"));
        assert!(one("backend/src/auth/embed.rs", "use rand::Rng;").contains("clock.rs only"));
        assert!(told("backend/src/clock.rs", text).is_empty());
        assert!(told("backend/src/journal.rs", "let started = Instant::now();").is_empty());
        assert!(told("backend/src/journal.rs", "let operand = operand::new();").is_empty());
    }

    #[test]
    fn outgoing_requests_are_made_in_one_place() {
        let text = "use hyper_util::client::legacy::Client;";
        assert!(one("backend/src/auth/oidc/provider.rs", text).contains("goes through egress"));
        assert!(
            one("backend/src/http/live.rs", "use reqwest::Client;").contains("goes through egress")
        );
        assert!(told("backend/src/egress/mod.rs", text).is_empty());
        assert!(told("backend/src/cli/listener.rs", "use tokio::net::TcpStream;").is_empty());
    }

    #[test]
    fn the_client_of_site_lists_leaves_connections_to_its_transport() {
        let text = "use tokio::net::TcpStream;";
        assert!(one("backend/site-lists/src/client.rs", text).contains("caller's transport"));
        assert!(told("backend/site-lists/src/transport/direct.rs", text).is_empty());
        let text = "fn f() { getrandom::fill(&mut x) }";
        assert!(one("backend/site-lists/src/client.rs", text).contains("random.rs only"));
        assert!(told("backend/site-lists/src/random.rs", text).is_empty());
    }

    #[test]
    fn the_environment_is_read_in_config_only() {
        assert!(
            one("backend/src/http/router.rs", "std::env::var(x)").contains("config and cli only")
        );
        assert!(told("backend/src/config/file.rs", "std::env::var(x)").is_empty());
    }

    #[test]
    fn shared_has_no_clock_no_disk_and_no_chance() {
        let file = "shared/src/change/mod.rs";
        assert!(one(file, "use std::{fs, fmt};").contains("no files"));
        assert!(one(file, "use std::time::Instant;").contains("time is handed in"));
        assert!(one(file, "let id = uuid::Uuid::new_v4();").contains("chance is handed in"));
        assert!(told(file, "use std::fmt; use std::time::Duration;").is_empty());
    }

    #[test]
    fn tests_may_look_everywhere() {
        let text = "#[cfg(test)]\nmod tests { use axum::Json; }";
        assert!(told("backend/src/services/checklist.rs", text).is_empty());
    }
}
