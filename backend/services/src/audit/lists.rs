//! Compares the lists of a tenant with what its audit trail says of them.
//!
//! The lists are read before the trail, so their rows are all there: what is written meanwhile has a
//! higher revision and does not count. Everything is held in memory, which the caller has asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use checklist_shared::audit_trail::replay::{Difference, Replay};
use checklist_shared::checklist::{Checklist, FIRST_RUN};
use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::item::Status;
use checklist_shared::run::ClosedRun;
use checklist_store::audit::StoredRow;
use checklist_store::error::ServiceResult;
use checklist_store::keyset::{Key as _, Keyset};
use checklist_store::lists::{ListFilter, ListSortKey};
use checklist_store::store::{ListRequest, Purpose};

use crate::app::App;

/// The number of lists that are read at a time.
const PAGE: u32 = 200;

/// A list, and what the trail says of it.
#[derive(Default)]
struct Compared {
    /// As it is stored, if it was there.
    list: Option<Arc<Checklist>>,
    trail: Replay,
    /// The revision of its newest row.
    revision: u64,
}

/// The lists of a tenant by object id, type and purpose.
pub(super) struct Lists(BTreeMap<ListSortKey, Compared>);

impl Lists {
    /// Reads all lists.
    pub(super) async fn read(app: &App, tenant: &str) -> ServiceResult<Self> {
        let mut lists = BTreeMap::new();
        let mut after = ListSortKey::before_all();
        loop {
            let filter = ListFilter {
                object_type: None,
                object_id_prefix: String::new(),
                page: Keyset {
                    after: after.clone(),
                    limit: PAGE,
                },
            };
            let records = app.store().lists(tenant, filter).await?;
            let Some(last) = records.last() else {
                return Ok(Self(lists));
            };
            after = key(&last.context);
            let contexts = records.into_iter().map(|record| record.context);
            for (context, list) in stored(app, tenant, contexts.collect()).await? {
                let compared = Compared {
                    list,
                    ..Compared::default()
                };
                lists.insert(key(&context), compared);
            }
        }
    }

    /// Takes the next row of the trail.
    pub(super) fn take(&mut self, row: &StoredRow) {
        if row.object_type.is_empty() {
            return;
        }
        let (object_id, object_type) = (row.object_id.clone(), row.object_type.clone());
        let compared = self.0.entry((object_id, object_type, row.purpose.clone()));
        let compared = compared.or_default();
        let is_later = |list: &Arc<Checklist>| row.revision > list.revision;
        if compared.list.as_ref().is_some_and(is_later) {
            return;
        }
        compared.revision = row.revision;
        if let Ok(event) = serde_json::from_str::<Event>(&row.event) {
            compared.trail.take(&event);
        }
    }

    /// What is not as the trail says, a sentence each.
    pub(super) async fn differences(self, app: &App, tenant: &str) -> ServiceResult<Vec<String>> {
        let mut said = Vec::new();
        let mut missing = Vec::new();
        for ((object_id, object_type, purpose), compared) in self.0 {
            let context = Context::new(&object_type, &object_id, &purpose);
            let Some(list) = compared.list else {
                missing.push(context);
                continue;
            };
            let name = name(&context);
            if compared.revision != list.revision {
                said.push(format!(
                    "{name} has revision {}, and by the trail {}",
                    list.revision, compared.revision
                ));
            }
            let trail = &compared.trail;
            said.extend(sentences(&name, trail, &list));
            let closed = closed_runs(app, tenant, &context, list.run.number).await?;
            for (number, trail) in (FIRST_RUN..list.run.number).zip(trail.closed_runs()) {
                let name = format!("run {number} of {name}");
                match closed.get(&number) {
                    Some(run) => said.extend(sentences(&name, trail, &run.to_list(&context))),
                    None => said.push(format!("{name} is missing")),
                }
            }
            let by_trail = trail.closed_runs().len() + 1;
            if list.run.number as usize != by_trail {
                said.push(format!(
                    "{name} is at run {}, and by the trail {by_trail}",
                    list.run.number
                ));
            }
        }
        // A list that was made since is there by now.
        for (context, list) in stored(app, tenant, missing).await? {
            if list.is_none() {
                said.push(format!("{} is missing", name(&context)));
            }
        }
        Ok(said)
    }
}

async fn stored(
    app: &App,
    tenant: &str,
    contexts: Vec<Context>,
) -> ServiceResult<Vec<(Context, Option<Arc<Checklist>>)>> {
    let mut stored = Vec::with_capacity(contexts.len());
    for some in contexts.chunks(PAGE as usize) {
        let wanted = some.iter().map(|context| ListRequest {
            context: context.clone(),
            fallback: None,
            purpose: Purpose::Change,
        });
        let facts = app.store().read_lists(tenant, wanted.collect()).await?;
        for (context, facts) in some.iter().zip(facts) {
            stored.push((context.clone(), facts?.list));
        }
    }
    Ok(stored)
}

/// The closed runs of a list below a number.
async fn closed_runs(
    app: &App,
    tenant: &str,
    context: &Context,
    mut below: u32,
) -> ServiceResult<BTreeMap<u32, ClosedRun>> {
    let mut runs = BTreeMap::new();
    while below > FIRST_RUN {
        let page = app
            .store()
            .closed_runs(tenant, context, below, PAGE)
            .await?;
        let Some(last) = page.last() else { break };
        below = last.number;
        runs.extend(page.into_iter().map(|run| (run.number, run)));
    }
    Ok(runs)
}

/// What of a list, or of a closed run, is not as the trail says.
fn sentences(name: &str, trail: &Replay, list: &Checklist) -> Vec<String> {
    let sentence = |difference| match difference {
        Difference::Status(id, is, by_trail) => format!(
            "{name}: item {id} is {}, and by the trail {}",
            word(is),
            word(by_trail)
        ),
        Difference::Back(id) => format!("{name}: item {id} is there, and by the trail deleted"),
        Difference::Missing(id) => {
            format!("{name}: item {id} is missing, and by the trail there")
        }
        Difference::Waived => format!("{name} is waived, and by the trail it is not"),
        Difference::NotWaived => format!("{name} is not waived, and by the trail it is"),
    };
    let differences = trail.differences(list).into_iter();
    differences.map(sentence).collect()
}

fn key(context: &Context) -> ListSortKey {
    (
        context.object_id.clone(),
        context.object_type.clone(),
        context.purpose.clone(),
    )
}

fn name(context: &Context) -> String {
    let purpose = match context.purpose.as_str() {
        "" => String::new(),
        purpose => format!(" ({purpose})"),
    };
    format!(
        "the list of {} {}{purpose}",
        context.object_type, context.object_id
    )
}

const fn word(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Done => "done",
        Status::NotApplicable => "not applicable",
    }
}
