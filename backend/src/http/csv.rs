//! Exports journal and audit trail as CSV, streamed row by row.
//!
//! Spreadsheets evaluate a cell that starts with `=`, `+`, `-` or `@` as a formula, and the content
//! comes from other people. Such cells are prefixed with an apostrophe, including those that arise
//! only when a program splits the file at semicolons, tabs or line ends.

use std::future::Future;

use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use checklist_services::journal::LogQuery;
use checklist_shared::administration::AdministrativeAct;
use checklist_shared::event::Event;
use checklist_shared::item::Actor;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{AuditRow, JournalEntry};
use checklist_store::error::{ServiceError, ServiceResult};
use futures_util::stream::try_unfold;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::problem::internal;
use crate::http::problem::ProblemResponse;

/// The number of rows that are read at a time.
const PIECE: u32 = 500;

/// In which form a log is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub enum Format {
    /// A page of JSON.
    Json,
    /// Everything that was asked for, as CSV (RFC 4180) with a head row, in UTF-8.
    #[serde(alias = "csv", alias = "CSV")]
    Csv,
}

impl Format {
    /// The one asked for by parameter, else by `Accept`.
    pub fn negotiate(parameter: Option<Self>, headers: &HeaderMap) -> Self {
        let by_header = || {
            let accept = headers.get(header::ACCEPT)?.to_str().ok()?;
            let first = accept.split([',', ';']).next()?.trim();
            first.eq_ignore_ascii_case("text/csv").then_some(Self::Csv)
        };
        parameter.or_else(by_header).unwrap_or(Self::Json)
    }
}

/// A log that can be a table.
pub trait Table {
    /// The names of the head row, apart by commas.
    const HEAD: &'static str;

    /// The fields of a row, as many as the head has.
    fn fields(&self) -> Vec<String>;
}

/// Rows that come after a cursor: them, and where the next ones begin (`None` at the end).
pub type Next<T> = (Vec<T>, Option<u64>);

/// Streams a table. The first piece is awaited, so that a refusal is still a problem; whatever
/// goes wrong later breaks the connection off, and no client takes a part for the whole.
pub async fn stream<T, R>(
    name: &str,
    at: Timestamp,
    from: u64,
    read: impl Fn(u64) -> R + Send + 'static,
) -> Result<Response, ProblemResponse>
where
    T: Table + Send + 'static,
    R: Future<Output = ServiceResult<Next<T>>> + Send,
{
    let (rows, next) = read(from).await?;
    let mut text = String::from("\u{feff}");
    text.push_str(&line(T::HEAD.split(',').map(str::to_owned))?);
    text.push_str(&lines(&rows)?);
    let rest = try_unfold((Some(text), next, read), |(first, next, read)| async move {
        if let Some(text) = first {
            return Ok(Some((text, (None, next, read))));
        }
        let Some(after) = next else {
            return Ok::<_, std::io::Error>(None);
        };
        let broken = |error: ServiceError| std::io::Error::other(error.problem.title);
        let (rows, next) = read(after).await.map_err(broken)?;
        let text = lines(&rows).map_err(|error| broken(error.0))?;
        Ok(Some((text, (None, next, read))))
    });
    let day = at.to_string();
    let file = format!(
        "attachment; filename=\"{name}-{}.csv\"",
        day.get(..10).unwrap_or("now")
    );
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/csv; charset=utf-8; header=present"),
        ),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_str(&file).map_err(|_| internal())?,
        ),
    ];
    Ok((headers, Body::from_stream(rest)).into_response())
}

/// The query for the piece of a file that comes after a cursor.
pub fn piece(query: &LogQuery, after: u64) -> LogQuery {
    LogQuery {
        after,
        limit: Some(PIECE),
        ..query.clone()
    }
}

fn lines<T: Table>(rows: &[T]) -> Result<String, ProblemResponse> {
    let mut text = String::new();
    for row in rows {
        text.push_str(&line(row.fields().into_iter())?);
    }
    Ok(text)
}

fn line(fields: impl Iterator<Item = String>) -> Result<String, ProblemResponse> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer
        .write_record(fields.map(harmless))
        .map_err(|_| internal())?;
    let bytes = writer.into_inner().map_err(|_| internal())?;
    String::from_utf8(bytes).map_err(|_| internal())
}

