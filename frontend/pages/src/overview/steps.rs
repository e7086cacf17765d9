//! What has to be there before the first checklist can be worked on, each step with its page.

use checklist_shared::wire::overview::Overview;

use crate::kit::*;
use crate::navigation::base;

/// A step.
struct Step {
    title: &'static str,
    hint: &'static str,
    is_done: bool,
    /// What leads there; none where nothing in these pages does.
    action: Option<AnyView>,
    /// Whether everything works without it.
    is_optional: bool,
}

/// The panel with the steps; none once all that are needed are done.
#[must_use]
pub fn panel(app: App, overview: &Overview) -> Option<AnyView> {
    let words = app.language.overview();
    let steps = steps(app, overview);
    if steps.iter().all(|step| step.is_done || step.is_optional) {
        return None;
    }
    // Of all rows, so that people can count them.
    let done = steps.iter().filter(|step| step.is_done).count();
    let (done, total) = (done.to_string(), steps.len().to_string());
    let progress = fill(words.start_hint, &[("done", &done), ("total", &total)]);
    let beside = view! { <span class="quiet">{progress}</span> }.into_any();
    let steps = steps.into_iter().map(|step| step.view(app));
    let steps = steps.collect::<Vec<_>>();
    let panel = view! {
        <Panel id="start-title" title=words.start beside is_bare=true>
            <ol class="setup">{steps}</ol>
        </Panel>
    };
    Some(panel.into_any())
}

fn steps(app: App, overview: &Overview) -> Vec<Step> {
    let words = app.language.overview();
    let to = |route: Route, label: &'static str| {
        Some(view! { <PageLink to=route class="button outlined">{label}</PageLink> }.into_any())
    };
    let guide = [&base(), "/docs/guides/form-designer"].concat();
    let guide = view! {
        <a class="button outlined" href=guide target="_blank" rel="noopener">{words.first_list_action}</a>
    };
    let mut steps = vec![
        Step {
            title: words.template,
            hint: words.template_hint,
            is_done: overview.templates > 0,
            action: to(Route::NewTemplate, words.template),
            is_optional: false,
        },
        Step {
            title: words.published,
            hint: words.published_hint,
            is_done: overview.published_templates > 0,
            action: to(Route::Templates, app.language.frame().templates),
            is_optional: false,
        },
        Step {
            title: words.kind,
            hint: words.kind_hint,
            is_done: overview.types > 0,
            action: to(Route::NewType, words.kind_action),
            // A page can name the template of a list itself.
            is_optional: true,
        },
        Step {
            title: words.first_list,
            hint: words.first_list_hint,
            is_done: overview.lists.total > 0,
            action: Some(guide.into_any()),
            is_optional: false,
        },
        Step {
            title: words.vault,
            hint: words.vault_hint,
            is_done: overview.has_vault,
            action: None,
            is_optional: true,
        },
    ];
    // A demo gives everybody a token.
    if !overview.demo {
        let key = Step {
            title: words.key,
            hint: words.key_hint,
            is_done: overview.api_keys + overview.embed_keys > 0,
            action: to(Route::EmbedKeys, words.key),
            is_optional: false,
        };
        steps.insert(3, key);
    }
    steps
}

impl Step {
    fn view(self, app: App) -> AnyView {
        let words = app.language.overview();
        let (class, mark, state) = if self.is_done {
            ("setup-step done", "✓", words.is_done)
        } else {
            ("setup-step", "", words.is_open)
        };
        let action = self.action.filter(|_| !self.is_done);
        view! {
            <li class=class>
                <span class="setup-step-mark" aria-hidden="true">{mark}</span>
                <div class="setup-step-words">
                    <p class="setup-step-title">{self.title}<span class="sr">{[" – ", state].concat()}</span></p>
                    {(!self.is_done).then(|| view! { <p class="quiet">{self.hint}</p> })}
                </div>
                {action}
            </li>
        }
        .into_any()
    }
}
