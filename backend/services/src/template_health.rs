//! The health of a template: statistics for each item in the lists that follow it, and the items that people add.
//!
//! Counted when somebody asks, from a bounded number of lists, a page at a time, so that other calls are
//! answered in between. The store reads rows; everything is counted here, so both databases count alike.
//! Invariant: nobody is named. Texts that people wrote are for callers who may read lists.

mod count;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use checklist_auth::Principal;
use checklist_runtime::spans;
use checklist_shared::item::Kind;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::template::{Template, TemplateItem};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TemplateHistory;
use checklist_shared::wire::template_health::{ItemHealth, RecurringItem, TemplateHealth};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::template_health::HealthSearch;

use self::count::{AddedText, Figure, Figures, normalized};
use crate::access::{self, FieldErrors};
use crate::app::App;
use crate::template;

/// The most lists that are looked at.
const LISTS: u32 = 10_000;
/// Lists that are read at a time.
const PAGE: u32 = 250;
/// Rows of the trail that are read with them: 200 a list.
const ROWS: u32 = PAGE * 200;
/// The most texts that are returned.
const RECURRING: usize = 100;
/// The older versions that are searched for the texts of keys that the newest one has no more.
const VERSIONS: usize = 100;
/// In how many lists a text recurs.
const FEWEST: u32 = 2;

/// Which lists are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthQuery {
    /// Only lists that follow that version.
    pub version: Option<u32>,
    /// Only lists whose present run began then or later.
    pub since: Option<Timestamp>,
    /// The language of the texts.
    pub language: Option<String>,
}

/// Counts the statistics for each item of a template.
///
/// # Errors
/// `PermissionDenied` unless the caller writes templates or reads the audit trail, of all lists of the
/// tenant; `InvalidRequest`, `TemplateNotFound`.
pub async fn get(
    app: &App,
    principal: &Principal,
    id: &str,
    query: &HealthQuery,
) -> ServiceResult<TemplateHealth> {
    access::need_any(principal, &[Permission::Templates, Permission::Audit])?;
    if !principal.contexts.covers_everything() {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "This call needs a credential for all lists of the tenant.",
        ));
    }
    let mut faults = FieldErrors::default();
    faults.language("/Language", query.language.as_deref());
    if query.version == Some(0) {
        let detail = "The number of a version: 1 for the first, or higher.";
        faults.say("/Version", FieldErrorCode::Invalid, detail);
    }
    faults.refuse()?;
    let history = app.store().template_history(&principal.tenant, id).await?;
    let is_known = |history: &TemplateHistory| {
        let has_version = |wanted| history.versions.iter().any(|row| row.version == wanted);
        query
            .version
            .map_or(!history.versions.is_empty(), has_version)
    };
    let history = history.filter(is_known);
    let history = history.ok_or_else(|| template::not_found(id, query.version))?;
    let now = app.clock().now();
    let (figures, is_cut) = figures(app, principal, id, query, now).await?;
    let languages = principal.languages_after(query.language.as_deref());
    let may_read = principal.may(Permission::Read);
    let draft = history.draft.as_ref();
    let draft = draft.filter(|_| principal.may(Permission::Templates));
    let known = history.published.iter().chain(draft);
    let recurring = may_read.then(|| recurring(&figures.added, known));
    let name = history.published.as_ref();
    let name = name.and_then(|published| published.name.resolve(&languages));
    Ok(TemplateHealth {
        id: id.to_owned(),
        name: name.map_or(id, |(_, name)| name).to_owned(),
        at: now,
        lists: figures.lists,
        at_most: LISTS,
        truncated: is_cut || figures.has_more_texts,
        items: items(app, principal, &history, figures.by_key, &languages).await?,
        recurring,
    })
}

