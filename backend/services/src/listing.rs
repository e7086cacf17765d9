//! Pagination and search for a tenant's people, keys, types and templates.
//!
//! The store sorts and paginates; words are compared here, so that case folding is the same in
//! every alphabet and on every database. A search scans a bounded number of rows and then returns
//! what it has found; `Next` continues it.

mod cursor;

use std::future::Future;

use checklist_store::error::ServiceResult;
use checklist_store::keyset::{Key, Keyset};
use checklist_store::store::StoreError;

use super::access::FieldErrors;
pub(super) use cursor::Cursor;

/// The default page size.
const USUAL: u32 = 100;
/// The maximum page size.
pub const MOST: u32 = 500;
/// The maximum length of a search text, in characters.
const LONGEST_SEARCH: usize = 200;
/// The maximum number of rows that a request scans.
const LOOKED_AT: usize = 10_000;

/// Search and pagination parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Words that must all occur in a row.
    pub search: Option<String>,
    /// `Next` of the previous page.
    pub after: Option<String>,
    /// The page size.
    pub limit: Option<u32>,
}

/// Reads every row of a list, page by page.
///
/// # Errors
/// Those of `read`.
pub async fn every_row<T>(
    read: impl AsyncFn(&ListQuery) -> ServiceResult<(Vec<T>, Option<String>)>,
) -> ServiceResult<Vec<T>> {
    let mut query = ListQuery {
        limit: Some(MOST),
        ..ListQuery::default()
    };
    let mut all = Vec::new();
    loop {
        let (rows, next) = read(&query).await?;
        all.extend(rows);
        if next.is_none() {
            return Ok(all);
        }
        query.after = next;
    }
}

/// The words of a search, in lower case.
pub(super) struct SearchTerms(Vec<String>);

impl SearchTerms {
    /// Whether each word occurs in at least one of the texts.
    pub(super) fn stand_in<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts.into_iter().map(str::to_lowercase).collect();
        self.0
            .iter()
            .all(|word| texts.iter().any(|text| text.contains(word.as_str())))
    }
}

/// Returns a page of matching rows and its `Next`. `list` is the name that its cursors carry. `read` loads
/// the rows after a key in order, `key` returns the key of a row.
pub(super) async fn page<K, T, R>(
    list: &str,
    query: &ListQuery,
    read: impl Fn(Keyset<K>) -> R,
    key: impl Fn(&T) -> K,
    fits: impl Fn(&T, &SearchTerms) -> bool,
) -> ServiceResult<(Vec<T>, Option<String>)>
where
    K: Cursor + Key + Clone,
    R: Future<Output = Result<Vec<T>, StoreError>>,
{
    filtered_page(list, query, false, read, key, fits).await
}

/// The same where `fits` may leave out rows even without a search (`is_filtered`).
pub(super) async fn filtered_page<K, T, R>(
    list: &str,
    query: &ListQuery,
    is_filtered: bool,
    read: impl Fn(Keyset<K>) -> R,
    key: impl Fn(&T) -> K,
    fits: impl Fn(&T, &SearchTerms) -> bool,
) -> ServiceResult<(Vec<T>, Option<String>)>
where
    K: Cursor + Key + Clone,
    R: Future<Output = Result<Vec<T>, StoreError>>,
{
    let ValidListQuery {
        words,
        mut after,
        limit,
    } = validate_query::<K>(list, query)?;
    let is_filtered = is_filtered || !words.0.is_empty();
    let chunk = if is_filtered { MOST } else { limit + 1 };
    let room = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    let mut looked_at = 0;
    loop {
        let rows = read(Keyset {
            after: after.clone(),
            limit: chunk,
        })
        .await?;
        looked_at += rows.len();
        let is_last = u32::try_from(rows.len()).is_ok_and(|count| count < chunk);
        for row in rows {
            let place = key(&row);
            if fits(&row, &words) {
                if found.len() == room {
                    return Ok((found, Some(after.encode(list))));
                }
                found.push(row);
            }
            after = place;
        }
        if is_last {
            return Ok((found, None));
        }
        if looked_at >= LOOKED_AT {
            return Ok((found, Some(after.encode(list))));
        }
    }
}

struct ValidListQuery<K> {
    words: SearchTerms,
    after: K,
    limit: u32,
}

