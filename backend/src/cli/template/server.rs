//! A running server, asked about templates by its web services.
//!
//! Invariant: whatever is written names the state that was read (`If-Match`), so that nobody's work is
//! overwritten unseen.

use std::fs;
use std::time::Duration;

use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use checklist_egress::Egress;
use checklist_shared::problem::{Problem, ProblemCode, Warning};
use checklist_shared::template::Template;
use checklist_shared::wire::admin::{TemplateBundle, TemplateHistory};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use site_lists::{Limits, TransportError};
use url::Url;

use super::options::ServerOptions;
use crate::config::{Exit, StartupError};
use crate::http::paths::PREFIX;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    bytes: 64 * 1024 * 1024,
};

/// The web services of a server, asked with an API key.
pub struct Server {
    egress: Egress,
    base: Url,
    key: SecretString,
}

/// A template as the server has it.
pub struct StoredTemplate {
    pub history: TemplateHistory,
    /// The state that was read; none where there is no such template.
    state: Option<HeaderValue>,
}

/// What a publication has made.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Published {
    pub version: u32,
    #[serde(default)]
    warnings: Vec<Warning>,
}

impl Published {
    /// What the author may not have meant.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(|warning| warning.detail.as_str())
    }
}

impl Server {
    /// The server that the command line names. Nothing is asked yet.
    ///
    /// # Errors
    /// There is no key, or its file cannot be read.
    pub fn of(options: &ServerOptions) -> Result<Self, StartupError> {
        let key = match &options.api_key_file {
            Some(file) => fs::read_to_string(file).map(SecretString::from).map_err(|error| {
                StartupError::configuration(
                    format!("{} cannot be read: {error}.", file.display()),
                    "Name a file with an API key.",
                )
            })?,
            None => options.api_key().cloned().ok_or_else(|| {
                StartupError::configuration(
                    "There is no API key.",
                    "Name a file with --api-key-file, or set CHECKLIST_API_KEY; `checklist-server key add --role template-admin` makes one.",
                )
            })?,
        };
        // The operator names the server, at whatever address it is.
        let origin = options.server.origin().ascii_serialization();
        let egress = Egress::new([origin]).map_err(|error| unreached(&options.server, &error))?;
        Ok(Self {
            egress,
            base: options.server.clone(),
            key: SecretString::from(key.expose_secret().trim()),
        })
    }

    /// The newest published version of every template.
    ///
    /// # Errors
    /// The server does not give them.
    pub async fn published(&self) -> Result<Vec<Template>, StartupError> {
        let request = self.request(Method::GET, &["Templates", "Export"], Vec::new(), None);
        let bundle: TemplateBundle = read(&self.ask(request).await?)?;
        Ok(bundle.templates)
    }

    /// A template with its draft and its newest published version, or that there is none.
    ///
    /// # Errors
    /// The server does not say.
    pub async fn template(&self, id: &str) -> Result<StoredTemplate, StartupError> {
        let request = self.request(Method::GET, &["Templates", id], Vec::new(), None);
        let answer = self.send(request).await?;
        if answer.status() == StatusCode::NOT_FOUND && is_no_template(&answer) {
            return Ok(StoredTemplate {
                history: TemplateHistory {
                    id: id.to_owned(),
                    draft: None,
                    published: None,
                    retired_at: None,
                    versions: Vec::new(),
                },
                state: None,
            });
        }
        let answer = accepted(answer)?;
        Ok(StoredTemplate {
            history: read(&answer)?,
            state: answer.headers().get(ETAG).cloned(),
        })
    }

    /// Writes a draft over the state that was read; gives the state that it has then.
    ///
    /// # Errors
    /// The server does not take it.
    pub async fn put_draft(
        &self,
        draft: Template,
        stored: &StoredTemplate,
    ) -> Result<Option<HeaderValue>, StartupError> {
        let condition = match &stored.state {
            Some(state) => (IF_MATCH, state.clone()),
            None => (IF_NONE_MATCH, HeaderValue::from_static("*")),
        };
        let path = ["Templates", &draft.id];
        let body = serde_json::to_vec(&draft).unwrap_or_default();
        let request = self.request(Method::PUT, &path, body, Some(condition));
        let answer = self.ask(request).await?;
        Ok(answer.headers().get(ETAG).cloned())
    }

