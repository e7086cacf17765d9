//! Fields: label, control, hint, and the error, which belong together for screen readers.
//!
//! A field does not know where its value lives: a [`Binding`] reads and writes it as text. Forms
//! make bindings from JSON pointers, pages with a typed draft make them from closures.

use leptos::prelude::*;

/// A value that a field shows and changes, as text.
#[derive(Clone)]
pub struct Binding {
    /// The id of the control.
    pub id: String,
    /// The text that the control starts with, and gets whenever this changes.
    pub text: Signal<String>,
    /// Takes what was typed.
    pub set: Callback<(String,)>,
    /// What is wrong with the value.
    pub error: Option<Signal<Option<String>>>,
}

impl Binding {
    /// A binding of closures. The control follows what `text` tracks; untracked, it is read once.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        text: impl Fn() -> String + Send + Sync + 'static,
        set: impl Fn(String) + Send + Sync + 'static,
    ) -> Self {
        let set = Callback::new(move |(text,)| set(text));
        Self {
            id: id.into(),
            text: Signal::derive(text),
            set,
            error: None,
        }
    }

    /// A binding of a signal.
    #[must_use]
    pub fn signal(id: impl Into<String>, text: RwSignal<String>) -> Self {
        Self::new(
            id,
            move || text.get_untracked(),
            move |typed| text.set(typed),
        )
    }

    /// What is wrong with the value.
    #[must_use]
    pub fn error(self, error: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self {
            error: Some(Signal::derive(error)),
            ..self
        }
    }

    fn described_by(&self, has_hint: bool) -> Option<String> {
        let hint = has_hint.then(|| [&self.id, "-hint"].concat());
        let error = self.error.map(|_| [&self.id, "-fault"].concat());
        let ids: Vec<String> = hint.into_iter().chain(error).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    fn is_invalid(&self) -> impl Fn() -> Option<&'static str> + Send + 'static {
        let error = self.error;
        move || error?.with(Option::is_some).then_some("true")
    }
}

/// A field of text: one line, or several with `rows`.
#[component]
pub fn Field(
    #[prop(into)] bind: Binding,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: Option<String>,
    /// The type of the input.
    #[prop(default = "text")]
    kind: &'static str,
    /// The rows of a text area.
    #[prop(optional)]
    rows: u32,
    /// Whether it is a key or a program: in a fixed-width font, and not for a spelling service,
    /// which may be somebody else's.
    #[prop(optional)]
    is_code: bool,
    /// The language that is written in it.
    #[prop(optional, into)]
    lang: Option<String>,
    /// The id of the list with texts to suggest, which may be in any script.
    #[prop(optional, into)]
    suggestions: Option<String>,
) -> AnyView {
    let (text, set) = (bind.text, bind.set);
    let (id, described_by, invalid) = (
        bind.id.clone(),
        bind.described_by(hint.is_some()),
        bind.is_invalid(),
    );
    let dir = (lang.is_some() || suggestions.is_some()).then_some("auto");
    let control = if rows > 0 {
        view! {
            <textarea
                class="input"
                id=id
                rows=rows.to_string()
                aria-describedby=described_by
                aria-invalid=invalid
                lang=lang
                dir=dir
                spellcheck=is_code.then_some("false")
                autocomplete=is_code.then_some("off")
                prop:value=move || text.get()
                on:input=move |event| set.run((event_target_value(&event),))
            ></textarea>
        }
        .into_any()
    } else {
        view! {
            <input
                class="input"
                id=id
                type=kind
                list=suggestions
                autocomplete="off"
                aria-describedby=described_by
                aria-invalid=invalid
                lang=lang
                dir=dir
                prop:value=move || text.get()
                on:input=move |event| set.run((event_target_value(&event),))
            />
        }
        .into_any()
    };
    let class = if is_code { "field code-field" } else { "field" };
    field_frame(class, &bind, label, hint, control)
}

/// The options of a [`Select`]: values with their labels.
#[must_use]
pub fn options<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    let options = options.into_iter();
    options
        .map(|(value, label)| (value.to_owned(), label.to_owned()))
        .collect()
}

