//! The server without its sockets: the site, who asks, faults, and where a path leads.
//!
//! `handler` brings requests, one at a time per site; batches bring their parts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::faults::Faults;
use crate::log::{Log, Seen};
use crate::meanwhile::Meanwhile;
use crate::options::Options;
use crate::request::{Answer, Incoming};
use crate::rest::digest::Digest;
use crate::sign_in::Sessions;
use crate::store::{Item, Site, file, person};
use crate::{graph, page, rest, sign_in};

/// Everything that requests share.
#[derive(Debug)]
pub struct Core {
    pub options: Options,
    pub faults: Faults,
    pub log: Log,
    pub meanwhile: Meanwhile,
    pub sessions: Sessions,
    site: Mutex<Site>,
    digests: Mutex<Vec<Digest>>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Identity {
    Anonymous,
    /// By a token, a proxy or a session, under this name.
    Named(String),
}

impl Core {
    /// A server of that site.
    #[must_use]
    pub fn new(options: Options, site: Site) -> Self {
        Self {
            options,
            faults: Faults::default(),
            log: Log::default(),
            meanwhile: Meanwhile::default(),
            sessions: Sessions::default(),
            site: Mutex::new(site),
            digests: Mutex::new(Vec::new()),
        }
    }

    /// The site, alone.
    pub fn site(&self) -> MutexGuard<'_, Site> {
        self.site.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The form digests that were handed out.
    pub fn digests(&self) -> MutexGuard<'_, Vec<Digest>> {
        self.digests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ETag of an item, in the form that this server uses.
    #[must_use]
    pub fn etag_of(&self, item: &Item) -> String {
        if self.options.guid_etags {
            item.guid_etag()
        } else {
            item.etag()
        }
    }

    /// Answers a request, and keeps what it changed before anybody is told.
    #[must_use]
    pub fn answer(&self, incoming: &Incoming, identity: &Identity) -> Answer {
        let mut site = self.site();
        let user = match identity {
            Identity::Anonymous => person::ANONYMOUS,
            Identity::Named(name) => site.signed_in(name),
        };
        let answer = self.route(&mut site, user, incoming);
        let reads = matches!(incoming.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        if let (false, Some(path)) = (reads, &self.options.data)
            && let Err(error) = file::save(&site, path)
        {
            let message = format!("The data file cannot be written: {error}");
            return Answer::text(507, "text/plain;charset=utf-8", message);
        }
        answer
    }

    fn route(&self, site: &mut Site, user: u32, incoming: &Incoming) -> Answer {
        if let Some((web, rest)) = rest::split(&incoming.path) {
            if web.eq_ignore_ascii_case(&site.path) {
                return rest::answer(self, site, user, incoming, rest);
            }
            return Answer::text(
                404,
                "text/html; charset=utf-8",
                "404 FILE NOT FOUND".to_owned(),
            );
        }
        if let Some(rest) = graph::split(&incoming.path) {
            return graph::answer(self, site, user, incoming, rest);
        }
        if let Some(answer) = sign_in::answer(self, site, incoming) {
            return answer;
        }
        page::answer(self, site, incoming)
    }

    /// Answers a part of a batch, with its own fault and its own line in the log.
    pub fn part(
        &self,
        site: &mut Site,
        incoming: &Incoming,
        answer: impl FnOnce(&mut Site, &Self) -> Answer,
    ) -> Answer {
        let fault = self.faults.take(incoming, true);
        let answer = match &fault {
            Some(fault) => fault.answer(incoming).unwrap_or_else(|| {
                let answer = answer(site, self);
                fault.spoilt(answer)
            }),
            None => answer(site, self),
        };
        self.record(incoming, answer.status, fault.map(|it| it.name()));
        answer
    }

    /// Writes a request down.
    pub fn record(&self, incoming: &Incoming, status: u16, fault: Option<String>) {
        self.log.add(Seen {
            at: incoming.at,
            method: incoming.method.to_string(),
            target: incoming.target(),
            user: incoming.user.clone(),
            status,
            in_batch: incoming.in_batch,
            fault,
            user_agent: incoming.header("user-agent").map(str::to_owned),
        });
    }
}
