//! The origin of an address: scheme, host and port.

use url::Url;

/// The origin of a URL, as [`Egress::new`](crate::Egress::new) takes it; `None` for other schemes than http and https.
#[must_use]
pub fn origin_of(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}
