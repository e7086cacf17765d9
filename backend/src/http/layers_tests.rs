//! Tests of the layers, with a few handlers of their own.
//!
//! These handlers do what real ones do rarely or only by mistake: panic, return long bodies, accept
//! any body. Needs no database.

use axum::body::{Body, to_bytes};
use axum::http::Request as HttpRequest;
use axum::routing::{get, post};
use tower::ServiceExt as _;

use super::*;
use crate::http::extract::Body as Json;

#[expect(clippy::panic, reason = "this handler shows what becomes of a panic")]
async fn panics() -> &'static str {
    panic!("secret detail")
}

fn routes(demo: bool) -> Router {
    let routes = Router::new()
        .route("/fine", get(|| async { "fine" }))
        .route("/panics", get(panics))
        .route("/long", get(|| async { "a".repeat(5_000) }))
        .route(
            "/takes",
            post(|_: Json<serde_json::Value>| async { "taken" }),
        )
        .method_not_allowed_fallback(problem::method_not_allowed)
        .fallback(problem::not_found);
    let metrics = Arc::new(Metrics::new(None));
    around(routes, demo, &metrics, &Proxies::default()).layer(cors())
}

async fn send(demo: bool, request: HttpRequest<Body>) -> Response {
    routes(demo)
        .oneshot(request)
        .await
        .expect("axum always answers")
}

async fn get_path(path: &str) -> Response {
    send(
        false,
        HttpRequest::get(path)
            .body(Body::empty())
            .expect("a request"),
    )
    .await
}

fn header_of(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .map(|value| value.to_str().expect("text").to_owned())
        .unwrap_or_default()
}

async fn text_of(response: Response) -> String {
    String::from_utf8(
        to_bytes(response.into_body(), usize::MAX)
            .await
            .expect("a body")
            .to_vec(),
    )
    .expect("text")
}

#[tokio::test]
async fn every_answer_carries_the_level_and_the_safe_headers() {
    for (path, status) in [
        ("/fine", 200),
        ("/nowhere", 404),
        ("/takes", 405),
        ("/panics", 500),
    ] {
        let response = get_path(path).await;
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(header_of(&response, "checklist-api-level"), "1", "{path}");
        assert_eq!(
            header_of(&response, "x-content-type-options"),
            "nosniff",
            "{path}"
        );
        assert_eq!(
            header_of(&response, "access-control-allow-origin"),
            "*",
            "{path}"
        );
        assert!(
            header_of(&response, "content-security-policy").contains("default-src 'none'"),
            "{path}"
        );
        assert!(!header_of(&response, "x-request-id").is_empty(), "{path}");
        assert!(
            !response
                .headers()
                .contains_key("access-control-allow-credentials"),
            "{path}"
        );
        if status != 200 {
            assert_eq!(
                header_of(&response, "content-type"),
                problem::MEDIA_TYPE,
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn a_panic_is_a_problem_that_tells_nothing() {
    let text = text_of(get_path("/panics").await).await;
    assert!(
        text.contains("\"Internal\"") && !text.contains("secret"),
        "{text}"
    );
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_413() {
    let send_bytes = |bytes: usize| {
        let body = format!("\"{}\"", "a".repeat(bytes - 2));
        send(
            false,
            HttpRequest::post("/takes")
                .header("content-type", "application/json")
                .body(body.into())
                .expect("a request"),
        )
    };
    assert_eq!(send_bytes(MOST_BYTES).await.status(), 200);
    let refused = send_bytes(MOST_BYTES + 1).await;
    assert_eq!(refused.status(), 413);
    assert!(text_of(refused).await.contains("BodyTooLarge"));
}

#[tokio::test]
async fn a_preflight_allows_a_token_and_no_credentials() {
    let preflight = HttpRequest::options("/takes")
        .header("origin", "https://host.example")
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,content-type",
        )
        .body(Body::empty())
        .expect("a request");
    let response = send(false, preflight).await;
    assert_eq!(response.status(), 200);
    assert_eq!(header_of(&response, "access-control-allow-origin"), "*");
    assert!(header_of(&response, "access-control-allow-headers").contains("authorization"));
    assert!(
        !response
            .headers()
            .contains_key("access-control-allow-credentials")
    );
}

#[tokio::test]
async fn long_answers_are_compressed_for_those_who_take_it() {
    let ask = |path: &str| {
        HttpRequest::get(path)
            .header("accept-encoding", "gzip")
            .body(Body::empty())
            .expect("a request")
    };
    assert_eq!(
        header_of(&send(false, ask("/long")).await, "content-encoding"),
        "gzip"
    );
    assert_eq!(
        header_of(&send(false, ask("/fine")).await, "content-encoding"),
        ""
    );
}

#[tokio::test]
async fn the_demo_answers_to_its_own_name_only() {
    for (host, status) in [
        ("localhost:8080", 200),
        ("127.0.0.1", 200),
        ("[::1]:8080", 200),
        ("[::1]", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:8080", 403),
        ("localhost.evil.example", 403),
        ("", 403),
    ] {
        let request = HttpRequest::get("/fine")
            .header("host", host)
            .body(Body::empty())
            .expect("a request");
        assert_eq!(send(true, request).await.status(), status, "{host}");
    }
}
