//! A server that runs: on threads of its own, until it is dropped.
//!
//! Tests start one with a line; the program starts one and waits.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::core::Core;
use crate::faults::Rule;
use crate::handler::{self, HandlerState};
use crate::identity::Keys;
use crate::log::Seen;
use crate::options::Options;
use crate::store::{Site, file, seed};
use crate::tls;
use crate::wire::{AcceptingListener, Line};

/// How long requests that hang may take to notice that the server ends.
const LAST: Duration = Duration::from_millis(200);

/// A running server.
pub struct SiteServer {
    core: Arc<Core>,
    address: SocketAddr,
    tls_address: Option<SocketAddr>,
    ca_file: Option<PathBuf>,
    ca_pem: Option<String>,
    /// Kept as long as the file that it names is needed.
    _ca_folder: Option<tempfile::TempDir>,
    keys: Arc<Keys>,
    /// What listens; nobody while the site is away.
    running: Mutex<Option<Running>>,
}

/// A thread that answers.
struct Running {
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Running {
    fn end(self) {
        self.stop.send_replace(true);
        let _ = self.thread.join();
    }
}

/// What the thread reports once it listens.
struct Listening {
    address: SocketAddr,
    tls_address: Option<SocketAddr>,
    ca_pem: Option<String>,
}

impl SiteServer {
    /// Starts a server; it listens when this returns.
    ///
    /// # Errors
    /// An address is taken, or the data file cannot be read.
    pub fn start(options: Options) -> io::Result<Self> {
        // Whoever was first is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let site = match &options.data {
            Some(path) => file::load(path)?,
            None => None,
        };
        let site = site.unwrap_or_else(|| seed::demo(&options.site, &options.zone));
        let core = Arc::new(Core::new(options, site));
        let keys = Arc::new(Keys::default());
        let (running, listening) = listen(&core, &keys, core.options.listen)?;
        let mut server = Self {
            core,
            address: listening.address,
            tls_address: listening.tls_address,
            ca_file: None,
            ca_pem: listening.ca_pem,
            _ca_folder: None,
            keys,
            running: Mutex::new(Some(running)),
        };
        server.write_ca()?;
        Ok(server)
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the server: connections break, and nobody listens any more. What the site holds stays.
    pub fn go_away(&self) {
        if let Some(running) = self.running().take() {
            running.end();
        }
    }

    /// Listens at the same address again, without TLS.
    ///
    /// # Errors
    /// The address is taken.
    pub fn come_back(&self) -> io::Result<()> {
        let mut running = self.running();
        if running.is_none() {
            *running = Some(listen(&self.core, &self.keys, self.address)?.0);
        }
        Ok(())
    }

    fn write_ca(&mut self) -> io::Result<()> {
        let Some(pem) = &self.ca_pem else {
            return Ok(());
        };
        let path = match &self.core.options.ca_file {
            Some(path) => path.clone(),
            None => {
                let folder = tempfile::tempdir()?;
                let path = folder.path().join("ca.pem");
                self._ca_folder = Some(folder);
                path
            }
        };
        std::fs::write(&path, pem)?;
        self.ca_file = Some(path);
        Ok(())
    }

    /// Where it listens without TLS, e.g. `http://127.0.0.1:8090`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it listens with TLS, by the name in its certificate.
    #[must_use]
    pub fn tls_origin(&self) -> Option<String> {
        let address = self.tls_address?;
        Some(format!("https://localhost:{}", address.port()))
    }

    /// The address of the site, e.g. `http://127.0.0.1:8090/sites/demo`.
    #[must_use]
    pub fn site_url(&self) -> String {
        format!("{}{}", self.origin(), self.core.options.site)
    }

    /// The certificate of the test authority, for clients to trust.
    #[must_use]
    pub fn ca_file(&self) -> Option<&Path> {
        self.ca_file.as_deref()
    }

    /// The same as text.
    #[must_use]
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// What has come in so far, parts of batches included, in the order in which it was answered.
    #[must_use]
    pub fn requests(&self) -> Vec<Seen> {
        self.core.log.all()
    }

