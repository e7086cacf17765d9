//! Requests access tokens: by authorization code with PKCE, by refresh token, by client
//! credentials.
//!
//! Each sends one request and never retries: a refresh token that was sent may be used up.

use std::sync::Arc;
use std::time::Duration;

use checklist_shared::time::Timestamp;
use oauth2::basic::{BasicClient, BasicTokenResponse};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RefreshToken, RequestTokenError,
    Scope, TokenResponse, TokenUrl,
};
use secrecy::{ExposeSecret, SecretString};

use super::EgressHttpClient;
use super::certificate::{ASSERTION_TYPE, ClientCertificate};
use super::discovery::{ProviderMetadata, discover};
use crate::Egress;

/// The client and its authorization server.
pub struct OAuthClient {
    /// The issuer of the authorization server.
    pub issuer: String,
    /// The client id.
    pub client_id: String,
    /// The client secret.
    pub client_secret: Option<SecretString>,
    /// The certificate that replaces a secret.
    pub certificate: Option<ClientCertificate>,
    /// The current time.
    pub now: Timestamp,
}

/// The two parameters of a client assertion; empty without a certificate.
type ClientAssertion = Vec<(&'static str, String)>;

/// A sign-in that a person is redirected to.
pub struct AuthorizationRequest {
    /// The URL for the browser.
    pub address: String,
    /// The PKCE verifier.
    pub verifier: SecretString,
}

/// The granted tokens.
pub struct TokenGrant {
    /// The access token.
    pub access: SecretString,
    /// Its lifetime, if the server reports one.
    pub lasts: Option<Duration>,
    /// The new refresh token; `None` if the old one stays valid.
    pub refresh: Option<SecretString>,
}

/// Why nothing was granted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The server did not answer, or not as expected.
    #[error("the authorization server does not answer as it should: {0}")]
    Failed(String),
    /// The server rejected the request, with a code such as `invalid_grant`.
    #[error("the authorization server says {code}{}", detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Refused {
        /// The error code.
        code: String,
        /// The server's description.
        detail: Option<String>,
    },
}

type Flow = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

impl OAuthClient {
    /// Starts the authorization code flow that returns to `callback` with `state`.
    ///
    /// # Errors
    /// If the server's metadata cannot be read.
    pub async fn begin(
        &self,
        egress: &Arc<Egress>,
        callback: &str,
        state: &str,
        scopes: &[String],
    ) -> Result<AuthorizationRequest, GrantError> {
        let (flow, _) = self.flow(egress, Some(callback)).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (address, _) = flow
            .authorize_url(|| CsrfToken::new(state.to_owned()))
            .add_scopes(scopes.iter().cloned().map(Scope::new))
            // Shows the granted scopes each time. Some servers return a refresh token only then.
            .add_extra_param("prompt", "consent")
            .set_pkce_challenge(challenge)
            .url();
        Ok(AuthorizationRequest {
            address: address.to_string(),
            verifier: verifier.secret().as_str().into(),
        })
    }

    /// Exchanges a code for tokens.
    ///
    /// # Errors
    /// If the server does not answer, or rejects the request.
    pub async fn exchange(
        &self,
        egress: &Arc<Egress>,
        callback: &str,
        code: String,
        verifier: &SecretString,
    ) -> Result<TokenGrant, GrantError> {
        let (flow, proof) = self.flow(egress, Some(callback)).await?;
        let verifier = PkceCodeVerifier::new(verifier.expose_secret().to_owned());
        let asking = EgressHttpClient(Arc::clone(egress));
        let mut asked = flow
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(verifier);
        for (name, value) in proof {
            asked = asked.add_extra_param(name, value);
        }
        let asked = asked.request_async(&asking).await;
        asked.map(to_token_grant).map_err(refusal)
    }

    /// Exchanges a refresh token for tokens with these scopes.
    ///
    /// # Errors
    /// If the server does not answer, or rejects the request.
    pub async fn refresh(
        &self,
        egress: &Arc<Egress>,
        refresh: &SecretString,
        scopes: &[String],
    ) -> Result<TokenGrant, GrantError> {
        let (flow, proof) = self.flow(egress, None).await?;
        let token = RefreshToken::new(refresh.expose_secret().to_owned());
        let asking = EgressHttpClient(Arc::clone(egress));
        let mut asked = flow
            .exchange_refresh_token(&token)
            .add_scopes(scopes.iter().cloned().map(Scope::new));
        for (name, value) in proof {
            asked = asked.add_extra_param(name, value);
        }
        let asked = asked.request_async(&asking).await;
        asked.map(to_token_grant).map_err(refusal)
    }

