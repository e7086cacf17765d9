//! The rows of lists across objects, with the counts of their items, and the counts of everything.
//!
//! A page costs as much as the rows that it holds: both orders of the query follow an index. The
//! order by object id, type and purpose is the same in both, since the first fixes the type.

use checklist_shared::context::Context;
use checklist_shared::progress::{Counts, State};
use checklist_shared::template::CompletionRule;
use checklist_shared::time::Timestamp;

use super::{Row, Session, values};
use crate::lists::{COUNTED_LISTS, ListFilter, ListRecord, OverviewRecord};
use crate::store::StoreError;

/// The items of a list that count towards its completion.
macro_rules! counted_items {
    () => {
        " LEFT JOIN item i ON i.tenant = c.tenant AND i.checklist = c.number
              AND i.kind = 'Item' AND i.retired_at IS NULL AND i.deleted_at IS NULL "
    };
}

/// The counts of these items, as [`counts_of`] reads them.
macro_rules! counts {
    () => {
        "count(i.id), count(i.id) FILTER (WHERE i.status = 'Done'),
             count(i.id) FILTER (WHERE i.status = 'NotApplicable'),
             count(i.id) FILTER (WHERE i.status = 'Open'),
             count(i.id) FILTER (WHERE i.status = 'Open' AND i.required) "
    };
}

/// A page of lists. The argument is the condition on the object type.
macro_rules! page {
    ($of_type:literal) => {
        concat!(
            "SELECT c.object_type, c.object_id, c.purpose, c.revision, c.template_id,
                 c.template_version, c.completion_rule, c.locked, c.waived, c.created_at,
                 coalesce((SELECT max(m.modified_at) FROM item m
                           WHERE m.tenant = c.tenant AND m.checklist = c.number), c.created_at),
                 (SELECT max(v.version) FROM template_version v
                  WHERE v.tenant = c.tenant AND v.template_id = c.template_id
                    AND v.status = 'Published' AND v.version > c.template_version), ",
            counts!(),
            "FROM (SELECT * FROM checklist l
                   WHERE l.tenant = $1 AND (l.object_id, l.object_type, l.purpose) > ($2, $3, $4)
                     AND l.object_id < $5 AND ",
            $of_type,
            " ORDER BY l.object_id, l.object_type, l.purpose LIMIT $7) c",
            counted_items!(),
            "GROUP BY c.tenant, c.number, c.object_type, c.object_id, c.purpose, c.revision,
                 c.template_id, c.template_version, c.completion_rule, c.locked, c.waived, c.created_at
             ORDER BY c.object_id, c.object_type, c.purpose"
        )
    };
}

/// Along the index by object.
const OF_ANY_TYPE: &str = page!("$6::text IS NULL");
/// Along the index by type and object.
const OF_TYPE: &str = page!("l.object_type = $6");

/// Lists in the order of their keys.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    filter: &ListFilter,
) -> Result<Vec<ListRecord>, StoreError> {
    let prefix = &filter.object_id_prefix;
    let (mut object_id, mut object_type, mut purpose) = filter.page.after.clone();
    if object_id < *prefix {
        (object_id, object_type, purpose) = (prefix.clone(), String::new(), String::new());
    }
    let end = end_of_prefix(prefix);
    let sql = match filter.object_type {
        Some(_) => OF_TYPE,
        None => OF_ANY_TYPE,
    };
    let parameters = values![
        tenant,
        &object_id,
        &object_type,
        &purpose,
        &end,
        filter.object_type.as_ref(),
        filter.page.limit,
    ];
    session.query_map(sql, parameters, record_of).await
}

/// A text that is greater than every id with the prefix, and than nothing else that matters: ids
/// have at most 200 characters.
fn end_of_prefix(prefix: &str) -> String {
    let mut kept: Vec<char> = prefix.chars().collect();
    while let Some(last) = kept.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            kept.push(next);
            return kept.into_iter().collect();
        }
    }
    String::from(char::MAX).repeat(201)
}

fn record_of(row: &Row) -> Result<ListRecord, StoreError> {
    let template = match (row.get_text_option(4)?, row.get_u32_option(5)?) {
        (Some(id), Some(version)) => Some((id.to_owned(), version)),
        _ => None,
    };
    Ok(ListRecord {
        context: Context::new(row.get_text(0)?, row.get_text(1)?, row.get_text(2)?),
        revision: row.get_u64(3)?,
        template,
        completion_rule: rule_of(row, 6)?,
        locked: row.get_json_option(7)?,
        waived: row.get_json_option(8)?,
        created_at: row.get_time(9)?,
        changed_at: row.get_time(10)?,
        newer_version: row.get_u32_option(11)?,
        counts: counts_of(row, 12)?,
    })
}

