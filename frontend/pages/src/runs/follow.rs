//! Follows a run by its event stream, and by polling where the stream does not come through.
//!
//! A stream that breaks off is opened again; until it is, the run is polled, so that a proxy that
//! buffers streams costs a few seconds only. Ends with the run, or when the page is left.

use std::cell::Cell;
use std::rc::Rc;

use checklist_control::api::js;
use checklist_shared::wire::workflow::Run;
use gloo_net::http::RequestBuilder;
use js_sys::{Array, Promise, Reflect, Uint8Array};
use leptos::web_sys::{AbortController, ReadableStreamDefaultReader};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::events::Events;
use super::state::RunPage;
use crate::kit::*;

/// How long a stream may be silent, in milliseconds: the server sends something every 15 seconds.
const STREAM_TIMEOUT: u32 = 40_000;
/// The first delay between two attempts, in milliseconds; it doubles up to the longest one.
const MIN_DELAY: u32 = 500;
const MAX_DELAY: u32 = 8_000;
/// After how many failed attempts the page says that it is disconnected.
const MAX_SILENT_FAILURES: u32 = 3;

/// Follows the run of a page from now on.
pub fn follow(page: RunPage) {
    let is_left = Rc::new(Cell::new(false));
    let controller = AbortController::new().ok();
    let cleanup = SendWrapper::new((Rc::clone(&is_left), controller.clone()));
    on_cleanup(move || {
        let (is_left, controller) = cleanup.take();
        is_left.set(true);
        if let Some(controller) = controller {
            controller.abort();
        }
    });
    spawn_local(async move {
        let mut failures = 0;
        while !is_left.get() {
            let has_streamed = read_stream(page, controller.as_ref(), &is_left).await;
            failures = if has_streamed { 0 } else { failures + 1 };
            if is_left.get() || page.is_over() {
                break;
            }
            // This call asks for a new sign-in where the session has ended.
            let is_connected = page.refresh().await;
            if is_left.get() || page.is_over() {
                break;
            }
            if is_connected || failures >= MAX_SILENT_FAILURES {
                page.is_disconnected.set(!is_connected);
            }
            let delay = MIN_DELAY * 2_u32.pow(failures.min(5));
            sleep(delay.min(MAX_DELAY)).await;
        }
    });
}

/// Reads the stream to its end. Says whether it had a revision of the run.
async fn read_stream(
    page: RunPage,
    controller: Option<&AbortController>,
    is_left: &Cell<bool>,
) -> bool {
    let signal = controller.map(AbortController::signal);
    let request = RequestBuilder::new(&api::address(&page.call("/Events")))
        .header("Accept", "text/event-stream")
        .abort_signal(signal.as_ref());
    let Ok(response) = request.send().await else {
        return false;
    };
    let Some(body) = response.body().filter(|_| response.ok()) else {
        return false;
    };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let (mut events, mut has_run) = (Events::default(), false);
    while let Some(bytes) = read_chunk(&reader).await {
        if is_left.get() {
            break;
        }
        for event in events.take(&bytes) {
            if event.name == "run"
                && let Ok(run) = js::read_text::<Run>(&event.data)
            {
                has_run = true;
                page.update(run);
                page.is_disconnected.try_set(false);
            }
        }
    }
    // The rest of the stream does not matter, nor does an error of closing it.
    let _ = JsFuture::from(reader.cancel()).await;
    has_run
}

/// The next bytes; none at the end, on an error, and after a timeout.
async fn read_chunk(reader: &ReadableStreamDefaultReader) -> Option<Vec<u8>> {
    let first = Promise::race(&Array::of2(&reader.read(), &timeout(STREAM_TIMEOUT)));
    let chunk = JsFuture::from(first).await.ok()?;
    let value = Reflect::get(&chunk, &JsValue::from_str("value")).ok()?;
    let bytes: Uint8Array = value.dyn_into().ok()?;
    Some(bytes.to_vec())
}
