//! How an assistant learns where its tokens come from (RFC 9728).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::response::Response;
use serde::Serialize;

use crate::http::Web;

/// Where the metadata of this server as a protected resource are, below the base URL.
pub const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

/// The metadata of a protected resource, with the names of RFC 9728.
#[derive(Serialize)]
pub struct ResourceMetadata {
    /// What an assistant asks tokens for.
    resource: String,
    resource_name: &'static str,
    resource_documentation: String,
    bearer_methods_supported: [&'static str; 1],
    /// The identity provider, where its access tokens are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_servers: Option<[String; 1]>,
}

/// What the server says of itself as a protected resource. Its name is the audience of access tokens
/// where that is an address here, since assistants ask the provider for tokens for that name.
pub async fn metadata(State(web): State<Arc<Web>>) -> Json<ResourceMetadata> {
    let tokens = web.oidc.as_ref().and_then(|oidc| oidc.access_tokens());
    let base = web.base.to_string();
    let own = tokens.map(|(_, audience)| audience);
    let own = own.filter(|audience| audience.starts_with(&base));
    Json(ResourceMetadata {
        resource: own.map_or_else(|| format!("{base}{}", super::PATH), str::to_owned),
        resource_name: "Checklist Control",
        resource_documentation: format!("{base}/docs/mcp"),
        bearer_methods_supported: ["header"],
        authorization_servers: tokens.map(|(issuer, _)| [issuer.to_owned()]),
    })
}

/// Adds the address of the metadata to a challenge.
pub(super) fn name_metadata(web: &Web, mut response: Response) -> Response {
    let headers = response.headers_mut();
    if let Some(challenge) = headers.get(header::WWW_AUTHENTICATE)
        && let Ok(challenge) = challenge.to_str()
        && let Ok(named) = HeaderValue::from_str(&format!(
            "{challenge}, resource_metadata=\"{}{METADATA}\"",
            web.base
        ))
    {
        headers.insert(header::WWW_AUTHENTICATE, named);
    }
    response
}
