//! Tests of the whole router, with a real database in a folder of its own.
//!
//! They cover the interaction of routes, layers, sign-in and services: who may call what, which
//! path serves what, what other origins may read.

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, Response};
use checklist_auth::demo::DemoIssuer;
use checklist_auth::keys::KeyRing;
use checklist_services::app::{App, AppOptions};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::super::embedded::embed_two_files;
use super::*;

struct Server {
    router: Router,
    _folder: tempfile::TempDir,
}

impl Server {
    async fn start(base: &str, demo: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let app = App::open(AppOptions {
            demo,
            ..AppOptions::new(folder.path().to_owned())
        })
        .await
        .expect("a database");
        if demo {
            crate::demo::seed(&app, None)
                .await
                .expect("the demo's data");
        }
        let (issuer, key) = DemoIssuer::new(base).expect("randomness");
        let mut ring = KeyRing::default();
        assert!(ring.add(key).is_ok());
        let web = Web::new(
            app,
            base.parse().expect("a URL"),
            ring,
            demo.then_some(issuer),
            None,
        );
        Self {
            router: router(Arc::new(web)),
            _folder: folder,
        }
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response<Body> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:8080");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request
            .body(Body::from(body.to_owned()))
            .expect("a request");
        self.router
            .clone()
            .oneshot(request)
            .await
            .expect("axum always answers")
    }

    async fn get(&self, path: &str) -> Response<Body> {
        self.send(Method::GET, path, &[], "").await
    }

    async fn token(&self, asked: &Value) -> String {
        let answer = self
            .send(
                Method::POST,
                "/demo/token",
                &[("content-type", "application/json")],
                &asked.to_string(),
            )
            .await;
        format!(
            "Bearer {}",
            json_of(answer).await["Token"].as_str().expect("a token")
        )
    }
}

const HERE: &str = "http://127.0.0.1:8080";

async fn json_of(response: Response<Body>) -> Value {
    let bytes = to_bytes(response.into_body(), usize::MAX)
        .await
        .expect("a body");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn header_of<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().expect("text"))
}

#[tokio::test]
async fn every_call_of_the_document_wants_a_token() {
    let server = Server::start(HERE, false).await;
    let document = serde_json::to_value(openapi()).expect("a document");
    let mut calls = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for verb in item
            .as_object()
            .expect("operations")
            .keys()
            .filter(|_| path.starts_with(PREFIX))
        {
            let method = verb.to_uppercase().parse().expect("a method");
            let path = path.replace(['{', '}'], "");
            let response = server
                .send(method, &path, &[("content-type", "application/json")], "{}")
                .await;
            assert_eq!(response.status(), 401, "{verb} {path}");
            assert_eq!(
                json_of(response).await["Code"],
                "Unauthenticated",
                "{verb} {path}"
            );
            calls += 1;
        }
    }
    assert!(calls >= 20, "only {calls} calls");
}

#[tokio::test]
async fn without_demo_nobody_is_given_a_token_and_no_preview_is_open() {
    let server = Server::start(HERE, false).await;
    for path in ["/demo/", "/demo/index.html"] {
        assert_eq!(server.get(path).await.status(), 404, "{path}");
    }
    assert_eq!(
        server
            .send(Method::POST, "/demo/token", &[], "")
            .await
            .status(),
        404
    );
    let preview = server
        .get("/api/Vendor/ChecklistControl/Preview/handover")
        .await;
    assert_eq!(preview.status(), 401);
}

#[tokio::test]
async fn everything_lives_below_the_path_of_the_base_url() {
    embed_two_files();
    let server = Server::start("http://127.0.0.1:8080/platform", true).await;
    for (path, status) in [
        ("/platform/healthz", 200),
        ("/platform/readyz", 200),
        ("/platform/docs/", 200),
        ("/platform/openapi.json", 200),
        (
            "/platform/api/Vendor/ChecklistControl/Preview/handover",
            200,
        ),
        ("/platform/api/Vendor/ChecklistControl/Types", 401),
        ("/platform", 200),
        ("/platform/", 200),
        ("/platform/nowhere", 404),
        ("/platformhealthz", 404),
        ("/healthz", 404),
        ("/api/Vendor/ChecklistControl/Types", 404),
        ("/", 200),
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(header_of(&response, "checklist-api-level"), "1", "{path}");
    }
    let accept = [("accept", "text/html")];
    for path in ["/platform/", "/"] {
        let page = server.send(Method::GET, path, &accept, "").await;
        assert_eq!(header_of(&page, "location"), "/platform/demo/", "{path}");
    }
    let document = json_of(server.get("/platform/openapi.json").await).await;
    assert_eq!(
        document["servers"][0]["url"],
        "http://127.0.0.1:8080/platform"
    );
}

