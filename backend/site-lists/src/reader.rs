//! How a list is read: page by page, in the cheapest way that the site takes, and in another one
//! where it refuses.
//!
//! Made by `read` for every stream of items. Whether the site filters, within windows of ids or at
//! once, or everything is read and filtered here, is told as a warning.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{FieldValue, Person, SiteFieldType, find};
use crate::filter::Criterion;
use crate::item::SiteItem;
use crate::list::SiteList;
use crate::protocol::{Ask, OpenList, Page, Strategy};
use crate::read::{ItemFilter, Warnings};
use crate::site::Site;
use crate::wire::Call;

/// Ids in one window: as many rows as a site searches without an index.
const WINDOW: i64 = 5_000;

/// So long a number of items is taken to be what it was.
const JUST_NOW: Duration = Duration::from_secs(60);

/// Where a stream of items has come to.
pub(crate) struct Reader {
    site: Site,
    warnings: Warnings,
    list: SiteList,
    filter: Option<ItemFilter>,
    open: Option<Opened>,
    ready: std::vec::IntoIter<SiteItem>,
    stage: Stage,
    /// How many items the list said it has, and when, where it was asked for this stream.
    said: Option<(u64, Instant)>,
    /// The ids that were given out: pages overlap after a change of strategy, and where items are
    /// added or deleted meanwhile.
    given: HashSet<i64>,
}

struct Opened {
    list: Arc<OpenList>,
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
    /// A stream that has asked for nothing yet.
    pub(crate) fn new(
        site: Site,
        list: SiteList,
        filter: Option<ItemFilter>,
        warnings: Warnings,
    ) -> Self {
        Self {
            site,
            warnings,
            list,
            filter,
            open: None,
            ready: Vec::new().into_iter(),
            stage: Stage::Begin,
            said: None,
            given: HashSet::new(),
        }
    }