    /// Who has asked so far: a name for each of those requests.
    #[must_use]
    pub fn users(&self) -> Vec<String> {
        let seen = self.requests().into_iter();
        seen.map(|seen| seen.user).collect()
    }

    /// Forgets what has come in.
    pub fn forget_requests(&self) {
        self.core.log.clear();
    }

    /// Makes a fault of requests to come.
    pub fn fault(&self, rule: Rule) {
        self.core.faults.add(rule);
    }

    /// Ends all faults that were not used up.
    pub fn clear_faults(&self) {
        self.core.faults.clear();
    }

    /// Ends all sessions, as if their time were over.
    pub fn end_sessions(&self) {
        self.core.sessions.end_all();
    }

    /// Ends all form digests, as if their time were over.
    pub fn end_digests(&self) {
        self.core.digests().clear();
    }

    /// Looks at what the site holds, and may change it: a human edit between two requests.
    pub fn with_site<T>(&self, look: impl FnOnce(&mut Site) -> T) -> T {
        look(&mut self.core.site())
    }

    /// Lets something happen once so many more requests have been answered, before the next one
    /// is: a human edit, or whatever else a test does at that moment.
    pub fn after(&self, requests: u32, event: impl FnOnce(&mut Site) + Send + 'static) {
        self.core.meanwhile.after(requests, event);
    }

    /// Nothing that was to happen happens any more.
    pub fn clear_events(&self) {
        self.core.meanwhile.clear();
    }

    /// Waits until the server ends, which it does not by itself.
    pub fn wait(self) {
        let running = self.running().take();
        if let Some(running) = running {
            let _ = running.thread.join();
        }
    }
}

impl Drop for SiteServer {
    fn drop(&mut self) {
        self.go_away();
    }
}

/// A thread that listens there when this returns.
fn listen(
    core: &Arc<Core>,
    keys: &Arc<Keys>,
    address: SocketAddr,
) -> io::Result<(Running, Listening)> {
    let (stop, stopped) = watch::channel(false);
    let (told, listening) = std::sync::mpsc::channel();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let state = HandlerState {
        core: Arc::clone(core),
        keys: Arc::clone(keys),
    };
    let thread = std::thread::Builder::new()
        .name("site-server".to_owned())
        .spawn(move || {
            runtime.block_on(run(state, address, stopped, &told));
            // Requests that hang on purpose are not waited for long.
            runtime.shutdown_timeout(LAST);
        })?;
    let listening = listening
        .recv()
        .map_err(|_| io::Error::other("the server ended before it listened"))??;
    Ok((Running { stop, thread }, listening))
}

async fn run(
    state: HandlerState,
    address: SocketAddr,
    mut stopped: watch::Receiver<bool>,
    told: &std::sync::mpsc::Sender<io::Result<Listening>>,
) {
    let opened = open(&state, address).await;
    let (listeners, listening) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let _ = told.send(Err(error));
            return;
        }
    };
    let _ = told.send(Ok(listening));
    let app = Router::new().fallback(handler::answer).with_state(state);
    for listener in listeners {
        let service = app.clone().into_make_service_with_connect_info::<Line>();
        tokio::spawn(async move { axum::serve(listener, service).await });
    }
    let _ = stopped.wait_for(|stop| *stop).await;
}

async fn open(
    state: &HandlerState,
    address: SocketAddr,
) -> io::Result<(Vec<AcceptingListener>, Listening)> {
    let options = &state.core.options;
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let mut listeners = vec![AcceptingListener::open(listener, address, None)];
    let mut listening = Listening {
        address,
        tls_address: None,
        ca_pem: None,
    };
    if let Some(wanted) = options.tls {
        let tls = tls::make()?;
        let listener = TcpListener::bind(wanted).await?;
        let address = listener.local_addr()?;
        listening.tls_address = Some(address);
        listening.ca_pem = Some(tls.ca_pem);
        listeners.push(AcceptingListener::open(
            listener,
            address,
            Some(tls.acceptor),
        ));
    }
    Ok((listeners, listening))
}
