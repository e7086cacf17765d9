//! Joins the first reads of several controls on one page into one request.
//!
//! Controls that start in the same task share a request; a single one sends its own as if this
//! module did not exist.

use std::cell::RefCell;
use std::rc::Rc;

use checklist_shared::Context;
use checklist_shared::wire::list::GetItems;

use super::client::{self, Answer, Connection, Renewal};
use super::requests::GetLists;
use crate::browser;
use crate::model::error::Error;
use crate::model::served::ServedList;
use crate::port::Host;

/// The most contexts in one request.
const MOST: usize = 200;

/// Receives the list, and the token of the request.
pub type ReadCallback = Box<dyn FnOnce(Result<ServedList, Error>, &str)>;

/// A caller that waits for its list.
struct PendingRead {
    /// Provides the token.
    host: Rc<dyn Host>,
    connection: Connection,
    context: Context,
    done: ReadCallback,
}

thread_local! {
    static WAITING: RefCell<Vec<PendingRead>> = const { RefCell::new(Vec::new()) };
}

/// Reads a whole list.
pub fn read_list(host: Rc<dyn Host>, connection: Connection, context: Context, done: ReadCallback) {
    let is_first = WAITING.with_borrow_mut(|waiting| {
        waiting.push(PendingRead {
            host,
            connection,
            context,
            done,
        });
        waiting.len() == 1
    });
    if is_first {
        // By then every control that connects in this turn has asked.
        browser::set_timeout(0, Box::new(send));
    }
}

fn send() {
    let mut waiting = WAITING.take();
    while let Some(first) = waiting.first() {
        let source = first.host.token_source();
        let (base_url, language) = (
            first.connection.base_url.clone(),
            first.connection.language.clone(),
        );
        let fits = |asked: &PendingRead| {
            asked.host.token_source() == source
                && asked.connection.base_url == base_url
                && asked.connection.language == language
        };
        let (mut group, rest): (Vec<PendingRead>, Vec<PendingRead>) =
            waiting.into_iter().partition(fits);
        waiting = rest;
        if group.len() > MOST {
            waiting.extend(group.split_off(MOST));
        }
        send_group(group);
    }
}

fn send_group(group: Vec<PendingRead>) {
    match <[PendingRead; 1]>::try_from(group) {
        Ok([asked]) => {
            let request = GetItems {
                context: Some(asked.context.clone()),
                ..GetItems::default()
            };
            let connection = asked.connection.clone();
            client::call(&connection, request, Renewal::Here, move |answer| {
                (asked.done)(answer.result, &answer.token);
            });
        }
        Err(group) => send_together(group),
    }
}

/// One request for all, with a token that covers all.
fn send_together(group: Vec<PendingRead>) {
    let contexts: Vec<Context> = group.iter().map(|asked| asked.context.clone()).collect();
    let Some(first) = group.first() else { return };
    let (host, covered) = (Rc::clone(&first.host), contexts.clone());
    let connection = Connection {
        tokens: Rc::new(move |reason, done| host.token(covered.clone(), reason, done)),
        ..first.connection.clone()
    };
    let request = GetLists(contexts);
    client::call(&connection, request, Renewal::Here, move |answer| {
        deliver(answer, group);
    });
}

fn deliver(answer: Answer<Vec<Result<ServedList, Error>>>, group: Vec<PendingRead>) {
    let is_answered = answer.result.is_ok();
    let mut lists = match answer.result {
        Err(error) => vec![Err(error); group.len()],
        Ok(lists) => lists,
    };
    lists.resize_with(group.len(), || {
        Err(Error::Unreadable("an answer is missing".to_owned()))
    });
    for (asked, list) in group.into_iter().zip(lists) {
        match list {
            // On its own it is asked for with another token.
            Err(error) if is_answered && error.asks_for_other_token() => send_group(vec![asked]),
            list => (asked.done)(list, &answer.token),
        }
    }
}