    /// Publishes the draft that was written.
    ///
    /// # Errors
    /// The server does not publish it, for example because somebody has changed it meanwhile.
    pub async fn publish(
        &self,
        id: &str,
        state: Option<HeaderValue>,
    ) -> Result<Published, StartupError> {
        let path = ["Templates", id, "Publish"];
        let condition = state.map(|state| (IF_MATCH, state));
        let request = self.request(Method::POST, &path, Vec::new(), condition);
        read(&self.ask(request).await?)
    }

    fn request(
        &self,
        method: Method,
        path: &[&str],
        body: Vec<u8>,
        condition: Option<(HeaderName, HeaderValue)>,
    ) -> Result<Request<Vec<u8>>, StartupError> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty();
            segments.extend(PREFIX.trim_start_matches('/').split('/'));
            segments.extend(path);
        }
        let mut request = Request::builder()
            .method(method)
            .uri(url.as_str())
            .header(
                AUTHORIZATION,
                format!("Bearer {}", self.key.expose_secret()),
            )
            .header(ACCEPT, "application/json");
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        if let Some((name, value)) = condition {
            request = request.header(name, value);
        }
        request.body(body).map_err(|_| {
            StartupError::configuration(
                "The API key has characters that no key has.",
                "It begins with ck_ and is one line.",
            )
        })
    }

    async fn ask(
        &self,
        request: Result<Request<Vec<u8>>, StartupError>,
    ) -> Result<Response<Vec<u8>>, StartupError> {
        accepted(self.send(request).await?)
    }

    async fn send(
        &self,
        request: Result<Request<Vec<u8>>, StartupError>,
    ) -> Result<Response<Vec<u8>>, StartupError> {
        let sent = self.egress.send(request?, LIMITS).await;
        sent.map_err(|error| unreached(&self.base, &error))
    }
}

fn unreached(server: &Url, error: &TransportError) -> StartupError {
    StartupError::new(
        Exit::Failed,
        format!("{server} was not reached: {error}."),
        "Compare the address with the one that `serve` prints; --ca-file names an authority of your own.",
    )
}

fn problem(answer: &Response<Vec<u8>>) -> Option<Problem> {
    serde_json::from_slice(answer.body()).ok()
}

/// Whether the server says that there is no such template, and not that there is no such address.
fn is_no_template(answer: &Response<Vec<u8>>) -> bool {
    problem(answer).is_some_and(|problem| problem.code == ProblemCode::TemplateNotFound)
}

fn accepted(answer: Response<Vec<u8>>) -> Result<Response<Vec<u8>>, StartupError> {
    if answer.status().is_success() {
        return Ok(answer);
    }
    let Some(problem) = problem(&answer) else {
        return Err(no_server());
    };
    let mut sentence = format!("The server refuses: {}", problem.title);
    for said in problem
        .detail
        .iter()
        .chain(problem.errors.iter().map(|error| &error.detail))
    {
        sentence.push_str(": ");
        sentence.push_str(said.trim_end_matches('.'));
    }
    sentence.push('.');
    let hint = match answer.status() {
        StatusCode::UNAUTHORIZED => "Make another key with `checklist-server key add`.",
        StatusCode::FORBIDDEN => "The key needs the permission Templates (role template-admin).",
        StatusCode::PRECONDITION_FAILED => {
            "Somebody has changed it meanwhile; compare again with `diff`."
        }
        _ => "What was published before stays published; `diff` says what is left.",
    };
    Err(StartupError::new(Exit::Failed, sentence, hint))
}

fn read<T: DeserializeOwned>(answer: &Response<Vec<u8>>) -> Result<T, StartupError> {
    serde_json::from_slice(answer.body()).map_err(|_| no_server())
}

fn no_server() -> StartupError {
    StartupError::new(
        Exit::Failed,
        "Something else than a checklist server answers at that address.",
        "--server takes the base URL, as `serve` prints it.",
    )
}