fn rule_of(row: &Row, column: usize) -> Result<CompletionRule, StoreError> {
    Ok(row.get_named_option(column)?.unwrap_or_default())
}

fn counts_of(row: &Row, first: usize) -> Result<Counts, StoreError> {
    Ok(Counts {
        total: row.get_u32(first)?,
        done: row.get_u32(first + 1)?,
        not_applicable: row.get_u32(first + 2)?,
        open: row.get_u32(first + 3)?,
        required_open: row.get_u32(first + 4)?,
    })
}

/// How many of everything there is, without the lists.
const TOTALS: &str = "SELECT
     (SELECT count(DISTINCT template_id) FROM template_version WHERE tenant = $1),
     (SELECT count(DISTINCT template_id) FROM template_version
          WHERE tenant = $1 AND status = 'Published'),
     (SELECT count(*) FROM platform_type WHERE tenant = $1),
     (SELECT count(*) FROM api_key WHERE tenant = $1 AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > $2)),
     (SELECT count(*) FROM embed_key WHERE tenant = $1 AND revoked_at IS NULL AND NOT own
          AND (expires_at IS NULL OR expires_at > $2)),
     (SELECT count(*) FROM person WHERE tenant = $1 AND NOT disabled),
     (SELECT count(*) FROM webhook WHERE tenant = $1),
     (SELECT count(*) FROM webhook WHERE tenant = $1 AND enabled AND failing_since IS NOT NULL),
     (SELECT count(*) FROM webhook WHERE tenant = $1 AND NOT enabled AND off_because IS NOT NULL)";

/// The counts of the first lists, and whether there is one more.
const LISTS: &str = concat!(
    "SELECT c.completion_rule, c.waived, ",
    counts!(),
    "FROM (SELECT * FROM checklist l WHERE l.tenant = $1
           ORDER BY l.object_id, l.object_type, l.purpose LIMIT $2) c",
    counted_items!(),
    "GROUP BY c.tenant, c.number, c.completion_rule, c.waived"
);

/// How many of everything a tenant has.
pub(crate) async fn overview<S: Session>(
    session: &mut S,
    tenant: &str,
    now: Timestamp,
) -> Result<OverviewRecord, StoreError> {
    let totals = session
        .query_opt(TOTALS, values![tenant, now], |row| {
            Ok(OverviewRecord {
                templates: row.get_u64(0)?,
                published_templates: row.get_u64(1)?,
                types: row.get_u64(2)?,
                api_keys: row.get_u64(3)?,
                embed_keys: row.get_u64(4)?,
                people: row.get_u64(5)?,
                webhooks: row.get_u64(6)?,
                failing_webhooks: row.get_u64(7)?,
                webhooks_turned_off: row.get_u64(8)?,
                ..OverviewRecord::default()
            })
        })
        .await?;
    let mut overview = totals.unwrap_or_default();
    let state_of = |row: &Row| {
        let is_waived = row.get_text_option(1)?.is_some();
        Ok(counts_of(row, 2)?.state(rule_of(row, 0)?, is_waived))
    };
    let states = session
        .query_map(LISTS, values![tenant, COUNTED_LISTS + 1], state_of)
        .await?;
    let counted = usize::try_from(COUNTED_LISTS).unwrap_or(usize::MAX);
    for state in states.iter().take(counted) {
        match state {
            State::Complete => overview.complete += 1,
            State::Waived => overview.waived += 1,
            State::Empty => overview.empty += 1,
            State::Open | State::Unknown => {}
        }
    }
    overview.lists = states.len() as u64;
    Ok(overview)
}

#[cfg(test)]
mod tests {
    use super::end_of_prefix;

    #[test]
    fn every_id_with_the_prefix_lies_before_its_end_and_no_other() {
        for (prefix, inside, outside) in [
            ("INC-1", "INC-1\u{10FFFF}9", "INC-2"),
            ("a%_", "a%_z", "a%`"),
            ("\u{D7FF}", "\u{D7FF}x", "\u{E000}"),
            ("x\u{10FFFF}", "x\u{10FFFF}\u{10FFFF}", "y"),
        ] {
            let end = end_of_prefix(prefix);
            assert!(
                inside < end.as_str() && outside >= end.as_str(),
                "{prefix:?}"
            );
        }
        assert!("\u{10FFFF}\u{10FFFF}" < end_of_prefix("").as_str());
    }
}
