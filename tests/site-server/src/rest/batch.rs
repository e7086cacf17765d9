//! SharePoint's `$batch`: each part is a request like any other, and fails for itself alone.

use super::call::Call;
use super::digest::has_digest;
use super::error::{Rest, RestError};
use crate::multipart;
use crate::odata::flavour::Flavour;
use crate::request::Answer;

/// More requests than this are not taken.
const LARGEST: usize = 100;
/// Nor more bytes than this.
const LARGEST_BODY: usize = 2 * 1024 * 1024;

/// Answers a batch.
///
/// # Errors
/// It is none, or too large. What is wrong with a part is in its answer.
pub fn answer(call: &mut Call<'_>) -> Rest<Answer> {
    if call.incoming.method != http::Method::POST {
        return Err(RestError::no_method(call.incoming.method.as_str()));
    }
    if call.incoming.in_batch {
        return Err(RestError::query("A batch must not contain a batch."));
    }
    if call.incoming.body.len() > LARGEST_BODY {
        return Err(RestError::query(format!(
            "The request message is too big. The server does not allow messages larger than {LARGEST_BODY} bytes."
        )));
    }
    let content_type = call.incoming.header("content-type").unwrap_or_default();
    let parts = multipart::read(content_type, &call.incoming.body);
    let parts = parts.ok_or_else(|| RestError::query("The batch request is malformed."))?;
    if parts.len() > LARGEST {
        return Err(RestError::query(format!(
            "The batch contains {} requests, which is more than the {LARGEST} allowed.",
            parts.len()
        )));
    }
    let mut outer = call.incoming.clone();
    outer.digest_shown = has_digest(call);
    let answers: Vec<Answer> = parts
        .into_iter()
        .map(|part| {
            let inner = outer.part(part.method, &part.target, part.headers, part.body);
            call.core.part(call.site, &inner, |site, core| {
                match super::split(&inner.path) {
                    Some((web, rest)) if web.eq_ignore_ascii_case(&site.path) => {
                        super::answer(core, site, call.user, &inner, rest)
                    }
                    _ => RestError::no_resource(&inner.path).answer(Flavour::None),
                }
            })
        })
        .collect();
    let id = crate::clock::new_id().to_string();
    let (content_type, body) = multipart::written(&answers, &id);
    let mut answer = Answer::empty(200).with("content-type", &content_type);
    answer.body = body;
    Ok(answer)
}
