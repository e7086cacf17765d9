//! A filter and an order over the columns of one list, checked before a single row is read.

use jiff::tz::TimeZone;

use super::row::{Asked, Column};
use crate::odata::filter::{Comparison, Expression, Operand, holds};
use crate::store::{Item, List, Site};

/// One name of an order.
#[derive(Clone, Debug)]
pub struct Order {
    pub name: String,
    pub column: Column,
    pub descending: bool,
}

/// What is asked of a list.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub filter: Option<Expression>,
    /// Every name in the filter with its column.
    pub columns: Vec<(Vec<String>, Column)>,
    pub order: Vec<Order>,
}

/// Why a query is not answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// It would have to look at more rows than are allowed without an index.
    Threshold,
    /// A function that there is not, or operands that cannot be compared.
    Unanswerable,
}

impl Plan {
    /// The rows that the filter lets through, in order.
    ///
    /// # Errors
    /// The query may not or cannot be answered.
    pub fn rows<'a>(
        &self,
        site: &Site,
        list: &'a List,
        threshold: usize,
    ) -> Result<Vec<&'a Item>, Refused> {
        let zone = site.time_zone();
        self.check_threshold(site, list, &zone, threshold)?;
        let mut rows = Vec::new();
        for item in list.items.values() {
            let kept = match &self.filter {
                Some(filter) => self.holds(filter, site, list, item, &zone)?,
                None => true,
            };
            if kept {
                rows.push(item);
            }
        }
        if !self.order.is_empty() {
            self.sort(site, list, &zone, &mut rows);
        }
        Ok(rows)
    }

    fn sort(&self, site: &Site, list: &List, zone: &TimeZone, rows: &mut Vec<&Item>) {
        let cells = |item: &Item| -> Vec<_> {
            let columns = self.order.iter();
            columns
                .map(|order| order.column.cell(site, list, item))
                .collect()
        };
        let mut keyed: Vec<_> = rows.iter().map(|item| (cells(item), *item)).collect();
        keyed.sort_by(|(left, one), (right, other)| {
            for (order, (left, right)) in self.order.iter().zip(left.iter().zip(right)) {
                let found = crate::odata::filter::compare(left, right, zone);
                let found = found.unwrap_or(std::cmp::Ordering::Equal);
                let found = if order.descending {
                    found.reverse()
                } else {
                    found
                };
                if found.is_ne() {
                    return found;
                }
            }
            one.id.cmp(&other.id)
        });
        *rows = keyed.into_iter().map(|(_, item)| item).collect();
    }

    fn holds(
        &self,
        filter: &Expression,
        site: &Site,
        list: &List,
        item: &Item,
        zone: &TimeZone,
    ) -> Result<bool, Refused> {
        let row = Asked {
            site,
            list,
            item,
            columns: &self.columns,
            zone,
        };
        holds(filter, &row).map_err(|_| Refused::Unanswerable)
    }

    /// Beyond the threshold, an index must narrow the rows down first: what is filtered or sorted
    /// without one may be no more than the threshold. The id is an index that every list has.
    fn check_threshold(
        &self,
        site: &Site,
        list: &List,
        zone: &TimeZone,
        threshold: usize,
    ) -> Result<(), Refused> {
        if list.items.len() <= threshold {
            return Ok(());
        }
        let sorts = self
            .order
            .iter()
            .any(|order| !order.column.field().is_some_and(|field| field.has_index()));
        let Some(filter) = &self.filter else {
            return if sorts {
                Err(Refused::Threshold)
            } else {
                Ok(())
            };
        };
        let parts = filter.conjuncts();
        let (indexed, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| self.is_indexed(part));
        // By id alone the rows lie in order already.
        if !sorts && others.is_empty() && indexed.iter().all(|part| self.is_by_id(part)) {
            return Ok(());
        }
        if indexed.is_empty() {
            return Err(Refused::Threshold);
        }
        let mut narrowed = 0;
        for item in list.items.values() {
            let mut all = true;
            for part in &indexed {
                all = all && self.holds(part, site, list, item, zone)?;
            }
            narrowed += usize::from(all);
        }
        if narrowed > threshold {
            return Err(Refused::Threshold);
        }
        Ok(())
    }

    fn is_indexed(&self, part: &Expression) -> bool {
        match part {
            Expression::And(left, right) => self.is_indexed(left) || self.is_indexed(right),
            Expression::Or(left, right) => self.is_indexed(left) && self.is_indexed(right),
            Expression::Not(_) => false,
            Expression::Compare(_, Comparison::NotEqual, _) => false,
            Expression::Compare(left, _, right) => self.has_index(left) || self.has_index(right),
            Expression::Test(Operand::Call(name, arguments)) => {
                name == "startswith" && arguments.first().is_some_and(|first| self.has_index(first))
            }
            Expression::Test(_) => false,
        }
    }

    fn has_index(&self, operand: &Operand) -> bool {
        let column = self.column_of(operand);
        column.is_some_and(|column| match column {
            Column::Own(field) | Column::Number(field) => field.has_index(),
            Column::Behind(..) | Column::ObjectType => false,
        })
    }

    fn is_by_id(&self, part: &Expression) -> bool {
        let mut by_id = true;
        part.visit(&mut |operand| {
            if let Operand::Path(_) = operand {
                let field = self.column_of(operand).and_then(Column::field);
                by_id &= field.is_some_and(|field| field.internal == "ID");
            }
        });
        by_id
    }

    fn column_of(&self, operand: &Operand) -> Option<&Column> {
        let Operand::Path(path) = operand else {
            return None;
        };
        let mut columns = self.columns.iter();
        columns
            .find(|(name, _)| name == path)
            .map(|(_, column)| column)
    }
}
