//! Reads the metadata of an authorization server (`.well-known/openid-configuration`).
//!
//! Rejects a document whose issuer is not the requested one.

use http::Request;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::LIMITS;
use crate::Egress;

/// The metadata that is used here.
#[derive(Clone, Debug, Deserialize)]
pub struct ProviderMetadata {
    /// The issuer identifier.
    pub issuer: String,
    /// The URL of its keys.
    pub jwks_uri: String,
    /// Where browsers are sent.
    pub authorization_endpoint: Option<String>,
    /// Where tokens are requested.
    pub token_endpoint: Option<String>,
    /// The supported methods of client authentication.
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Vec<String>,
}

impl ProviderMetadata {
    /// Whether the client secret belongs in the body instead of a header.
    #[must_use]
    pub fn wants_secret_in_body(&self) -> bool {
        let methods = &self.token_endpoint_auth_methods_supported;
        let takes = |name: &str| methods.iter().any(|method| method == name);
        takes("client_secret_post") && !takes("client_secret_basic")
    }
}

/// Reads the metadata of an issuer.
///
/// # Errors
/// If there is no answer, or it is another issuer's; a sentence without secrets.
pub async fn discover(egress: &Egress, issuer: &str) -> Result<ProviderMetadata, String> {
    let base = issuer.trim_end_matches('/');
    let url = format!("{base}/.well-known/openid-configuration");
    let addresses: ProviderMetadata = get_json(egress, &url).await?;
    if addresses.issuer != issuer {
        return Err(format!("it calls itself {}", addresses.issuer));
    }
    Ok(addresses)
}

/// Reads a JSON document of the server.
///
/// # Errors
/// If there is no answer, or it is not the expected JSON.
pub async fn get_json<T: DeserializeOwned>(egress: &Egress, url: &str) -> Result<T, String> {
    let request = Request::get(url)
        .header("accept", "application/json")
        .body(Vec::new())
        .map_err(|error| format!("{url} is no address: {error}"))?;
    let answer = egress.send(request, LIMITS).await;
    let answer = answer.map_err(|error| format!("{url}: {error}"))?;
    if !answer.status().is_success() {
        return Err(format!("{url} answers {}", answer.status()));
    }
    serde_json::from_slice(answer.body()).map_err(|error| format!("{url}: {error}"))
}
