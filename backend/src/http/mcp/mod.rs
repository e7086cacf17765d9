//! `/mcp`: checklists as tools of assistants, by the Model Context Protocol over streamable HTTP.
//!
//! A tool does what a call of the web services does, with the same credentials, permissions, limits
//! and answers. Invariant: whatever is written here is an agent's and has an `OperationId`. Nothing
//! is kept between two requests, so each node answers all of them.

mod protocol;
mod reading;
mod resource;
mod tool;
mod writing;

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use checklist_auth::principal::Credential;
use checklist_shared::problem::ProblemCode;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use self::protocol::Tools;
pub use self::resource::{METADATA, metadata};
use super::Web;
use super::extract::{Caller, MOST_BYTES};
use super::problem::{NO_CREDENTIAL, ProblemResponse};

/// Where assistants connect to.
pub const PATH: &str = "/mcp";
/// More than any sentence with which the library refuses a request.
const LONGEST_SENTENCE: usize = 4_096;

/// Answers one message of an assistant.
pub async fn endpoint(
    State(web): State<Arc<Web>>,
    caller: Result<Caller, ProblemResponse>,
    mut request: Request,
) -> Response {
    let caller = match caller.and_then(without_session) {
        Ok(Caller(caller)) => caller,
        Err(refusal) => return resource::name_metadata(&web, refusal.into_response()),
    };
    request.extensions_mut().insert(caller);
    let tools = Tools::of(Arc::clone(&web));
    // Hosts and origins need no list: no browser sends a bearer token by itself.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(MOST_BYTES)
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(tools.clone()), sessions, config);
    as_problem(service.handle(request).await.into_response()).await
}

/// A session is a browser's, for the built-in pages; no page of theirs calls this.
fn without_session(Caller(caller): Caller) -> Result<Caller, ProblemResponse> {
    match caller.credential {
        Credential::Session(_) => Err(ProblemResponse::new(
            ProblemCode::Unauthenticated,
            NO_CREDENTIAL,
        )),
        _ => Ok(Caller(caller)),
    }
}

/// What the library refuses in plain text before it has read a message, as a problem; its answers to
/// messages stay as they are.
async fn as_problem(response: Response) -> Response {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let sentence = to_bytes(response.into_body(), LONGEST_SENTENCE).await;
    let sentence = sentence.unwrap_or_default();
    let detail = String::from_utf8_lossy(&sentence).into_owned();
    ProblemResponse::new(code_of(status), detail).into_response()
}

fn code_of(status: StatusCode) -> ProblemCode {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => ProblemCode::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ProblemCode::UnsupportedMediaType,
        StatusCode::METHOD_NOT_ALLOWED => ProblemCode::MethodNotAllowed,
        status if status.is_server_error() => ProblemCode::Internal,
        _ => ProblemCode::MalformedRequest,
    }
}
