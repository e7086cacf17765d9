//! A shadow root with the control's styles, for Leptos applications; the custom elements have one
//! anyway.

use leptos::prelude::*;

/// Renders its children in a shadow root with the control's styles, so that styles are encapsulated
/// in both directions. `--checklist-…` and `::part(…)` work as with the elements.
///
/// ```
/// use checklist_control::ChecklistShadow;
/// use checklist_control::control::ChecklistControl;
/// use leptos::prelude::*;
///
/// #[component]
/// fn Incident(id: Signal<String>) -> impl IntoView {
///     view! {
///         <h1>{id}</h1>
///         <ChecklistShadow attr:class="steps">
///             <ChecklistControl object_type="incident" object_id=id />
///         </ChecklistShadow>
///     }
/// }
/// # let drawn = Owner::new().with(|| view! { <Incident id="INC-1".into() /> }.to_html());
/// # assert!(drawn.contains("INC-1") && drawn.contains("steps"), "{drawn}");
/// ```
#[component]
pub fn ChecklistShadow(
    /// The style sheet; that of the control unless the content has another one.
    #[prop(default = crate::STYLES)]
    styles: &'static str,
    /// The content of the shadow root.
    children: Children,
) -> impl IntoView {
    let host = NodeRef::new();
    render_shadow(host, styles, children);
    leptos::html::div().node_ref(host)
}

#[cfg(feature = "csr")]
fn render_shadow(host: NodeRef<leptos::html::Div>, styles: &'static str, children: Children) {
    use leptos::tachys::view::{Mountable as _, Render as _};

    // Both live as long as the component: what is mounted follows its signals only while it is kept.
    let waiting = StoredValue::new_local(Some(children));
    let mounted = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        let Some(children) = waiting.try_update_value(Option::take).flatten() else {
            return;
        };
        let Some(root) = root_of(&host, styles) else {
            return;
        };
        let mut state = children().build();
        state.mount(&root, None);
        mounted.set_value(Some(state));
    });
}

#[cfg(not(feature = "csr"))]
fn render_shadow(_: NodeRef<leptos::html::Div>, _: &'static str, _: Children) {}

/// The host's shadow root, made and styled if it has none; as the element that Leptos mounts into.
#[cfg(feature = "csr")]
fn root_of(host: &web_sys::HtmlElement, styles: &str) -> Option<web_sys::Element> {
    use js_sys::{Array, Reflect};
    use wasm_bindgen::{JsCast as _, JsValue};

    if let Some(root) = host.shadow_root() {
        return Some(root.unchecked_into());
    }
    let init = web_sys::ShadowRootInit::new(web_sys::ShadowRootMode::Open);
    let root = host.attach_shadow(&init).ok()?;
    let sheet = web_sys::CssStyleSheet::new().ok()?;
    sheet.replace_sync(styles).ok()?;
    let sheets = Array::of1(&sheet);
    Reflect::set(&root, &JsValue::from("adoptedStyleSheets"), &sheets).ok()?;
    Some(root.unchecked_into())
}
