//! The test of a connection: seven steps, each with its outcome and what to do about it.
//!
//! Outcomes are said in words; signs and colours only support them.

use checklist_control::components::icon::{CHECK, CIRCLE, CROSS, DASH, Icon};
use checklist_shared::wire::connections::{
    ConnectionTest, TestOutcome, TestServiceConnection, TestStep,
};

use super::state::Page;
use super::{call, format};
use crate::kit::*;

/// The panel.
pub fn panel(page: Page, id: String) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    let form = Form::new("test", &TestServiceConnection::default());
    let run = move || {
        if untrack(|| page.form.is_changed()) {
            form.alert.set(Some(words.save_first.to_owned()));
            return;
        }
        page.test.set(None);
        let (path, id) = (call(&id, "/Test"), id.clone());
        let request = move |draft| api::post::<ConnectionTest>(app, path, draft);
        form.submit(request, move |test| {
            app.say(verdict(app, &test));
            page.test.set(Some(test));
            refresh(page, id);
        });
    };
    let label = Signal::derive(move || {
        if form.busy.get() {
            words.testing
        } else {
            words.test_now
        }
        .to_owned()
    });
    let list = form.at("/List").optional();
    view! {
        <Panel id="test-title" title=words.test>
            <p class="hint">{words.test_hint}</p>
            <form class="form-fields" novalidate on:submit=submitted(run)>
                <Field bind=list label=words.test_list hint=words.test_list_hint />
                <div class="buttons"><SubmitButton label class="outlined" /></div>
            </form>
            <FormAlert form />
            {move || page.test.get().map(|test| steps(app, &test))}
        </Panel>
    }
    .into_any()
}

/// A test may find out that a person has to sign in again; the page then says so.
fn refresh(page: Page, id: String) {
    let request = api::get(page.app, &call(&id, ""));
    page.app.send(request, move |connection| {
        let is_other = page
            .connection
            .try_with_untracked(|now| now.as_ref() != Some(&connection));
        // What is being typed stays.
        if is_other == Some(true) && !untrack(|| page.form.is_changed()) {
            page.show(connection);
        }
    });
}

fn verdict(app: App, test: &ConnectionTest) -> String {
    let words = app.language.connections();
    let failed = test
        .steps
        .iter()
        .find(|step| step.outcome == TestOutcome::Failed);
    match failed {
        Some(failed) => {
            let step = format::step(app, failed.step);
            fill(words.works_not, &[("step", step)])
        }
        None => words.works.to_owned(),
    }
}

fn steps(app: App, test: &ConnectionTest) -> AnyView {
    let class = if test.works {
        "notice fine"
    } else {
        "notice danger"
    };
    let steps: Vec<AnyView> = test.steps.iter().map(|one| step(app, one)).collect();
    view! {
        <div class="form-fields">
            <div class=class><p>{verdict(app, test)}</p></div>
            <ol class="steps">{steps}</ol>
        </div>
    }
    .into_any()
}

fn step(app: App, step: &TestStep) -> AnyView {
    let words = app.language.connections();
    let (class, path) = match step.outcome {
        TestOutcome::Passed => ("step passed", CHECK),
        TestOutcome::Failed => ("step failed", CROSS),
        TestOutcome::Unknown => ("step unknown", DASH),
        TestOutcome::Skipped => ("step skipped", CIRCLE),
    };
    let duration = (step.outcome != TestOutcome::Skipped).then(|| {
        let duration = fill(words.milliseconds, &[("n", &step.milliseconds.to_string())]);
        view! { <span class="hint">{duration}</span> }
    });
    let finding = format::finding(app, step);
    // The server says more about a failure than the sentences of this page do.
    let is_new = finding.as_ref() != Some(&step.detail);
    let has_detail = is_new && (finding.is_none() || step.outcome == TestOutcome::Failed);
    let detail = has_detail.then(|| server_text(app, "long", step.detail.clone()));
    let hint = step.hint.clone();
    view! {
        <li class=class>
            <span class="step-sign"><Icon path /></span>
            <div class="step-words">
                <p class="step-head">
                    <strong>{format::step(app, step.step)}</strong>
                    <span class="step-outcome">{format::outcome(app, step.outcome)}</span>
                    {duration}
                </p>
                {finding.map(|finding| view! { <p class="long">{finding}</p> })}
                {detail}
                {hint.map(|hint| server_text(app, "quiet", hint))}
            </div>
        </li>
    }
    .into_any()
}
