//! Lower case, by the browser's Unicode tables.
//!
//! The tables would otherwise be part of the download. Native tests use the standard library's.

/// A text in lower case. Each call crosses over to the browser: many texts had better be one.
#[must_use]
pub fn lower_case(text: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    return js_sys::JsString::from(text).to_lower_case().into();
    #[cfg(not(target_arch = "wasm32"))]
    text.to_lowercase()
}
