//! Reads a list page by page with the cheapest strategy that the site accepts, and falls back to the
//! next one where it refuses. Every fall-back is a warning.
//!
//! Invariant: no item is given twice, although pages overlap after a change of strategy.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, FieldValue, Person, SiteFieldType, find_column};
use crate::filter::Criterion;
use crate::item::{STANDARD_KEYS, SiteItem};
use crate::item_query::{ItemQuery, MAX_PAGE, Operator, Position, skip_token};
use crate::list::SiteList;
use crate::protocol::{ListSchema, Page, PageRequest, Strategy};
use crate::site::Site;
use crate::warnings::Warnings;

/// Ids in one window: as many rows as a site searches without an index.
const WINDOW: i64 = 5_000;

/// How long an item count is not read again.
const COUNT_TIME_TO_LIVE: Duration = Duration::from_secs(60);

/// The state of a stream of items.
pub(crate) struct Reader {
    site: Site,
    warnings: Warnings,
    list: SiteList,
    query: ItemQuery,
    /// The most items that will be taken, where that is known.
    limit: Option<usize>,
    /// Where the part before this one ended.
    start: Position,
    plan: Option<ReadPlan>,
    buffer: std::vec::IntoIter<SiteItem>,
    /// The `$skiptoken` at which the page in `buffer` begins.
    token: Option<String>,
    stage: Stage,
    /// The list's item count and when it was read, where this stream read it.
    stated_count: Option<(u64, Instant)>,
    /// The ids that were returned: pages overlap after a change of strategy, and where items are
    /// added or deleted meanwhile.
    seen: HashSet<i64>,
}

struct ReadPlan {
    list: Arc<ListSchema>,
    /// The internal names of the fields that are wanted; all of them without.
    wanted: Option<Vec<String>>,
    criterion: Option<Criterion>,
    strategy: Strategy,
}

enum Stage {
    Begin,
    First,
    Next(url::Url),
    /// The window that begins after this id, up to the highest one.
    Window {
        after: i64,
        highest: i64,
        next: Option<url::Url>,
    },
    End,
}

impl Reader {
    /// A reader that has sent nothing yet.
    pub(crate) fn new(site: Site, list: SiteList, query: ItemQuery, warnings: Warnings) -> Self {
        Self {
            limit: query.top,
            site,
            warnings,
            list,
            query,
            start: Position::default(),
            plan: None,
            buffer: Vec::new().into_iter(),
            token: None,
            stage: Stage::Begin,
            stated_count: None,
            seen: HashSet::new(),
        }
    }

