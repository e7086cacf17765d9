//! The overview: the steps that are missing, the figures, and the newest rows of the audit trail.

use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::{AuditPage, AuditRow};
use checklist_shared::wire::overview::{ListFigures, Overview};

use super::steps;
use crate::kit::*;
use crate::logs::labels::{act_label, actor, event_label, list};
use crate::route::{ListSearch, Search, UserSearch};

/// How many rows of the audit trail are shown.
const RECENT: &str = "Audit?Order=Newest&Limit=8";

/// The page.
pub fn page(app: App) -> AnyView {
    let may_audit = app
        .session
        .with_untracked(|session| session.may(Permission::Audit));
    let activity = may_audit.then(|| {
        let show = move |page: AuditPage| rows(app, &page.rows);
        activity(app, load_from(RECENT.to_owned(), show))
    });
    let overview = load_from("Overview".to_owned(), move |overview: Overview| {
        view! { {steps::panel(app, &overview)} {retired(app, &overview)} {figures(app, &overview)} }
            .into_any()
    });
    view! {
        <PageHead title=app.language.frame().overview />
        {overview}
        {activity}
    }
    .into_any()
}

/// The types whose new lists are empty, because they name a retired template.
fn retired(app: App, overview: &Overview) -> Option<AnyView> {
    let types = &overview.types_with_retired_templates;
    let links = types.iter().map(|name| {
        let (name, to) = (name.clone(), Route::Type(name.clone()));
        view! { " " <PageLink to class=""><bdi>{name}</bdi></PageLink> }
    });
    let links = links.collect::<Vec<_>>();
    let said = app.language.overview().retired;
    (!types.is_empty())
        .then(|| view! { <p class="notice warn"><span>{said}{links}</span></p> }.into_any())
}

fn figures(app: App, overview: &Overview) -> AnyView {
    let words = app.language.overview();
    let lists = &overview.lists;
    let in_state = |state: &str| {
        Route::Lists(ListSearch {
            state: state.to_owned(),
            ..ListSearch::default()
        })
    };
    let problems = overview.webhooks.failing + overview.webhooks.turned_off;
    let keys = overview.api_keys + overview.embed_keys;
    let figures = [
        (words.lists, count(app, lists, lists.total), in_state("")),
        (words.open, count(app, lists, lists.open), in_state("Open")),
        (
            words.complete,
            count(app, lists, lists.complete),
            in_state("Complete"),
        ),
        (
            words.waived,
            count(app, lists, lists.waived),
            in_state("Waived"),
        ),
        (
            words.people,
            overview.people.to_string(),
            Route::Users(UserSearch::default()),
        ),
        (words.keys, keys.to_string(), Route::ApiKeys),
    ];
    let figure = |class: &'static str, name: &'static str, value: String, to: Route| {
        view! {
            <li>
                <PageLink to class>
                    <span class="figure-name">{name}</span>
                    <span class="figure-value">{value}</span>
                </PageLink>
            </li>
        }
    };
    let class = if problems > 0 {
        "card figure bad"
    } else {
        "card figure"
    };
    let webhooks = figure(class, words.failing, problems.to_string(), Route::Webhooks);
    let figures = figures.map(|(name, value, to)| figure("card figure", name, value, to));
    let counted = lists.has_more.then(|| {
        let first = fill(words.counted_first, &[("n", &lists.total.to_string())]);
        view! { <p class="hint">{first}</p> }
    });
    view! {
        <section aria-label=words.figures>
            <ul class="figures">{figures}{webhooks}</ul>
            {counted}
        </section>
    }
    .into_any()
}

/// A number of lists; there are at least as many where not all were counted.
fn count(app: App, lists: &ListFigures, n: u64) -> String {
    let n = n.to_string();
    match lists.has_more {
        true => fill(app.language.overview().at_least, &[("n", &n)]),
        false => n,
    }
}

fn activity(app: App, rows: AnyView) -> AnyView {
    let words = app.language.overview();
    let all = Route::Audit(Search::default());
    let beside = view! { <PageLink to=all class="quiet-link">{words.all_activity}</PageLink> };
    view! {
        <Panel id="activity-title" title=words.activity beside=beside.into_any() is_bare=true>
            {rows}
        </Panel>
    }
    .into_any()
}

fn rows(app: App, rows: &[AuditRow]) -> AnyView {
    let words = app.language.logs();
    if rows.is_empty() {
        let none = app.language.overview().no_activity;
        return view! { <p class="padded quiet">{none}</p> }.into_any();
    }
    let rows = rows.iter().map(|row| {
        let (label, text) = match (&row.event, &row.act) {
            (Some(event), _) => (
                event_label(words, event.what).to_owned(),
                event.text.clone(),
            ),
            (None, Some(act)) if act.name.is_empty() => (act_label(words, act), act.id.clone()),
            (None, Some(act)) => (act_label(words, act), act.name.clone()),
            (None, None) => (String::new(), String::new()),
        };
        let context = row.context.as_ref().map(|context| {
            let (to, name) = (Route::List(context.clone()), list(words, context));
            view! { <PageLink to class="quiet-link">{name}</PageLink> }
        });
        view! {
            <li>
                <span class="activity-what">
                    <span class="happened">{label}</span>
                    <span class="said" dir="auto">{text}</span>
                    {context}
                </span>
                <span class="activity-who">{actor(words, &row.actor)}{time(row.at)}</span>
            </li>
        }
    });
    view! { <ul class="activity">{rows.collect::<Vec<_>>()}</ul> }.into_any()
}
