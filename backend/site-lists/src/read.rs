//! Reading items: one by id, a page, or a stream of all that a query finds.
//!
//! Invariant: a stream that ends without an error has given every item.

use futures_util::stream::{Stream, try_unfold};

use crate::error::{ErrorKind, Result, SiteError};
use crate::item::SiteItem;
use crate::item_query::{ItemFilter, ItemPage, ItemQuery};
use crate::list::SiteList;
use crate::reader::Reader;
use crate::site::Site;
use crate::warnings::Warnings;

impl Site {
    /// One item and warnings about it.
    ///
    /// # Errors
    /// There is no such list or item.
    pub async fn item(&self, list: &SiteList, id: i64) -> Result<(SiteItem, Vec<String>)> {
        let deadline = self.0.client.new_deadline();
        let open = self.load_list(deadline, list).await?;
        let item = self.0.protocol.item(deadline, &open, valid_id(id)?).await;
        if item
            .as_ref()
            .is_err_and(|error| error.kind() == ErrorKind::ItemNotFound)
        {
            // Perhaps the list is another one by now.
            self.forget(list);
        }
        item
    }

    /// The items of a list, all or those that a filter finds, by ascending id, to the very last
    /// one; pages are fetched as the stream is read. An error ends the stream: what came before
    /// it is not the whole list.
    ///
    /// ```no_run
    /// use futures_util::TryStreamExt;
    /// use site_lists::{ItemFilter, Site, SiteList, Warnings};
    ///
    /// # async fn example(site: Site) -> site_lists::Result<()> {
    /// let warnings = Warnings::default();
    /// let list = SiteList::from("Computers");
    /// let items = site.items(&list, Some(ItemFilter::new("Status", "In use")), &warnings);
    /// let mut items = std::pin::pin!(items);
    /// while let Some(item) = items.try_next().await? {
    ///     println!("{}", item.id());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn items(
        &self,
        list: &SiteList,
        filter: Option<ItemFilter>,
        warnings: &Warnings,
    ) -> impl Stream<Item = Result<SiteItem>> + Send + use<> {
        let query = ItemQuery {
            filter,
            ..ItemQuery::default()
        };
        self.stream(list, query, warnings)
    }

    /// The items that a query finds, as [`Site::items`] gives them.
    ///
    /// # Errors
    /// The stream's first item is the error of an invalid query.
    pub fn stream(
        &self,
        list: &SiteList,
        query: ItemQuery,
        warnings: &Warnings,
    ) -> impl Stream<Item = Result<SiteItem>> + Send + use<> {
        let reader = Reader::new(self.clone(), list.clone(), query, warnings.clone());
        try_unfold(reader, |mut reader| async move {
            let item = reader.next().await?;
            Ok(item.map(|item| (item, reader)))
        })
    }

    /// One page of what a query finds: up to `top` items after the position `after`, and
    /// where the next part begins.
    ///
    /// ```no_run
    /// use site_lists::{ItemQuery, Site, SiteList};
    ///
    /// # async fn example(site: Site) -> site_lists::Result<()> {
    /// let list = SiteList::from("Computers");
    /// let mut query = ItemQuery { top: Some(500), ..ItemQuery::default() };
    /// loop {
    ///     let page = site.page(&list, &query).await?;
    ///     for item in &page.items {
    ///         println!("{}", item.id());
    ///     }
    ///     query.after = page.next;
    ///     if query.after.is_none() {
    ///         break;
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// There is no such list or field, the query makes no sense, or the list could not be read.
    pub async fn page(&self, list: &SiteList, query: &ItemQuery) -> Result<ItemPage> {
        let mut items = Vec::new();
        let page = self
            .for_each_in_page(list, query, |item| items.push(item))
            .await?;
        Ok(ItemPage { items, ..page })
    }

    /// The same, with every item handed over as it is read, and none in the response: for lists
    /// that do not fit into memory.
    ///
    /// # Errors
    /// As [`Site::page`]; what was handed over before is not the whole.
    pub async fn for_each_in_page(
        &self,
        list: &SiteList,
        query: &ItemQuery,
        each: impl FnMut(SiteItem) + Send,
    ) -> Result<ItemPage> {
        self.for_each_up_to(list, query, None, each).await
    }

    /// The same, and where the query says nothing of how many, `default_limit` of them at most. A list that is
    /// no longer than that is read as by a query without `top`, with a look at how many items it says
    /// that it has.
    ///
    /// # Errors
    /// As [`Site::page`]; what was handed over before is not the whole.
    pub async fn for_each_up_to(
        &self,
        list: &SiteList,
        query: &ItemQuery,
        default_limit: Option<usize>,
        mut each: impl FnMut(SiteItem) + Send,
    ) -> Result<ItemPage> {
        let warnings = Warnings::default();
        let mut reader = Reader::new(self.clone(), list.clone(), query.clone(), warnings.clone());
        if let Some(default_limit) = default_limit.filter(|_| query.top.is_none()) {
            reader = reader.with_limit(default_limit);
        }
        let limit = query.top.or(default_limit).unwrap_or(usize::MAX);
        let mut count = 0;
        let mut next = None;
        while let Some(item) = reader.next().await? {
            count += 1;
            let id = item.id();
            each(item);
            if count == limit {
                next = reader.position(id).map(|place| place.encode());
                break;
            }
        }
        Ok(ItemPage {
            items: Vec::new(),
            next,
            warnings: warnings.all(),
        })
    }
}

fn valid_id(id: i64) -> Result<i64> {
    if id > 0 && i32::try_from(id).is_ok() {
        return Ok(id);
    }
    Err(SiteError::new(
        ErrorKind::ItemNotFound,
        format!("There is no item {id}: ids are whole numbers from 1 on."),
    ))
}
