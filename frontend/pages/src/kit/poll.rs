//! Reading again every few seconds while something is going on.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Calls `read` every `millis` while `is_due` is true and the page can be seen. Ends when `is_due`
/// is `None`: its signals are disposed, the page was left.
pub fn poll<R: Future<Output = ()>>(
    millis: u32,
    is_due: impl Fn() -> Option<bool> + 'static,
    read: impl Fn() -> R + 'static,
) {
    spawn_local(async move {
        loop {
            sleep(millis).await;
            match is_due() {
                None => return,
                Some(true) if checklist_control::browser::is_visible() => read().await,
                Some(_) => {}
            }
        }
    });
}

/// Waits.
pub async fn sleep(millis: u32) {
    // Nothing rejects it.
    let _ = JsFuture::from(timeout(millis)).await;
}

/// A promise that is resolved after some time.
pub fn timeout(millis: u32) -> Promise {
    Promise::new(&mut |resolve, _| {
        let resolve = move || {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        };
        checklist_control::browser::set_timeout(millis, Box::new(resolve));
    })
}
