//! The site's time zone, asked for only where a list has date-only columns, and the points in time at
//! which dates begin there.
//!
//! A site's bias says nothing of daylight saving time, so `LocalTimeToUTC` is asked, once for each
//! date.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::client::RestClient;
use super::{batch_read, json};
use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::Zone;
use crate::mutex::lock;
use crate::odata_url;
use crate::response::SiteResponse;

#[derive(Default)]
pub(super) struct TimeZoneCache {
    bias: Mutex<Option<i32>>,
    midnights: Mutex<HashMap<Date, Timestamp>>,
}

impl TimeZoneCache {
    /// What is known so far.
    pub(super) fn cached_bias(&self) -> Zone {
        Zone {
            bias: *lock(&self.bias),
        }
    }

    /// The site's bias, requested once.
    pub(super) async fn get(&self, client: &RestClient, deadline: Deadline) -> Result<Zone> {
        let known = self.cached_bias();
        if known.bias.is_some() {
            return Ok(known);
        }
        let url = odata_url::api(&client.site, "web/RegionalSettings/TimeZone")?;
        let response = client.get(deadline, url, ErrorKind::NotSupported).await;
        let response = match response {
            Ok(response) => response,
            // Without the right to read it, or on a site that has no such thing.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotSupported
                        | ErrorKind::Forbidden
                        | ErrorKind::Rejected
                        | ErrorKind::Failed
                        | ErrorKind::QueryRefused
                ) =>
            {
                return Ok(known);
            }
            Err(error) => return Err(error),
        };
        let zone = json::entity(&response)?;
        let minutes = |name: &str| {
            zone.get("Information")
                .and_then(|all| all.get(name))
                .and_then(Value::as_i64)
        };
        let bias = minutes("Bias").map(|bias| bias + minutes("StandardBias").unwrap_or_default());
        let bias = bias.and_then(|bias| i32::try_from(bias).ok());
        *lock(&self.bias) = bias;
        Ok(Zone { bias })
    }

    /// Asks for the beginnings of all these dates that are not known yet.
    pub(super) async fn prefetch(
        &self,
        client: &RestClient,
        deadline: Deadline,
        dates: &BTreeSet<Date>,
    ) -> Result<()> {
        let unknown: Vec<Date> = {
            let known = lock(&self.midnights);
            let unknown = dates.iter().filter(|date| !known.contains_key(date));
            unknown.copied().collect()
        };
        let reads = unknown
            .iter()
            .map(|date| batch_read::read_part(client, &local_time_path(*date)))
            .collect::<Result<Vec<_>>>()?;
        let responses = batch_read::send_all(client, deadline, &reads).await?;
        for (date, response) in unknown.into_iter().zip(responses) {
            let midnight = match parse_midnight(&response, date)? {
                Some(midnight) => Some(midnight),
                None => self
                    .get(client, client.http.new_deadline())
                    .await?
                    .midnight(date),
            };
            let mut known = lock(&self.midnights);
            known.extend(midnight.map(|midnight| (date, midnight)));
        }
        Ok(())
    }

    /// The point in time at which a date begins on the site.
    pub(super) async fn midnight(
        &self,
        client: &RestClient,
        deadline: Deadline,
        date: Date,
    ) -> Result<Timestamp> {
        self.prefetch(client, deadline, &BTreeSet::from([date]))
            .await?;
        let known = lock(&self.midnights);
        known.get(&date).copied().ok_or_else(|| {
            SiteError::new(
                ErrorKind::InvalidValue,
                format!("{date} is no date that a list can hold."),
            )
        })
    }
}

fn local_time_path(date: Date) -> String {
    let local = odata_url::in_query(&format!("'{date}T00:00:00'"));
    format!("web/RegionalSettings/TimeZone/LocalTimeToUTC(@d)?@d={local}")
}

/// The midnight in a response; `None` where the site does not know the function.
fn parse_midnight(response: &SiteResponse, date: Date) -> Result<Option<Timestamp>> {
    if !response.is_success() {
        let error = response.to_error(ErrorKind::NotSupported);
        return match error.kind() {
            ErrorKind::Throttled | ErrorKind::SignInRefused => Err(error),
            _ => Ok(None),
        };
    }
    let entity = json::entity(response)?;
    let text = entity
        .get("value")
        .or_else(|| entity.get("LocalTimeToUTC"))
        .and_then(Value::as_str);
    let parsed: Option<Timestamp> = text.and_then(|text| {
        let zoned = if text.ends_with('Z') {
            text.to_owned()
        } else {
            format!("{text}Z")
        };
        zoned.parse().ok()
    });
    // No zone is further from UTC than this; anything else is the response to another question.
    let is_near = |parsed: &Timestamp| {
        let utc = Zone { bias: Some(0) }.midnight(date);
        utc.is_some_and(|utc| parsed.duration_since(utc).abs() <= SignedDuration::from_hours(15))
    };
    Ok(parsed.filter(is_near))
}
