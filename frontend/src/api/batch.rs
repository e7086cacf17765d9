//! The first reads of several controls on one page, joined into one request.
//!
//! Controls that start in the same turn of the event loop ask for their lists together; one
//! alone asks as if this were not here. Called by `control::load`.

use std::cell::RefCell;
use std::rc::Rc;

use checklist_shared::Context;
use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::client;
use super::error::Failure;
use super::read::{self, Fields};
use super::write;
use crate::browser;
use crate::control::port::Host;
use crate::state::served::ServedList;

/// The most contexts in one request.
const MOST: usize = 200;

/// Where an answer is put before the one who asked is woken.
type Slot = Rc<RefCell<Option<Result<ServedList, Failure>>>>;

struct Asked {
    base_url: String,
    language: String,
    context: Context,
    host: Rc<dyn Host>,
    slot: Slot,
    wake: Function,
}

thread_local! {
    static WAITING: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

/// Reads a whole list.
///
/// # Errors
/// Why there is none.
pub async fn read_list(
    base_url: String,
    language: String,
    context: Context,
    host: Rc<dyn Host>,
) -> Result<ServedList, Failure> {
    let slot = Slot::default();
    let mut asked = Some((base_url, language, context, host, Rc::clone(&slot)));
    let promise = Promise::new(&mut |wake, _| {
        let Some((base_url, language, context, host, slot)) = asked.take() else { return };
        let first = WAITING.with_borrow_mut(|waiting| {
            waiting.push(Asked { base_url, language, context, host, slot, wake });
            waiting.len() == 1
        });
        if first {
            browser::spawn(send());
        }
    });
    let _ = JsFuture::from(promise).await;
    let answer = slot.borrow_mut().take();
    answer.unwrap_or_else(|| Err(Failure::network()))
}

async fn send() {
    // By now every control that connected in this turn has asked.
    let mut waiting = WAITING.take();
    while let Some(first) = waiting.first() {
        let (base_url, language) = (first.base_url.clone(), first.language.clone());
        let fits = |asked: &Asked| asked.base_url == base_url && asked.language == language;
        let (mut group, rest): (Vec<Asked>, Vec<Asked>) = waiting.into_iter().partition(fits);
        waiting = rest;
        if group.len() > MOST {
            waiting.extend(group.split_off(MOST));
        }
        browser::spawn(send_group(base_url, language, group));
    }
}

async fn send_group(base_url: String, language: String, group: Vec<Asked>) {
    let contexts: Vec<Context> = group.iter().map(|asked| asked.context.clone()).collect();
    let url = client::address(&base_url, "GetItems");
    let mut answers = match (group.first(), contexts.as_slice()) {
        (Some(asked), [context]) => {
            let body = write::get_items(context, None, &language);
            let answer = client::ask(Rc::clone(&asked.host), contexts, url, Some(body)).await;
            vec![answer.and_then(|value| read::list(&value))]
        }
        (Some(asked), _) => {
            let body = write::get_many(&contexts, &language);
            match client::ask(Rc::clone(&asked.host), contexts, url, Some(body)).await {
                Ok(value) => Fields::of(&value).list("Results").iter().map(read::list).collect(),
                Err(failure) => group.iter().map(|_| Err(failure.clone())).collect(),
            }
        }
        (None, _) => return,
    }
    .into_iter();
    for asked in group {
        let answer = answers.next().unwrap_or_else(|| Err(Failure::unreadable("an answer is missing")));
        *asked.slot.borrow_mut() = Some(answer);
        let _ = asked.wake.call0(&JsValue::NULL);
    }
}
