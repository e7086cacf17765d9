//! The audit trail: who changed what, and what the text said then; as a file, and verified.

use checklist_shared::administration::AdministrativeAct;
use checklist_shared::item::{Actor, ActorSource, Basis};
use checklist_shared::wire::admin::{AuditProof, AuditRow, AuditVerification};

use super::labels::{act_label, actor, category_label, event_label, list, name};
use super::search::{Log, of_list, search_view};
use crate::kit::*;
use crate::route::Search;
use crate::wording::logs::Logs;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.logs();
    let search = Log::Audit.search();
    let rows = Log::Audit.rows::<AuditRow>(search, "Rows");
    let columns = Columns::new()
        .class("log")
        .cell_of("when", words.when, |row: &AuditRow| time(row.at))
        .cell(words.who, |row| actor(words, &row.actor))
        .cell_of("event", words.event, move |row| event(app, row))
        .cell(words.list, |row| match &row.context {
            Some(context) => list(words, context),
            None => view! { <span>{category_label(words, row.category)}</span> }.into_any(),
        })
        .details(
            |row| fill(words.details_of, &[("n", &row.sequence.to_string())]),
            move |row| details(app, row),
        );
    let is_verifying = RwSignal::new(false);
    let verification = RwSignal::new(None);
    let verify = move || {
        let request = api::get::<AuditVerification>(app, "Audit/Verification");
        app.send_once(is_verifying, request, move |answer| {
            verification.set(Some(answer))
        });
    };
    let verification = move || match verification.get() {
        _ if is_verifying.get() => {
            Some(view! { <p class="notice">{words.verifying}</p> }.into_any())
        }
        answer => answer.map(|answer| verification_view(app, answer)),
    };
    let empty = (words.audit_empty, words.audit_empty_hint);
    view! {
        <PageHead title=app.language.frame().audit intro=words.audit_intro>
            {Log::Audit.file_link(app, "button", search)}
            <Button label=words.verify class="outlined" click=verify />
        </PageHead>
        <div aria-live="polite">{verification}</div>
        {search_view(app, Log::Audit, search, *rows, columns.into(), empty)}
    }
    .into_any()
}

fn verification_view(app: App, answer: Result<AuditVerification, ApiError>) -> AnyView {
    let words = app.language.logs();
    let alert = |text: String| view! { <Alert text /> }.into_any();
    match answer {
        Err(error) => alert(error_sentence(app, &error)),
        Ok(AuditVerification {
            broken: Some(broken),
            ..
        }) => {
            let row = broken.sequence.to_string();
            alert(fill(
                words.broken,
                &[("n", &row), ("reason", &broken.reason)],
            ))
        }
        Ok(AuditVerification { rows, .. }) => {
            let text = counted(app.language, rows, words.verified);
            view! { <p class="notice fine">{text}</p> }.into_any()
        }
    }
}

fn event(app: App, row: &AuditRow) -> AnyView {
    let words = app.language.logs();
    let (label, text) = match (&row.event, &row.act) {
        (Some(event), _) => (event_label(words, event.what).to_owned(), &event.text),
        (None, Some(act)) if act.name.is_empty() => (act_label(words, act), &act.id),
        (None, Some(act)) => (act_label(words, act), &act.name),
        (None, None) => return ().into_any(),
    };
    let text = Some(text.clone()).filter(|text| !text.is_empty());
    view! {
        <span class="happened">{label}</span>
        {text.map(|text| view! { <span class="said" dir="auto">{text}</span> })}
    }
    .into_any()
}

