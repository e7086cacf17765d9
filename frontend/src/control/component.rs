//! The control as one component for Leptos applications.
//!
//! Every descriptor is a signal; the element's events are callbacks. On a server it renders the
//! placeholder of the list. Everything else is the same control.

use checklist_shared::{Context, ItemId};
use leptos::prelude::*;

#[cfg(feature = "csr")]
use crate::components::whole::Whole;
use crate::i18n::Words;
use crate::port::{
    CancelableEvent, ChangeDetail, ErrorDetail, LocalFuture, Person, Settings, Snapshot,
    TokenReason,
};
#[cfg(feature = "csr")]
use crate::port::{Host, PeopleCallback, TokenCallback};

/// What is about to happen, and the item that it is about.
pub type Intention = (CancelableEvent, Option<ItemId>);

/// Where tokens come from: contexts and reason in, a token or a sentence for people out.
///
/// ```
/// use checklist_control::control::TokenSource;
///
/// let ask: TokenSource = |contexts, _reason| {
///     Box::pin(async move {
///         let first = contexts.first().ok_or("There is nothing to ask for.")?;
///         Ok(format!("a token of this application's server for {}", first.object_id))
///     })
/// };
/// # let _ = ask;
/// ```
pub type TokenSource = fn(Vec<Context>, TokenReason) -> LocalFuture<Result<String, String>>;

/// Where people come from: the beginning of a name in, people or a sentence for people out.
pub type PeopleSource = fn(String) -> LocalFuture<Result<Vec<Person>, String>>;

