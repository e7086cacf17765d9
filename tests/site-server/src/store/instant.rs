//! The instant that somebody's date means.
//!
//! Asked by `value`, for what is stored, and by `odata::filter`, for what is compared. Knows nothing
//! of sites, so that the fuzz targets can bring it along with the filters.

use jiff::Timestamp;
use jiff::civil;
use jiff::tz::TimeZone;

/// The instant that a date in one of the protocol's forms means; without a zone it is the site's.
#[must_use]
pub fn instant(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let local = text
        .parse::<civil::DateTime>()
        .ok()
        .or_else(|| text.parse::<civil::Date>().ok().map(civil::Date::into))?;
    local
        .to_zoned(zone.clone())
        .ok()
        .map(|zoned| zoned.timestamp())
}
