//! When changes are rendered: together in one microtask after the script that made them, or
//! synchronously on request.
//!
//! Leptos leaves this to whoever runs its tasks. The custom elements run them here, because a form
//! needs a row to focus and cannot wait for a promise. A Leptos application uses its own executor.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};
use send_wrapper::SendWrapper;

use crate::browser;

/// A task of Leptos.
type LocalTask = PinnedLocalFuture<()>;

/// A task, and whether it is due already. Lives on the page's one thread.
struct Task {
    work: SendWrapper<RefCell<Option<LocalTask>>>,
    is_due: AtomicBool,
}

thread_local! {
    static DUE: RefCell<VecDeque<Arc<Task>>> = const { RefCell::new(VecDeque::new()) };
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if self.is_due.swap(true, Ordering::Relaxed) {
            return;
        }
        let is_first = DUE.with_borrow_mut(|due| {
            due.push_back(self);
            due.len() == 1
        });
        if is_first && !IS_RUNNING.get() {
            browser::soon(Box::new(run));
        }
    }
}

struct Tasks;

impl CustomExecutor for Tasks {
    fn spawn(&self, work: PinnedFuture<()>) {
        self.spawn_local(work);
    }

    fn spawn_local(&self, work: LocalTask) {
        let task = Task {
            work: SendWrapper::new(RefCell::new(Some(work))),
            is_due: AtomicBool::new(false),
        };
        Arc::new(task).wake();
    }

    fn poll_local(&self) {
        run();
    }
}

/// Runs all tasks that are due, and those that become due meanwhile.
fn run() {
    // Whoever is called by a task waits for those behind it.
    if IS_RUNNING.replace(true) {
        return;
    }
    while let Some(task) = DUE.with_borrow_mut(VecDeque::pop_front) {
        task.is_due.store(false, Ordering::Relaxed);
        let waker = Waker::from(Arc::clone(&task));
        let work = task.work.borrow_mut().take();
        if let Some(mut work) = work
            && work
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        {
            task.work.replace(Some(work));
        }
    }
    IS_RUNNING.set(false);
}

/// Has the tasks of Leptos run here from now on. Called once, before anything is mounted.
pub fn begin() {
    // An application of Leptos around it has its own way already.
    let _ = Executor::init_custom_executor(Tasks);
}

/// Draws all that has changed now, for somebody who cannot wait until the script is through.
pub fn draw_due() {
    Executor::poll_local();
}