    /// Requests a token by client credentials.
    ///
    /// # Errors
    /// If the server does not answer, or rejects the request.
    pub async fn as_application(
        &self,
        egress: &Arc<Egress>,
        scopes: &[String],
    ) -> Result<TokenGrant, GrantError> {
        let (flow, proof) = self.flow(egress, None).await?;
        let asking = EgressHttpClient(Arc::clone(egress));
        let mut asked = flow
            .exchange_client_credentials()
            .add_scopes(scopes.iter().cloned().map(Scope::new));
        for (name, value) in proof {
            asked = asked.add_extra_param(name, value);
        }
        let asked = asked.request_async(&asking).await;
        asked.map(to_token_grant).map_err(refusal)
    }

    async fn flow(
        &self,
        egress: &Egress,
        callback: Option<&str>,
    ) -> Result<(Flow, ClientAssertion), GrantError> {
        let addresses = discover(egress, &self.issuer)
            .await
            .map_err(GrantError::Failed)?;
        let flow = self
            .with(&addresses, callback)
            .map_err(|what| GrantError::Failed(format!("it names no usable {what}")))?;
        Ok((flow, self.proof(&addresses)?))
    }

    fn proof(&self, addresses: &ProviderMetadata) -> Result<ClientAssertion, GrantError> {
        let (Some(certificate), Some(endpoint)) = (&self.certificate, &addresses.token_endpoint)
        else {
            return Ok(ClientAssertion::new());
        };
        let assertion = certificate.assertion(&self.client_id, endpoint, self.now);
        let assertion = assertion.map_err(|error| GrantError::Failed(error.to_string()))?;
        Ok(vec![
            ("client_assertion_type", ASSERTION_TYPE.to_owned()),
            ("client_assertion", assertion.expose_secret().to_owned()),
        ])
    }

    fn with(
        &self,
        addresses: &ProviderMetadata,
        callback: Option<&str>,
    ) -> Result<Flow, &'static str> {
        let in_body = addresses.wants_secret_in_body();
        let authorization = addresses.authorization_endpoint.clone();
        let token = addresses.token_endpoint.clone();
        let authorization = authorization.and_then(|url| AuthUrl::new(url).ok());
        let token = token.and_then(|url| TokenUrl::new(url).ok());
        let mut flow = BasicClient::new(ClientId::new(self.client_id.clone()))
            .set_auth_uri(authorization.ok_or("authorization endpoint")?)
            .set_token_uri(token.ok_or("token endpoint")?)
            .set_auth_type(if in_body {
                AuthType::RequestBody
            } else {
                AuthType::BasicAuth
            });
        if let Some(callback) = callback {
            let callback = RedirectUrl::new(callback.to_owned());
            flow = flow.set_redirect_uri(callback.map_err(|_| "redirect address")?);
        }
        Ok(match &self.client_secret {
            Some(secret) => {
                flow.set_client_secret(ClientSecret::new(secret.expose_secret().to_owned()))
            }
            None => flow,
        })
    }
}

fn to_token_grant(tokens: BasicTokenResponse) -> TokenGrant {
    let refresh = tokens.refresh_token();
    TokenGrant {
        access: tokens.access_token().secret().as_str().into(),
        lasts: tokens.expires_in(),
        refresh: refresh.map(|token| token.secret().as_str().into()),
    }
}

type AskError = RequestTokenError<site_lists::TransportError, oauth2::basic::BasicErrorResponse>;

/// Maps the library's error. Does not repeat an unreadable response, which may contain a token.
fn refusal(error: AskError) -> GrantError {
    match error {
        RequestTokenError::ServerResponse(said) => GrantError::Refused {
            code: said.error().to_string(),
            detail: said.error_description().cloned(),
        },
        RequestTokenError::Request(error) => GrantError::Failed(error.to_string()),
        RequestTokenError::Parse(..) => {
            GrantError::Failed("its answer holds no token that can be read".to_owned())
        }
        RequestTokenError::Other(reason) => GrantError::Failed(reason),
    }
}