#[tokio::test]
async fn pages_of_other_origins_may_call_the_api_but_not_the_demo() {
    let server = Server::start(HERE, true).await;
    let origin = [("origin", "https://host.example")];
    for path in [
        "/api/Vendor/ChecklistControl/Types",
        "/control/nothing.js",
        "/nowhere",
    ] {
        let response = server.send(Method::GET, path, &origin, "").await;
        assert_eq!(
            header_of(&response, "access-control-allow-origin"),
            "*",
            "{path}"
        );
    }
    for path in ["/demo/", "/demo/token"] {
        let response = server.send(Method::GET, path, &origin, "").await;
        assert_eq!(
            header_of(&response, "access-control-allow-origin"),
            "",
            "{path}"
        );
    }
    let from_elsewhere = server.send(Method::POST, "/demo/token", &origin, "").await;
    assert_eq!(from_elsewhere.status(), 403);
}

#[tokio::test]
async fn a_preview_is_a_page_without_scripts() {
    let server = Server::start(HERE, true).await;
    let path =
        "/api/Vendor/ChecklistControl/Preview/Type/incident?Purpose=handover-demo&Language=de";
    let response = server.get(path).await;
    assert_eq!(response.status(), 200);
    assert_eq!(header_of(&response, "cache-control"), "private, no-store");
    let policy = header_of(&response, "content-security-policy");
    let nonce = policy
        .strip_prefix("default-src 'none'; style-src 'nonce-")
        .and_then(|rest| rest.split('\'').next())
        .unwrap_or_else(|| panic!("no nonce in {policy}"))
        .to_owned();
    let page = String::from_utf8(
        to_bytes(response.into_body(), usize::MAX)
            .await
            .expect("a body")
            .to_vec(),
    )
    .expect("text");
    assert!(
        page.starts_with("<!doctype html>") && page.contains("lang=\"de\""),
        "{page}"
    );
    assert!(
        !page.contains("<script") && !page.contains(" style=") && !page.contains("<link"),
        "{page}"
    );
    let style = format!("<style nonce=\"{nonce}\">");
    assert!(nonce.len() > 20 && page.contains(&style), "{page}");
    let fragment = server.get(&format!("{path}&fragment=1")).await;
    let html = to_bytes(fragment.into_body(), usize::MAX)
        .await
        .expect("a body");
    assert!(html.starts_with(b"<checklist-preview"));
}

#[tokio::test]
async fn a_preview_speaks_the_first_language_of_the_browser_that_the_template_has() {
    let server = Server::start(HERE, true).await;
    let path = "/api/Vendor/ChecklistControl/Preview/handover";
    for (asked, language) in [("fr, de;q=0.8, en;q=0.5", "de"), ("fr", "en"), ("", "en")] {
        let page = server
            .send(Method::GET, path, &[("accept-language", asked)], "")
            .await;
        let html = to_bytes(page.into_body(), usize::MAX)
            .await
            .expect("a body");
        let html = String::from_utf8(html.to_vec()).expect("text");
        assert!(
            html.contains(&format!("<html lang=\"{language}\"")),
            "{asked}"
        );
    }
}

#[tokio::test]
async fn a_template_is_sent_once_and_known_afterwards_in_each_language() {
    let server = Server::start(HERE, true).await;
    let token = server.token(&json!({"Roles": ["reader"]})).await;
    let path = "/api/Vendor/ChecklistControl/Template/handover";
    let whole = server
        .send(Method::GET, path, &[("authorization", &token)], "")
        .await;
    let tag = header_of(&whole, "etag").to_owned();
    assert!(json_of(whole).await["Name"].is_object());
    let known = [
        ("authorization", token.as_str()),
        ("if-none-match", tag.as_str()),
    ];
    assert_eq!(
        server.send(Method::GET, path, &known, "").await.status(),
        304
    );
    let german = server
        .send(Method::GET, &format!("{path}?Language=de"), &known, "")
        .await;
    assert_eq!(german.status(), 200);
    assert_eq!(json_of(german).await["Name"], "Schichtübergabe");
}

#[tokio::test]
async fn the_demo_narrows_a_token_to_what_was_asked_for() {
    let server = Server::start(HERE, true).await;
    let asked = json!({"Roles": ["reader"], "Contexts": [{"ObjectType": "incident", "ObjectId": "INC-1", "Purpose": "*"}]});
    let token = server.token(&asked).await;
    let headers = [
        ("authorization", token.as_str()),
        ("content-type", "application/json"),
    ];
    let ask = |object: &str| {
        json!({"Context": {"ObjectType": "incident", "ObjectId": object}}).to_string()
    };
    let path = "/api/Vendor/ChecklistControl/GetItems";
    assert_eq!(
        server
            .send(Method::POST, path, &headers, &ask("INC-1"))
            .await
            .status(),
        200
    );
    let foreign = server
        .send(Method::POST, path, &headers, &ask("INC-2"))
        .await;
    assert_eq!(foreign.status(), 404);
    assert_eq!(json_of(foreign).await["Code"], "ContextNotFound");
    let unknown = server
        .send(
            Method::POST,
            "/demo/token",
            &headers[1..],
            r#"{"Role": "reader", "Roles": ["king"]}"#,
        )
        .await;
    assert_eq!(unknown.status(), 422);
    assert_eq!(
        json_of(unknown).await["Errors"].as_array().map(Vec::len),
        Some(2)
    );
}
