//! The audit trail: who changed what, and what the text said then; as a file, and verified.

use checklist_shared::administration::{AdministrativeAct, Category};
use checklist_shared::event::Event;
use checklist_shared::item::{Actor, ActorSource, Basis};
use checklist_shared::wire::admin::{AuditPage, AuditRow, AuditVerification};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::rows::{Kind, Piece, detail, only, opening, piece, rows};
use super::search::{Log, form};
use super::told::{administered, happened, list, who};
use crate::api::{self, address};
use crate::app::App;
use crate::element::{El, all, button, el, nothing};
use crate::parts::head::head;
use crate::parts::load::{alert, sentence};
use crate::parts::table;
use crate::wording::{Wording, counted, fill};

/// What verifying has found.
#[derive(Clone, PartialEq)]
enum Verdict {
    None,
    Busy,
    Found(AuditVerification),
    Failed(String),
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.logs();
    let verdict = RwSignal::new(Verdict::None);
    let file = el("a")
        .class("button")
        .attr("download", "")
        .follow("href", move || {
            Some(address(
                &Log::Audit.file(&Log::Audit.search(&app.route.get())),
            ))
        })
        .text(words.csv);
    let verify = button("button outlined", words.verify, move || {
        verify(app, verdict)
    });
    let kind = Kind {
        log: Log::Audit,
        read: |app, call| {
            Box::pin(piece(app, call, |page: AuditPage| Piece {
                rows: page.rows,
                cursor: page.cursor,
                more: page.more,
            }))
        },
        id: |row: &AuditRow| row.sequence,
        row,
        heads: vec![words.when, words.who, words.told, words.list, words.details],
        empty: (words.audit_empty, words.audit_empty_hint),
    };
    all(vec![
        head(
            app,
            app.language.frame().audit,
            Some(words.audit_intro),
            vec![file, verify],
        )
        .view(),
        el("div")
            .attr("aria-live", "polite")
            .live(move || found(app, &verdict.get()))
            .view(),
        form(app, Log::Audit).view(),
        rows(app, kind),
    ])
}

fn verify(app: App, verdict: RwSignal<Verdict>) {
    if verdict.get_untracked() == Verdict::Busy {
        return;
    }
    verdict.set(Verdict::Busy);
    spawn_local(async move {
        let answer = api::get::<AuditVerification>(app, "Audit/Verification").await;
        verdict.try_set(match answer {
            Ok(found) => Verdict::Found(found),
            Err(failure) => Verdict::Failed(sentence(app, &failure)),
        });
    });
}

fn found(app: App, verdict: &Verdict) -> AnyView {
    let words = app.language.logs();
    match verdict {
        Verdict::None => nothing(),
        Verdict::Busy => el("p").class("notice").text(words.verifying).view(),
        Verdict::Failed(sentence) => alert(sentence.clone()).view(),
        Verdict::Found(AuditVerification {
            broken: Some(broken),
            ..
        }) => alert(fill(
            words.broken,
            &[
                ("n", &broken.sequence.to_string()),
                ("reason", &broken.reason),
            ],
        ))
        .view(),
        Verdict::Found(found) => el("p")
            .class("notice fine")
            .text(counted(
                app.language,
                found.rows,
                words.sound_one,
                words.sound_other,
            ))
            .view(),
    }
}

fn row(app: App, row: &AuditRow) -> El {
    let words = app.language.logs();
    let (happened, said) = match (&row.event, &row.act) {
        (Some(event), _) => (happened(app, event.what).to_owned(), event.text.clone()),
        (None, Some(act)) => {
            let name = if act.name.is_empty() {
                &act.id
            } else {
                &act.name
            };
            (administered(app, act), name.clone())
        }
        (None, None) => (String::new(), String::new()),
    };
    let said = (!said.is_empty()).then(|| el("span").class("said").attr("dir", "auto").text(said));
    let place = match &row.context {
        Some(context) => list(app, context),
        None => el("span").text(if row.category == Category::SignIn {
            words.of_sign_ins
        } else {
            words.of_administration
        }),
    };
    let cells = vec![
        el("td")
            .attr("data-label", words.who)
            .el(who(app, &row.actor)),
        el("td")
            .class("told")
            .attr("data-label", words.told)
            .el(el("span").class("happened").text(happened))
            .maybe(said),
        el("td").attr("data-label", words.list).el(place),
    ];
    let number = row.sequence.to_string();
    let own = row.clone();
    opening(
        app,
        row.at,
        fill(words.details_of, &[("n", &number)]),
        cells,
        move || details(app, &own),
    )
}

