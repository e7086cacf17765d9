//! Numbers as digits with a point, and back. In a browser by its own code: ours for that is larger than an
//! editor.

/// The digits of a number: `-4.5`.
#[must_use]
pub fn format(number: f64) -> String {
    #[cfg(target_arch = "wasm32")]
    return js_sys::Number::from(number)
        .to_string_with_radix(10)
        .map_or_else(|_| String::new(), Into::into);
    #[cfg(not(target_arch = "wasm32"))]
    number.to_string()
}

/// The number of such digits; `None` where there are none.
#[must_use]
pub fn parse(digits: &str) -> Option<f64> {
    #[cfg(target_arch = "wasm32")]
    let number = Some(js_sys::parse_float(digits));
    #[cfg(not(target_arch = "wasm32"))]
    let number: Option<f64> = digits.parse().ok();
    number.filter(|number| number.is_finite())
}
