//! Letters in lower case, by what the browser knows of the letters of the world.
//!
//! The tables for that would be a part of the download. Tests have those of the standard library.

/// A text in lower case. Each call crosses over to the browser: many texts had better be one.
#[must_use]
pub fn lower_case(text: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    return js_sys::JsString::from(text).to_lower_case().into();
    #[cfg(not(target_arch = "wasm32"))]
    text.to_lowercase()
}
