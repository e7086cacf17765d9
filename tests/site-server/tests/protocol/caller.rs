//! A caller of the site server: requests in one line, answers taken apart.

use checklist_site_server::{Options, SiteServer};
use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder};
use serde_json::{Value, json};

/// A server and somebody who talks to it.
pub struct Caller {
    pub server: SiteServer,
    client: Client,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        let body = serde_json::from_str(&self.text);
        body.unwrap_or_else(|error| panic!("{error} in {} {}", self.status, self.text))
    }

    /// A header as text, empty where it is missing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// Expects a status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// The number in a SharePoint error, e.g. `-2130575338`.
    #[track_caller]
    pub fn error_number(&self) -> String {
        let body = self.json();
        let error = body.get("odata.error").or_else(|| body.get("error"));
        let code = error.and_then(|error| error["code"].as_str());
        let code = code.unwrap_or_else(|| panic!("no error in {}", self.text));
        code.split(',').next().unwrap_or_default().to_owned()
    }

    /// The sentence of an error.
    #[track_caller]
    pub fn error_message(&self) -> String {
        let body = self.json();
        let error = body.get("odata.error").or_else(|| body.get("error"));
        let message = error
            .map(|error| error["message"].clone())
            .unwrap_or_default();
        let message = message.get("value").cloned().unwrap_or(message);
        message.as_str().unwrap_or_default().to_owned()
    }
}

impl Caller {
    /// With a server of the usual kind.
    pub fn new() -> Self {
        Self::of(Options::default())
    }

    /// With a server of that kind.
    pub fn of(options: Options) -> Self {
        let server = SiteServer::start(options).expect("a free port");
        let client = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none());
        let client = client.build().expect("a client");
        Self { server, client }
    }

    /// A request to the site, with a token, in bare JSON.
    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let url = if path.starts_with("http") {
            path.to_owned()
        } else if path.starts_with("/v1.0") || !path.starts_with("/_") {
            format!("{}{path}", self.server.origin())
        } else {
            format!("{}{path}", self.server.site_url())
        };
        self.client
            .request(method, url)
            .header("accept", "application/json;odata=nometadata")
            .header("authorization", "Bearer alice")
    }

    /// Reads.
    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        send(self.request("GET", path))
    }

    /// Sends a body.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        send(with_json(self.request("POST", path), body))
    }

    /// Sends a body with another method.
    #[track_caller]
    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        send(with_json(self.request("PATCH", path), body))
    }

    /// Takes something away.
    #[track_caller]
    pub fn delete(&self, path: &str) -> Answer {
        send(self.request("DELETE", path))
    }

    /// A new item of the computers; its id.
    #[track_caller]
    pub fn new_computer(&self, title: &str) -> u64 {
        let path = "/_api/web/lists/getByTitle('Computers')/items";
        let made = self.post(path, &json!({"Title": title})).expect(201);
        made.json()["Id"].as_u64().expect("a number")
    }

    /// The address of the site in Graph.
    pub fn graph_site(&self) -> String {
        let host = self.server.origin().replace("http://", "");
        let name = host.split(':').next().unwrap_or_default().to_owned();
        format!("/v1.0/sites/{name}:/sites/demo:")
    }
}

/// A request with a body in bare JSON.
pub fn with_json(request: RequestBuilder, body: &Value) -> RequestBuilder {
    request
        .header("content-type", "application/json;odata=nometadata")
        .body(body.to_string())
}

/// Sends a request.
#[track_caller]
pub fn send(request: RequestBuilder) -> Answer {
    let response = request.send().expect("an answer");
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().expect("a text"),
    }
}
