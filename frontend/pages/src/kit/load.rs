//! One resource: a skeleton while it is loading, an error with a retry, then its view.

use std::pin::Pin;
use std::rc::Rc;

use leptos::prelude::*;
use serde::de::DeserializeOwned;

use super::controls::Button;
use super::problem::error_sentence;
use crate::api::{self, ApiError};
use crate::app::use_app;
use crate::wording::Wording;

/// Loads the resource at an address and shows it.
#[must_use]
pub fn load_from<T: DeserializeOwned + Clone + 'static>(
    call: String,
    show: impl Fn(T) -> AnyView + 'static,
) -> AnyView {
    let app = use_app();
    load(move || api::get(app, &call), show)
}

/// Loads a resource and shows it. Signals that `read` reads before its future begins load it anew.
#[must_use]
pub fn load<T, R, V>(read: impl Fn() -> R + 'static, show: impl Fn(T) -> V + 'static) -> AnyView
where
    T: Clone + 'static,
    R: Future<Output = Result<T, ApiError>> + 'static,
    V: IntoAny,
{
    let show = Rc::new(show);
    draw(LocalResource::new(move || -> Reading {
        let (value, show) = (read(), show.clone());
        Box::pin(async move {
            let value = value.await?;
            Ok(Rc::new(move || show(value.clone()).into_any()) as View)
        })
    }))
}

/// Draws what was read. Of one type, so that the rest is compiled once for all resources.
type View = Rc<dyn Fn() -> AnyView>;

/// What is being read.
type Reading = Pin<Box<dyn Future<Output = Result<View, ApiError>>>>;

fn draw(resource: LocalResource<Result<View, ApiError>>) -> AnyView {
    let view = move || match resource.get() {
        None => view! { <Skeleton /> }.into_any(),
        Some(Ok(draw)) => untrack(|| draw()),
        Some(Err(error)) => {
            let retry = move || {
                resource.set(None);
                resource.refetch();
            };
            view! { <Failure error retry /> }.into_any()
        }
    };
    view.into_any()
}

/// Stands where something is loading.
#[component]
pub fn Skeleton() -> AnyView {
    view! {
        <div class="card skeleton" role="status">
            <span></span><span></span><span></span>
            <p class="sr">{use_app().language.frame().loading}</p>
        </div>
    }
    .into_any()
}

/// Why something could not be loaded, with a retry unless it does not exist.
#[component]
pub fn Failure(error: ApiError, retry: impl FnMut() + 'static) -> AnyView {
    let app = use_app();
    let words = app.language.frame();
    let is_gone = error.status == 404;
    let sentence = if is_gone {
        words.not_found.to_owned()
    } else {
        error_sentence(app, &error)
    };
    let retry = (!is_gone).then(|| view! { <Button label=words.try_again click=retry /> });
    view! { <div class="card failure" role="alert"><p>{sentence}</p>{retry}</div> }.into_any()
}
