//! Taking a port, and what to do when it cannot be had.

use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::config::listen::Listen;
use crate::config::{Exit, StartupError};

/// Listens there. Port 0 becomes a free one.
pub(super) async fn listen(place: Listen) -> Result<(TcpListener, SocketAddr), StartupError> {
    let bound = async {
        let listener = TcpListener::bind(place.address()).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    bound.await.map_err(|error| cannot_listen(place, &error))
}

pub(in crate::cli) fn cannot_listen(listen: Listen, error: &std::io::Error) -> StartupError {
    let hint = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            "Another program listens there; stop it, or choose another port with --listen (or --metrics-listen)."
        }
        std::io::ErrorKind::PermissionDenied => {
            "Ports below 1024 need a privilege; choose another with --listen (or --metrics-listen)."
        }
        _ => "Choose an address of this machine with --listen.",
    };
    StartupError::new(
        Exit::Address,
        format!("The server cannot listen on {listen}: {error}."),
        hint,
    )
}
