//! `FindItems`: items across lists.
//!
//! The store names candidates in the order of an index; what an item is and whether it fits is
//! decided here, on the list as `GetItems` reads it. A call reads a bounded number of candidates and
//! then answers what it has found. A row of the index may be of an item that is resolved: it is swept away
//! later (`open_item_sweep`). Invariants: nothing is read, and no cursor names anything, that
//! the caller's credential does not cover.

mod cursor;
mod question;

use std::collections::{HashMap, HashSet};

use checklist_auth::Principal;
use checklist_runtime::spans;
use checklist_shared::context::Context;
use checklist_shared::permission::Permission;
use checklist_shared::wire::find::{FindItems, FoundItem, FoundItems};
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::{ListAnswer, View};
use checklist_store::error::ServiceResult;
use checklist_store::found_items::{ItemSearch, ListSearch};
use checklist_store::scope::ContextScope;
use checklist_store::store::{ListFacts, Purpose};

use self::cursor::Cursor;
use self::question::{Order, Question};
use crate::access;
use crate::app::App;
use crate::checklist::{ListReadRequest, isolate, list_request, whole};

/// The maximum number of positions that a call looks at.
const POSITIONS: usize = 4_000;
/// The maximum number of lists that a call looks through.
const LISTS: usize = 1_000;
/// The number of positions, and of lists, that are read at once; of positions first no more than a page.
const CHUNK: u32 = 200;

/// Answers `FindItems`.
///
/// # Errors
/// `PermissionDenied` without the permission to read, `InvalidRequest`.
pub async fn find(
    app: &App,
    principal: &Principal,
    request: FindItems,
) -> ServiceResult<FoundItems> {
    access::require_permission(principal, Permission::Read)?;
    let languages = principal.languages_after(request.language.as_deref());
    let question = Question::of(&request, principal, app.clock().now())?;
    let mut search = Search {
        app,
        principal,
        languages: &languages,
        question: &question,
        found: Vec::new(),
        has_more: false,
    };
    let next = match (exact_contexts(&principal.contexts), &question.order) {
        (Some(contexts), _) => search.in_contexts(contexts).await?,
        (None, Order::Object) => search.along_objects().await?,
        (None, order) => search.along(order).await?,
    };
    let items = as_in_their_lists(search.found, &question.order);
    let at_least = items.len() + usize::from(search.has_more);
    Ok(FoundItems {
        next: next.map(|next| next.encode(&question.id)),
        at_least: u32::try_from(at_least).unwrap_or(u32::MAX),
        items,
    })
}

/// The items of a page. Those of one list that the order leaves side by side stand as in the list:
/// cursors go by their ids, which tell a reader nothing and stay when somebody moves an item.
fn as_in_their_lists(mut found: Vec<Found>, order: &Order) -> Vec<FoundItem> {
    let beside = |one: &Found, next: &Found| {
        one.shown.context == next.shown.context
            && order.number_of(&one.shown.item) == order.number_of(&next.shown.item)
    };
    for run in found.chunk_by_mut(beside) {
        run.sort_by_key(|found| found.place);
    }
    found.into_iter().map(|found| found.shown).collect()
}

/// The contexts of a scope, if none of them has a wildcard.
fn exact_contexts(scope: &ContextScope) -> Option<Vec<Context>> {
    let ContextScope::Listed(entries) = scope else {
        return None;
    };
    entries
        .iter()
        .map(|entry| {
            let parts = [&entry.object_type, &entry.object_id, &entry.purpose];
            (parts.iter().all(|part| *part != "*"))
                .then(|| Context::new(parts[0], parts[1], parts[2]))
        })
        .collect()
}

/// An item that fits, and how many stand before it in its list.
struct Found {
    place: Option<usize>,
    shown: FoundItem,
}

struct Search<'a> {
    app: &'a App,
    principal: &'a Principal,
    languages: &'a [&'a str],
    question: &'a Question,
    found: Vec<Found>,
    /// Whether it has seen an item for which the page had no room.
    has_more: bool,
}

