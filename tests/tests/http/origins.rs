//! Pages of other origins: they may call with a token, and nothing is ever sent along by itself.
//!
//! The demo's own pages and tokens are closed to them, see `demo`.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::{API, Server, incident};
use reqwest::Method;
use serde_json::json;

const ELSEWHERE: &str = "https://forms.example";

#[test]
fn a_page_elsewhere_may_ask_whether_it_may_call() {
    let server = Server::demo();
    for method in ["POST", "GET", "PUT"] {
        let request = server
            .http()
            .request(Method::OPTIONS, &format!("{API}/GetItems"))
            .header("origin", ELSEWHERE)
            .header("access-control-request-method", method)
            .header(
                "access-control-request-headers",
                "authorization,content-type",
            );
        let answer = send(request);
        assert!(
            (200..300).contains(&answer.status),
            "{method}: {}",
            answer.status
        );
        let allowed = answer.header("access-control-allow-headers").to_lowercase();
        assert!(
            allowed.contains("authorization") && allowed.contains("content-type"),
            "{allowed}"
        );
        assert!(
            answer
                .header("access-control-allow-methods")
                .contains(method)
        );
        assert_eq!(answer.header("access-control-allow-credentials"), "");
    }
}

#[test]
fn an_assistant_in_a_page_elsewhere_may_call_and_reads_where_tokens_come_from() {
    let server = Server::demo();
    let may = |names: &str| {
        let request = server
            .http()
            .request(Method::OPTIONS, "/mcp")
            .header("origin", ELSEWHERE)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", names);
        send(request)
            .header("access-control-allow-headers")
            .to_lowercase()
    };
    let names = "authorization,content-type,mcp-method,mcp-name,mcp-protocol-version";
    let allowed = may(names);
    for name in names.split(',') {
        assert!(
            allowed.split(',').any(|one| one.trim() == name),
            "{name}: {allowed}"
        );
    }
    let request = server.http().request(Method::POST, "/mcp");
    let refused = send(with_json(request.header("origin", ELSEWHERE), &json!({})));
    assert_eq!(refused.status, 401);
    assert!(!refused.header("www-authenticate").is_empty());
    let readable = refused
        .header("access-control-expose-headers")
        .to_lowercase();
    assert!(readable.contains("www-authenticate"), "{readable}");
}

#[test]
fn answers_and_refusals_can_be_read_from_elsewhere() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    let call = |token: &str| {
        let request = server
            .http()
            .request(Method::POST, &format!("{API}/GetItems"));
        let request = request.bearer_auth(token).header("origin", ELSEWHERE);
        send(with_json(
            request,
            &json!({ "Context": incident("1").context() }),
        ))
    };
    for (answer, status) in [(call(&anna.token), 200), (call("nonsense"), 401)] {
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        let exposed = answer
            .header("access-control-expose-headers")
            .to_lowercase();
        assert!(exposed.contains("checklist-api-level"), "{exposed}");
    }
}

#[test]
fn a_cookie_is_no_credential() {
    let server = Server::demo();
    let token = server.as_admin().token();
    let request = server
        .http()
        .request(Method::POST, &format!("{API}/GetItems"))
        .header(
            "cookie",
            format!("token={token}; Authorization=Bearer {token}"),
        );
    send(with_json(
        request,
        &json!({ "Context": incident("1").context() }),
    ))
    .refused(401, "Unauthenticated");
}