    /// The same for a reader that breaks off after so many items.
    pub(crate) const fn with_limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The next item, `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<SiteItem>> {
        loop {
            for mut item in self.buffer.by_ref() {
                if item.id() > self.start.after && self.seen.insert(item.id()) {
                    let wanted = self.plan.as_ref().and_then(|plan| plan.wanted.as_ref());
                    if let Some(wanted) = wanted {
                        item.fields
                            .retain(|field| wanted.contains(&field.internal_name));
                    }
                    return Ok(Some(item));
                }
            }
            let Some(page) = self.page().await? else {
                self.check_count().await?;
                return Ok(None);
            };
            page.warnings
                .into_iter()
                .for_each(|warning| self.warnings.add(warning));
            self.buffer = page.items.into_iter();
        }
    }

    /// Where to go on after an item that was returned; `None` at the end.
    pub(crate) fn position(&self, after: i64) -> Option<Position> {
        let token = if self.buffer.as_slice().is_empty() {
            match &self.stage {
                Stage::Begin | Stage::End => return None,
                Stage::First => None,
                Stage::Next(url) => skip_token(url).or_else(|| self.token.clone()),
                Stage::Window {
                    after,
                    highest,
                    next: None,
                } if after >= highest => return None,
                Stage::Window { .. } => None,
            }
        } else {
            self.token.clone()
        };
        Some(Position { after, token })
    }

    /// Compares what was read with what the list says it has: a page that came up short looks
    /// like the end.
    async fn check_count(&mut self) -> Result<()> {
        let whole =
            self.query.filter.is_none() && self.query.top.is_none() && self.query.after.is_none();
        let Some(plan) = self.plan.take().filter(|_| whole) else {
            return Ok(());
        };
        let read = self.seen.len() as u64;
        let is_enough = |(stated_count, at): (u64, Instant)| {
            at.elapsed() < COUNT_TIME_TO_LIVE && stated_count <= read
        };
        if self.stated_count.is_some_and(is_enough) {
            return Ok(());
        }
        let deadline = self.site.0.client.new_deadline();
        let stated_count = self
            .site
            .0
            .protocol
            .item_count(deadline, &plan.list.info)
            .await?;
        if let Some(stated_count) = stated_count.filter(|stated_count| *stated_count > read) {
            self.warnings.set_unread_items(stated_count - read);
            self.warnings.add(format!(
                "The list says that it has {stated_count} items, and {read} were read: the rest may be folders, or hidden from this account."
            ));
        }
        Ok(())
    }

    /// The next page, `None` at the end.
    async fn page(&mut self) -> Result<Option<Page>> {
        if matches!(self.stage, Stage::Begin)
            && let Some(only) = self.plan_read().await?
        {
            return Ok(Some(only));
        }
        let Some(plan) = &self.plan else {
            return Ok(None);
        };
        let deadline = self.site.0.client.new_deadline();
        let protocol = &self.site.0.protocol;
        let first = |window, from| PageRequest::First {
            criterion: plan.criterion.clone().map(Box::new),
            strategy: plan.strategy,
            window,
            from,
            // Filtering here needs whole pages.
            top: self.limit.filter(|_| plan.strategy != Strategy::Client),
        };
        let page_request = match &self.stage {
            Stage::Begin | Stage::End => return Ok(None),
            Stage::First => first(None, self.start.token.clone()),
            Stage::Next(url)
            | Stage::Window {
                next: Some(url), ..
            } => PageRequest::Next(url.clone()),
            Stage::Window {
                after,
                highest,
                next: None,
            } => {
                if after >= highest {
                    self.stage = Stage::End;
                    return Ok(None);
                }
                first(Some((after + 1, after + WINDOW)), None)
            }
        };
        match protocol.page(deadline, &plan.list, &page_request).await {
            Ok(mut page) => {
                self.token = match &page_request {
                    PageRequest::First { from, .. } => from.clone(),
                    PageRequest::Next(url) => skip_token(url),
                };
                self.stage = match (&self.stage, page.next.take()) {
                    (Stage::Next(url), Some(next)) if *url == next => {
                        return Err(SiteError::new(
                            ErrorKind::UnexpectedResponse,
                            "The site's page names itself as the next one.",
                        ));
                    }
                    (Stage::Window { after, highest, .. }, Some(next)) => Stage::Window {
                        after: *after,
                        highest: *highest,
                        next: Some(next),
                    },
                    (Stage::Window { after, highest, .. }, None) => Stage::Window {
                        after: after + WINDOW,
                        highest: *highest,
                        next: None,
                    },
                    (_, Some(next)) => Stage::Next(next),
                    (_, None) => Stage::End,
                };
                if plan.strategy == Strategy::Client
                    && let Some(criterion) = &plan.criterion
                {
                    page.items.retain(|item| criterion.matches(item));
                }
                Ok(Some(page))
            }
            Err(error) => {
                self.fall_back(error).await?;
                Ok(Some(Page::default()))
            }
        }
    }

    /// Looks the list up and decides how to ask. A filter by the item's number needs one item
    /// only, which is given back.
    async fn plan_read(&mut self) -> Result<Option<Page>> {
        let deadline = self.site.0.client.new_deadline();
        if let Some(after) = &self.query.after {
            self.start = Position::decode(after)?;
        }
        if self
            .query
            .top
            .is_some_and(|top| !(1..=MAX_PAGE).contains(&top))
        {
            return Err(SiteError::new(
                ErrorKind::InvalidValue,
                format!("Top is a number from 1 to {MAX_PAGE}."),
            )
            .with_field("Top"));
        }
        if self.query == ItemQuery::default()
            && let Some(first) = self.read_first_page(deadline).await?
        {
            return Ok(Some(first));
        }
        let filter = self.query.filter.as_ref();
        let field = filter.map(|filter| filter.field.as_str());
        let names: Vec<&str> = self.query.selected_fields().chain(field).collect();
        let remembered = self.site.0.lists.get(&self.list).is_some();
        let list = self
            .site
            .load_list_with(deadline, &self.list, &names)
            .await?;
        let stated_count = list.info.item_count.filter(|_| !remembered);
        self.stated_count = stated_count.map(|stated_count| (stated_count, Instant::now()));
        let protocol = &self.site.0.protocol;
        let mut criterion = match &self.query.filter {
            Some(filter) => Some(Criterion::new(
                find_column(&list.columns, &filter.field)?,
                filter.operator,
                &filter.value,
            )?),
            None => None,
        };
        let wanted = wanted_names(&self.query, &list.columns)?;
        let list = match &wanted {
            Some(wanted) => {
                let filtered = criterion
                    .as_ref()
                    .map(|criterion| criterion.column.internal_name.as_str());
                let names = wanted.iter().map(String::as_str).chain(filtered);
                Arc::new(list.with_columns(&names.collect::<Vec<_>>()))
            }
            None => list,
        };
        self.stage = Stage::First;
        let mut strategy = Strategy::Server;
        if let Some(criterion) = &mut criterion {
            if criterion.kind == SiteFieldType::Counter && criterion.operator == Operator::Equals {
                self.stage = Stage::End;
                let id = match &criterion.expected {
                    FieldValue::Number(number) => number.as_i64().filter(|id| *id > 0),
                    _ => None,
                };
                let Some(id) = id else {
                    return Ok(Some(Page::default()));
                };
                let item = protocol.item(deadline, &list, id).await;
                self.plan = Some(ReadPlan {
                    list,
                    wanted,
                    criterion: None,
                    strategy: Strategy::Server,
                });
                return match item {
                    Ok((item, warnings)) => Ok(Some(Page {
                        items: vec![item],
                        next: None,
                        warnings,
                    })),
                    Err(error) if error.kind() == ErrorKind::ItemNotFound => {
                        Ok(Some(Page::default()))
                    }
                    Err(error) => Err(error),
                };
            }
            if !self.resolve_people(deadline, criterion).await? {
                self.stage = Stage::End;
                return Ok(Some(Page::default()));
            }
            let protocol = &self.site.0.protocol;
            if !protocol.can_filter(criterion) {
                strategy = Strategy::Client;
                self.warnings.add(format!(
                    "The site cannot filter by the field {} ({}): the whole list was read and filtered here.",
                    criterion.column.internal_name, criterion.kind
                ));
            }
        }
        self.plan = Some(ReadPlan {
            list,
            wanted,
            criterion,
            strategy,
        });
        Ok(None)
    }

    /// Finds out who is looked for: numbers for names, and what items show of them. Says whether
    /// anything can be found at all.
    async fn resolve_people(&self, deadline: Deadline, criterion: &mut Criterion) -> Result<bool> {
        let FieldValue::People(people) = &criterion.expected else {
            return Ok(true);
        };
        if people.is_empty() {
            return Ok(true);
        }
        let protocol = &self.site.0.protocol;
        let mut ids = Vec::new();
        for person in people {
            match person {
                Person::Id(id) => ids.push(*id),
                Person::Named { name, is_group } => {
                    ids.extend(protocol.resolve_user(deadline, name, *is_group).await?);
                }
            }
        }
        let seen = || {
            let filter = self.query.filter.as_ref();
            filter.map_or_else(String::new, |filter| filter.value.to_string())
        };
        if ids.is_empty() {
            let text = format!("The site knows no user or group {:?}.", seen());
            self.warnings.add(text);
            // Nobody holds a stranger: nothing is equal to that, and everything differs from it.
            return Ok(criterion.operator == Operator::NotEquals);
        }
        let users = protocol
            .people(deadline, &ids.iter().copied().collect::<BTreeSet<_>>())
            .await?;
        if users.is_empty() && criterion.kind == SiteFieldType::UserMulti {
            let text = format!("The site does not tell who {} is.", seen());
            self.warnings.add(text);
        }
        criterion.people_values = users
            .iter()
            .filter_map(|person| serde_json::to_value(person).ok())
            .collect();
        criterion.people = ids;
        Ok(true)
    }

    /// The list and its first page in one trip, where the site takes that.
    async fn read_first_page(&mut self, deadline: Deadline) -> Result<Option<Page>> {
        let users = self.site.0.lists.get(&self.list);
        let Some(key) = self.list.keys().into_iter().next() else {
            return Ok(None);
        };
        let protocol = &self.site.0.protocol;
        let Some(mut first_page) = protocol.first_page(deadline, &key, users.as_ref()).await?
        else {
            return Ok(None);
        };
        if users.is_none() {
            self.site.0.lists.insert(&self.list, &first_page.list);
        }
        self.stated_count = first_page
            .item_count
            .map(|stated_count| (stated_count, Instant::now()));
        self.stage = first_page.page.next.take().map_or(Stage::End, Stage::Next);
        self.plan = Some(ReadPlan {
            list: first_page.list,
            wanted: None,
            criterion: None,
            strategy: Strategy::Server,
        });
        Ok(Some(first_page.page))
    }

    /// Goes over to another way of asking after an error that allows it.
    async fn fall_back(&mut self, error: SiteError) -> Result<()> {
        let protocol = &self.site.0.protocol;
        let Some(plan) = self.plan.as_mut() else {
            return Err(error);
        };
        let Some(strategy) = plan
            .criterion
            .as_ref()
            .and_then(|_| protocol.next_strategy(plan.strategy, &error))
        else {
            return Err(error);
        };
        let name = plan
            .criterion
            .as_ref()
            .map_or("", |criterion| criterion.column.internal_name.as_str());
        plan.strategy = strategy;
        self.stage = Stage::First;
        match strategy {
            Strategy::Server => {}
            Strategy::ServerScan => self.warnings.add(format!(
                "The field {name} is not indexed, so the site had to look at every item. Let an administrator of the site index it."
            )),
            Strategy::IdWindows => {
                self.warnings.add(format!(
                    "The list has more rows than the site searches by the field {name}, which is not indexed: it was searched in parts. Let an administrator of the site index it."
                ));
                let deadline = self.site.0.client.new_deadline();
                let highest = protocol.highest_id(deadline, &plan.list).await?;
                let after = self.start.after;
                self.stage = Stage::Window { after, highest, next: None };
            }
            Strategy::Client => self.warnings.add(format!(
                "The site does not filter by the field {name}: the whole list was read and filtered here."
            )),
        }
        Ok(())
    }
}

/// The internal names of the fields that are wanted; `None` where all of them are.
fn wanted_names(query: &ItemQuery, columns: &[Column]) -> Result<Option<Vec<String>>> {
    if query.select.is_empty() {
        return Ok(None);
    }
    let mut names = Vec::new();
    for name in query.selected_fields() {
        let column = find_column(columns, name)?;
        if !column.is_read() {
            return Err(SiteError::new(
                ErrorKind::UnsupportedFieldType,
                format!(
                    "The field {} is of the type {}, which is not read.",
                    column.internal_name, column.site_type
                ),
            )
            .with_field(name));
        }
        names.push(column.internal_name.clone());
    }
    Ok(Some(names))
}

impl ItemQuery {
    /// The fields that are wanted. The standard keys are always there and need not be named.
    fn selected_fields(&self) -> impl Iterator<Item = &str> {
        let names = self.select.iter().map(|name| name.trim());
        names.filter(|name| !STANDARD_KEYS.contains(name))
    }
}
