//! The question before a draft is published, and the versions that were published.

use checklist_control::browser::date_and_time;
use checklist_shared::problem::{Warning, WarningCode};
use checklist_shared::template::{RefreshPolicy, Template};
use checklist_shared::wire::admin::{TemplateHistory, TemplateImpact};

use super::comparison::summary;
use super::editor::Editor;
use crate::compare::{Case, differences};
use crate::kit::*;
use crate::logs::labels::name;

/// Asks before the draft is published.
pub fn ask(editor: Editor) {
    let (app, words) = (editor.app, editor.app.language.templates());
    let Some(TemplateHistory {
        id,
        draft: Some(draft),
        published,
        ..
    }) = editor.history.get_untracked()
    else {
        return;
    };
    app.show_dialog(move || {
        let number = draft.version.to_string();
        let call = ["Templates/", &encoded(&id), "/Impact"].concat();
        let is_first = published.is_none();
        let is_new = published
            .as_ref()
            .is_none_or(|published| is_other(published, &draft));
        let items = draft.clone();
        let impact = is_new.then(|| {
            load_from(call, move |impact: TemplateImpact| {
                view! {
                    {warnings(app, &items, &impact.warnings)}
                    <p class="impact">{impact_sentence(app, is_first, &impact)}</p>
                    <p>{words.publish_final}</p>
                }
                .into_any()
            })
        });
        let changes = published.as_ref().map(|published| {
            let rows = differences(published, &draft);
            let is_same = rows.iter().all(|row| row.case == Case::Same);
            let changes = match is_same && is_new {
                true => words.only_settings.to_owned(),
                false => summary(app, &rows, true),
            };
            view! { <p class="tally">{changes}</p> }
        });
        let publish = move || {
            app.close_dialog();
            editor.publish();
        };
        let close = move || app.close_dialog();
        let label = fill(words.publish_now, &[("n", &number)]);
        let publish = is_new.then(|| view! { <Button label class="primary" click=publish /> });
        view! {
            <Dialog title=fill(words.publish_title, &[("n", &number)]) cancel=close>
                <div class="dialog-body">
                    <div class="dialog-text">{changes}{impact}</div>
                    <div class="buttons end">
                        <Button label=app.language.frame().cancel focused=true click=close />
                        {publish}
                    </div>
                </div>
            </Dialog>
        }
        .into_any()
    });
}

/// Whether a draft says anything else than the version that is published.
fn is_other(published: &Template, draft: &Template) -> bool {
    let Template {
        version, status, ..
    } = published;
    let same = Template {
        version: *version,
        status: *status,
        ..draft.clone()
    };
    same != *published
}

/// How many warnings are shown one by one.
const SHOWN_WARNINGS: usize = 5;

/// What the author may not have meant.
fn warnings(app: App, draft: &Template, warnings: &[Warning]) -> Option<AnyView> {
    let words = app.language.templates();
    if warnings.is_empty() {
        return None;
    }
    let mut sentences: Vec<String> = Vec::new();
    for warning in warnings {
        // An item may lack several texts.
        let sentence = warning_sentence(app, draft, warning);
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    let more = sentences.len().saturating_sub(SHOWN_WARNINGS) as u64;
    let shown = sentences.into_iter().take(SHOWN_WARNINGS);
    let shown = shown.map(|sentence| view! { <li>{sentence}</li> });
    let more = (more > 0).then(|| {
        view! { <li>{counted(app.language, more, words.warn_more)}</li> }
    });
    let view = view! {
        <div class="notice warn">
            <p>{words.warnings}</p>
            <ul class="warnings">{shown.collect::<Vec<_>>()}{more}</ul>
        </div>
    };
    Some(view.into_any())
}

fn warning_sentence(app: App, draft: &Template, warning: &Warning) -> String {
    let words = app.language.templates();
    // Of the template itself its name.
    let item = || {
        let index = warning.pointer.as_deref()?.split('/').nth(2);
        let text = match index {
            Some(index) => &draft.items.get(index.parse::<usize>().ok()?)?.text,
            None => &draft.name,
        };
        let (_, text) = text.resolve(&[app.language.tag()])?;
        Some(text.to_owned())
    };
    let of_item = |sentence| fill(sentence, &[("item", &item().unwrap_or_default())]);
    match warning.code {
        WarningCode::NoItems => words.warn_no_items.to_owned(),
        WarningCode::NoRequiredItem => words.warn_no_required.to_owned(),
        WarningCode::RequiredItemsAreConditional => words.warn_conditional.to_owned(),
        WarningCode::ItemsAreConditional => words.warn_all_conditional.to_owned(),
        WarningCode::LanguageMissing => of_item(words.warn_language),
        WarningCode::DueAtOnce => of_item(words.warn_due),
        _ => warning.detail.clone(),
    }
}

fn impact_sentence(app: App, is_first: bool, impact: &TemplateImpact) -> String {
    let words = app.language.templates();
    let forms = match (impact.lists, impact.refresh_policy) {
        _ if is_first => return words.publish_first.to_owned(),
        (0, _) => return words.impact_none.to_owned(),
        (_, RefreshPolicy::Manual) => words.impact_manual,
        (_, RefreshPolicy::Auto) => words.impact_auto,
    };
    counted(app.language, impact.lists, forms)
}

/// The versions that were published, newest first.
pub fn versions(editor: Editor) -> AnyView {
    let (app, words) = (editor.app, editor.app.language.templates());
    let versions = move || {
        let history = editor.history.get()?;
        let rows = history.versions.iter().map(|version| {
            let number = version.version.to_string();
            let when = date_and_time(version.published_at, app.language.tag());
            let who = name(app.language.logs(), &version.published_by);
            let by = fill(words.history_by, &[("when", &when), ("who", &who)]);
            let items = u64::from(version.items);
            let items = counted(app.language, items, words.rows_count);
            view! {
                <li class="version">
                    <span class="version-name">{fill(words.version, &[("n", &number)])}</span>
                    <span class="quiet">{format!("{items} · {by}")}</span>
                </li>
            }
        });
        let rows: Vec<_> = rows.collect();
        (!rows.is_empty()).then(|| {
            view! {
                <h2 class="panel-title side-title">{words.versions}</h2>
                <ol class="versions card">{rows}</ol>
                <PageLink to=Route::Comparison(history.id) class="quiet-link">{words.compare}</PageLink>
            }
        })
    };
    versions.into_any()
}
