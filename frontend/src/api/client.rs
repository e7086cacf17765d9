//! Makes one call and returns its answer.
//!
//! Knows the reader's language, the token, and what a refusal says. It never retries; the model decides that (`model::policy`).

use std::rc::Rc;

use checklist_shared::language_tag::is_language_tag;
use checklist_shared::problem::ProblemCode;
use gloo_net::http::Request as HttpRequest;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::requests::Request;
use super::transport::{self, API_PATH, NetworkError, Response, address};
use crate::model::error::{Error, Problem};
use crate::port::{TokenCallback, TokenReason};

/// The problem whose answer lists the obstacles.
const NOT_APPLIED: &str = ProblemCode::NotApplied.name();

/// Gives a token, or a sentence why there is none.
pub type Tokens = Rc<dyn Fn(TokenReason, TokenCallback)>;

/// How a control reaches its server. No call can be made without saying in which language the reader
/// gets the answer.
#[derive(Clone)]
pub struct Connection {
    /// Where the web services live, without `/api/…`; a trailing slash does not matter.
    pub base_url: String,
    /// The reader's language. What is no language tag is not sent, because the server refuses it.
    pub language: String,
    /// The source of tokens.
    pub tokens: Tokens,
}

/// What becomes of a token that the server refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// It is renewed once, and the call made again.
    Here,
    /// The caller judges that; the token of this attempt is asked for with this reason.
    ByCaller(TokenReason),
}

/// The result of a call.
pub struct Answer<T> {
    /// The answer, or why there is none.
    pub result: Result<T, Error>,
    /// The token that was used; it says who we are.
    pub token: String,
}

/// Makes a call and hands its answer on. By callbacks up to the one function that waits for the
/// network: a future for each type of request would be compiled for each.
pub fn call<R: Request>(
    connection: &Connection,
    request: R,
    renewal: Renewal,
    done: impl FnOnce(Answer<R::Answer>) + 'static,
) {
    let language = Some(&*connection.language).filter(|tag| is_language_tag(tag));
    let language = language.unwrap_or_default();
    let exchange = PendingCall {
        tokens: Rc::clone(&connection.tokens),
        url: address(&connection.base_url, API_PATH, &request.address(language)),
        body: request.body(language),
        reason: match renewal {
            Renewal::Here => TokenReason::Call,
            Renewal::ByCaller(reason) => reason,
        },
        renews: renewal == Renewal::Here,
        done: Box::new(move |answer: Answer<JsValue>| {
            done(Answer {
                result: answer.result.and_then(R::read),
                token: answer.token,
            });
        }),
    };
    exchange.begin();
}

/// A call on its way.
struct PendingCall {
    tokens: Tokens,
    url: String,
    body: Option<String>,
    reason: TokenReason,
    renews: bool,
    done: Box<dyn FnOnce(Answer<JsValue>)>,
}

impl PendingCall {
    fn begin(self) {
        let (tokens, reason) = (Rc::clone(&self.tokens), self.reason);
        let sent = move |token: Result<String, String>| match token {
            Ok(token) => spawn_local(async move {
                let result = self.send(&token).await;
                self.finish(token, result);
            }),
            Err(sentence) => self.finish(String::new(), Err(Error::Token(sentence))),
        };
        tokens(reason, Box::new(sent));
    }

    async fn send(&self, token: &str) -> Result<JsValue, Error> {
        let mut request = match self.body {
            Some(_) => HttpRequest::post(&self.url).header("Content-Type", "application/json"),
            None => HttpRequest::get(&self.url),
        };
        if !token.is_empty() {
            // The browser throws at what no header can hold.
            if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(Error::Token(String::new()));
            }
            request = request.header("Authorization", &["Bearer ", token].concat());
        }
        let request = match &self.body {
            Some(body) => request.body(body.as_str()),
            None => request.build(),
        };
        let response = transport::send(request).await;
        judge(response.map_err(|NetworkError| Error::Network)?)
    }

    /// Hands the answer on, unless its token was refused and another may do.
    fn finish(mut self, token: String, result: Result<JsValue, Error>) {
        let refused = matches!(&result, Err(error) if error.asks_for_other_token());
        if refused && self.renews && self.reason == TokenReason::Call {
            self.reason = TokenReason::Renew;
            self.begin();
        } else {
            (self.done)(Answer { result, token });
        }
    }
}

/// What a response says.
fn judge(response: Response) -> Result<JsValue, Error> {
    if response.is_success() {
        return response.body.ok_or_else(Error::no_json);
    }
    let problem = Problem {
        status: response.status(),
        retry_after: response.retry_after(),
        ..response.problem()
    };
    // Nothing of the request was applied; the obstacles are listed item by item, as in an
    // answer of which something was.
    if problem.status == 409 && problem.code == NOT_APPLIED {
        return Ok(response.body.unwrap_or_default());
    }
    Err(Error::Problem(problem))
}
