//! Tables with declared columns: the heading of a column is at once the `data-label` of its cells,
//! which names them on narrow screens, where rows are blocks.
//!
//! Rows are keyed by their content: a row is drawn anew when, and only when, its resource has
//! changed, so that a list may be read again under the reader's hands.

use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;

use super::row::{Draw, Row, draw};
use crate::app::use_app;
use crate::wording::Wording;

type Name = Arc<dyn Fn(&Row) -> String + Send + Sync>;

enum Kind {
    /// The cell that names the row.
    Heading,
    Cell,
    /// Buttons: without a label on narrow screens.
    Actions,
}

struct Column {
    kind: Kind,
    label: &'static str,
    class: &'static str,
    cell: Draw,
}

struct Selection {
    head: ViewFn,
    cell: Draw,
    is_selected: Arc<dyn Fn(&Row) -> bool + Send + Sync>,
}

/// A table of rows of any type, or how rows are drawn that are no table.
pub struct Table {
    class: &'static str,
    is_card: bool,
    columns: Vec<Column>,
    selection: Option<Selection>,
    details: Option<(Name, Draw)>,
    /// Draws a row as an item of a list instead.
    item: Option<Draw>,
}

/// The columns of a table for rows of that type.
pub struct Columns<T> {
    table: Table,
    row: PhantomData<fn(&T)>,
}

impl<T> From<Columns<T>> for Table {
    fn from(columns: Columns<T>) -> Self {
        columns.table
    }
}

