//! The control as one Leptos component, for applications that are written with Leptos.
//!
//! Every descriptor is a signal; what the element tells by events comes through callbacks. On a
//! server it renders the place that the list will take. Everything else is the same control.

use checklist_shared::Context;
use leptos::prelude::*;

#[cfg(feature = "csr")]
use super::port::{Before, ChangeDetail, ErrorDetail, Host, Snapshot};
use super::port::{LocalFuture, Settings, TokenReason};

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
    /// Where tokens come from; without it calls carry none.
    #[prop(optional)]
    token: Option<TokenSource>,
    /// Told when `completed` changes.
    #[prop(into, optional)]
    on_completed: Option<Callback<bool>>,
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
        autosave_off: false,
        required: false,
        disabled: disabled.get(),
        readonly: readonly.get(),
    });
    shown(settings, token, on_completed)
}

#[cfg(feature = "csr")]
fn shown(
    settings: Signal<Settings>,
    token: Option<TokenSource>,
    on_completed: Option<Callback<bool>>,
) -> AnyView {
    // A build for both sides renders on the server as well, where there is no page.
    if cfg!(not(target_arch = "wasm32")) {
        return place();
    }
    let host = std::rc::Rc::new(Events {
        token,
        on_completed,
    });
    let controller = super::Controller::new(host, settings.get_untracked());
    Effect::new(move |_| controller.set_settings(settings.get()));
    on_cleanup(move || controller.dispose());
    super::ControlView(controller).into_any()
}

#[cfg(not(feature = "csr"))]
fn shown(_: Signal<Settings>, _: Option<TokenSource>, _: Option<Callback<bool>>) -> AnyView {
    place()
}

/// The place of a list that is not there yet.
fn place() -> AnyView {
    leptos::html::div()
        .class("control")
        .attr("aria-busy", "true")
        .into_any()
}

/// The host of a Leptos component: callbacks instead of events.
#[cfg(feature = "csr")]
struct Events {
    token: Option<TokenSource>,
    on_completed: Option<Callback<bool>>,
}

#[cfg(feature = "csr")]
impl Host for Events {
    fn before(&self, _what: Before, _item: Option<checklist_shared::ItemId>) -> bool {
        true
    }

    fn changed(&self, _snapshot: &Snapshot) {}

    fn user_change(&self, _change: ChangeDetail) {}

    fn completed_changed(&self, completed: bool) {
        if let Some(told) = self.on_completed {
            told.run(completed);
        }
    }

    fn error(&self, _problem: ErrorDetail) {}

    fn token(
        &self,
        contexts: Vec<Context>,
        reason: TokenReason,
    ) -> LocalFuture<Result<String, String>> {
        match self.token {
            Some(source) => source(contexts, reason),
            None => Box::pin(async { Ok(String::new()) }),
        }
    }
}