/// The characters that start a formula.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// The characters that end a cell where the comma does not. If the separator is a semicolon or a
/// tab, as in locales with a decimal comma, quotation marks within a line do not protect anything,
/// and a line break always ends the row.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// Escapes a field so that no part of it can be a formula, whichever separator splits the file.
fn harmless(field: String) -> String {
    if !field.contains(FORMULA) && !field.starts_with(SEPARATORS) {
        return field;
    }
    let mut safe = String::with_capacity(field.len() + 1);
    // What a cell has before its first character that counts.
    let mut leading = Some(String::new());
    for character in field.chars() {
        match &mut leading {
            Some(before) if matches!(character, ' ' | '"' | '\'' | '\u{a0}') => {
                before.push(character);
                continue;
            }
            Some(before) => {
                if FORMULA.contains(&character) {
                    safe.push('\'');
                }
                safe.push_str(before);
                leading = None;
            }
            None => {}
        }
        safe.push(character);
        if SEPARATORS.contains(&character) {
            leading = Some(String::new());
        }
    }
    safe.push_str(&leading.unwrap_or_default());
    if safe.starts_with(SEPARATORS) {
        safe.insert(0, '\'');
    }
    safe
}

impl Table for AuditRow {
    const HEAD: &'static str = "Sequence,At,Category,Actor,ActorId,ActorKind,ActorMode,ActorSource,\
        ActorIssuer,ActorKey,OnBehalfOf,ObjectType,ObjectId,Purpose,Revision,\
        What,Text,Before,After,Basis,ItemId,OperationId,Subject,SubjectId,\
        SubjectName,Action,Changes,Hash";

    fn fields(&self) -> Vec<String> {
        let event = self.event.as_ref();
        let context = self.context.as_ref();
        let act = self.act.as_ref();
        let row = [
            self.sequence.to_string(),
            self.at.to_string(),
            word(&self.category),
        ];
        let what = [
            text_of(context, |context| context.object_type.clone()),
            text_of(context, |context| context.object_id.clone()),
            text_of(context, |context| context.purpose.clone()),
            text_of(self.revision.as_ref(), ToString::to_string),
            text_of(event, |event| word(&event.what)),
            text_of(event, |event| event.text.clone()),
            text_of(event, |event| event.before.clone().unwrap_or_default()),
            text_of(event, |event| event.after.clone().unwrap_or_default()),
            text_of(event, |event| text_of(event.basis.as_ref(), word)),
            text_of(event, |event| {
                text_of(event.item_id.as_ref(), ToString::to_string)
            }),
            self.operation_id.clone().unwrap_or_default(),
            text_of(act, |act| word(&act.subject)),
            text_of(act, |act| act.id.clone()),
            text_of(act, |act| act.name.clone()),
            text_of(act, |act| word(&act.action)),
            text_of(act, changes),
            self.hash.clone(),
        ];
        row.into_iter()
            .chain(actor(&self.actor))
            .chain(what)
            .collect()
    }
}

impl Table for JournalEntry {
    const HEAD: &'static str = "Cursor,Id,From,Until,Actor,ActorId,ActorKind,ActorMode,ActorSource,\
        ActorIssuer,ActorKey,OnBehalfOf,ObjectType,ObjectId,Purpose,Text,\
        Events";

    fn fields(&self) -> Vec<String> {
        let describe = |event: &Event| {
            let what = word(&event.what);
            if event.text.is_empty() {
                what
            } else {
                format!("{what}: {}", event.text)
            }
        };
        let entry = [
            self.cursor.to_string(),
            self.id.to_string(),
            self.from.to_string(),
            self.until.to_string(),
        ];
        let what = [
            self.context.object_type.clone(),
            self.context.object_id.clone(),
            self.context.purpose.clone(),
            self.text.clone(),
            self.events
                .iter()
                .map(describe)
                .collect::<Vec<_>>()
                .join("; "),
        ];
        entry
            .into_iter()
            .chain(actor(&self.actor))
            .chain(what)
            .collect()
    }
}

/// The text of an optional part of a row.
fn text_of<T>(part: Option<&T>, text: impl FnOnce(&T) -> String) -> String {
    part.map(text).unwrap_or_default()
}

