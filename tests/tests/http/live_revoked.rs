//! Events: whoever may no longer ask hears nothing more, however the right was taken away.
//!
//! Streams that end by themselves are in `live_ends`.

use std::time::Duration;

use checklist_tests::client::send;
use checklist_tests::host::now;
use checklist_tests::promise::held;
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// S10: from then on, at the latest, a stream is silent.
const LATEST: Duration = Duration::from_secs(5);

fn host_server() -> Server {
    Setup::for_hosts(&[HostKey::of("north")]).start()
}

/// Follows as `reader`, takes the right away, and sees to it that nothing later is told.
fn hears_nothing_once(
    what: &str,
    server: &Server,
    reader: &Person,
    take_away: impl FnOnce(&Person),
) {
    let writer = server.editor_on(&reader.place);
    let stream = reader.follow();
    stream.next("list");
    writer.add("heard");
    stream.until("items", |data| data.to_string().contains("heard"));

    take_away(&server.as_admin().on(&incident("1")));
    std::thread::sleep(LATEST);
    // The writer's own right may have gone with all others.
    let writer = server
        .as_editor("Ben")
        .with_claim("iat", json!(now()))
        .on(&reader.place);
    writer.add("too late");
    stream.until_end(|name, data: &Value| {
        let late = name == "items" && data.to_string().contains("too late");
        assert!(!late, "{data}");
    });
    let again = json!({ "Contexts": [reader.place.context()] });
    reader.try_to_follow(&again).refused(401, "Unauthenticated");
    held(
        "S10",
        format!("{what}: 0 events after {} s", LATEST.as_secs()),
    );
}

#[test]
fn a_stream_ends_when_its_token_is_revoked() {
    let server = host_server();
    let anna = server
        .as_editor("Anna")
        .with_claim("jti", json!("stolen"))
        .on(&incident("1").for_purpose("x"));
    hears_nothing_once("token revoked", &server, &anna, |admin| {
        admin.send("Revocations", &json!({ "Jti": "stolen" })).ok();
    });
}

#[test]
fn a_stream_ends_when_its_api_key_is_revoked() {
    let server = host_server();
    let place = incident("1").for_purpose("x");
    let admin = server.as_admin().on(&place);
    let made = admin
        .send("ApiKeys", &json!({ "Name": "Board", "Roles": ["reader"] }))
        .ok();
    let text = |member: &str| made[member].as_str().expect("a text").to_owned();
    let board = admin.with_token(&text("Secret"));
    hears_nothing_once("API key revoked", &server, &board, |admin| {
        send(admin.request(Method::DELETE, &format!("ApiKeys/{}", text("Id")))).ok();
    });
}

#[test]
fn a_stream_ends_when_the_tenant_revokes_everything() {
    let server = host_server();
    let anna = server.as_editor("Anna").on(&incident("1").for_purpose("x"));
    hears_nothing_once("all of a tenant revoked", &server, &anna, |admin| {
        admin
            .send("Revocations", &json!({ "Everything": true }))
            .ok();
    });
}
