//! Asks the browser's authenticators: `navigator.credentials`, with options and answers as JSON.
//!
//! Called by reflection, because the methods that read and write JSON are newer than the bindings.
//! A browser without them has no passkeys as far as the pages are concerned.

use js_sys::{Function, JSON, Object, Promise, Reflect};
use leptos::web_sys::window;
use serde_json::Value;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What is asked for.
#[derive(Clone, Copy)]
pub enum Ceremony {
    /// A new passkey.
    Create,
    /// A signature with one that is there.
    Get,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The person has cancelled, or taken too long.
    Cancelled,
    /// The authenticator has a passkey of this person already.
    Present,
    /// The page was opened at another address than the one that passkeys are for.
    Elsewhere,
    /// The browser or the authenticator cannot do it.
    Failed,
}

impl Ceremony {
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Create => ("create", "parseCreationOptionsFromJSON"),
            Self::Get => ("get", "parseRequestOptionsFromJSON"),
        }
    }
}

/// Whether the browser has passkeys on this page.
#[must_use]
pub fn is_supported() -> bool {
    credential_class().is_some_and(|class| {
        let has = |ceremony: Ceremony| method(&class, ceremony.names().1).is_some();
        has(Ceremony::Create) && has(Ceremony::Get)
    })
}

/// Runs a ceremony with the server's options. Returns what the authenticator has answered.
pub async fn ask(ceremony: Ceremony, options: &Value) -> Result<Value, Refusal> {
    let answer = start(ceremony, options).ok_or(Refusal::Failed)?;
    let answer = JsFuture::from(answer)
        .await
        .map_err(|error| refusal(&error))?;
    let json = method(&answer, "toJSON").and_then(|to_json| to_json.call0(&answer).ok());
    let text = json.and_then(|json| JSON::stringify(&json).ok());
    text.and_then(|text| serde_json::from_str(&String::from(text)).ok())
        .ok_or(Refusal::Failed)
}

fn start(ceremony: Ceremony, options: &Value) -> Option<Promise> {
    let (name, parser) = ceremony.names();
    let class = credential_class()?;
    let options = JSON::parse(&options.to_string()).ok()?;
    let options = method(&class, parser)?.call1(&class, &options).ok()?;
    let wish = Object::new();
    Reflect::set(&wish, &"publicKey".into(), &options).ok()?;
    let credentials = property(window()?.navigator().as_ref(), "credentials")?;
    let promise = method(&credentials, name)?
        .call1(&credentials, &wish)
        .ok()?;
    promise.dyn_into().ok()
}

fn refusal(error: &JsValue) -> Refusal {
    let name = property(error, "name").and_then(|name| name.as_string());
    match name.as_deref() {
        Some("NotAllowedError" | "AbortError") => Refusal::Cancelled,
        Some("InvalidStateError") => Refusal::Present,
        Some("SecurityError") => Refusal::Elsewhere,
        _ => Refusal::Failed,
    }
}

fn credential_class() -> Option<JsValue> {
    property(window()?.as_ref(), "PublicKeyCredential")
}

fn property(of: &JsValue, name: &str) -> Option<JsValue> {
    let value = Reflect::get(of, &name.into()).ok()?;
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

fn method(of: &JsValue, name: &str) -> Option<Function> {
    property(of, name)?.dyn_into().ok()
}
