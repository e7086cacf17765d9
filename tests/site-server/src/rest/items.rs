//! Queries over items: `$select`, `$expand`, `$filter`, `$orderby`, `$top`, `$skiptoken`, and what
//! is said when one of them makes no sense.

use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::{item_entity, shape};
use crate::odata::entity::Entity;
use crate::odata::filter::{Operand, parse};
use crate::odata::projection::Projection;
use crate::query::row::Column;
use crate::query::{LOOKUPS, Order, Plan, Refused, Token, pages};
use crate::store::{Field, FieldKind, List};

/// How many rows a page has when nobody says.
const USUAL_PAGE: usize = 100;
/// How many it has at most.
const LARGEST_PAGE: usize = 5_000;

/// The rows that a query gives, and the address of the next page.
///
/// # Errors
/// The query is wrong, or may not be asked.
pub fn query(call: &Call<'_>, id: Uuid) -> Rest<(Vec<Entity>, Option<String>)> {
    let list = call.list(id)?;
    let projection = call.projection();
    check(list, &projection)?;
    let plan = plan(call, list, &projection)?;
    let top = match call.query.option("top") {
        Some(text) => text
            .trim()
            .parse::<usize>()
            .map_err(|_| RestError::expression(text))?
            .min(LARGEST_PAGE),
        None => USUAL_PAGE,
    };
    let token = match call.query.option("skiptoken") {
        Some(text) => Some(Token::read(text).ok_or_else(|| RestError::expression(text))?),
        None => None,
    };
    let filter = call.query.option("filter").unwrap_or_default();
    let rows = plan
        .rows(call.site, list, call.core.options.threshold)
        .map_err(|refused| match refused {
            Refused::Threshold => RestError::threshold(),
            Refused::Unanswerable => RestError::expression(filter),
        })?;
    let page = pages(&plan, call.site, list, rows, token.as_ref(), top);
    let entities = page
        .rows
        .iter()
        .map(|item| item_entity::entity(call, list, item, &projection))
        .collect::<Rest<Vec<_>>>()?;
    let next = page.next.map(|token| {
        let query = call.query.with_first("$skiptoken", &token.written());
        call.uri(&format!("web/lists(guid%27{id}%27)/items?{query}"))
    });
    Ok((entities, next))
}

/// Reads filter and order.
fn plan(call: &Call<'_>, list: &List, projection: &Projection) -> Rest<Plan> {
    let mut plan = Plan::default();
    if let Some(text) = call.query.option("filter") {
        let filter = parse(text).map_err(|_| RestError::expression(text))?;
        let mut wrong = None;
        filter.visit(&mut |operand| {
            let error = match operand {
                Operand::Path(path) => match queried(list, path, projection) {
                    Ok(column) => {
                        plan.columns.push((path.clone(), column));
                        None
                    }
                    Err(error) => Some(error),
                },
                Operand::Call(name, _) if !is_known(name) => Some(RestError::expression(text)),
                _ => None,
            };
            wrong = wrong.take().or(error);
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        plan.filter = Some(filter);
    }
    for part in call.query.option("orderby").unwrap_or_default().split(',') {
        let mut words = part.split_whitespace();
        let Some(name) = words.next() else { continue };
        let descending = match words.next() {
            None | Some("asc") => false,
            Some("desc") => true,
            Some(_) => return Err(RestError::expression(part)),
        };
        let path: Vec<_> = name.split('/').map(str::to_owned).collect();
        let column = Column::named(list, &path).ok_or_else(|| RestError::no_field(name))?;
        if column
            .field()
            .is_some_and(|field| !field.kind.is_sortable())
        {
            return Err(not_queried(&column, name));
        }
        plan.order.push(Order {
            name: name.to_owned(),
            column,
            descending,
        });
    }
    Ok(plan)
}

fn is_known(function: &str) -> bool {
    const KNOWN: [&str; 8] = [
        "startswith",
        "substringof",
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
    ];
    KNOWN.contains(&function)
}

fn queried(list: &List, path: &[String], projection: &Projection) -> Rest<Column> {
    let name = path.join("/");
    let column = Column::named(list, path).ok_or_else(|| RestError::no_field(&name))?;
    match &column {
        Column::Behind(field, _) if projection.expanded(&path[0]).is_none() => {
            Err(RestError::not_expanded(&name, &field.entity_name()))
        }
        Column::Own(field) | Column::Number(field) | Column::Behind(field, _)
            if !field.kind.is_filterable()
                || field.kind.is_taxonomy()
                || field.kind == FieldKind::LookupMulti =>
        {
            Err(not_queried(&column, &name))
        }
        Column::Own(field) if field.kind.is_person() || field.kind.is_lookup() => {
            if field.built_in && field.kind.is_lookup() {
                Ok(column)
            } else {
                Err(RestError::not_expanded(&name, &field.entity_name()))
            }
        }
        _ => Ok(column),
    }
}

fn not_queried(column: &Column, name: &str) -> RestError {
    let kind = column.field().map_or("Computed", |field| field.kind.name());
    RestError::new(
        400,
        -1,
        "Microsoft.SharePoint.SPException",
        format!(
            "The field '{name}' of type '{kind}' cannot be used in the query filter expression."
        ),
    )
}

/// Whether every name in `$select` and `$expand` means something, and not too much.
///
/// # Errors
/// One does not, or more look-ups would be joined than may be.
pub fn check(list: &List, projection: &Projection) -> Rest<()> {
    for name in &projection.select {
        match Column::named(list, std::slice::from_ref(name)) {
            Some(Column::Own(field)) if is_link(&field) && projection.expanded(name).is_none() => {
                return Err(RestError::not_expanded(name, &field.entity_name()));
            }
            Some(_) => {}
            None if SHOWN_ALONE.contains(&name.as_str()) => {}
            None if navigations().any(|navigation| navigation.eq_ignore_ascii_case(name)) => {}
            None => return Err(RestError::no_field(name)),
        }
    }
    for (name, below) in &projection.below {
        if projection.expanded(name).is_none() {
            let known = list.field(name).is_some() || navigations().any(|known| known == name);
            return Err(if known {
                let first = below.select.first().map_or("", String::as_str);
                RestError::not_expanded(&format!("{name}/{first}"), name)
            } else {
                RestError::no_field(name)
            });
        }
    }
    let mut joined = 0;
    for (name, below) in &projection.expand {
        if navigations().any(|known| known.eq_ignore_ascii_case(name)) {
            continue;
        }
        let field = list.field(name).ok_or_else(|| RestError::no_field(name))?;
        if !is_link(field) {
            return Err(RestError::no_field(name));
        }
        if below.is_default() && !projection.is_default() && projection.selects(name) {
            return Err(RestError::not_expanded(name, name));
        }
        joined += 1;
    }
    if joined > LOOKUPS {
        return Err(RestError::lookups());
    }
    Ok(())
}

pub(super) fn is_link(field: &Field) -> bool {
    field.kind.is_person() || (field.kind.is_lookup() && !field.built_in)
}

/// Members of an item that are no columns.
pub(super) const SHOWN_ALONE: [&str; 5] = [
    "Id",
    "FileSystemObjectType",
    "ServerRedirectedEmbedUri",
    "ServerRedirectedEmbedUrl",
    "CommentsDisabled",
];

fn navigations() -> impl Iterator<Item = &'static str> {
    shape::ITEM_NAVIGATIONS.into_iter()
}
