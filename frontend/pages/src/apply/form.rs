//! The form: a template, and which checklists; then what would happen, and the button that does it.
//!
//! What was previewed is what is applied: as soon as the form says something else, the preview is gone.

use std::collections::HashSet;

use checklist_shared::Context;
use checklist_shared::template::TemplateStatus;
use checklist_shared::wire::admin::TemplateRow;
use checklist_shared::wire::apply::{ApplyPreview, TemplateRun};
use serde_json::{Map, Value, json};

use super::{CALL, list_item, outcomes};
use crate::kit::*;
use crate::templates::list::name_of;

/// How many characters of a name that cannot be used are repeated.
const SHOWN: usize = 40;

/// The choice of checklists by a filter; any other is by object ids.
const FILTER: &str = "filter";

/// The form, with the preview under it.
pub fn view(app: App, templates: &[TemplateRow]) -> AnyView {
    let words = app.language.apply();
    let draft = json!({ "Template": "", "By": "", "ObjectType": "", "Purpose": "", "Contexts": [],
        "Filter": { "ObjectType": "", "ObjectId": "", "Purpose": "", "Template": "", "State": "" } });
    let form = Form::new("apply", &draft).explain_at(
        ProblemCode::TemplateNotFound,
        "/Template",
        words.not_published,
    );
    // What was asked, null before that, and the answer.
    let (asked, answer) = (
        RwSignal::new(Value::Null),
        StoredValue::new(None::<ApplyPreview>),
    );
    let published = (templates.iter()).filter(|row| row.status == TemplateStatus::Published);
    let published = published.map(|row| (row.id.clone(), name_of(app, row).0));
    let choices: Vec<(String, String)> = std::iter::once((String::new(), words.choose.to_owned()))
        .chain(published)
        .collect();
    let by = [("", words.by_ids), (FILTER, words.by_filter)];
    let submit = move || {
        let request = untrack(|| request(form));
        let sent = request.clone();
        form.submit(
            move |_| api::post::<ApplyPreview>(app, CALL, with_dry_run(request, true)),
            move |preview: ApplyPreview| {
                app.say(outcomes(app, &preview.counts, true));
                answer.set_value(Some(preview));
                asked.set(Value::Null);
                asked.set(sent);
            },
        );
    };
    let label = move || match form.busy.get() {
        true => app.language.frame().loading,
        false => words.preview,
    };
    let is_by_filter = Memo::new(move |_| form.value("/By") == FILTER);
    let chosen = move || match is_by_filter.get() {
        true => filter_fields(app, form),
        false => object_fields(app, form),
    };
    let preview = move || {
        let is_current = asked.with(|asked| *asked == request(form));
        let preview = answer.get_value().filter(|_| is_current);
        preview.map(|preview| untrack(|| preview_panel(app, form, asked.get(), &preview)))
    };
    view! {
        <form class="card panel" novalidate on:submit=submitted(submit)>
            <div class="panel-body narrow-form">
                <Select
                    bind=form.at("/Template").required_with(words.choose)
                    label=app.language.lists().template
                    options=choices.clone()
                />
                <Select bind=form.at("/By") label=words.which options=options(by) />
                {chosen}
                <FormAlert form />
                <div class="buttons"><SubmitButton label=Signal::derive(move || label().to_owned()) /></div>
            </div>
        </form>
        <div>{preview}</div>
    }
    .into_any()
}

fn object_fields(app: App, form: Form) -> AnyView {
    let (words, of_lists) = (app.language.apply(), app.language.lists());
    view! {
        <Field bind=form.at("/ObjectType").required().checked(unusable_name) label=of_lists.object_type hint=words.type_hint />
        <Field bind=form.at("/Purpose").checked(unusable_name) label=of_lists.purpose hint=words.purpose_hint />
        <Field
            bind=form.at("/Contexts").converted(LINES).required().checked(unusable_name)
            label=words.ids
            hint=words.ids_hint
            rows=6
            is_code=true
        />
    }
    .into_any()
}

