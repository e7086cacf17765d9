//! `$filter` and `$orderby` over items, in Graph's names: `fields/Title`, and only what is
//! indexed unless the caller says that it may fail.

use super::call::Call;
use super::error::{Graph, GraphError};
use crate::odata::filter::{Operand, parse};
use crate::query::row::Column;
use crate::query::{Order, Plan};
use crate::store::List;

/// The header that allows queries without an index.
const PREFERENCE: &str = "HonorNonIndexedQueriesWarningMayFailRandomly";

/// Reads filter and order.
///
/// # Errors
/// They cannot be read, name something unknown, or something that has no index.
pub fn read(call: &Call<'_>, list: &List) -> Graph<Plan> {
    let prefer = call.incoming.header("prefer").unwrap_or_default();
    let without_index = prefer.to_lowercase().contains(&PREFERENCE.to_lowercase());
    let mut plan = Plan::default();
    if let Some(text) = call.query.lenient_option("filter") {
        let filter = parse(text).map_err(|_| GraphError::filter())?;
        let mut wrong = None;
        filter.visit(&mut |operand| {
            let error = match operand {
                Operand::Path(path) => match filtered(list, path, without_index) {
                    Ok(column) => {
                        plan.columns.push((path.clone(), column));
                        None
                    }
                    Err(error) => Some(error),
                },
                Operand::Call(name, _) if name != "startswith" => Some(GraphError::filter()),
                _ => None,
            };
            wrong = wrong.take().or(error);
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        plan.filter = Some(filter);
    }
    for part in call
        .query
        .lenient_option("orderby")
        .unwrap_or_default()
        .split(',')
    {
        let mut words = part.split_whitespace();
        let Some(name) = words.next() else { continue };
        let descending = match words.next() {
            None | Some("asc") => false,
            Some("desc") => true,
            Some(_) => return Err(GraphError::invalid("Invalid orderby clause")),
        };
        let path: Vec<String> = match name {
            "createdDateTime" => vec!["fields".to_owned(), "Created".to_owned()],
            "lastModifiedDateTime" => vec!["fields".to_owned(), "Modified".to_owned()],
            name => name.split('/').map(str::to_owned).collect(),
        };
        let own = name == "createdDateTime" || name == "lastModifiedDateTime";
        let column = filtered(list, &path, without_index || own)?;
        plan.order.push(Order {
            name: name.to_owned(),
            column,
            descending,
        });
    }
    Ok(plan)
}

fn filtered(list: &List, path: &[String], without_index: bool) -> Graph<Column> {
    let name = match path {
        [only] if only == "id" => "ID",
        [fields, name] if fields == "fields" && name == "id" => "ID",
        [fields, name] if fields == "fields" => name.as_str(),
        _ => return Err(GraphError::filter()),
    };
    let bare = name.strip_suffix("LookupId").unwrap_or(name);
    let field = list.field(name).or_else(|| list.field(bare));
    let field =
        field.ok_or_else(|| GraphError::invalid(format!("Field '{name}' is not recognized")))?;
    if !field.kind.is_filterable() || (field.kind.is_multi() && !field.kind.is_person()) {
        return Err(GraphError::filter());
    }
    if !field.has_index() && !without_index {
        return Err(GraphError::not_indexed(name));
    }
    let linked = field.kind.is_person() || (field.kind.is_lookup() && !field.built_in);
    Ok(match (linked, name == bare) {
        (true, false) => Column::Number(field.clone()),
        (true, true) => Column::Behind(field.clone(), field.target_field().to_owned()),
        _ => Column::Own(field.clone()),
    })
}