impl<T: 'static> Columns<T> {
    /// No column yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table {
                class: "",
                is_card: true,
                columns: Vec::new(),
                selection: None,
                details: None,
                item: None,
            },
            row: PhantomData,
        }
    }

    /// No table but a list of that class; `item` draws an `<li>`.
    #[must_use]
    pub fn list<V: IntoAny>(
        class: &'static str,
        item: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Self {
        let mut list = Self::new().class(class);
        list.table.item = Some(draw(item));
        list
    }

    /// A class of the table.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.table.class = class;
        self
    }

    /// Without a card around it, for a table on a panel.
    #[must_use]
    pub fn on_panel(mut self) -> Self {
        self.table.is_card = false;
        self
    }

    fn column(mut self, kind: Kind, class: &'static str, label: &'static str, cell: Draw) -> Self {
        self.table.columns.push(Column {
            kind,
            label,
            class,
            cell,
        });
        self
    }

    /// The column that names the row.
    #[must_use]
    pub fn heading<V: IntoAny>(
        self,
        label: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Self {
        self.column(Kind::Heading, "", label, draw(cell))
    }

    /// A column.
    #[must_use]
    pub fn cell<V: IntoAny>(
        self,
        label: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Self {
        self.column(Kind::Cell, "", label, draw(cell))
    }

    /// A column whose cells have a class, such as `long`, `number` or `when`.
    #[must_use]
    pub fn cell_of<V: IntoAny>(
        self,
        class: &'static str,
        label: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Self {
        self.column(Kind::Cell, class, label, draw(cell))
    }

    /// The column of the buttons.
    #[must_use]
    pub fn actions<V: IntoAny>(
        self,
        label: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Self {
        self.column(Kind::Actions, "toggle-cell", label, draw(cell))
    }

    /// A first column of boxes that select rows; `head` draws the box for all of them.
    #[must_use]
    pub fn selection<V: IntoAny>(
        mut self,
        head: impl Into<ViewFn>,
        cell: impl Fn(&T) -> V + Send + Sync + 'static,
        is_selected: impl Fn(&T) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.table.selection = Some(Selection {
            head: head.into(),
            cell: draw(cell),
            is_selected: Arc::new(move |row| row.get().is_some_and(&is_selected)),
        });
        self
    }

    /// A last column with a button that opens the details of a row under it. `name` is the
    /// accessible name of the button.
    #[must_use]
    pub fn details<V: IntoAny>(
        mut self,
        name: impl Fn(&T) -> String + Send + Sync + 'static,
        details: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Self {
        let name = move |row: &Row| row.get().map(&name).unwrap_or_default();
        self.table.details = Some((Arc::new(name), draw(details)));
        self
    }
}

impl Table {
    /// The table of these rows.
    #[must_use]
    pub fn view(self: &Arc<Self>, rows: RwSignal<Vec<Row>>) -> AnyView {
        let columns = Arc::clone(self);
        let each = view! {
            <For
                each=move || rows.get()
                key=|row| Arc::clone(&row.key)
                children=move |row| columns.row(row)
            />
        }
        .into_any();
        if self.item.is_some() {
            return view! { <ul class=self.class>{each}</ul> }.into_any();
        }
        // Rows with details are bodies of the table each.
        let body = if self.details.is_some() {
            each
        } else {
            view! { <tbody>{each}</tbody> }.into_any()
        };
        let class = ["table stacking ", self.class].concat();
        let table = view! { <table class=class.trim_end().to_owned()>{self.head()}{body}</table> };
        if self.is_card {
            view! { <div class="card table-card">{table}</div> }.into_any()
        } else {
            table.into_any()
        }
    }

    fn head(&self) -> AnyView {
        let selection = self.selection.as_ref();
        let selection =
            selection.map(|selection| view! { <td class="choose">{selection.head.run()}</td> });
        let columns = self.columns.iter();
        let mut labels: Vec<_> = columns
            .map(|column| (column.label, matches!(column.kind, Kind::Actions)))
            .collect();
        if self.details.is_some() {
            labels.push((use_app().language.logs().details, true));
        }
        // Above buttons the label is at the end, as they are.
        let labels = labels
            .into_iter()
            .map(|(label, is_end)| view! { <th scope="col" class:end=is_end>{label}</th> });
        view! { <thead><tr>{selection}{labels.collect::<Vec<_>>()}</tr></thead> }.into_any()
    }

    fn row(self: &Arc<Self>, row: Row) -> AnyView {
        if let Some(item) = &self.item {
            return item(&row);
        }
        let cells: Vec<AnyView> = self
            .columns
            .iter()
            .map(|column| column.view(&row))
            .collect();
        let selection = self.selection.as_ref();
        let box_cell =
            selection.map(|selection| view! { <td class="choose">{(selection.cell)(&row)}</td> });
        let Some((name, details)) = &self.details else {
            let columns = Arc::clone(self);
            let class = move || {
                let selection = columns.selection.as_ref()?;
                (selection.is_selected)(&row).then_some("chosen")
            };
            return view! { <tr class=class>{box_cell}{cells}</tr> }.into_any();
        };
        let open = RwSignal::new(false);
        let (name, details) = (name(&row), Arc::clone(details));
        let count = (cells.len() + 1).to_string();
        let opened = move || {
            open.get().then(|| {
                view! { <tr class="details-row"><td colspan=count.clone()>{details(&row)}</td></tr> }
            })
        };
        view! {
            <tbody class=move || open.get().then_some("open")>
                <tr>
                    {cells}
                    <td class="toggle-cell">
                        <button
                            type="button"
                            class="button"
                            aria-expanded=move || open.get().to_string()
                            aria-label=name
                            on:click=move |_| open.update(|open| *open = !*open)
                        >
                            {use_app().language.logs().details}
                        </button>
                    </td>
                </tr>
                {opened}
            </tbody>
        }
        .into_any()
    }
}

impl Column {
    fn view(&self, row: &Row) -> AnyView {
        let (cell, label) = ((self.cell)(row), self.label);
        let class = (!self.class.is_empty()).then_some(self.class);
        match self.kind {
            Kind::Heading => view! { <th scope="row" class=class>{cell}</th> }.into_any(),
            Kind::Cell => view! { <td class=class data-label=label>{cell}</td> }.into_any(),
            Kind::Actions => view! { <td class=class>{cell}</td> }.into_any(),
        }
    }
}
