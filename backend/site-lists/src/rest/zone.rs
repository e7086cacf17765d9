//! The site's own time zone, asked for only where a list has columns of dates without a time.
//!
//! Kept by `Rest`. A date is a midnight there; which point in time that is, summer time
//! included, the site itself is asked, once for each date.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use super::{Rest, address, json};
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::Zone;
use crate::wire::Call;

#[derive(Default)]
pub(super) struct SiteZone {
    bias: Mutex<Option<i32>>,
    midnights: Mutex<HashMap<Date, Timestamp>>,
}

impl SiteZone {
    /// What is known so far.
    pub(super) fn known(&self) -> Zone {
        Zone {
            bias: *self.bias.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// What the site says of its zone, asked once.
    pub(super) async fn get(&self, rest: &Rest, call: Call) -> Result<Zone> {
        let known = self.known();
        if known.bias.is_some() {
            return Ok(known);
        }
        let url = address::api(&rest.site, "web/RegionalSettings/TimeZone")?;
        let answer = rest.get(call, url, ErrorKind::NotSupported).await;
        let answer = match answer {
            Ok(answer) => answer,
            // Without the right to read it, or on a site that has no such thing.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotSupported
                        | ErrorKind::Forbidden
                        | ErrorKind::Rejected
                        | ErrorKind::QueryRefused
                ) =>
            {
                return Ok(known);
            }
            Err(error) => return Err(error),
        };
        let zone = json::entity(&answer)?;
        let minutes = |name: &str| {
            zone.get("Information")
                .and_then(|all| all.get(name))
                .and_then(Value::as_i64)
        };
        let bias = minutes("Bias").map(|bias| bias + minutes("StandardBias").unwrap_or_default());
        let bias = bias.and_then(|bias| i32::try_from(bias).ok());
        *self.bias.lock().unwrap_or_else(PoisonError::into_inner) = bias;
        Ok(Zone { bias })
    }

    /// The point in time at which a date begins on the site.
    pub(super) async fn midnight(&self, rest: &Rest, call: Call, date: Date) -> Result<Timestamp> {
        let cached = self
            .midnights
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&date)
            .copied();
        if let Some(midnight) = cached {
            return Ok(midnight);
        }
        let zone = self.get(rest, call).await?;
        let midnight = match self.ask(rest, call, date).await? {
            Some(midnight) => midnight,
            None => zone.midnight(date).ok_or_else(|| {
                SiteError::new(
                    ErrorKind::InvalidValue,
                    format!("{date} is no date that a list can hold."),
                )
            })?,
        };
        self.midnights
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(date, midnight);
        Ok(midnight)
    }

    async fn ask(&self, rest: &Rest, call: Call, date: Date) -> Result<Option<Timestamp>> {
        let local = address::in_query(&format!("'{date}T00:00:00'"));
        let url = address::api(
            &rest.site,
            &format!("web/RegionalSettings/TimeZone/LocalTimeToUTC(@d)?@d={local}"),
        )?;
        let answer = match rest.get(call, url, ErrorKind::NotSupported).await {
            Ok(answer) => answer,
            Err(error)
                if error.status().is_some_and(|status| status < 600)
                    && error.kind() != ErrorKind::Throttled
                    && error.kind() != ErrorKind::SignInRefused =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let entity = json::entity(&answer)?;
        let text = entity
            .get("value")
            .or_else(|| entity.get("LocalTimeToUTC"))
            .and_then(Value::as_str);
        Ok(text.and_then(|text| {
            let zoned = if text.ends_with('Z') {
                text.to_owned()
            } else {
                format!("{text}Z")
            };
            zoned.parse().ok()
        }))
    }
}