fn details(app: App, row: &AuditRow) -> AnyView {
    let words = app.language.logs();
    let text = |text: &str| view! { <span dir="auto">{text.to_owned()}</span> }.into_any();
    let code = |text: &str| view! { <code>{text.to_owned()}</code> }.into_any();
    let (event, act) = (row.event.as_ref(), row.act.as_ref());
    let wording = event
        .map(|event| &event.text)
        .filter(|text| !text.is_empty());
    let wording = wording.map(|text| view! { <q dir="auto">{text.clone()}</q> }.into_any());
    let wording = wording.or_else(|| row.words_erased.then(|| text(words.erased_words)));
    let basis = event
        .and_then(|event| event.basis)
        .map(|basis| match basis {
            Basis::Seen => words.basis_seen,
            _ => words.basis_assumed,
        });
    let value = |value: Option<&String>| value.map(|value| text(value));
    let secrets = act.map(|act| act.secrets_changed.join(", "));
    let id = act.map(|act| &act.id).filter(|id| !id.is_empty());
    let item = event.and_then(|event| event.item_id);
    let lines = [
        (words.wording, wording),
        (words.basis, basis.map(text)),
        (
            words.before,
            value(event.and_then(|event| event.before.as_ref())),
        ),
        (
            words.after,
            value(event.and_then(|event| event.after.as_ref())),
        ),
        (
            words.secrets,
            secrets
                .filter(|secrets| !secrets.is_empty())
                .map(|secrets| text(&secrets)),
        ),
        (words.id, id.map(|id| code(id))),
        (words.who, Some(account(words, &row.actor))),
        (words.when, Some(text(&row.at.to_string()))),
        (words.row, Some(text(&row.sequence.to_string()))),
        (
            words.revision,
            row.revision.map(|revision| text(&revision.to_string())),
        ),
        (words.operation, row.operation_id.as_deref().map(code)),
        (words.item, item.map(|item| code(&item.to_string()))),
        (words.hash, Some(code(&row.hash))),
    ];
    let lines = lines
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    view! {
        <div class="details">
            {act.and_then(|act| changes(app, act))}
            {facts(lines)}
            {row.context.as_ref().map(|context| Log::Audit.list_link(app, context))}
            {links(app, row)}
            {proof(app, row.sequence)}
        </div>
    }
    .into_any()
}

/// The links to what else happened to the item, and in the operation.
fn links(app: App, row: &AuditRow) -> Option<AnyView> {
    let words = app.language.logs();
    let context = row.context.as_ref()?;
    let item = row.event.as_ref().and_then(|event| event.item_id);
    let item = item.map(|item| Search {
        item_id: item.to_string(),
        ..of_list(context)
    });
    let operation = row.operation_id.clone().map(|operation_id| Search {
        operation_id,
        ..Search::default()
    });
    let links = view! {
        {item.map(|search| Log::Audit.link(words.only_item, search))}
        {operation.map(|search| Log::Audit.link(words.only_operation, search))}
    };
    Some(links.into_any())
}

/// Saves the proof that the row is in the signed tree, for whoever verifies it elsewhere.
fn proof(app: App, sequence: u64) -> AnyView {
    let save = move || {
        let request = api::get::<AuditProof>(app, &format!("Audit/Proof?Sequence={sequence}"));
        app.send(request, move |proof| {
            download_json(&format!("audit-row-{sequence}.json"), &proof)
        });
    };
    view! { <Button label=app.language.logs().proof class="outlined" click=save /> }.into_any()
}

/// The account of an actor, and what vouches for it.
fn account(words: &Logs, actor: &Actor) -> AnyView {
    let (source, issuer, key) = (actor.source, actor.issuer.as_deref(), actor.key.as_deref());
    let parts = [source.map(ActorSource::name), issuer, key];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    let id = Some(actor.id.clone()).filter(|id| !id.is_empty());
    let source = (!parts.is_empty()).then(|| [" ", &parts.join(" · ")].concat());
    view! {
        <span>
            <bdi>{name(words, actor)}</bdi>
            " "
            {id.map(|id| view! { <code>{id}</code> })}
            {source.map(|source| view! { <small>{source}</small> })}
        </span>
    }
    .into_any()
}

/// The fields that an act has changed, each with its value before and after.
fn changes(app: App, act: &AdministrativeAct) -> Option<AnyView> {
    let words = app.language.logs();
    let value = |label: &'static str, value: &Option<String>| {
        let value = value.clone().unwrap_or_else(|| words.no_value.to_owned());
        view! { <td data-label=label dir="auto">{value}</td> }
    };
    let rows = act.changes.iter().map(|change| {
        view! {
            <tr>
                <td data-label=words.field><code>{change.field.clone()}</code></td>
                {value(words.before, &change.before)}
                {value(words.after, &change.after)}
            </tr>
        }
    });
    let rows: Vec<_> = rows.collect();
    let head = [words.field, words.before, words.after]
        .map(|label| view! { <th scope="col">{label}</th> });
    (!rows.is_empty()).then(|| {
        view! {
            <table class="table stacking" aria-label=words.changes>
                <thead><tr>{head}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        }
        .into_any()
    })
}