impl Search<'_> {
    /// Follows an index of open items.
    async fn along(&mut self, order: &Order) -> ServiceResult<Option<Cursor>> {
        let Some((order, first)) = order.positions() else {
            return Ok(None);
        };
        let after = self.question.after.as_ref();
        let mut last = after.map_or(first, Cursor::position);
        let mut looked_at = 0;
        // As a rule most of them fit, and each list that memory does not hold is read.
        let mut chunk = CHUNK.min(u32::try_from(self.question.limit + 1).unwrap_or(CHUNK));
        while looked_at < POSITIONS {
            let search = ItemSearch {
                order: order.clone(),
                scope: self.principal.contexts.clone(),
                object_type: self.question.filter.object_type.clone(),
                after: last.clone(),
                limit: chunk,
            };
            let hits = self.app.store().find_items(&self.principal.tenant, search);
            let hits = spans::work("find items", hits).await?;
            let is_last = hits.len() < chunk as usize;
            chunk = CHUNK;
            let mut seen = HashSet::new();
            let contexts = hits.iter().map(|hit| &hit.context);
            let contexts: Vec<Context> = contexts
                .filter(|context| seen.insert(*context))
                .cloned()
                .collect();
            let lists: HashMap<Context, ListAnswer> =
                self.read(contexts).await?.into_iter().collect();
            looked_at += hits.len();
            for hit in hits {
                let list = lists.get(&hit.context);
                let item = list.and_then(|list| {
                    let items = list.items.as_deref().unwrap_or_default();
                    Some((list, items.iter().find(|item| item.id == hit.item)?))
                });
                if let Some((list, item)) = item
                    && !self.take(list, item)
                {
                    return Ok(Some(Cursor::at(last)));
                }
                last = hit.position;
            }
            if is_last {
                return Ok(None);
            }
        }
        Ok(Some(Cursor::at(last)))
    }

    /// Looks through the lists in the order of their objects, and through their items by id, which
    /// stays as it is when somebody moves them.
    async fn along_objects(&mut self) -> ServiceResult<Option<Cursor>> {
        let mut last = self.question.after.clone().unwrap_or_default();
        let mut looked_through = 0;
        if let Some(context) = last.context() {
            // The page before may have ended within this list.
            let lists = self.read(vec![context]).await?;
            for (_, list) in lists {
                if !self.take_all(&list, &mut last) {
                    return Ok(Some(last));
                }
            }
        }
        while looked_through < LISTS {
            let search = ListSearch {
                scope: self.principal.contexts.clone(),
                object_type: self.question.filter.object_type.clone(),
                after: last.object.clone(),
                limit: CHUNK,
            };
            let contexts = self.app.store().find_lists(&self.principal.tenant, search);
            let contexts = spans::work("find lists", contexts).await?;
            let is_last = contexts.len() < CHUNK as usize;
            looked_through += contexts.len();
            for (context, list) in self.read(contexts).await? {
                last = Cursor::before_items_of(&context);
                if !self.take_all(&list, &mut last) {
                    return Ok(Some(last));
                }
            }
            if is_last {
                return Ok(None);
            }
        }
        Ok(Some(last))
    }

    /// Takes the items of a list that come after the cursor, which moves along. `false` if there is
    /// one more than the page has room for.
    fn take_all(&mut self, list: &ListAnswer, last: &mut Cursor) -> bool {
        let items = list.items.as_deref().unwrap_or_default();
        let mut items: Vec<&ItemView> = items.iter().collect();
        items.sort_unstable_by_key(|item| item.id);
        for item in items {
            if item.id.as_bytes().as_slice() <= last.item.as_slice() {
                continue;
            }
            if !self.take(list, item) {
                return false;
            }
            last.item = item.id.as_bytes().to_vec();
        }
        true
    }

    /// Looks through the few lists that the credential names.
    async fn in_contexts(&mut self, contexts: Vec<Context>) -> ServiceResult<Option<Cursor>> {
        let lists = self.read(contexts).await?;
        let mut fitting: Vec<(Cursor, &ListAnswer, &ItemView)> = Vec::new();
        for (context, list) in &lists {
            for item in list.items.as_deref().unwrap_or_default() {
                if self.question.fits(list, item) {
                    let at = self.question.order.number_of(item);
                    fitting.push((Cursor::of(at, context, item.id), list, item));
                }
            }
        }
        fitting.sort_unstable_by(|(one, ..), (other, ..)| one.cmp(other));
        let mut last = None;
        for (cursor, list, item) in fitting {
            if (self.question.after.as_ref()).is_some_and(|after| cursor <= *after) {
                continue;
            }
            if !self.take(list, item) {
                return Ok(last);
            }
            last = Some(cursor);
        }
        Ok(None)
    }

    /// The lists as `GetItems` shows them, in the same order, without those that cannot be read or were
    /// never written. Where a context came from makes no difference: a cursor is the caller's word.
    async fn read(&self, mut contexts: Vec<Context>) -> ServiceResult<Vec<(Context, ListAnswer)>> {
        contexts.retain(|context| self.principal.contexts.covers(context));
        let asked = contexts
            .iter()
            .map(|context| list_request(self.principal, context, Purpose::Show));
        let tenant = &self.principal.tenant;
        let facts = self.app.store().read_lists(tenant, asked.collect());
        let mut facts = spans::work("read lists", facts).await?.into_iter();
        let now = self.question.now;
        let read = contexts.into_iter().filter_map(|context| {
            let facts = facts.next().unwrap_or_else(|| Ok(ListFacts::default()));
            let asked = ListReadRequest {
                context: &context,
                languages: self.languages,
                since: None,
                view: View::Full,
                deleted: None,
                tells_facts: false,
                now,
            };
            // What is wrong with a list is logged, and told to whoever opens it.
            let list = isolate(tenant, &context, || {
                whole(&facts?, &asked, self.principal, self.app.limits())
            });
            let list = list.ok().filter(|list| list.revision > 0)?;
            Some((context.clone(), list))
        });
        Ok(read.collect())
    }

    /// Takes an item if it fits. `false` if the page has no room for it.
    fn take(&mut self, list: &ListAnswer, item: &ItemView) -> bool {
        if !self.question.fits(list, item) {
            return true;
        }
        if self.found.len() == self.question.limit {
            self.has_more = true;
            return false;
        }
        let items = list.items.as_deref().unwrap_or_default();
        let section = item
            .parent_id
            .and_then(|parent| items.iter().find(|item| item.id == parent));
        let shown = FoundItem {
            context: list.context.clone(),
            title: list.title.clone(),
            state: list.state,
            locked: list.locked.clone(),
            permissions: list.permissions,
            section: section.map(|section| section.text.clone()),
            item: item.clone(),
        };
        let place = items.iter().position(|other| other.id == item.id);
        self.found.push(Found { place, shown });
        true
    }
}
