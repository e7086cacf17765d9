//! The control as one Leptos component, for applications that are written with Leptos.
//!
//! Every descriptor is a signal; what the element tells by events comes through callbacks. On a
//! server it renders the place that the list will take. Everything else is the same control.

use checklist_shared::{Context, ItemId};
use leptos::prelude::*;

use super::port::{
    Before, ChangeDetail, ErrorDetail, LocalFuture, Settings, Snapshot, TokenReason,
};
#[cfg(feature = "csr")]
use super::port::{GotToken, Host};

/// Where tokens come from: contexts and reason in, a token or a sentence out.
pub type TokenSource = fn(Vec<Context>, TokenReason) -> LocalFuture<Result<String, String>>;

/// A checklist that is bound to an object.
///
/// Without `object_id` it is a draft: changes wait until the id is there.
#[component]
pub fn ChecklistControl(
    /// Where the web services live, without `/api/…`.
    #[prop(into, optional)]
    base_url: Signal<String>,
    /// The platform type.
    #[prop(into)]
    object_type: Signal<String>,
    /// The object's id.
    #[prop(into, optional)]
    object_id: Signal<String>,
    /// Which list of the object.
    #[prop(into, optional)]
    purpose: Signal<String>,
    /// The template (fragment) id.
    #[prop(into, optional)]
    template: Signal<String>,
    /// Language tag.
    #[prop(into, optional)]
    lang: Signal<String>,
    /// No item can be checked and no checkbox is there.
    #[prop(into, optional)]
    disable_check: Signal<bool>,
    /// No add, edit, delete or move.
    #[prop(into, optional)]
    disable_edit: Signal<bool>,
    /// Ask for journal entries.
    #[prop(into, optional)]
    log_in_journal: Signal<bool>,
    /// Focusable and readable, but unchangeable.
    #[prop(into, optional)]
    readonly: Signal<bool>,
    /// Unchangeable.
    #[prop(into, optional)]
    disabled: Signal<bool>,
    /// Whether every change is sent at once; otherwise it waits until this is true again.
    #[prop(into, default = Signal::stored(true))]
    autosave: Signal<bool>,
    /// Where tokens come from; without it calls carry none.
    #[prop(optional)]
    token: Option<TokenSource>,
    /// Told how things stand whenever that changes; for forms that require a completed list.
    #[prop(into, optional)]
    on_state: Option<Callback<Snapshot>>,
    /// Told when `completed` changes.
    #[prop(into, optional)]
    on_completed: Option<Callback<bool>>,
    /// Told what a person has changed.
    #[prop(into, optional)]
    on_change: Option<Callback<ChangeDetail>>,
    /// Told what went wrong.
    #[prop(into, optional)]
    on_error: Option<Callback<ErrorDetail>>,
    /// Asked before something happens; `false` stops it.
    #[prop(into, optional)]
    before: Option<Callback<(Before, Option<ItemId>), bool>>,
) -> impl IntoView {
    let settings = Signal::derive(move || Settings {
        base_url: base_url.get(),
        object_type: object_type.get(),
        object_id: object_id.get(),
        purpose: purpose.get(),
        template: template.get(),
        lang: lang.get(),
        disable_check: disable_check.get(),
        disable_edit: disable_edit.get(),
        log_in_journal: log_in_journal.get(),
        autosave_off: !autosave.get(),
        required: false,
        disabled: disabled.get(),
        readonly: readonly.get(),
    });
    let told = Told {
        token,
        on_state,
        on_completed,
        on_change,
        on_error,
        before,
    };
    shown(settings, told)
}

/// Whom the control tells and asks: callbacks instead of events.
#[cfg_attr(
    not(feature = "csr"),
    expect(dead_code, reason = "nothing happens to a place on the server")
)]
struct Told {
    token: Option<TokenSource>,
    on_state: Option<Callback<Snapshot>>,
    on_completed: Option<Callback<bool>>,
    on_change: Option<Callback<ChangeDetail>>,
    on_error: Option<Callback<ErrorDetail>>,
    before: Option<Callback<(Before, Option<ItemId>), bool>>,
}

#[cfg(feature = "csr")]
fn shown(settings: Signal<Settings>, told: Told) -> AnyView {
    // A build for both sides renders on the server as well, where there is no page.
    if cfg!(not(target_arch = "wasm32")) {
        return place();
    }
    let controller = super::Controller::new(std::rc::Rc::new(told), settings.get_untracked());
    Effect::new(move |_| controller.set_settings(settings.get()));
    on_cleanup(move || controller.dispose());
    super::ControlView(controller).into_any()
}

#[cfg(not(feature = "csr"))]
fn shown(_: Signal<Settings>, _: Told) -> AnyView {
    place()
}

/// The place of a list that is not there yet.
fn place() -> AnyView {
    leptos::html::div()
        .class("control")
        .attr("aria-busy", "true")
        .into_any()
}

#[cfg(feature = "csr")]
impl Host for Told {
    fn before(&self, what: Before, item: Option<ItemId>) -> bool {
        self.before.is_none_or(|asked| asked.run((what, item)))
    }

    fn changed(&self, snapshot: &Snapshot) {
        if let Some(told) = self.on_state {
            told.run(snapshot.clone());
        }
    }

    fn user_change(&self, change: ChangeDetail) {
        if let Some(told) = self.on_change {
            told.run(change);
        }
    }

    fn completed_changed(&self, completed: bool) {
        if let Some(told) = self.on_completed {
            told.run(completed);
        }
    }

    fn error(&self, problem: ErrorDetail) {
        if let Some(told) = self.on_error {
            told.run(problem);
        }
    }

    fn token(&self, contexts: Vec<Context>, reason: TokenReason, done: GotToken) {
        match self.token {
            Some(source) => leptos::task::spawn_local(async move {
                done(source(contexts, reason).await);
            }),
            None => done(Ok(String::new())),
        }
    }
}
