//! The mapping: each field of a computer with the column that it goes to, and the key column.
//!
//! A column is offered where it can hold the field. The default is what the server would take
//! without a mapping.

use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::export::{fits, lacks};
use checklist_shared::wire::site_lists::{SiteColumn, SiteColumns};
use checklist_shared::wire::workflow::{FieldMapping, StartRun};
use serde_json::json;

use super::draft::{column_pointer, default_lines, key_columns, rival};
use super::state::Export;
use super::target::chosen;
use crate::computers::labels::field_name;
use crate::connections::call;
use crate::kit::*;

/// The panel, once a list is chosen.
pub fn panel(export: Export) -> AnyView {
    let form = export.form;
    let connection = chosen(form, "/ServiceConnection");
    let list = chosen(form, "/List");
    let panel = move || {
        let (list, connection) = (list.get(), connection.get_untracked());
        let call = format!("{}/Lists/{}/Columns", call(&connection, ""), encoded(&list));
        (!list.is_empty()).then(|| load_from(call, move |columns| mapping(export, columns)))
    };
    panel.into_any()
}

fn mapping(export: Export, list: SiteColumns) -> AnyView {
    let Export { app, form, .. } = export;
    let words = app.language.export();
    form.set("/FieldMap", json!(default_lines(&list.columns)));
    export.columns.set(Some(list.clone()));
    let lines = ComputerField::ALL.iter().enumerate();
    let lines = lines.map(|(index, field)| line(export, index, *field, &list.columns));
    let lines: Vec<AnyView> = lines.collect();
    // `-` is no line: errors of lines stand at their fields.
    let is_unmapped = form.error_at("/FieldMap/-", move || {
        let is_empty = lines_of(form).iter().all(|line| line.column.is_empty());
        is_empty.then(|| words.map_empty.to_owned())
    });
    let alert = move || {
        let text = is_unmapped.get()?;
        Some(view! { <p class="hint danger" role="alert">{text}</p> })
    };
    let others = list
        .columns
        .iter()
        .filter(|column| !column.writable && !column.hidden && !column.read_only)
        .map(|column| format!("{} ({})", column.display_name, column.site_type));
    let others = others.collect::<Vec<_>>().join(", ");
    let unwritable = (!others.is_empty()).then(|| {
        view! { <p class="hint">{fill(words.unwritable, &[("names", &others)])}</p> }
    });
    let key_column = key_column(export, &list.columns);
    let reset = move || {
        if let Some(draft) = untrack(|| form.read::<StartRun>()) {
            let field_map = Some(default_lines(&list.columns));
            form.reset(&StartRun { field_map, ..draft });
        }
    };
    view! {
        <Panel id="export-map" title=words.map>
            <p class="hint">{words.map_hint}</p>
            <div class="map-lines">{lines}</div>
            {alert}
            {unwritable}
            <div class="buttons"><Button label=words.reset_map click=reset /></div>
            {key_column}
        </Panel>
    }
    .into_any()
}

/// The lines of the draft. Tracked.
fn lines_of(form: Form) -> Vec<FieldMapping> {
    let lines = serde_json::from_value(form.value("/FieldMap"));
    lines.unwrap_or_default()
}

fn line(export: Export, index: usize, field: ComputerField, columns: &[SiteColumn]) -> AnyView {
    let Export { app, form, .. } = export;
    let words = app.language.export();
    let fitting = columns.iter().filter(|one| !one.hidden && fits(field, one));
    let fitting: Vec<&SiteColumn> = fitting.collect();
    let options = fitting.iter().map(|column| {
        // Two columns may have the same name.
        let mut same = fitting
            .iter()
            .filter(|one| one.display_name == column.display_name);
        let label = match same.nth(1) {
            Some(_) => format!("{} ({})", column.display_name, column.internal_name),
            None => column.display_name.clone(),
        };
        (column.internal_name.clone(), label)
    });
    let left_out = (String::new(), words.left_out.to_owned());
    let options: Vec<_> = std::iter::once(left_out).chain(options).collect();
    let error = form.error_at(column_pointer(index), move || {
        let rival = field_name(app, rival(&lines_of(form), field)?);
        Some(fill(words.same_column, &[("field", rival)]))
    });
    let bind = Binding {
        error: Some(error),
        ..form.at(column_pointer(index)).into()
    };
    let label = field_name(app, field);
    let statuses = (field == ComputerField::Status).then(|| missing_statuses(export, &fitting));
    if fitting.is_empty() {
        return view! { <Select bind label options hint=words.no_column /> }.into_any();
    }
    view! { <Select bind label options />{statuses} }.into_any()
}

/// A warning where the column of the status does not offer every status.
fn missing_statuses(export: Export, columns: &[&SiteColumn]) -> AnyView {
    let Export { app, form, .. } = export;
    let columns: Vec<SiteColumn> = columns.iter().copied().cloned().collect();
    let warning = move || {
        let lines = lines_of(form);
        let line = lines
            .iter()
            .find(|line| line.field == ComputerField::Status)?;
        let column = columns
            .iter()
            .find(|one| one.internal_name == line.column)?;
        let names = lacks(column).into_iter().map(ComputerStatus::label);
        let names = names.collect::<Vec<_>>().join(", ");
        let text = fill(
            app.language.export().lacks_statuses,
            &[("statuses", &names)],
        );
        (!names.is_empty()).then(|| view! { <p class="hint warning">{text}</p> })
    };
    warning.into_any()
}

fn key_column(export: Export, columns: &[SiteColumn]) -> AnyView {
    let (form, words) = (export.form, export.app.language.export());
    let default = (String::new(), words.key_column_default.to_owned());
    let others = key_columns(columns)
        .map(|column| (column.internal_name.clone(), column.display_name.clone()));
    let options: Vec<_> = std::iter::once(default).chain(others).collect();
    let bind: Binding = form.at("/KeyColumn").optional().into();
    let error = bind.error;
    let is_invalid = Memo::new(move |_| error.is_some_and(|error| error.with(Option::is_some)));
    view! {
        <details class="more-settings" open=move || is_invalid.get()>
            <summary>{words.more}</summary>
            <Select bind label=words.key_column hint=words.key_column_hint options />
        </details>
    }
    .into_any()
}