/// The first of one name or several that no checklist can have.
fn unusable_name(app: App, names: &Value) -> Option<String> {
    let mut names = match names {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => Vec::from_iter(name.as_str()),
    }
    .into_iter();
    let is_unusable = |name: &&str| Context::new(name, name, name).validate().is_err();
    let name = names.find(is_unusable)?;
    let shown: String = name.chars().take(SHOWN).collect();
    Some(fill(
        app.language.apply().unusable_name,
        &[("name", &shown)],
    ))
}

fn filter_fields(app: App, form: Form) -> AnyView {
    let words = app.language.lists();
    let states = [
        ("", words.any_state),
        ("Open", words.open),
        ("Complete", words.complete),
        ("Waived", words.waived),
        ("Empty", words.without_items),
    ];
    view! {
        <p class="quiet">{app.language.apply().filter_hint}</p>
        <Field bind=form.at("/Filter/ObjectType") label=words.object_type />
        <Field bind=form.at("/Filter/ObjectId") label=words.object_id />
        <Field bind=form.at("/Filter/Purpose") label=words.purpose />
        <Field bind=form.at("/Filter/Template") label=words.template_id />
        <Select bind=form.at("/Filter/State") label=words.state options=options(states) />
    }
    .into_any()
}

/// What the form asks for. Tracked.
fn request(form: Form) -> Value {
    let text = |pointer: &str| form.value(pointer).as_str().unwrap_or_default().to_owned();
    let mut request = json!({ "Template": text("/Template") });
    if text("/By") == FILTER {
        let mut filter = form
            .value("/Filter")
            .as_object()
            .cloned()
            .unwrap_or_default();
        filter.retain(|_, value| value != "");
        request["Filter"] = filter.into();
        return request;
    }
    let (kind, purpose) = (text("/ObjectType"), text("/Purpose"));
    let mut seen = HashSet::new();
    let ids = form
        .value("/Contexts")
        .as_array()
        .cloned()
        .unwrap_or_default();
    let contexts = ids
        .into_iter()
        .filter(|id| seen.insert(id.clone()))
        .map(|id| {
            let mut context = Map::new();
            context.insert("ObjectType".to_owned(), kind.clone().into());
            context.insert("ObjectId".to_owned(), id);
            context.insert("Purpose".to_owned(), purpose.clone().into());
            Value::Object(context)
        });
    request["Contexts"] = contexts.collect();
    request
}

fn with_dry_run(mut request: Value, is_dry_run: bool) -> Value {
    request["DryRun"] = is_dry_run.into();
    request
}

fn preview_panel(app: App, form: Form, asked: Value, preview: &ApplyPreview) -> AnyView {
    let words = app.language.apply();
    let counts = preview.counts;
    let is_change = counts.appended + counts.begun > 0;
    let apply = move || {
        form.alert.set(None);
        let request = api::post::<TemplateRun>(app, CALL, with_dry_run(asked.clone(), false));
        app.send_once(form.busy, request, move |answer| match answer {
            Ok(run) => {
                app.say(words.started);
                app.go(Route::Applied(run.id));
            }
            Err(error) => form.show_error(&error),
        });
    };
    let apply = is_change.then(|| {
        view! { <div class="buttons"><Button label=words.apply class="primary" click=apply /></div> }
    });
    let lists = preview.lists.iter().map(|list| list_item(app, list, true));
    let lists = lists.collect::<Vec<_>>();
    let summary = outcomes(app, &preview.counts, true);
    let more = (preview.total as usize > preview.lists.len()).then(|| {
        let text = fill(words.first, &[("n", &preview.lists.len().to_string())]);
        view! { <p class="panel-body quiet">{text}</p> }
    });
    view! {
        <Panel id="apply-preview-title" title=words.preview is_bare=true>
            <div class="panel-body"><p>{summary}</p>{apply}</div>
            {more}
            <ul class="applied">{lists}</ul>
        </Panel>
    }
    .into_any()
}
