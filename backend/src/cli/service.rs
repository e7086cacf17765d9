//! What the program tells whoever started it as a service: that it is ready, and that it stops.
//!
//! The protocol of systemd's `sd_notify`: a datagram to the socket that `NOTIFY_SOCKET` names.
//! Without the variable nothing is sent.

use std::ffi::OsStr;
use std::io;
use std::time::Duration;

/// Requests are answered from now on.
pub const READY: &str = "READY=1";
/// The orderly end has begun and takes so long at most: the manager waits longer than its own
/// `TimeoutStopSec` if need be.
#[must_use]
pub fn stopping_within(longest: Duration) -> String {
    format!("STOPPING=1\nEXTEND_TIMEOUT_USEC={}", longest.as_micros())
}

/// Tells it. A service that nobody listens to works all the same, so that is only logged.
#[expect(clippy::disallowed_methods, reason = "systemd names its socket there")]
pub fn tell(state: &str) {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty()) else {
        return;
    };
    if let Err(error) = send(&socket, state) {
        tracing::warn!(%error, state, "the service manager was not notified");
    }
}

#[cfg(target_os = "linux")]
fn send(socket: &OsStr, state: &str) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    let address = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    let sender = UnixDatagram::unbound()?;
    sender.send_to_addr(state.as_bytes(), &address)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn send(_: &OsStr, _: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    use super::*;

    fn received(listener: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let count = listener.recv(&mut bytes).expect("a datagram");
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    }

    #[test]
    fn a_socket_in_a_folder_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let listener = UnixDatagram::bind(&path).expect("a socket");
        send(path.as_os_str(), READY).expect("sent");
        assert_eq!(received(&listener), "READY=1");
    }

    #[test]
    fn an_abstract_socket_is_told() {
        let name = format!("checklist-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let listener = UnixDatagram::bind_addr(&address).expect("a socket");
        let longest = stopping_within(Duration::from_millis(14_500));
        send(OsStr::new(&format!("@{name}")), &longest).expect("sent");
        let expected = "STOPPING=1\nEXTEND_TIMEOUT_USEC=14500000";
        assert_eq!(received(&listener), expected);
    }

    #[test]
    fn a_socket_that_is_gone_is_an_error_and_no_panic() {
        assert!(send(OsStr::new("/nowhere/at/all"), READY).is_err());
    }
}
