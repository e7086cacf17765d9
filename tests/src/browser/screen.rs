//! A screen that nobody looks at, for a browser that cannot do without one.
//!
//! Each browser gets its own: where several windows share a screen, the one that was opened last is
//! the active one, and a page in any other shows no focus.

use std::path::Path;
use std::process::Command;

use crate::process::Process;

/// Starts what follows, waits until its input ends, and ends what it has started.
const KEEPER: &str = r#""$@" & server=$!; read -r _; kill $server; wait $server"#;

/// A screen, until this is dropped.
pub(super) struct Screen {
    /// Its number, as programs want it in `DISPLAY`.
    number: String,
    _keeper: Process,
}

impl Screen {
    /// A new one from a server of screens.
    ///
    /// # Panics
    /// When the server does not start.
    #[track_caller]
    pub(super) fn start(server: &Path) -> Self {
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(server)
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .args(["-nolisten", "tcp", "-noreset"]);
        let mut keeper = Process::start_with_input(&mut keeper);
        let number = format!(":{}", keeper.says("").trim());
        Self {
            number,
            _keeper: keeper,
        }
    }

    /// Tells a program to draw on it, and to ask no other session of the desktop for anything.
    pub(super) fn tell(&self, program: &mut Command) {
        program
            .env("DISPLAY", &self.number)
            .env("GDK_BACKEND", "x11")
            .env("NO_AT_BRIDGE", "1")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env_remove("WAYLAND_DISPLAY");
    }
}
