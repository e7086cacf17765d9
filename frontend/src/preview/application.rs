//! The preview as one component for Leptos applications; its content follows a signal. On a server it
//! renders the placeholder of the preview; `page` renders complete previews there.

use leptos::prelude::*;

use super::source::Source;
use crate::control::TokenSource;
use crate::port::ErrorDetail;
#[cfg(feature = "csr")]
use crate::port::{TokenCallback, TokenReason};

/// A template as it will look, in a Leptos application. It has no object and never writes.
///
/// ```
/// use checklist_control::ChecklistShadow;
/// use checklist_control::preview::{ChecklistPreview, Source};
/// use leptos::prelude::*;
///
/// #[component]
/// fn Onboarding(language: Signal<String>) -> impl IntoView {
///     let source = Signal::derive(move || Source {
///         template: "onboarding".to_owned(),
///         lang: language.get(),
///         ..Source::default()
///     });
///     view! { <ChecklistShadow><ChecklistPreview source /></ChecklistShadow> }
/// }
/// # let drawn = Owner::new().with(|| view! { <Onboarding language="en".into() /> }.to_html());
/// # assert!(drawn.starts_with("<div"), "{drawn}");
/// ```
#[component]
pub fn ChecklistPreview(
    /// The template or type to preview.
    #[prop(into)]
    source: Signal<Source>,
    /// Where tokens come from, asked without contexts; without it the page's own session with the
    /// server has to do.
    #[prop(optional)]
    token: Option<TokenSource>,
    /// Told when the template cannot be shown; a sentence about it is on the screen anyway.
    #[prop(into, optional)]
    on_error: Option<Callback<ErrorDetail>>,
) -> impl IntoView {
    mount(source, PreviewObserver { token, on_error })
}

/// The host of the preview.
#[cfg_attr(
    not(feature = "csr"),
    expect(dead_code, reason = "nothing happens to a place on the server")
)]
struct PreviewObserver {
    token: Option<TokenSource>,
    on_error: Option<Callback<ErrorDetail>>,
}

#[cfg(feature = "csr")]
fn mount(source: Signal<Source>, callback: PreviewObserver) -> AnyView {
    use super::component::PreviewController;

    // A build for both sides renders on the server as well, where there is no page.
    if cfg!(not(target_arch = "wasm32")) {
        return crate::control::place();
    }
    let preview = PreviewController::new(std::rc::Rc::new(callback), source.get_untracked(), false);
    let following = preview.clone();
    Effect::new(move |_| following.set_source(source.get()));
    preview.view()
}

#[cfg(not(feature = "csr"))]
fn mount(_: Signal<Source>, _: PreviewObserver) -> AnyView {
    crate::control::place()
}

#[cfg(feature = "csr")]
impl super::source::PreviewHost for PreviewObserver {
    fn token(&self, reason: TokenReason, done: TokenCallback) {
        match self.token {
            Some(source) => leptos::task::spawn_local(async move {
                done(source(Vec::new(), reason).await);
            }),
            None => done(Ok(String::new())),
        }
    }

    fn shown(&self) {}

    fn error(&self, problem: ErrorDetail) {
        if let Some(callback) = self.on_error {
            callback.run(problem);
        }
    }
}
