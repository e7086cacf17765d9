//! The address to listen on: an IP address or `localhost`, and a port.
//!
//! Host names are not resolved, so what is listened on is what the operator has written.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

/// An address to listen on. Host names other than `localhost` are not resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen(SocketAddr);

impl Listen {
    /// The socket address.
    #[must_use]
    pub const fn address(self) -> SocketAddr {
        self.0
    }

    /// Whether this is a loopback address.
    #[must_use]
    pub fn is_loopback(self) -> bool {
        self.0.ip().is_loopback()
    }

    /// Whether this is the wildcard address.
    #[must_use]
    pub fn is_everywhere(self) -> bool {
        self.0.ip().is_unspecified()
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text
            .strip_prefix("localhost:")
            .map_or_else(|| text.to_owned(), |port| format!("127.0.0.1:{port}"));
        text.parse().map(Self).map_err(|_| {
            "an address and a port are needed, such as 127.0.0.1:8080 or [::1]:8080".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localhost_is_the_one_name_that_is_understood() {
        assert_eq!(
            "localhost:8080"
                .parse::<Listen>()
                .expect("an address")
                .to_string(),
            "127.0.0.1:8080"
        );
        assert!(
            "[::1]:0"
                .parse::<Listen>()
                .expect("an address")
                .is_loopback()
        );
        for bad in ["8080", "127.0.0.1", "example.org:80", "127.0.0.1:99999", ""] {
            assert!(bad.parse::<Listen>().is_err(), "{bad}");
        }
    }
}
