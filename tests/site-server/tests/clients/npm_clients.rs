//! The two clients that most people use, one for each protocol.
//!
//! They run in a Node of their own; the server counts what they ask.

use std::path::PathBuf;
use std::process::Command;

use checklist_site_server::{Options, SiteServer};

/// Runs a script; its output when every step of it holds.
#[track_caller]
fn run(script: &str, address: &str, server: &SiteServer) -> String {
    let folder = std::env::var_os("CHECKLIST_SITE_CLIENTS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/site-clients"),
        PathBuf::from,
    );
    assert!(
        folder.join("node_modules").is_dir(),
        "there are no clients at {}; `cargo xtask test` fetches them, or name their folder in CHECKLIST_SITE_CLIENTS",
        folder.display()
    );
    let node = std::env::var_os("CHECKLIST_NODE").unwrap_or_else(|| "node".into());
    let mut command = Command::new(node);
    command.arg(folder.join(script)).arg(address);
    if let Some(file) = server.ca_file() {
        command.env("NODE_EXTRA_CA_CERTS", file);
    }
    let output = command.output().expect("Node runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{wrong}");
    said
}

#[test]
fn pnp_reads_and_writes_lists_columns_items_pages_and_batches() {
    let server = SiteServer::start(Options::default()).expect("a free port");
    let said = run("pnp.js", &server.site_url(), &server);
    assert!(said.ends_with("0 failed\n"), "{said}");
    assert_eq!(said.matches("ok      ").count(), 8);
    let batched = server
        .requests()
        .iter()
        .filter(|seen| seen.in_batch)
        .count();
    assert!(batched > 100, "{batched} requests came in batches");
}

#[test]
fn the_client_of_graph_reads_and_writes_over_tls() {
    let server = SiteServer::start(Options::with_tls()).expect("two free ports");
    let origin = server.tls_origin().expect("it listens with TLS");
    let said = run("graph.js", &origin, &server);
    assert!(said.ends_with("0 failed\n"), "{said}");
    assert_eq!(said.matches("ok      ").count(), 5);
}
