//! Tokens of a real authorization server, checked with its keys. `cargo xtask test` fetches it.
//!
//! Its set-up is that of `tests/oidc`: programs get tokens for a resource by their secret.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use checklist_site_server::Options;
use reqwest::blocking::Client;
use serde_json::Value;

use crate::caller::{Caller, send};

struct Issuer {
    process: Child,
    address: String,
}

impl Issuer {
    fn start() -> Self {
        let folder = std::env::var_os("CHECKLIST_OIDC").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/oidc"),
            PathBuf::from,
        );
        let node = std::env::var_os("CHECKLIST_NODE").unwrap_or_else(|| "node".into());
        let mut command = Command::new(node);
        command
            .arg(folder.join("provider.js"))
            .arg("0")
            .stdout(Stdio::piped());
        let mut process = command
            .spawn()
            .expect("`cargo xtask test` fetches the provider");
        let said = process.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(said).lines();
        let address =
            lines.find_map(|line| line.ok()?.strip_prefix("listening on ").map(str::to_owned));
        let address = address.expect("`cargo xtask test` fetches the provider");
        Self { process, address }
    }

    fn token(&self, resource: &str) -> String {
        let body = format!("grant_type=client_credentials&resource={resource}");
        let request = Client::new().post(format!("{}/token", self.address));
        let request = request.basic_auth("robot", Some("a-secret-of-the-tests"));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let answer: Value = send(request.body(body)).expect(200).json();
        answer["access_token"].as_str().expect("a token").to_owned()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn only_tokens_of_the_issuer_are_taken() {
    let issuer = Issuer::start();
    let site = Caller::of(Options {
        check_tokens: Some(issuer.address.clone()),
        audience: Some("https://checks.example/api".to_owned()),
        ..Options::default()
    });
    let ask = |token: &str| {
        let url = format!("{}/_api/web/currentuser", site.server.site_url());
        let request = Client::new()
            .get(url)
            .header("accept", "application/json;odata=nometadata");
        send(request.header("authorization", format!("Bearer {token}")))
    };
    let token = issuer.token("https://checks.example/api");
    let login = ask(&token).expect(200).json()["LoginName"].clone();
    assert!(
        login
            .as_str()
            .is_some_and(|login| login.starts_with("i:0#.f|membership|")),
        "{login}"
    );
    ask(&issuer.token("https://checks.example/other")).expect(401);
    ask("alice").expect(401);
    let mut tampered = token.clone();
    tampered.replace_range(token.len() - 6.., "AAAAAA");
    ask(&tampered).expect(401);
}