fn text(text: &str) -> El {
    el("span").attr("dir", "auto").text(text.to_owned())
}

fn code(text: String) -> El {
    el("code").text(text)
}

fn details(app: App, row: &AuditRow) -> El {
    let words = app.language.logs();
    let mut lines: Vec<El> = Vec::new();
    if let Some(event) = &row.event {
        lines.extend(of_event(app, event));
    }
    if let Some(act) = &row.act {
        lines.extend(of_act(app, act));
    }
    let actor = el("span")
        .el(el("bdi").text(row.actor.name.clone()))
        .text(" ")
        .el(code(row.actor.id.clone()))
        .maybe(vouched_for(&row.actor));
    lines.extend(detail(words.who, actor));
    lines.extend(detail(words.when, el("span").text(row.at.to_string())));
    lines.extend(detail(words.row, el("span").text(row.sequence.to_string())));
    if let Some(revision) = row.revision {
        lines.extend(detail(
            words.revision,
            el("span").text(revision.to_string()),
        ));
    }
    if let Some(operation) = &row.operation_id {
        lines.extend(detail(words.operation, code(operation.clone())));
    }
    if let Some(item) = row.event.as_ref().and_then(|event| event.item_id) {
        lines.extend(detail(words.item, code(item.to_string())));
    }
    lines.extend(detail(words.previous_hash, code(row.previous_hash.clone())));
    lines.extend(detail(words.hash, code(row.hash.clone())));
    let of_list = row
        .context
        .as_ref()
        .map(|context| only(app, Log::Audit, context));
    el("div")
        .class("details")
        .maybe(row.act.as_ref().and_then(|act| changes(app, act)))
        .el(el("dl").class("facts").els(lines))
        .maybe(of_list)
}

fn of_event(app: App, event: &Event) -> Vec<El> {
    let words = app.language.logs();
    let mut lines = Vec::new();
    if !event.text.is_empty() {
        lines.extend(detail(
            words.said_then,
            el("q").attr("dir", "auto").text(event.text.clone()),
        ));
    }
    if let Some(basis) = event.basis {
        let said = if basis == Basis::Seen {
            words.basis_seen
        } else {
            words.basis_assumed
        };
        lines.extend(detail(words.basis, el("span").text(said)));
    }
    for (label, value) in [(words.before, &event.before), (words.after, &event.after)] {
        if let Some(value) = value {
            lines.extend(detail(label, text(value)));
        }
    }
    lines
}

fn of_act(app: App, act: &AdministrativeAct) -> Vec<El> {
    let words = app.language.logs();
    let mut lines = Vec::new();
    if !act.secrets_changed.is_empty() {
        lines.extend(detail(words.secrets, text(&act.secrets_changed.join(", "))));
    }
    if !act.id.is_empty() {
        lines.extend(detail(words.id, code(act.id.clone())));
    }
    lines
}

/// The fields that an act has changed, each with its value before and after.
fn changes(app: App, act: &AdministrativeAct) -> Option<El> {
    let words = app.language.logs();
    if act.changes.is_empty() {
        return None;
    }
    let value = |label: &'static str, value: Option<&String>| {
        el("td")
            .attr("data-label", label)
            .attr("dir", "auto")
            .text(value.map_or_else(|| words.no_value.to_owned(), Clone::clone))
    };
    let rows = act.changes.iter().map(|change| {
        el("tr")
            .el(el("td")
                .attr("data-label", words.field)
                .el(code(change.field.clone())))
            .el(value(words.before, change.before.as_ref()))
            .el(value(words.after, change.after.as_ref()))
    });
    Some(
        el("table")
            .class("table stacking")
            .attr("aria-label", words.changes)
            .el(table::heads(&[words.field, words.before, words.after]))
            .el(el("tbody").els(rows)),
    )
}

/// Who vouches for the id of an actor, and by which key.
fn vouched_for(actor: &Actor) -> Option<El> {
    let parts = [
        actor.source.map(ActorSource::name),
        actor.issuer.as_deref(),
        actor.key.as_deref(),
    ];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| el("small").text([" ", &parts.join(" · ")].concat()))
}