/// Formats the changed fields of an act: `Roles: reader → admin; Password (secret)`.
fn changes(act: &AdministrativeAct) -> String {
    let values = act.changes.iter().map(|change| {
        let before = change.before.as_deref().unwrap_or("");
        let after = change.after.as_deref().unwrap_or("");
        format!("{}: {before} → {after}", change.field)
    });
    let secrets = act.secrets_changed.iter();
    values
        .chain(secrets.map(|name| format!("{name} (secret)")))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The columns from `Actor` to `OnBehalfOf`.
fn actor(actor: &Actor) -> [String; 8] {
    let behind = actor.on_behalf_of.as_deref();
    [
        actor.name.clone(),
        actor.id.clone(),
        word(&actor.kind),
        text_of(actor.mode.as_ref(), word),
        text_of(actor.source.as_ref(), word),
        actor.issuer.clone().unwrap_or_default(),
        actor.key.clone().unwrap_or_default(),
        text_of(behind, |behind| behind.name.clone()),
    ]
}

/// The name of a value on the wire.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fields: &[&str]) -> String {
        line(fields.iter().map(|field| (*field).to_owned())).expect("fields can be written")
    }

    #[test]
    fn what_a_table_would_take_for_a_formula_is_text() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"] {
            let line = written(&["a", formula]);
            assert!(line.contains(&format!("'{formula}")), "{line}");
        }
        assert_eq!(written(&["1 - 1", "a=b"]), "1 - 1,a=b\r\n");
    }

    /// The cells of a file as found by a program that splits it at this character; quotation marks
    /// count only at the start of a cell.
    fn cells(file: &str, separator: char) -> Vec<String> {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        let mut characters = file.chars().peekable();
        while let Some(character) = characters.next() {
            let is_new = cells.last().is_some_and(String::is_empty);
            let cell = cells.last_mut().expect("a cell");
            match character {
                '"' if quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' if quoted => quoted = false,
                '"' if is_new => quoted = true,
                '\n' | '\r' if !quoted => cells.push(String::new()),
                other if other == separator && !quoted => cells.push(String::new()),
                other => cell.push(other),
            }
        }
        cells
    }

    #[test]
    fn no_cell_begins_with_a_formula_whichever_separator_the_file_is_opened_with() {
        for typed in [
            "a;=1+1",
            "a; =1+1",
            "a;\"=1+1",
            "a;\"\"\"=1+1\"",
            "a,b;=1+1",
            "\"a\";=1+1",
            "a\t=1+1",
            "a\n=1+1",
            "a\r\n-1",
            ";=1",
            "; ; =1",
            "\";=1+1;\"",
            "a;@SUM(A1)",
            "a;'=1",
            "a;＝1",
            " =1",
            "\"=1",
            "a;b,\"c;=1",
            "\t;=1",
            "x,\";=1",
        ] {
            let file = written(&["1", typed, "after"]);
            for separator in [',', ';', '\t', '|'] {
                for cell in cells(&file, separator) {
                    let seen = cell.trim_start_matches([' ', '"']);
                    assert!(!seen.starts_with(FORMULA), "{cell:?} in {file:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_formula_stays_as_it_was_typed() {
        for typed in [
            "a; b",
            "a;b - c",
            "well-known; 1+1",
            "",
            ";",
            "x\ny",
            "'quoted'",
            "a;",
        ] {
            let expected = if typed == ";" { "';" } else { typed };
            assert_eq!(harmless(typed.to_owned()), expected);
        }
    }

    #[test]
    fn commas_quotes_and_line_breaks_stay_in_their_field() {
        assert_eq!(
            written(&["a,b", "say \"x\"", "one\ntwo"]),
            "\"a,b\",\"say \"\"x\"\"\",\"one\ntwo\"\r\n"
        );
    }

    #[test]
    fn the_parameter_wins_over_the_header() {
        let mut headers = HeaderMap::new();
        assert_eq!(Format::negotiate(None, &headers), Format::Json);
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/csv, */*"));
        assert_eq!(Format::negotiate(None, &headers), Format::Csv);
        assert_eq!(
            Format::negotiate(Some(Format::Json), &headers),
            Format::Json
        );
    }
}
