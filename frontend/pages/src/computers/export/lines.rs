//! What goes where: a line for each field of a computer with the column that it goes to, and the
//! column that holds the keys.
//!
//! Columns are offered where they can hold the field; the default is what the server would take
//! without a map.

use std::collections::BTreeMap;

use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::export::{fits, lacks};
use checklist_shared::wire::site_lists::{SiteColumn, SiteColumns};
use leptos::prelude::*;

use super::draft::{Missing, key_columns};
use super::faults;
use super::page::Form;
use crate::api;
use crate::computers::told::field_name;
use crate::connections::call;
use crate::element::{El, button, el, live, nothing};
use crate::parts::field::Field;
use crate::parts::load::loaded;
use crate::parts::panel::panel as titled;
use crate::route::encoded;
use crate::wording::{Wording, fill};

/// The panel; nothing as long as no list is chosen.
pub fn panel(form: Form) -> AnyView {
    let app = form.app;
    let place = Memo::new(move |_| {
        form.draft
            .with(|draft| (draft.connection.clone(), draft.list.clone()))
    });
    live(move || {
        let (connection, list) = place.get();
        if connection.is_empty() || list.is_empty() {
            return nothing();
        }
        let path = format!("{}/Lists/{}/Columns", call(&connection, ""), encoded(&list));
        loaded(
            app,
            move || {
                let path = path.clone();
                async move { api::get::<SiteColumns>(app, &path).await }
            },
            move |columns| shown(form, columns),
        )
    })
}

fn shown(form: Form, columns: SiteColumns) -> AnyView {
    let words = form.app.language.export();
    form.draft.update(|draft| draft.take(&columns));
    let columns = StoredValue::new(columns);
    let epoch = RwSignal::new(0_u32);
    let each = live(move || {
        epoch.track();
        columns.with_value(|columns| {
            let lines = ComputerField::ALL
                .into_iter()
                .map(|field| line(form, field, &columns.columns));
            el("div").class("map-lines").els(lines).view()
        })
    });
    let usual = move || {
        columns.with_value(|columns| form.draft.update(|draft| draft.take(columns)));
        form.failure.set(None);
        epoch.update(|epoch| *epoch += 1);
    };
    let unwritable = columns.with_value(|columns| {
        let names = columns
            .columns
            .iter()
            .filter(|column| !column.writable && !column.hidden && !column.read_only);
        let names = names.map(|column| format!("{} ({})", column.display_name, column.site_type));
        names.collect::<Vec<_>>().join(", ")
    });
    let unwritable = (!unwritable.is_empty()).then(|| {
        el("p")
            .class("hint")
            .text(fill(words.unwritable, &[("names", &unwritable)]))
    });
    let none = move || {
        let none = form
            .draft
            .with(|draft| draft.missing() == Some(Missing::Map));
        if none {
            el("p")
                .class("hint danger")
                .attr("role", "alert")
                .text(words.map_empty)
                .view()
        } else {
            nothing()
        }
    };
    let body = el("div")
        .el(el("p").class("hint").text(words.map_hint))
        .child(each)
        .live(none)
        .maybe(unwritable)
        .el(el("div")
            .class("buttons")
            .el(button("button", words.usual, usual)))
        .el(key_column(form, columns));
    titled("export-map", words.map, body).view()
}

fn line(form: Form, field: ComputerField, columns: &[SiteColumn]) -> El {
    let words = form.app.language.export();
    let mut options = vec![(String::new(), words.left_out.to_owned())];
    let fitting: Vec<&SiteColumn> = columns
        .iter()
        .filter(|column| !column.hidden && fits(field, column))
        .collect();
    for column in &fitting {
        // People may have given two columns the same name.
        let shared = fitting
            .iter()
            .filter(|other| other.display_name == column.display_name)
            .count();
        let name = if shared > 1 {
            format!("{} ({})", column.display_name, column.internal_name)
        } else {
            column.display_name.clone()
        };
        options.push((column.internal_name.clone(), name));
    }
    let chosen = form
        .draft
        .with_untracked(|draft| draft.lines.get(&field).cloned().unwrap_or_default());
    let mut line = Field::new(format!("map-{}", field.name()), field_name(form.app, field))
        .class("field map-line")
        .fault(faults::at_line(form, field));
    if fitting.is_empty() {
        line = line.hint(words.no_column);
    }
    let line = line.choice(options, &chosen, move |column| {
        // What was wrong with the map was wrong with another one.
        form.failure.set(None);
        form.draft.update(|draft| draft.put(field, column));
    });
    if field != ComputerField::Status {
        return line;
    }
    let short: BTreeMap<String, String> = fitting
        .iter()
        .map(|column| (column.internal_name.clone(), lacks(column)))
        .filter(|(_, lacks)| !lacks.is_empty())
        .map(|(column, lacks)| {
            let lacks: Vec<&str> = lacks.into_iter().map(ComputerStatus::label).collect();
            (column, lacks.join(", "))
        })
        .collect();
    line.live(move || {
        let lacks = form
            .draft
            .with(|draft| short.get(draft.lines.get(&field)?).cloned());
        lacks.map_or_else(nothing, |lacks| {
            el("p")
                .class("hint warning")
                .text(fill(words.lacks_statuses, &[("statuses", &lacks)]))
                .view()
        })
    })
}

fn key_column(form: Form, columns: StoredValue<SiteColumns>) -> El {
    let words = form.app.language.export();
    let mut options = vec![(String::new(), words.key_column_usual.to_owned())];
    columns.with_value(|columns| {
        options.extend(
            key_columns(&columns.columns)
                .map(|column| (column.internal_name.clone(), column.display_name.clone())),
        );
    });
    let fault = faults::at(form, "/KeyColumn");
    let wrong = Memo::new(move |_| fault().is_some());
    el("details")
        .class("more-settings")
        .follow("open", move || wrong.get().then(String::new))
        .el(el("summary").text(words.more))
        .el(Field::new("export-key-column", words.key_column)
            .hint(words.key_column_hint)
            .fault(faults::at(form, "/KeyColumn"))
            .choice(options, "", move |column| {
                form.failure.set(None);
                form.draft.update(|draft| draft.key_column = column);
            }))
}
