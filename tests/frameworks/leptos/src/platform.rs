//! What the platform around the page gives it: where the server is, and tokens of its own. The
//! counterpart of `platform.ts` for the other pages. Nothing in it is of the control: every host
//! has its own way to its tokens.

use checklist_control::port::{LocalFuture, TokenReason};
use checklist_shared::Context;
use gloo_net::http::Request;
use leptos::prelude::window;
use serde_json::{Value, json};

/// The server that the address of the page names, as `?server=…`.
pub fn server() -> String {
    let search = window().location().search().unwrap_or_default();
    let (_, server) = search.split_once("server=").unwrap_or_default();
    server.to_owned()
}

/// A token of the platform for these lists, or in a sentence why there is none.
pub fn token(contexts: Vec<Context>, _reason: TokenReason) -> LocalFuture<Result<String, String>> {
    Box::pin(async move {
        let wish = json!({ "Contexts": contexts }).to_string();
        let request = Request::post("/token").body(wish);
        let answer = request.map_err(|error| error.to_string())?.send().await;
        let text = answer.map_err(|error| error.to_string())?.text().await;
        let text = text.map_err(|error| error.to_string())?;
        let answer: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        match answer["Token"].as_str() {
            Some(token) => Ok(token.to_owned()),
            None => Err("The platform gave no token.".to_owned()),
        }
    })
}
