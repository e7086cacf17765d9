//! The worklist as one component for Leptos applications; its content follows signals. On a server it
//! renders the placeholder of the worklist.

use leptos::prelude::*;

#[cfg(feature = "csr")]
use super::settings::WorklistHost;
use super::settings::{OpenDetail, TickDetail, WorklistSettings};
use crate::control::TokenSource;
use crate::port::ErrorDetail;
#[cfg(feature = "csr")]
use crate::port::{TokenCallback, TokenReason};

/// Open items across lists, in a Leptos application, each ticked where it stands.
///
/// ```
/// use checklist_control::ChecklistShadow;
/// use checklist_control::worklist::{STYLES, Worklist, WorklistSettings};
/// use leptos::prelude::*;
///
/// #[component]
/// fn MyWork(language: Signal<String>) -> impl IntoView {
///     let settings = Signal::derive(move || WorklistSettings {
///         base_url: "https://host/platform".to_owned(),
///         object_type: "incident".to_owned(),
///         href: "/incidents/{ObjectId}".to_owned(),
///         lang: language.get(),
///         ..WorklistSettings::default()
///     });
///     view! {
///         <ChecklistShadow styles=STYLES>
///             <Worklist
///                 settings
///                 on_change=|tick: checklist_control::worklist::TickDetail| {
///                     leptos::logging::log!("{:?} of {}", tick.after, tick.context.object_id)
///                 }
///             />
///         </ChecklistShadow>
///     }
/// }
/// # let drawn = Owner::new().with(|| view! { <MyWork language="en".into() /> }.to_html());
/// # assert!(drawn.starts_with("<div"), "{drawn}");
/// ```
#[component]
pub fn Worklist(
    /// Which items to show.
    #[prop(into)]
    settings: Signal<WorklistSettings>,
    /// Where tokens come from, asked for a context with `*` in it; without it the page's own session
    /// with the server has to do.
    #[prop(optional)]
    token: Option<TokenSource>,
    /// Asked before a status is set; `false` stops it.
    #[prop(into, optional)]
    before_change: Option<Callback<TickDetail, bool>>,
    /// Told what a person has ticked.
    #[prop(into, optional)]
    on_change: Option<Callback<TickDetail>>,
    /// Told which object a person opens. `false`: the application shows it, and no link is followed.
    #[prop(into, optional)]
    on_open: Option<Callback<OpenDetail, bool>>,
    /// Told what went wrong; a sentence about it is on the screen anyway.
    #[prop(into, optional)]
    on_error: Option<Callback<ErrorDetail>>,
) -> impl IntoView {
    let callbacks = Callbacks {
        token,
        before_change,
        on_change,
        on_open,
        on_error,
    };
    mount(settings, callbacks)
}

/// The host of the worklist.
#[cfg_attr(
    not(feature = "csr"),
    expect(dead_code, reason = "nothing happens to a place on the server")
)]
struct Callbacks {
    token: Option<TokenSource>,
    before_change: Option<Callback<TickDetail, bool>>,
    on_change: Option<Callback<TickDetail>>,
    on_open: Option<Callback<OpenDetail, bool>>,
    on_error: Option<Callback<ErrorDetail>>,
}

#[cfg(feature = "csr")]
fn mount(settings: Signal<WorklistSettings>, callbacks: Callbacks) -> AnyView {
    use super::controller::WorklistController;

    // A build for both sides renders on the server as well, where there is no page.
    if cfg!(not(target_arch = "wasm32")) {
        return crate::control::place();
    }
    let host = std::rc::Rc::new(callbacks);
    let worklist = WorklistController::new(host, settings.get_untracked());
    let following = worklist.clone();
    Effect::new(move |_| following.set_settings(settings.get()));
    let ending = worklist.clone();
    on_cleanup(move || ending.dispose());
    worklist.view()
}

#[cfg(not(feature = "csr"))]
fn mount(_: Signal<WorklistSettings>, _: Callbacks) -> AnyView {
    crate::control::place()
}

#[cfg(feature = "csr")]
impl WorklistHost for Callbacks {
    fn token(
        &self,
        contexts: Vec<checklist_shared::Context>,
        reason: TokenReason,
        done: TokenCallback,
    ) {
        match self.token {
            Some(source) => leptos::task::spawn_local(async move {
                done(source(contexts, reason).await);
            }),
            None => done(Ok(String::new())),
        }
    }

    fn before_tick(&self, tick: &TickDetail) -> bool {
        self.before_change
            .is_none_or(|callback| callback.run(tick.clone()))
    }

    fn ticked(&self, tick: TickDetail) {
        if let Some(callback) = self.on_change {
            callback.run(tick);
        }
    }

    fn opened(&self, detail: OpenDetail) -> bool {
        self.on_open.is_none_or(|callback| callback.run(detail))
    }

    fn error(&self, problem: ErrorDetail) {
        if let Some(callback) = self.on_error {
            callback.run(problem);
        }
    }
}
