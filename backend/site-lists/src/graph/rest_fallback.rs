//! The same site over SharePoint REST, for what Microsoft Graph cannot do: writing links, ensuring
//! users, telling the time zone.
//!
//! Invariant: asked only with `SiteOptions::uses_rest_fallback` and with a `TokenSource`, because it
//! needs tokens for another audience.

use std::sync::{Arc, OnceLock};

use http::HeaderValue;
use url::Url;

use crate::authentication;
use crate::client::SiteClient;
use crate::connection::SiteConnection;
use crate::current_user::SignInCheck;
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::SiteOptions;
use crate::rest::RestSession;
use crate::transport::Transport;

pub(super) struct RestFallback {
    connection: SiteConnection,
    transport: Arc<dyn Transport>,
    options: SiteOptions,
    rest: OnceLock<RestSession>,
}

impl RestFallback {
    pub(super) fn new(
        connection: SiteConnection,
        transport: Arc<dyn Transport>,
        options: SiteOptions,
    ) -> Self {
        Self {
            connection,
            transport,
            options,
            rest: OnceLock::new(),
        }
    }

    /// The site at its own address; `None` where there are no tokens for it.
    pub(super) fn rest(&self, web_url: Option<&str>) -> Result<Option<&RestSession>> {
        if let Some(rest) = self.rest.get() {
            return Ok(Some(rest));
        }
        let (Some(web_url), Some(_)) = (web_url, &self.options.tokens) else {
            return Ok(None);
        };
        let unfit = || {
            SiteError::new(
                ErrorKind::UnexpectedResponse,
                format!("The site's own address, {web_url}, is none that is asked."),
            )
        };
        let url = Url::parse(web_url.trim_end_matches('/')).map_err(|_| unfit())?;
        if url.scheme() != "https" {
            return Err(unfit());
        }
        let connection = SiteConnection {
            url: url.to_string(),
            ..self.connection.clone()
        };
        let user_agent = HeaderValue::from_str(&self.options.user_agent).map_err(|_| unfit())?;
        let http = SiteClient::new(
            Arc::clone(&self.transport),
            authentication::authenticator_for(&connection, &url, &self.options)?,
            connection.attempt_timeout()?,
            self.options.max_response_bytes,
            user_agent,
            url.origin(),
            Some(SignInCheck::for_rest(&url, None)?),
        );
        Ok(Some(
            self.rest
                .get_or_init(|| RestSession::new(Arc::new(http), url)),
        ))
    }
}