    /// The next item, `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<SiteItem>> {
        loop {
            for item in self.ready.by_ref() {
                if self.given.insert(item.id()) {
                    return Ok(Some(item));
                }
            }
            let Some(page) = self.page().await? else {
                self.count().await?;
                return Ok(None);
            };
            page.warnings
                .into_iter()
                .for_each(|warning| self.warnings.add(warning));
            self.ready = page.items.into_iter();
        }
    }

    /// Compares what was read with what the list says it has: a page that came up short looks
    /// like the end.
    async fn count(&mut self) -> Result<()> {
        let Some(open) = self.open.take().filter(|_| self.filter.is_none()) else {
            return Ok(());
        };
        let read = self.given.len() as u64;
        let enough = |(said, at): (u64, Instant)| at.elapsed() < JUST_NOW && said <= read;
        if self.said.is_some_and(enough) {
            return Ok(());
        }
        let call = self.site.0.wire.call();
        let said = self
            .site
            .0
            .protocol
            .item_count(call, &open.list.facts)
            .await?;
        if let Some(said) = said.filter(|said| *said > read) {
            self.warnings.lacks(said - read);
            self.warnings.add(format!(
                "The list says that it has {said} items, and {read} were read: the rest may be folders, or hidden from this account."
            ));
        }
        Ok(())
    }

    /// The next page, `None` at the end.
    async fn page(&mut self) -> Result<Option<Page>> {
        if matches!(self.stage, Stage::Begin)
            && let Some(only) = self.begin().await?
        {
            return Ok(Some(only));
        }
        let Some(open) = &self.open else {
            return Ok(None);
        };
        let call = self.site.0.wire.call();
        let protocol = &self.site.0.protocol;
        let first = |window| Ask::First {
            criterion: open.criterion.clone(),
            strategy: open.strategy,
            window,
        };
        let ask = match &self.stage {
            Stage::Begin | Stage::End => return Ok(None),
            Stage::First => first(None),
            Stage::Next(url)
            | Stage::Window {
                next: Some(url), ..
            } => Ask::Next(url.clone()),
            Stage::Window {
                after,
                highest,
                next: None,
            } => {
                if after >= highest {
                    self.stage = Stage::End;
                    return Ok(None);
                }
                first(Some((after + 1, after + WINDOW)))
            }
        };
        match protocol.page(call, &open.list, &ask).await {
            Ok(mut page) => {
                self.stage = match (&self.stage, page.next.take()) {
                    (Stage::Next(url), Some(next)) if *url == next => {
                        return Err(SiteError::new(
                            ErrorKind::UnexpectedAnswer,
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
                if open.strategy == Strategy::Here
                    && let Some(criterion) = &open.criterion
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
    async fn begin(&mut self) -> Result<Option<Page>> {
        let call = self.site.0.wire.call();
        if self.filter.is_none()
            && let Some(first) = self.at_once(call).await?
        {
            return Ok(Some(first));
        }
        let field = self.filter.as_ref().map(|filter| filter.field.as_str());
        let names = field.as_slice();
        let remembered = self.site.remembered(&self.list).is_some();
        let list = self.site.opened_with(call, &self.list, names).await?;
        let said = list.facts.item_count.filter(|_| !remembered);
        self.said = said.map(|said| (said, Instant::now()));
        let protocol = &self.site.0.protocol;
        let mut criterion = match &self.filter {
            Some(filter) => Some(Criterion::new(
                find(&list.columns, &filter.field)?,
                &filter.value,
            )?),
            None => None,
        };
        self.stage = Stage::First;
        let mut strategy = Strategy::Site;
        if let Some(criterion) = &mut criterion {
            if criterion.kind == SiteFieldType::Counter {
                self.stage = Stage::End;
                let id = match &criterion.wanted {
                    FieldValue::Number(number) => number.as_i64().filter(|id| *id > 0),
                    _ => None,
                };
                let Some(id) = id else {
                    return Ok(Some(Page::default()));
                };
                return match protocol.item(call, &list, id).await {
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
            if let FieldValue::People(people) = &criterion.wanted {
                let mut ids = Vec::new();
                for person in people {
                    match person {
                        Person::Id(id) => ids.push(*id),
                        Person::Named { name, is_group } => {
                            ids.extend(protocol.resolve(call, name, *is_group).await?)
                        }
                    }
                }
                if ids.is_empty() && !people.is_empty() {
                    self.warnings.add(format!(
                        "The site knows no user or group {:?}.",
                        self.filter
                            .as_ref()
                            .map_or_else(String::new, |filter| filter.value.to_string())
                    ));
                    self.stage = Stage::End;
                    return Ok(Some(Page::default()));
                }
                criterion.people = ids;
            }
            if !protocol.can_filter(criterion) {
                strategy = Strategy::Here;
                self.warnings.add(format!(
                    "The site cannot filter by the field {} ({}): the whole list was read and filtered here.",
                    criterion.column.internal_name, criterion.kind
                ));
            }
        }
        self.open = Some(Opened {
            list,
            criterion,
            strategy,
        });
        Ok(None)
    }

    /// The list and its first page in one trip, where the site takes that.
    async fn at_once(&mut self, call: Call) -> Result<Option<Page>> {
        let known = self.site.remembered(&self.list);
        let Some(way) = self.list.ways().into_iter().next() else {
            return Ok(None);
        };
        let protocol = &self.site.0.protocol;
        let Some(mut opening) = protocol.opening(call, &way, known.as_ref()).await? else {
            return Ok(None);
        };
        if known.is_none() {
            self.site.remember(&self.list, &opening.list);
        }
        self.said = opening.item_count.map(|said| (said, Instant::now()));
        self.stage = opening.page.next.take().map_or(Stage::End, Stage::Next);
        self.open = Some(Opened {
            list: opening.list,
            criterion: None,
            strategy: Strategy::Site,
        });
        Ok(Some(opening.page))
    }

    /// Goes over to another way of asking after an error that allows it.
    async fn fall_back(&mut self, error: SiteError) -> Result<()> {
        let protocol = &self.site.0.protocol;
        let Some(open) = self.open.as_mut() else {
            return Err(error);
        };
        let Some(strategy) = open
            .criterion
            .as_ref()
            .and_then(|_| protocol.after(open.strategy, &error))
        else {
            return Err(error);
        };
        let name = open
            .criterion
            .as_ref()
            .map_or("", |criterion| criterion.column.internal_name.as_str());
        open.strategy = strategy;
        self.stage = Stage::First;
        match strategy {
            Strategy::Site => {}
            Strategy::SiteTolerant => self.warnings.add(format!(
                "The field {name} is not indexed, so the site had to look at every item. Let an administrator of the site index it."
            )),
            Strategy::Windows => {
                self.warnings.add(format!(
                    "The list has more rows than the site searches by the field {name}, which is not indexed: it was searched in parts. Let an administrator of the site index it."
                ));
                let call = self.site.0.wire.call();
                let highest = protocol.highest_id(call, &open.list).await?;
                self.stage = Stage::Window { after: 0, highest, next: None };
            }
            Strategy::Here => self.warnings.add(format!(
                "The site does not filter by the field {name}: the whole list was read and filtered here."
            )),
        }
        Ok(())
    }
}