fn validate_query<K: Cursor + Key>(
    list: &str,
    query: &ListQuery,
) -> ServiceResult<ValidListQuery<K>> {
    let mut faults = FieldErrors::default();
    let search = query.search.as_deref().unwrap_or("");
    faults.length(|| "/Search".to_owned(), Some(search), LONGEST_SEARCH);
    let limit = faults.page_size(query.limit, USUAL, MOST);
    let after = K::after(list, query.after.as_deref(), &mut faults);
    faults.refuse()?;
    Ok(ValidListQuery {
        words: SearchTerms(search.split_whitespace().map(str::to_lowercase).collect()),
        after: after.unwrap_or_else(K::before_all),
        limit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type KeyPage = (Vec<String>, Option<String>);

    fn page_rows(rows: usize) -> Vec<String> {
        (0..rows)
            .map(|number| format!("Zeile {number:05}"))
            .collect()
    }

    /// A page of numbered rows that match the search.
    fn page_of(rows: usize, query: &ListQuery) -> ServiceResult<KeyPage> {
        let all = page_rows(rows);
        let read = |page: Keyset<String>| {
            let past = all.iter().filter(move |row| **row > page.after);
            let limit = usize::try_from(page.limit).expect("a number");
            std::future::ready(Ok(past.take(limit).cloned().collect::<Vec<_>>()))
        };
        let found = page("Rows", query, read, String::clone, |row, words| {
            words.stand_in([row.as_str()])
        });
        futures_util::FutureExt::now_or_never(found).expect("nothing to wait for")
    }

    fn asked(search: &str, after: Option<String>, limit: u32) -> ListQuery {
        ListQuery {
            search: Some(search.to_owned()),
            after,
            limit: Some(limit),
        }
    }

    #[test]
    fn pages_follow_each_other_without_a_gap_and_the_last_one_says_so() {
        let mut after = None;
        let mut seen = Vec::new();
        for expected in [4, 4, 2] {
            let (rows, next) = page_of(10, &asked("", after, 4)).expect("a page");
            assert_eq!(rows.len(), expected);
            seen.extend(rows);
            after = next;
        }
        assert_eq!(after, None);
        seen.dedup();
        assert_eq!(seen.len(), 10);
        assert_eq!(page_of(4, &asked("", None, 4)).expect("a page").1, None);
    }

    #[test]
    fn every_row_is_read_from_the_first_page_to_the_last() {
        for rows in [0, 1, 500, 501, 1_000, 1_234] {
            let read = async |query: &ListQuery| page_of(rows, query);
            let all = futures_util::FutureExt::now_or_never(every_row(read));
            let all = all.expect("nothing to wait for").expect("rows");
            assert_eq!(all, page_rows(rows));
        }
        let refused = every_row::<String>(async |_| page_of(1, &asked("", None, 0)));
        let refused = futures_util::FutureExt::now_or_never(refused);
        assert!(refused.expect("nothing to wait for").is_err());
    }

    #[test]
    fn every_word_has_to_stand_in_a_row_whatever_its_letters() {
        let (rows, next) = page_of(2_000, &asked("0199 ZEILE", None, 500)).expect("a page");
        // Matches 00199, and 01990 to 01999.
        assert_eq!((rows.len(), next), (11, None));
    }

    #[test]
    fn a_search_for_what_is_rare_goes_on_where_it_stopped_looking() {
        let (rows, next) = page_of(25_000, &asked("24999", None, 10)).expect("a page");
        assert!(rows.is_empty() && next.is_some());
        let (rows, next) = page_of(25_000, &asked("24999", next, 10)).expect("a page");
        assert!(rows.is_empty() && next.is_some());
        let (rows, next) = page_of(25_000, &asked("24999", next, 10)).expect("a page");
        assert_eq!((rows.len(), next), (1, None));
    }

    #[test]
    fn a_page_of_no_size_or_past_no_cursor_is_refused_at_its_parameter() {
        for (query, pointer) in [
            (asked("", None, 0), "/Limit"),
            (asked("", None, 501), "/Limit"),
            (asked("", Some("***".to_owned()), 1), "/After"),
            (
                asked("", Some(String::from("a").encode("Others")), 1),
                "/After",
            ),
            (asked(&"x".repeat(201), None, 1), "/Search"),
        ] {
            let refused = page_of(3, &query).expect_err("refused");
            assert_eq!(refused.problem.errors[0].pointer, pointer);
        }
    }
}
