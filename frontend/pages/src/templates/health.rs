//! Statistics for each item of a template in its lists, and the items that people add, to be put into the draft.
//!
//! The table says in words what its bars show.

use checklist_shared::permission::Permission;
use checklist_shared::wire::template_health::{ItemHealth, RecurringItem, TemplateHealth};

use crate::duration::in_words;
use crate::kit::*;

/// The page.
pub fn page(app: App, id: String) -> AnyView {
    let tag = app.language.tag();
    let call = ["Templates/", &encoded(&id), "/Health?Language=", tag].concat();
    load_from(call.clone(), move |health: TemplateHealth| {
        let words = app.language.templates();
        let file = api::address(&[&call, "&Format=Csv"].concat());
        let title = [words.health, ": ", &health.name].concat();
        view! {
            <BackLink to=Route::Template(health.id.clone()) label=words.health_back />
            <PageHead title intro=words.health_intro>
                <a class="button" download="" href=file>{words.health_csv}</a>
            </PageHead>
            {figures(app, &health)}
        }
        .into_any()
    })
}

fn figures(app: App, health: &TemplateHealth) -> AnyView {
    let words = app.language.templates();
    if health.lists == 0 && !health.truncated {
        return view! { <Empty title=words.health_empty hint=words.health_empty_hint /> }
            .into_any();
    }
    let counted = counted(app.language, health.lists.into(), words.health_counted);
    let truncated = health.truncated.then(|| {
        let text = fill(
            words.health_truncated,
            &[("n", &health.at_most.to_string())],
        );
        view! { <p class="notice warn">{text}</p> }
    });
    let labels = [
        words.kind_item,
        words.health_state,
        words.health_median,
        words.health_late,
        words.health_reopened,
        words.health_edited,
        words.health_deleted,
    ];
    let head = labels.map(|label| view! { <th scope="col">{label}</th> });
    let rows = health.items.iter().map(|item| row(app, item));
    let added = health.recurring.as_deref();
    let added = added.map(|added| recurring(app, &health.id, added));
    view! {
        <p>{counted}" "{words.health_rules}</p>
        {truncated}
        <div class="card table-card">
            <table class="table stacking">
                <thead><tr>{head.collect_view()}</tr></thead>
                <tbody>{rows.collect::<Vec<_>>()}</tbody>
            </table>
        </div>
        {added}
    }
    .into_any()
}

fn row(app: App, item: &ItemHealth) -> AnyView {
    let words = app.language.templates();
    let older = (!item.is_current).then(|| pill("plain", words.health_older));
    let number = |number: u32| number.to_string();
    let shares = [
        ("done", &*number(item.done)),
        ("na", &number(item.not_applicable)),
        ("open", &number(item.open)),
    ];
    let shares = fill(words.health_shares, &shares);
    let late = match (item.resolved_late, item.overdue) {
        (0, 0) => number(0),
        (late, overdue) => {
            let late = [("late", &*number(late)), ("overdue", &number(overdue))];
            fill(words.health_late_of, &late)
        }
    };
    let median = match item.median_seconds {
        None => "–".to_owned(),
        Some(0..60) => words.health_soon.to_owned(),
        Some(seconds) => in_words(app.language.tag(), &rounded(seconds)),
    };
    let cells = [
        (words.health_median, median),
        (words.health_late, late),
        (words.health_reopened, number(item.reopened)),
        (words.health_edited, number(item.edited)),
        (words.health_deleted, number(item.deleted)),
    ];
    let cells =
        cells.map(|(label, text)| view! { <td class="number" data-label=label>{text}</td> });
    view! {
        <tr>
            <th scope="row" class="long">
                <span dir="auto">{item.text.clone()}</span>
                <code class="id">{item.key.clone()}</code>
                {older}
            </th>
            <td data-label=words.health_state>
                <span class="shares" aria-hidden="true">
                    <span class="share-done" style:flex-grow=number(item.done)></span>
                    <span class="share-na" style:flex-grow=number(item.not_applicable)></span>
                    <span class="share-open" style:flex-grow=number(item.open)></span>
                </span>
                {shares}
            </td>
            {cells.collect_view()}
        </tr>
    }
    .into_any()
}

/// A time as an ISO 8601 duration with no more parts than matter.
fn rounded(seconds: u64) -> String {
    let minutes = seconds / 60;
    let (hours, days) = (minutes / 60, minutes / 1_440);
    match () {
        () if days >= 2 => format!("P{days}DT{}H", hours % 24),
        () if hours >= 2 => format!("PT{hours}H{}M", minutes % 60),
        () => format!("PT{minutes}M"),
    }
}

/// What people add by hand, with the way into the draft for who may write it.
fn recurring(app: App, id: &str, added: &[RecurringItem]) -> AnyView {
    let words = app.language.templates();
    let session = app.session;
    let may_write = session.with_untracked(|session| session.may(Permission::Templates));
    let rows = added.iter().map(|item| {
        let lists = counted(app.language, item.lists.into(), words.recurring_lists);
        let text = item.text.clone();
        let action = match item.key {
            Some(_) => Some(pill("plain", words.recurring_known)),
            None => may_write.then(|| {
                let name = fill(words.promote_named, &[("text", &text)]);
                let (id, text) = (id.to_owned(), text.clone());
                let promote = move || {
                    app.promoted.set(Some((id.clone(), text.clone())));
                    app.go(Route::Template(id.clone()));
                };
                view! { <Button label=words.promote name click=promote /> }.into_any()
            }),
        };
        view! {
            <li>
                <span class="list-item">
                    <span dir="auto">{text}</span>
                    <small class="list-details">{lists}</small>
                </span>
                {action}
            </li>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    let list = match rows.is_empty() {
        true => view! { <p class="padded quiet">{words.recurring_none}</p> }.into_any(),
        false => view! {
            <p class="padded quiet">{words.recurring_hint}</p>
            <ul class="list-items">{rows}</ul>
        }
        .into_any(),
    };
    view! { <Panel id="recurring" title=words.recurring is_bare=true>{list}</Panel> }.into_any()
}