macro_rules! component {
    (texts { $($(#[doc = $text_doc:tt])+ $text:ident $text_attribute:tt $default:tt;)* }
     flags { $($(#[doc = $flag_doc:tt])+ $flag:ident $flag_attribute:tt $flag_more:tt;)* }
     choices { $($(#[doc = $choice_doc:tt])+ $choice:ident $choice_attribute:tt $choice_more:tt;)* }
     page { $($page:tt)* }) => {
        /// A checklist that is bound to an object.
        ///
        /// Without `object_id` it is a draft: changes are queued until the id is set. Events are
        /// callbacks; a form stores the state from `on_state`. Other people's changes are read when
        /// it is shown again; only the custom elements have the live stream.
        ///
        /// ```
        /// use checklist_control::ChecklistShadow;
        /// use checklist_control::control::ChecklistControl;
        /// use leptos::prelude::*;
        ///
        /// #[component]
        /// fn Steps(incident: Signal<String>, closed: Signal<bool>) -> impl IntoView {
        ///     let completed = RwSignal::new(false);
        ///     view! {
        ///         <ChecklistShadow>
        ///             <ChecklistControl
        ///                 base_url="https://host/platform"
        ///                 object_type="incident"
        ///                 object_id=incident
        ///                 readonly=closed
        ///                 on_completed=move |now| completed.set(now)
        ///                 on_change=|change: checklist_control::port::ChangeDetail| {
        ///                     leptos::logging::log!("{} of {:?}", change.what, change.item)
        ///                 }
        ///             />
        ///         </ChecklistShadow>
        ///         <button disabled=move || !completed.get()>"Resolve"</button>
        ///     }
        /// }
        /// # let drawn = Owner::new().with(|| view! { <Steps incident="INC-1".into() closed=false.into() /> }.to_html());
        /// # assert!(drawn.contains("disabled"), "{drawn}");
        /// ```
        #[component]
        pub fn ChecklistControl(
            $(
                $(#[doc = $text_doc])+
                #[prop(into, optional)]
                $text: Signal<String>,
            )*
            $(
                $(#[doc = $flag_doc])+
                #[prop(into, optional)]
                $flag: Signal<bool>,
            )*
            $(
                $(#[doc = $choice_doc])+
                #[prop(into, optional)]
                $choice: Signal<bool>,
            )*
            /// Words of the application's own; else those of the language.
            #[prop(into, optional)]
            words: Signal<Option<Words>>,
            /// Whenever this is another number, what waits for a form or an object is forgotten, as a
            /// form's reset does.
            #[prop(into, optional)]
            resets: Signal<u32>,
            /// Where tokens come from; without it calls carry none.
            #[prop(optional)]
            token: Option<TokenSource>,
            /// Finds people to choose assignees from, and for mentions; without it any text is one.
            #[prop(optional)]
            people: Option<PeopleSource>,
            /// Called whenever the state changes; for forms that require a completed list.
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
            before: Option<Callback<Intention, bool>>,
        ) -> impl IntoView {
            let settings = Signal::derive(move || Settings {
                $($text: $text.get(),)*
                $($flag: $flag.get(),)*
                $($choice: $choice.get(),)*
                words: words.get(),
                labels: String::new(),
            });
            let callback = CompletionCallback {
                token,
                people,
                on_state,
                on_completed,
                on_change,
                on_error,
                before,
            };
            mount(settings, resets, callback)
        }
    };
}

checklist_descriptors::descriptors!(component);

/// The host of the component: callbacks instead of events.
#[cfg_attr(
    not(feature = "csr"),
    expect(dead_code, reason = "nothing happens to a place on the server")
)]
struct CompletionCallback {
    token: Option<TokenSource>,
    people: Option<PeopleSource>,
    on_state: Option<Callback<Snapshot>>,
    on_completed: Option<Callback<bool>>,
    on_change: Option<Callback<ChangeDetail>>,
    on_error: Option<Callback<ErrorDetail>>,
    before: Option<Callback<Intention, bool>>,
}

#[cfg(feature = "csr")]
fn mount(settings: Signal<Settings>, resets: Signal<u32>, callback: CompletionCallback) -> AnyView {
    // A build for both sides renders on the server as well, where there is no page.
    if cfg!(not(target_arch = "wasm32")) {
        return place();
    }
    let controller = super::Controller::new(std::rc::Rc::new(callback), settings.get_untracked());
    controller.begin(&wasm_bindgen::JsValue::UNDEFINED, 0);
    Effect::new(move |_| controller.set_settings(settings.get()));
    Effect::new(move |before: Option<u32>| {
        let now = resets.get();
        if before.is_some_and(|before| before != now) {
            controller.reset();
        }
        now
    });
    on_cleanup(move || controller.dispose());
    view! { <Whole controller /> }.into_any()
}

#[cfg(not(feature = "csr"))]
fn mount(_: Signal<Settings>, _: Signal<u32>, _: CompletionCallback) -> AnyView {
    place()
}

/// The place of a list that is not there yet.
pub(crate) fn place() -> AnyView {
    leptos::html::div()
        .class("control")
        .attr("aria-busy", "true")
        .into_any()
}

#[cfg(feature = "csr")]
impl Host for CompletionCallback {
    fn before(&self, what: CancelableEvent, item: Option<ItemId>) -> bool {
        self.before.is_none_or(|asked| asked.run((what, item)))
    }

    fn changed(&self, snapshot: &Snapshot) {
        if let Some(callback) = self.on_state {
            callback.run(snapshot.clone());
        }
    }

    fn user_change(&self, change: ChangeDetail) {
        if let Some(callback) = self.on_change {
            callback.run(change);
        }
    }

    fn completed_changed(&self, completed: bool) {
        if let Some(callback) = self.on_completed {
            callback.run(completed);
        }
    }

    fn error(&self, problem: ErrorDetail) {
        if let Some(callback) = self.on_error {
            callback.run(problem);
        }
    }

    fn token(&self, contexts: Vec<Context>, reason: TokenReason, done: TokenCallback) {
        match self.token {
            Some(source) => leptos::task::spawn_local(async move {
                done(source(contexts, reason).await);
            }),
            None => done(Ok(String::new())),
        }
    }

    fn token_source(&self) -> usize {
        // Each function has an address of its own; where two share one, they give the same tokens.
        self.token.map_or(0, |source| source as usize)
    }

    fn has_people(&self) -> bool {
        self.people.is_some()
    }

    fn find_people(&self, prefix: String, done: PeopleCallback) {
        match self.people {
            Some(source) => leptos::task::spawn_local(async move { done(source(prefix).await) }),
            None => done(Ok(Vec::new())),
        }
    }
}
