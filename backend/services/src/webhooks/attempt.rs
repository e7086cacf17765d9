//! One attempt: a signed request through `egress`, and the interpretation of its response.
//!
//! Any 2xx status is success. 410 disables the webhook, and so does giving up a delivery after the
//! receiver has accepted nothing for days. Everything else is retried.

use std::time::{Duration, Instant};

use checklist_shared::time::Timestamp;
use checklist_shared::wire::webhooks::{WebhookRequest, WebhookResponse};
use checklist_store::webhooks::{AttemptResult, ClaimedDelivery, Deactivation, WebhookRecord};
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, Method, Request, StatusCode};
use site_lists::Limits;

use super::write::explain;
use super::{exchange, schedule, secrets, signature};
use crate::app::App;

/// The limits of one attempt. Of the response body, the start is stored.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(15),
    bytes: 64 * 1024,
};

/// The response of the receiver, or why there is none.
struct AttemptOutcome {
    status: Option<StatusCode>,
    failure: Option<String>,
    asked: Option<Duration>,
    request: Option<WebhookRequest>,
    response: Option<WebhookResponse>,
}

/// Sends a delivery once.
pub(super) async fn send(
    app: &App,
    webhook: &WebhookRecord,
    claimed: ClaimedDelivery,
) -> AttemptResult {
    let (at, begun) = (app.clock().now(), Instant::now());
    let outcome = ask(app, webhook, &claimed, at).await;
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let now = app.clock().now();
    let failed = outcome.failure.is_some();
    let gone = outcome.status == Some(StatusCode::GONE);
    let again_at = schedule::next(claimed.tries + 1, outcome.asked, now);
    let again_at = again_at.filter(|_| failed && !gone);
    let turn_off = match &outcome.failure {
        Some(_) if gone => Some(Deactivation {
            because: "The receiver says that it is gone for good (410).".to_owned(),
            failing_since: None,
        }),
        Some(failure) if again_at.is_none() => Some(Deactivation {
            because: format!("Nothing was taken for days. The last time: {failure}"),
            failing_since: Some(schedule::before(now, schedule::FAILING)),
        }),
        _ => None,
    };
    AttemptResult {
        tenant: webhook.tenant.clone(),
        webhook: webhook.id.clone(),
        held: claimed.held,
        at,
        millis,
        status: outcome.status.map(|status| status.as_u16()),
        failure: outcome.failure,
        request: outcome.request,
        response: outcome.response,
        again_at,
        now,
        turn_off,
    }
}

async fn ask(
    app: &App,
    webhook: &WebhookRecord,
    claimed: &ClaimedDelivery,
    at: Timestamp,
) -> AttemptOutcome {
    let failed = |why: String, request| AttemptOutcome {
        status: None,
        failure: Some(why),
        asked: None,
        request,
        response: None,
    };
    let request = match request(app, webhook, claimed, at) {
        Ok(request) => request,
        Err(why) => return failed(why, None),
    };
    let sent = Some(exchange::request(&request));
    match app.egress().send(request, LIMITS).await {
        Ok(answer) => {
            let status = answer.status();
            AttemptOutcome {
                status: Some(status),
                failure: refusal(status),
                asked: schedule::asked_wait(answer.headers(), at),
                request: sent,
                response: Some(exchange::response(&answer)),
            }
        }
        Err(error) => failed(explain(&error, &webhook.url), sent),
    }
}

/// Why a status is no success.
fn refusal(status: StatusCode) -> Option<String> {
    if status.is_success() {
        return None;
    }
    let code = status.as_u16();
    Some(if status.is_redirection() {
        format!("The receiver answered {code}; redirects are not followed.")
    } else {
        format!("The receiver answered {code}.")
    })
}

fn request(
    app: &App,
    webhook: &WebhookRecord,
    claimed: &ClaimedDelivery,
    at: Timestamp,
) -> Result<Request<Vec<u8>>, String> {
    let secrets = secrets::open(app, webhook)
        .map_err(|error| error.problem.detail.unwrap_or(error.problem.title))?;
    let (id, seconds) = (&claimed.held.id, at.as_millis().div_euclid(1_000));
    let signature = signature::of(&secrets.in_force(at), id, seconds, &claimed.body)
        .ok_or("What this webhook signs with cannot be used; give it a new secret.")?;
    let mut request = Request::new(claimed.body.clone().into_bytes());
    *request.method_mut() = Method::POST;
    let unusable = |_| "The address cannot be used; write it anew.".to_owned();
    *request.uri_mut() = webhook.url.parse().map_err(unusable)?;
    let values = [
        (CONTENT_TYPE.as_str(), "application/json".to_owned()),
        (USER_AGENT.as_str(), "Checklist-Webhooks/1".to_owned()),
        ("webhook-id", id.clone()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signature),
    ];
    let headers: &mut HeaderMap = request.headers_mut();
    for (name, value) in values {
        let value = value.parse().map_err(|_| "It cannot be sent.".to_owned())?;
        headers.insert(
            http::HeaderName::from_bytes(name.as_bytes()).map_err(|error| error.to_string())?,
            value,
        );
    }
    Ok(request)
}
