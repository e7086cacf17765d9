//! A row of a list, whatever its type.
//!
//! Lists and tables hold rows in this form, so that they are compiled once and not for each type of
//! row: that was a quarter of the download. Pages see the type: `PagedList<T>`, `Columns<T>`.

use std::any::Any;
use std::sync::Arc;

use checklist_control::api::js;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use crate::api::{self, ApiError};

/// What a row can hold.
pub trait RowType: DeserializeOwned + Send + Sync + 'static {}

impl<T: DeserializeOwned + Send + Sync + 'static> RowType for T {}

/// A row.
#[derive(Clone)]
pub struct Row {
    /// Its JSON. A row that is read again is the same as long as nothing of it has changed.
    pub key: Arc<str>,
    value: Arc<dyn Any + Send + Sync>,
}

impl Row {
    fn read<T: RowType>(json: JsValue) -> Result<Arc<dyn Any + Send + Sync>, ApiError> {
        Ok(Arc::new(api::read::<T>(json)?))
    }

    /// The row as what it is.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }
}

/// Draws a cell of a row.
pub type Draw = Arc<dyn Fn(&Row) -> AnyView + Send + Sync>;

/// A cell that is drawn from a row of that type.
pub fn draw<T: 'static, V: IntoAny>(cell: impl Fn(&T) -> V + Send + Sync + 'static) -> Draw {
    Arc::new(move |row| match row.get() {
        Some(row) => cell(row).into_any(),
        None => ().into_any(),
    })
}

/// A page of a list.
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// The cursor of the next page; none on the last one.
    pub next: Option<String>,
    /// How many rows there are in all, where the server says so.
    pub total: Option<u64>,
}

/// Where the rows are in an answer, and of what type they are.
#[derive(Clone, Copy)]
pub struct Format {
    /// The member with the rows.
    member: &'static str,
    read: fn(JsValue) -> Result<Arc<dyn Any + Send + Sync>, ApiError>,
}

impl Format {
    /// Rows of that type in that member.
    #[must_use]
    pub fn of<T: RowType>(member: &'static str) -> Self {
        Self {
            member,
            read: Row::read::<T>,
        }
    }

    /// Reads an answer. The cursor is its `Next`, or its `Cursor` if there is `More`.
    pub fn page(self, answer: &JsValue) -> Result<Page, ApiError> {
        let rows = js::entries(answer, self.member).into_iter().map(|json| {
            let key = js_sys::JSON::stringify(&json);
            Ok(Row {
                key: key.map_or_else(|_| String::new(), String::from).into(),
                value: (self.read)(json)?,
            })
        });
        let has_more = js::member(answer, "More").is_truthy();
        let next = if has_more { "Cursor" } else { "Next" };
        Ok(Page {
            rows: rows.collect::<Result<_, _>>()?,
            next: text(&js::member(answer, next)),
            total: js::member(answer, "Total")
                .as_f64()
                .map(|total| total as u64),
        })
    }
}

/// A cursor, which is a text or a number.
fn text(cursor: &JsValue) -> Option<String> {
    let number = || cursor.as_f64().map(|number| number.to_string());
    cursor.as_string().or_else(number)
}
