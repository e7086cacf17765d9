//! What an authorization server says of itself (`.well-known/openid-configuration`).
//!
//! A document that names another issuer than the one that was asked for is not taken.

use http::Request;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::LIMITS;
use crate::egress::Egress;

/// The members that matter here.
#[derive(Clone, Debug, Deserialize)]
pub struct ProviderMetadata {
    /// Its identifier.
    pub issuer: String,
    /// Its keys.
    pub jwks_uri: String,
    /// Where browsers are sent.
    pub authorization_endpoint: Option<String>,
    /// Where tokens are asked for.
    pub token_endpoint: Option<String>,
    /// How a client says who it is there.
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Vec<String>,
}

impl ProviderMetadata {
    /// Whether a client's secret has to stand in the body and not in a header.
    #[must_use]
    pub fn wants_secret_in_body(&self) -> bool {
        let methods = &self.token_endpoint_auth_methods_supported;
        let takes = |name: &str| methods.iter().any(|method| method == name);
        takes("client_secret_post") && !takes("client_secret_basic")
    }
}

/// Asks the server of that name.
///
/// # Errors
/// Nobody answers, or it is somebody else; a sentence without secrets.
pub async fn discover(egress: &Egress, issuer: &str) -> Result<ProviderMetadata, String> {
    let base = issuer.trim_end_matches('/');
    let url = format!("{base}/.well-known/openid-configuration");
    let addresses: ProviderMetadata = get_json(egress, &url).await?;
    if addresses.issuer != issuer {
        return Err(format!("it calls itself {}", addresses.issuer));
    }
    Ok(addresses)
}

/// A document of the server.
///
/// # Errors
/// Nobody answers, or with something else.
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
