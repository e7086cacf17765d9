//! A real identity provider (OpenID Connect) as a process of its own, and people who sign in there.
//!
//! `cargo xtask test` fetches it; `tests/oidc/provider.js` is how it is set up: whoever types a
//! name is that person, programs get access tokens.

use std::path::PathBuf;
use std::process::Command;

use rcgen::{CertificateParams, KeyPair};
use reqwest::Method;
use reqwest::blocking::RequestBuilder;
use serde_json::Value;
use tempfile::TempDir;

use crate::client::{Answer, Http, json, send};
use crate::process::Process;
use crate::server::Server;
use crate::setup::Setup;

/// What access tokens for the server under test are issued for.
pub const AUDIENCE: &str = "https://checks.example/api";
/// The resource that a usual access token is asked for.
pub const USUAL: &str = "https://checks.example/api";
/// The resource whose access tokens live two seconds.
pub const SHORT: &str = "https://checks.example/short";
/// The resource whose access tokens are for another service.
pub const OTHER: &str = "https://checks.example/other";
/// The client that browsers sign in with.
pub const CLIENT: &str = "checklist";
/// Every client's secret.
pub const SECRET: &str = "a-secret-of-the-tests";

/// An identity provider that answers.
pub struct IdentityProvider {
    /// Its identifier, where it is reached.
    pub issuer: String,
    process: Option<Process>,
}

impl IdentityProvider {
    /// A fresh one, with a key of its own.
    ///
    /// # Panics
    /// When it was not fetched; the message says how.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        Self::on_port("0")
    }

    #[track_caller]
    fn on_port(port: &str) -> Self {
        let folder = std::env::var_os("CHECKLIST_OIDC").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/tools/oidc"),
            PathBuf::from,
        );
        let program = folder.join("provider.js");
        assert!(
            folder.join("node_modules").is_dir(),
            "there is no identity provider at {}; `cargo xtask test` fetches it, or name its folder in CHECKLIST_OIDC",
            folder.display()
        );
        let node = std::env::var_os("CHECKLIST_NODE").unwrap_or_else(|| "node".into());
        let mut process = Process::start(Command::new(node).arg(program).arg(port));
        let issuer = process.says("listening on ");
        Self {
            issuer,
            process: Some(process),
        }
    }

    /// The setup of a server that takes its tokens and lets browsers sign in with it.
    ///
    /// # Panics
    /// When the client's secret cannot be written down.
    #[must_use]
    #[track_caller]
    pub fn trusted_by(&self, setup: Setup) -> Setup {
        // Lies where the test's servers have their data; the test's end takes it away.
        let folder = TempDir::new().expect("a temporary directory");
        let secret = folder.path().join("client-secret");
        std::fs::write(&secret, SECRET).expect("the test's own directory");
        let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&secret, own).expect("the test's own file");
        let setup = setup
            .argument("--oidc-issuer")
            .argument(&self.issuer)
            .argument("--oidc-audience")
            .argument(AUDIENCE)
            .argument("--oidc-client-id")
            .argument(CLIENT)
            .argument("--oidc-client-secret-file")
            .argument(&secret.display().to_string());
        setup.keeping(folder)
    }

    /// Ends it and starts it again at the same address, with another key.
    #[track_caller]
    pub fn restart_with_another_key(&mut self) {
        let port = self.issuer.rsplit(':').next().unwrap_or("0").to_owned();
        self.stop();
        *self = Self::on_port(&port);
    }

    /// Ends it.
    pub fn stop(&mut self) {
        // Dropping a process ends it.
        self.process = None;
    }

    /// A certificate of the client `site-app-certified` with its private key, as PEM.
    ///
    /// # Panics
    /// When the provider tells no key.
    #[must_use]
    #[track_caller]
    pub fn client_certificate(&self) -> String {
        self.certificate_of("/client-key")
    }

    /// The same of the client `site-app-certified-curve`, whose key is one of the curve P-256.
    ///
    /// # Panics
    /// When the provider tells no key.
    #[must_use]
    #[track_caller]
    pub fn client_certificate_of_curve(&self) -> String {
        self.certificate_of("/client-key-curve")
    }

    #[track_caller]
    fn certificate_of(&self, path: &str) -> String {
        let told = Http::to(&self.issuer).get(path).ok();
        let key = told["pem"].as_str().expect("a key");
        let pair = KeyPair::from_pem(key).expect("a key that is known");
        let subject = CertificateParams::new(["checklists.example".to_owned()]);
        let certificate = subject
            .expect("a name")
            .self_signed(&pair)
            .expect("a certificate");
        format!("{}{key}", certificate.pem())
    }

    /// From now on tokens of that person or program claim this beside the usual.
    #[track_caller]
    pub fn set_claims(&self, name: &str, claims: &Value) {
        let to = Http::to(&self.issuer);
        let request = to.request(Method::PUT, &format!("/claims/{name}"));
        send(json(request, claims)).ok();
    }

    /// How often tokens were given for that kind of grant (`refresh_token`).
    #[must_use]
    #[track_caller]
    pub fn granted(&self, kind: &str) -> u64 {
        let all = Http::to(&self.issuer).get("/granted").ok();
        all[kind].as_u64().unwrap_or(0)
    }

    /// The access token of a program, for a resource.
    ///
    /// # Panics
    /// When the provider gives none.
    #[must_use]
    #[track_caller]
    pub fn token_of(&self, program: &str, resource: &str) -> String {
        let request = Http::to(&self.issuer)
            .request(Method::POST, "/token")
            .basic_auth(program, Some(SECRET));
        let form = [("grant_type", "client_credentials"), ("resource", resource)];
        let token = send(as_form(request, &form)).ok();
        token["access_token"]
            .as_str()
            .expect("the provider gives a token")
            .to_owned()
    }
}

