//! Lazy loading of the code that is not needed to render a list and tick it.
//!
//! In a split build (feature `split`) that code is in separate files; `chunks` fetches
//! them and puts their functions into the [`Slot`]s of the layers. Until then, calls are queued here
//! in order, and none is lost if a file cannot be loaded. In every other build all code is present
//! from the start. The functions are opaque to this module.

use std::cell::{Cell, RefCell};

use leptos::prelude::*;

use crate::browser;

/// Whether parts of the code come later.
pub const SPLIT: bool = cfg!(all(feature = "split", target_arch = "wasm32"));

/// The state of loading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadStage {
    /// Nobody has asked for it yet.
    #[default]
    Absent,
    /// It is on its way.
    Coming,
    /// The chunk has loaded.
    Here,
    /// It could not be had; asking again may help.
    Failed,
}

/// What is done as soon as the rest is here.
type Callback = Box<dyn FnOnce()>;

thread_local! {
    static STAGE: ArcRwSignal<LoadStage> = ArcRwSignal::new(LoadStage::Absent);
    static WAITING: RefCell<Vec<Callback>> = const { RefCell::new(Vec::new()) };
    static FETCH: Cell<Option<fn()>> = const { Cell::new(None) };
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// The place of functions that come later.
pub struct Slot<T: Copy>(Cell<Option<T>>);

impl<T: Copy> Slot<T> {
    /// A slot whose chunk has not loaded.
    #[must_use]
    pub const fn empty() -> Self {
        Self(Cell::new(None))
    }

    /// Stores the chunk's functions.
    pub fn fill(&self, functions: T) {
        self.0.set(Some(functions));
    }

    /// The chunk's functions, if it has loaded.
    #[must_use]
    pub fn get(&self) -> Option<T> {
        self.0.get()
    }
}

/// Says how the rest is fetched; that ends with [`finish_loading`].
pub fn fetch_by(fetch: fn()) {
    FETCH.set(Some(fetch));
}

/// Whether everything is there.
#[must_use]
pub fn is_here() -> bool {
    !SPLIT || STAGE.with(|stage| stage.get_untracked() == LoadStage::Here)
}

/// How far the rest is; a view that asks is drawn again when that changes.
#[must_use]
pub fn stage() -> LoadStage {
    if SPLIT {
        STAGE.with(ArcRwSignal::get)
    } else {
        LoadStage::Here
    }
}

/// Does something as soon as the rest is here: at once where it is. Fetches nothing by itself.
pub fn when_loaded(act: Callback) {
    if is_here() {
        act();
    } else {
        WAITING.with_borrow_mut(|waiting| waiting.push(act));
    }
}

/// Fetches the rest, unless it is here or on its way.
pub fn fetch() {
    if !SPLIT {
        return;
    }
    let goes_on = STAGE.with(|stage| {
        let idle = matches!(stage.get_untracked(), LoadStage::Absent | LoadStage::Failed);
        if idle {
            stage.set(LoadStage::Coming);
        }
        idle
    });
    if let Some(fetch) = FETCH.get().filter(|_| goes_on) {
        fetch();
    }
}

/// Fetches the rest in the first moment in which the browser has nothing else to do.
pub fn fetch_when_idle() {
    if SPLIT && !IS_ASKED.replace(true) {
        browser::when_idle(Box::new(fetch));
    }
}

/// Fetches again what could not be had, as when the network is back.
pub fn fetch_again() {
    if SPLIT && STAGE.with(|stage| stage.get_untracked() == LoadStage::Failed) {
        fetch();
    }
}

/// The rest is here, or could not be had.
pub fn finish_loading(is_here: bool) {
    STAGE.with(|stage| {
        stage.set(if is_here {
            LoadStage::Here
        } else {
            LoadStage::Failed
        });
    });
    if is_here {
        // What is done may have something else wait, which by now is done at once.
        for act in WAITING.take() {
            act();
        }
    }
}
