//! The first reads of several controls on one page, joined into one request.
//!
//! Controls that start in the same turn of the event loop ask for their lists together; one
//! alone asks as if this were not here. Called by `control::load`, which takes the answers.

use std::cell::RefCell;

use checklist_shared::Context;
use checklist_shared::wire::list::GetItems;

use super::client::Answer;
use super::error::Error;
use super::requests::GetLists;
use crate::browser;
use crate::control::Controller;
use crate::model::served::ServedList;

/// The most contexts in one request.
const MOST: usize = 200;

/// One who asks.
#[derive(Clone)]
struct Asked {
    controller: Controller,
    /// Which load of the controller it is; an answer to an older one is not taken.
    generation: u32,
    context: Context,
}

thread_local! {
    static WAITING: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

/// Reads a whole list for a controller, which is told through `took_list`.
pub fn read_list(controller: Controller, generation: u32, context: Context) {
    let first = WAITING.with_borrow_mut(|waiting| {
        waiting.push(Asked {
            controller,
            generation,
            context,
        });
        waiting.len() == 1
    });
    if first {
        // By then every control that connects in this turn has asked.
        browser::later(0, Box::new(send));
    }
}

fn send() {
    let mut waiting = WAITING.take();
    while let Some(first) = waiting.first().cloned() {
        let fits = |asked: &Asked| {
            asked.controller.settings().base_url == first.controller.settings().base_url
                && asked.controller.mode().tag == first.controller.mode().tag
        };
        let (mut group, rest): (Vec<Asked>, Vec<Asked>) = waiting.into_iter().partition(fits);
        waiting = rest;
        if group.len() > MOST {
            waiting.extend(group.split_off(MOST));
        }
        send_group(first.controller, group);
    }
}

fn send_group(first: Controller, group: Vec<Asked>) {
    let contexts: Vec<Context> = group.iter().map(|asked| asked.context.clone()).collect();
    match <[Asked; 1]>::try_from(group) {
        Ok([asked]) => {
            let request = GetItems {
                context: Some(asked.context.clone()),
                ..GetItems::default()
            };
            first.ask(request, contexts, move |answer| {
                asked.take(answer.result, &answer.token);
            });
        }
        Err(group) => first.ask(GetLists(contexts.clone()), contexts, move |answer| {
            deliver(answer, group);
        }),
    }
}

fn deliver(answer: Answer<Vec<Result<ServedList, Error>>>, group: Vec<Asked>) {
    let mut lists = match answer.result {
        Err(error) => vec![Err(error); group.len()],
        Ok(lists) => lists,
    };
    lists.resize_with(group.len(), || {
        Err(Error::Unreadable("an answer is missing".to_owned()))
    });
    for (asked, list) in group.into_iter().zip(lists) {
        asked.take(list, &answer.token);
    }
}

impl Asked {
    fn take(self, list: Result<ServedList, Error>, token: &str) {
        self.controller.took_list(self.generation, list, token);
    }
}