/// A browser without a window: it keeps cookies and goes where it is sent.
#[derive(Default)]
pub struct Visitor {
    /// Origin, name and value.
    cookies: Vec<(String, String, String)>,
}

impl Visitor {
    /// Signs in on the server as `name` and comes back to `page`; the last answer of the server.
    ///
    /// # Panics
    /// When the way does not lead there.
    #[track_caller]
    pub fn sign_in(&mut self, server: &Server, name: &str, page: &str) -> Answer {
        let callback = self.callback_of(server, name, page);
        self.get(&callback)
    }

    /// Signs in at the provider; the address that it sends back to.
    ///
    /// # Panics
    /// When the way does not lead there.
    #[track_caller]
    pub fn callback_of(&mut self, server: &Server, name: &str, page: &str) -> String {
        let begin = format!("{}/session/sign-in?ReturnTo={page}", server.base_url());
        self.sent_back(&begin, name, "/session/callback", false)
    }

    /// Follows the way to the provider, signs in there as `name` and agrees to what is asked; the
    /// address that it sends back to, which is not opened yet.
    ///
    /// # Panics
    /// When the way does not lead there.
    #[track_caller]
    pub fn agree(&mut self, address: &str, name: &str) -> String {
        self.sent_back(address, name, "/connections/callback", true)
    }

    /// Signs in at the provider, and agrees where it `agrees`; the address that it sends back to, in
    /// which is `end`.
    #[track_caller]
    fn sent_back(&mut self, address: &str, name: &str, end: &str, agrees: bool) -> String {
        let mut answer = self.get(address);
        for _ in 0..12 {
            let to = answer.header("location").to_owned();
            if to.contains(end) {
                return to;
            }
            answer = if answer.status == 200 {
                let page = answer.text();
                let form = form_in(page);
                if agrees && page.contains("value=\"consent\"") {
                    self.post(&form, &[("prompt", "consent")])
                } else {
                    self.post(
                        &form,
                        &[("prompt", "login"), ("login", name), ("password", "x")],
                    )
                }
            } else {
                assert!(!to.is_empty(), "{} {}", answer.status, answer.text());
                self.get(&to)
            };
        }
        panic!("the provider does not send back");
    }

    /// Keeps a cookie that another way of asking was given.
    pub fn keep_cookies_of(&mut self, server: &Server, answer: &Answer) {
        self.keep(&server.address_as_origin(), answer);
    }

    /// Opens a page.
    #[track_caller]
    pub fn get(&mut self, url: &str) -> Answer {
        self.visit(Method::GET, url, None)
    }

    #[track_caller]
    fn post(&mut self, url: &str, form: &[(&str, &str)]) -> Answer {
        self.visit(Method::POST, url, Some(form))
    }

    /// Who the server says has signed in.
    #[track_caller]
    pub fn session(&mut self, server: &Server) -> Answer {
        self.get(&format!("{}/session", server.base_url()))
    }

    /// The cookie that a server has set under that name, as `name=value`.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    #[track_caller]
    pub fn cookie(&self, server: &Server, name: &str) -> String {
        let origin = server.address_as_origin();
        let found = self
            .cookies
            .iter()
            .find(|(of, own, _)| *of == origin && own == name);
        let (_, name, value) = found.expect("the server has set that cookie");
        format!("{name}={value}")
    }

    /// Takes a cookie into another browser.
    #[must_use]
    pub fn without_cookies() -> Self {
        Self::default()
    }

    #[track_caller]
    fn visit(&mut self, method: Method, url: &str, form: Option<&[(&str, &str)]>) -> Answer {
        let (origin, path) = split(url);
        let mut request = Http::to(&origin).request(method, &path);
        let own: Vec<String> = self
            .cookies
            .iter()
            .filter(|(of, ..)| *of == origin)
            .map(|(_, name, value)| format!("{name}={value}"))
            .collect();
        if !own.is_empty() {
            request = request.header("cookie", own.join("; "));
        }
        if let Some(form) = form {
            request = as_form(request, form);
        }
        let mut answer = send(request);
        self.keep(&origin, &answer);
        let to = answer.header("location").to_owned();
        if to.starts_with('/') {
            let whole = format!("{origin}{to}");
            if let Ok(whole) = whole.parse() {
                answer.headers.insert("location", whole);
            }
        }
        answer
    }
}

impl Visitor {
    fn keep(&mut self, origin: &str, answer: &Answer) {
        for set in answer.headers.get_all("set-cookie") {
            let pair = set.to_str().unwrap_or_default().split(';').next();
            if let Some((name, value)) = pair.and_then(|pair| pair.split_once('=')) {
                self.cookies
                    .retain(|(of, own, _)| of != origin || own != name);
                if !value.is_empty() {
                    let cookie = (origin.to_owned(), name.to_owned(), value.to_owned());
                    self.cookies.push(cookie);
                }
            }
        }
    }
}

/// Origin and path of an address.
fn split(url: &str) -> (String, String) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    (format!("{scheme}://{host}"), format!("/{path}"))
}

fn form_in(page: &str) -> String {
    let (_, rest) = page.split_once("action=\"").expect("the page has a form");
    rest.split('"').next().unwrap_or_default().to_owned()
}

fn as_form(request: RequestBuilder, pairs: &[(&str, &str)]) -> RequestBuilder {
    let encoded = |text: &str| {
        let letters = text.bytes().map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        });
        letters.collect::<String>()
    };
    let body: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={}", encoded(value)))
        .collect();
    request
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body.join("&"))
}

/// The claims of a token, unverified.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn claims_of(token: &str) -> Value {
    jsonwebtoken::dangerous::insecure_decode_claims(token).expect("a token")
}
