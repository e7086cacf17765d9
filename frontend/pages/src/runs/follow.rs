//! Follows a run as it goes on: by its stream, and by asking now and then where that does not
//! come through.
//!
//! A stream that breaks off is opened again; until it is, the run is asked for, so that a proxy
//! that holds streams back costs a few seconds and nothing else. Ends with the run, or when the
//! page is left.

use std::cell::Cell;
use std::rc::Rc;

use checklist_shared::wire::workflow::{Run, RunAnswer};
use gloo_net::http::RequestBuilder;
use js_sys::{Array, Promise, Reflect, Uint8Array};
use leptos::prelude::*;
use leptos::web_sys::{AbortController, ReadableStreamDefaultReader};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::call;
use super::events::Events;
use super::page::Page;
use crate::api;

/// A stream that says nothing for so long is not there any more: the server says something
/// every 15 seconds.
const SILENCE: u32 = 40_000;
/// The pauses between two tries, in milliseconds: the first, and the longest.
const PAUSES: (u32, u32) = (500, 8_000);
/// After so many tries that came to nothing the page says that it is out of touch.
const PATIENCE: u32 = 3;

/// Follows the run of a page from now on until it ends or the page is left.
pub fn follow(page: Page) {
    let left = Rc::new(Cell::new(false));
    let open = AbortController::new().ok();
    let ended = SendWrapper::new((Rc::clone(&left), open.clone()));
    on_cleanup(move || {
        let (left, open) = ended.take();
        left.set(true);
        if let Some(open) = open {
            open.abort();
        }
    });
    spawn_local(async move {
        let mut failures = 0;
        while !left.get() {
            let heard = stream(page, open.as_ref(), &left).await;
            failures = if heard { 0 } else { failures + 1 };
            if left.get() || page.is_over() {
                break;
            }
            // Whoever is signed in no longer is asked here to sign in again.
            let asked = page.id.with_value(|id| call(id, "?Limit=1"));
            match api::get::<RunAnswer>(page.app, &asked).await {
                Ok(answer) => {
                    page.hear(answer.run);
                    page.out_of_touch.try_set(false);
                }
                Err(_) if left.get() => break,
                Err(_) => {
                    page.out_of_touch.try_set(failures >= PATIENCE);
                }
            }
            if left.get() || page.is_over() {
                break;
            }
            let pause = PAUSES.0 * 2_u32.pow(failures.min(5));
            sleep(pause.min(PAUSES.1)).await;
        }
    });
}

/// Reads the stream to its end; whether it told anything.
async fn stream(page: Page, open: Option<&AbortController>, left: &Cell<bool>) -> bool {
    let url = page.id.with_value(|id| api::address(&call(id, "/Events")));
    let signal = open.map(AbortController::signal);
    let sent = RequestBuilder::new(&url)
        .header("Accept", "text/event-stream")
        .abort_signal(signal.as_ref())
        .send();
    let Ok(response) = sent.await else {
        return false;
    };
    let Some(body) = response.body().filter(|_| response.ok()) else {
        return false;
    };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let (mut events, mut heard) = (Events::default(), false);
    while let Some(bytes) = piece(&reader).await {
        if left.get() {
            break;
        }
        for event in events.take(&bytes) {
            if event.name == "run"
                && let Ok(run) = serde_json::from_str::<Run>(&event.data)
            {
                heard = true;
                page.hear(run);
                page.out_of_touch.try_set(false);
            }
        }
    }
    // What is left of it is nobody's business any more.
    let _ = JsFuture::from(reader.cancel()).await;
    heard
}

/// The next bytes; none at the end, when it breaks off, and when nothing comes for too long.
async fn piece(reader: &ReadableStreamDefaultReader) -> Option<Vec<u8>> {
    let silence = after(SILENCE);
    let first = Promise::race(&Array::of2(&reader.read(), &silence));
    let read = JsFuture::from(first).await.ok()?;
    let value = Reflect::get(&read, &JsValue::from_str("value")).ok()?;
    let bytes: Uint8Array = value.dyn_into().ok()?;
    Some(bytes.to_vec())
}

fn after(millis: u32) -> Promise {
    Promise::new(&mut |resolve, _| {
        let done = move || {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        };
        checklist_control::browser::set_timeout(millis, Box::new(done));
    })
}

/// Waits.
pub async fn sleep(millis: u32) {
    // Nothing rejects it.
    let _ = JsFuture::from(after(millis)).await;
}