async fn figures(
    app: &App,
    principal: &Principal,
    id: &str,
    query: &HealthQuery,
    now: Timestamp,
) -> ServiceResult<(Figures, bool)> {
    let mut figures = Figures::at(now);
    let (mut looked_at, mut is_cut, mut after) = (0, false, None);
    loop {
        let search = HealthSearch {
            template: id.to_owned(),
            version: query.version,
            since: query.since,
            after,
            // One more than is counted, to know whether there is one.
            lists: PAGE.min(LISTS + 1 - looked_at),
            rows: ROWS,
        };
        let asked = search.lists;
        let page = app.store().template_health(&principal.tenant, search);
        let page = spans::work("count a template", page).await?;
        let read = u32::try_from(page.lists.len()).unwrap_or(u32::MAX);
        looked_at += read;
        if looked_at > LISTS {
            return Ok((figures, true));
        }
        is_cut |= page.is_cut;
        after = page.lists.last().map(|list| list.position);
        figures.add(page, query.since);
        if read < asked {
            return Ok((figures, is_cut));
        }
    }
}

/// The items of the newest version, then those that only lists of older versions have. Keys that no version
/// has are left out: they are those of another template, which lists followed before.
async fn items(
    app: &App,
    principal: &Principal,
    history: &TemplateHistory,
    mut by_key: BTreeMap<String, Figure>,
    languages: &[&str],
) -> ServiceResult<Vec<ItemHealth>> {
    let mut items = Vec::new();
    for item in history.published.iter().flat_map(|it| &it.items) {
        // People may have made an item of a row to read: its figures are no one's.
        let figure = by_key.remove(&item.key).unwrap_or_default();
        if item.kind == Kind::Item {
            items.push(to_wire(item, languages, true, figure));
        }
    }
    // What a list has of no version that it follows is not worth reading a hundred versions.
    by_key.retain(|_, figure| figure.is_in_use);
    let older = history.versions.iter().skip(1).take(VERSIONS);
    for row in older {
        if by_key.is_empty() {
            break;
        }
        let store = app.store();
        let template = store.template(&principal.tenant, &history.id, Some(row.version));
        let template = template.await?;
        for item in template.iter().flat_map(|template| &template.items) {
            let figure = by_key.remove(&item.key);
            if let Some(figure) = figure.filter(|_| item.kind == Kind::Item) {
                items.push(to_wire(item, languages, false, figure));
            }
        }
    }
    Ok(items)
}

fn countable(template: &Template) -> impl Iterator<Item = &TemplateItem> {
    let items = template.items.iter();
    items.filter(|item| item.kind == Kind::Item)
}

fn to_wire(
    item: &TemplateItem,
    languages: &[&str],
    is_current: bool,
    mut figure: Figure,
) -> ItemHealth {
    let text = item.text.resolve(languages);
    ItemHealth {
        key: item.key.clone(),
        text: text.map(|(_, text)| text.to_owned()).unwrap_or_default(),
        is_current,
        lists: figure.done + figure.not_applicable + figure.open,
        done: figure.done,
        not_applicable: figure.not_applicable,
        open: figure.open,
        edited: figure.edited,
        deleted: figure.deleted,
        reopened: figure.reopened,
        resolved_late: figure.resolved_late,
        overdue: figure.overdue,
        median_seconds: figure.median_seconds(),
    }
}

/// The texts that were added in several lists, the most frequent first.
fn recurring<'a>(
    added: &HashMap<String, AddedText>,
    templates: impl Iterator<Item = &'a Template>,
) -> Vec<RecurringItem> {
    let mut known = HashMap::new();
    for item in templates.flat_map(countable) {
        for (_, text) in item.text.iter() {
            known.entry(normalized(text)).or_insert(&item.key);
        }
    }
    let several = added.iter().filter(|(_, added)| added.lists >= FEWEST);
    let mut several: Vec<_> = several.collect();
    several.sort_unstable_by_key(|(text, added)| (Reverse(added.lists), *text));
    let several = several.into_iter().take(RECURRING);
    let to_wire = |(normalized, added): (&String, &AddedText)| RecurringItem {
        text: added.text.clone(),
        lists: added.lists,
        key: known.get(normalized).map(|key| (*key).clone()),
    };
    several.map(to_wire).collect()
}