/// A choice of one of several values. Each option is a value with its label.
#[component]
pub fn Select(
    #[prop(into)] bind: Binding,
    #[prop(into)] label: String,
    options: Vec<(String, String)>,
    #[prop(optional, into)] hint: Option<String>,
    #[prop(default = "field")] class: &'static str,
) -> AnyView {
    let (text, set) = (bind.text, bind.set);
    let options = options.into_iter().map(|(value, label)| {
        let own = value.clone();
        view! { <option value=value prop:selected=move || text.with(|text| *text == own)>{label}</option> }
    });
    let control = view! {
        <select
            class="input"
            id=bind.id.clone()
            aria-describedby=bind.described_by(hint.is_some())
            aria-invalid=bind.is_invalid()
            on:change=move |event| set.run((event_target_value(&event),))
        >
            {options.collect::<Vec<_>>()}
        </select>
    };
    field_frame(class, &bind, label, hint, control.into_any())
}

fn field_frame(
    class: &'static str,
    bind: &Binding,
    label: String,
    hint: Option<String>,
    control: AnyView,
) -> AnyView {
    let id = bind.id.clone();
    let hint = hint.map(|hint| view! { <p class="hint" id=[&id, "-hint"].concat()>{hint}</p> });
    let error = bind.error.map(|error| {
        let error = move || {
            error
                .get()
                .map(|error| view! { <p class="hint danger">{error}</p> })
        };
        view! { <div id=[&id, "-fault"].concat()>{error}</div> }
    });
    view! {
        <div class=class>
            <label class="label" for=id>{label}</label>
            {control}
            {hint}
            {error}
        </div>
    }
    .into_any()
}

/// A truth value that a switch or a box shows and changes.
#[derive(Clone, Copy)]
pub struct Flag {
    /// Whether it is on.
    pub is_on: Signal<bool>,
    /// Takes the change.
    pub set: Callback<(bool,)>,
}

impl Flag {
    /// A flag of closures.
    #[must_use]
    pub fn new(
        is_on: impl Fn() -> bool + Send + Sync + 'static,
        set: impl Fn(bool) + Send + Sync + 'static,
    ) -> Self {
        Self {
            is_on: Signal::derive(is_on),
            set: Callback::new(move |(on,)| set(on)),
        }
    }

    /// On where the value is off.
    #[must_use]
    pub fn inverted(self) -> Self {
        Self::new(move || !self.is_on.get(), move |on| self.set.run((!on,)))
    }
}

/// A switch: on or off.
#[component]
pub fn Switch(
    bind: Flag,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: Option<&'static str>,
) -> AnyView {
    view! {
        <label class="switch">
            <span class="switch-words">
                <span>{label}</span>
                {hint.map(|hint| view! { <small>{hint}</small> })}
            </span>
            <input
                type="checkbox"
                role="switch"
                prop:checked=move || bind.is_on.get()
                on:change=move |event| bind.set.run((event_target_checked(&event),))
            />
        </label>
    }
    .into_any()
}

/// A box with a label.
#[component]
pub fn CheckBox(bind: Flag, #[prop(into)] label: String) -> AnyView {
    view! {
        <label class="tick">
            <input
                type="checkbox"
                class="box"
                prop:checked=move || bind.is_on.get()
                on:change=move |event| bind.set.run((event_target_checked(&event),))
            />
            <span>{label}</span>
        </label>
    }
    .into_any()
}

/// One of several choices of which one holds; `children` explain it and have the id `about`.
#[component]
pub fn Radio(
    group: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] about: String,
    bind: Flag,
    children: Children,
) -> AnyView {
    view! {
        <div class="radio">
            <label class="tick">
                <input
                    type="radio"
                    name=group
                    class="box"
                    aria-describedby=about.clone()
                    prop:checked=move || bind.is_on.get()
                    on:change=move |_| bind.set.run((true,))
                />
                <span>{label}</span>
            </label>
            <div class="radio-about" id=about>{children()}</div>
        </div>
    }
    .into_any()
}

/// Several boxes with a legend and an error.
#[component]
pub fn CheckBoxes(
    #[prop(into)] legend: String,
    boxes: Vec<(Flag, &'static str)>,
    error: Signal<Option<String>>,
) -> AnyView {
    let boxes = boxes
        .into_iter()
        .map(|(bind, label)| view! { <CheckBox bind label /> });
    let error = move || {
        error
            .get()
            .map(|error| view! { <p class="hint danger" role="alert">{error}</p> })
    };
    view! {
        <fieldset class="field">
            <legend class="label">{legend}</legend>
            <div class="ticks">{boxes.collect::<Vec<_>>()}</div>
            {error}
        </fieldset>
    }
    .into_any()
}
