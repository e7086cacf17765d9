//! The test of a connection: seven steps, each with what came of it and what to do about it.
//!
//! What came of a step is said in words; signs and colours only support.

use checklist_control::components::icon::{CHECK, CIRCLE, DASH};
use checklist_shared::wire::connections::{
    ConnectionTest, TestOutcome, TestServiceConnection, TestStep,
};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::page::Page;
use super::{call, told};
use crate::api::{self, ApiError};
use crate::element::{El, el, live, nothing};
use crate::parts::field::Field;
use crate::parts::load::{alert, sentence};
use crate::parts::panel::panel as titled;
use crate::wording::{Wording, fill};

/// A cross.
const CROSS: &str = "M4.5 4.5l7 7M11.5 4.5l-7 7";

#[derive(Clone, Copy)]
struct Trial {
    page: Page,
    list: RwSignal<String>,
    busy: RwSignal<bool>,
    trouble: RwSignal<String>,
}

/// The panel.
pub fn panel(page: Page) -> AnyView {
    let words = page.app.language.connections();
    let trial = Trial {
        page,
        list: RwSignal::new(String::new()),
        busy: RwSignal::new(false),
        trouble: RwSignal::new(String::new()),
    };
    let label = move || {
        if trial.busy.get() {
            words.testing
        } else {
            words.test_now
        }
        .to_owned()
    };
    let body = el("div")
        .el(el("p").class("hint").text(words.test_hint))
        .el(el("form")
            .class("form-fields")
            .attr("novalidate", "")
            .on("submit", move |event| {
                event.prevent_default();
                trial.run();
            })
            .el(Field::new("trial-list", words.test_list)
                .hint(words.test_list_hint)
                .line("", move |text| trial.list.set(text)))
            .el(el("div").class("buttons").el(el("button")
                .attr("type", "submit")
                .class("button outlined")
                .follow_text(label))))
        .live(move || {
            let trouble = trial.trouble.get();
            if trouble.is_empty() {
                nothing()
            } else {
                alert(trouble).view()
            }
        })
        .child(live(move || match page.tested.get() {
            Some(test) => found(page, &test).view(),
            None => nothing(),
        }));
    titled("test-title", words.test, body).view()
}

impl Trial {
    fn run(self) {
        let (page, words) = (self.page, self.page.app.language.connections());
        if self.busy.get_untracked() {
            return;
        }
        if page.is_changed() {
            self.trouble.set(words.save_first.to_owned());
            return;
        }
        let id = page
            .known
            .with_untracked(|known| known.as_ref().map(|known| known.id.clone()));
        let Some(id) = id else { return };
        let list = self.list.with_untracked(|list| list.trim().to_owned());
        let wish = TestServiceConnection {
            list: (!list.is_empty()).then_some(list),
        };
        self.busy.set(true);
        self.trouble.set(String::new());
        page.tested.set(None);
        spawn_local(async move {
            let path = call(&id, "/Test");
            let answer = api::send::<ConnectionTest>(page.app, Method::POST, &path, &wish).await;
            if self.busy.try_set(false).is_some() {
                return;
            }
            self.tell(answer);
        });
    }

    fn tell(self, answer: Result<ConnectionTest, ApiError>) {
        let page = self.page;
        match answer {
            Ok(test) => {
                page.app.say(verdict(page, &test));
                page.tested.set(Some(test));
                refresh(page);
            }
            Err(failure) => self.trouble.set(sentence(page.app, &failure)),
        }
    }
}

/// A test may find out that a person has to sign in again; the page then says so.
fn refresh(page: Page) {
    let id = page
        .known
        .with_untracked(|known| known.as_ref().map(|known| known.id.clone()));
    let Some(id) = id else { return };
    spawn_local(async move {
        let Ok(now) = api::get(page.app, &call(&id, "")).await else {
            return;
        };
        // Drawing the form anew would take what is being typed.
        let differs = page
            .known
            .try_with_untracked(|known| known.as_ref() != Some(&now));
        if differs == Some(true) && !page.is_changed() {
            page.known.set(Some(now));
        }
    });
}

fn verdict(page: Page, test: &ConnectionTest) -> String {
    let words = page.app.language.connections();
    let failed = test
        .steps
        .iter()
        .find(|step| step.outcome == TestOutcome::Failed);
    match failed {
        Some(failed) => {
            let step = told::step(page.app, failed.step);
            fill(words.works_not, &[("step", step)])
        }
        None => words.works.to_owned(),
    }
}

fn found(page: Page, test: &ConnectionTest) -> El {
    let class = if test.works {
        "notice fine"
    } else {
        "notice danger"
    };
    el("div")
        .class("form-fields")
        .el(el("div").class(class).el(el("p").text(verdict(page, test))))
        .el(el("ol")
            .class("steps")
            .els(test.steps.iter().map(|one| step(page, one))))
}

fn step(page: Page, step: &TestStep) -> El {
    let (app, words) = (page.app, page.app.language.connections());
    let (class, sign) = match step.outcome {
        TestOutcome::Passed => ("step passed", CHECK),
        TestOutcome::Failed => ("step failed", CROSS),
        TestOutcome::Unknown => ("step unknown", DASH),
        TestOutcome::Skipped => ("step skipped", CIRCLE),
    };
    let took = (step.outcome != TestOutcome::Skipped).then(|| {
        let took = step.milliseconds.to_string();
        el("span")
            .class("hint")
            .text(fill(words.milliseconds, &[("n", &took)]))
    });
    let hint = step.hint.clone();
    let sentence = told::finding(app, step);
    // What failed is told by the server in more words than there are for it here.
    let is_new = sentence.as_ref() != Some(&step.detail);
    let detail = is_new && (sentence.is_none() || step.outcome == TestOutcome::Failed);
    let detail = detail.then(|| told::from_server(app, step.detail.clone()).class("long"));
    el("li")
        .class(class)
        .el(el("span").class("step-sign").sign(sign))
        .el(el("div")
            .class("step-words")
            .el(el("p")
                .class("step-head")
                .el(el("strong").text(told::step(app, step.step)))
                .el(el("span")
                    .class("step-outcome")
                    .text(told::outcome(app, step.outcome)))
                .maybe(took))
            .maybe(sentence.map(|sentence| el("p").class("long").text(sentence)))
            .maybe(detail)
            .maybe(hint.map(|hint| told::from_server(app, hint).class("quiet"))))
}
