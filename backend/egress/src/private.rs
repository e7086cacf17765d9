//! Private networks that the operator permits for an origin: `https://intranet=10.2.0.0/16`.
//!
//! They never include loopback, link-local and metadata addresses, whatever is configured.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use ipnet::IpNet;

use super::origin::origin_of;

/// An origin, and a network that it may be in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateRange {
    /// The origin.
    pub origin: String,
    /// The network.
    pub net: IpNet,
}

/// Why a setting is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrivateRangeError {
    /// It has another form.
    #[error("it is no origin with a network behind it")]
    Form,
    /// The network includes addresses that can never be permitted.
    #[error("{0} holds addresses of this machine, of its link or of a metadata service")]
    TooWide(IpNet),
}

/// Networks that can never be permitted.
fn reserved_networks() -> [IpNet; 6] {
    let v4 = |address: [u8; 4], length| IpNet::new_assert(IpAddr::V4(address.into()), length);
    let v6 = |address: Ipv6Addr, length| IpNet::new_assert(IpAddr::V6(address), length);
    [
        v4(Ipv4Addr::UNSPECIFIED.octets(), 8),
        v4([127, 0, 0, 0], 8),
        v4([169, 254, 0, 0], 16),
        v4([224, 0, 0, 0], 3),
        v6(Ipv6Addr::UNSPECIFIED, 8),
        v6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 9),
    ]
}

/// Whether an address can never be permitted.
pub(super) fn is_never_opened(address: IpAddr) -> bool {
    reserved_networks().iter().any(|net| net.contains(&address))
}

impl FromStr for PrivateRange {
    type Err = PrivateRangeError;

    fn from_str(text: &str) -> Result<Self, PrivateRangeError> {
        let (origin, net) = text.rsplit_once('=').ok_or(PrivateRangeError::Form)?;
        let found = origin_of(origin).filter(|found| found == origin.trim_end_matches('/'));
        let single = found.filter(|origin| !origin.contains('*'));
        let origin = single.ok_or(PrivateRangeError::Form)?;
        let net: IpNet = net.trim().parse().map_err(|_| PrivateRangeError::Form)?;
        let net = net.trunc();
        let overlaps = |other: &IpNet| other.contains(&net) || net.contains(other);
        if reserved_networks().iter().any(overlaps) {
            return Err(PrivateRangeError::TooWide(net));
        }
        Ok(Self { origin, net })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PrivateRange, PrivateRangeError> {
        text.parse()
    }

    #[test]
    fn an_origin_and_the_network_that_it_lies_in() {
        let range = read("https://intranet.example:8443=10.2.3.4/16").expect("a range");
        assert_eq!(range.origin, "https://intranet.example:8443");
        assert_eq!(range.net.to_string(), "10.2.0.0/16");
        assert!(read("https://intranet.example=fd00:1::/32").is_ok());
    }

    #[test]
    fn networks_of_this_machine_its_link_and_everything_are_refused() {
        for net in [
            "127.0.0.0/8",
            "127.0.0.1/32",
            "169.254.169.254/32",
            "0.0.0.0/0",
            "::1/128",
            "::/0",
            "fe80::/10",
            "224.0.0.0/4",
            "::ffff:127.0.0.1/128",
        ] {
            let refused = read(&format!("https://intranet.example={net}"));
            assert!(
                matches!(refused, Err(PrivateRangeError::TooWide(_))),
                "{net}"
            );
        }
    }

    #[test]
    fn anything_else_is_none() {
        for text in [
            "10.0.0.0/8",
            "intranet=10.0.0.0/8",
            "https://intranet/path=10.0.0.0/8",
            "https://*.example=10.0.0.0/8",
            "https://intranet=10.0.0.0",
            "https://intranet=",
            "",
        ] {
            assert_eq!(read(text).err(), Some(PrivateRangeError::Form), "{text}");
        }
    }
}
