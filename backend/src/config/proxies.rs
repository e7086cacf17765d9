//! Trusted proxies and their forwarding header.
//!
//! Invariant: the header is ignored unless the connection comes from a trusted proxy. The client is
//! the rightmost address in it that is not a trusted proxy, because only trusted proxies have
//! appended the part to its right.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

use super::startup_error::StartupError;

/// The header in which the proxies name whom they ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ForwardedBy {
    /// `X-Forwarded-For: client, proxy, proxy`.
    #[default]
    XForwardedFor,
    /// `Forwarded: for=client, for=proxy` (RFC 7239).
    Forwarded,
}

/// The trusted proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    trusted: Vec<IpNet>,
    header: ForwardedBy,
}

impl Proxies {
    /// Validates the options.
    ///
    /// # Errors
    /// A header is set without a trusted proxy.
    pub fn new(trusted: Vec<IpNet>, header: Option<ForwardedBy>) -> Result<Self, StartupError> {
        if trusted.is_empty() && header.is_some() {
            return Err(StartupError::configuration(
                "--forwarded-header says what a proxy writes, and no proxy is trusted.",
                "Name the proxy's address or network: --trusted-proxy 10.0.0.0/8.",
            ));
        }
        Ok(Self {
            trusted,
            header: header.unwrap_or_default(),
        })
    }

    /// The name of the header, in lower case.
    #[must_use]
    pub const fn header(&self) -> &'static str {
        match self.header {
            ForwardedBy::XForwardedFor => "x-forwarded-for",
            ForwardedBy::Forwarded => "forwarded",
        }
    }

    /// The client of a connection from `peer`, given the values of the header in order. It is the
    /// proxy itself if its header is missing.
    ///
    /// ```
    /// use checklist_server::config::{ForwardedBy, Proxies};
    /// let proxies = Proxies::new(vec!["10.0.0.0/8".parse()?], Some(ForwardedBy::XForwardedFor)).unwrap();
    /// let caller = |said| proxies.caller("10.0.0.1".parse().unwrap(), [said].into_iter());
    /// assert_eq!(caller("198.51.100.7, 203.0.113.5, 10.0.0.2").to_string(), "203.0.113.5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn caller<'a>(
        &self,
        peer: IpAddr,
        values: impl DoubleEndedIterator<Item = &'a str>,
    ) -> IpAddr {
        let mut caller = peer.to_canonical();
        let hops = values.rev().flat_map(|value| self.hops(value));
        for hop in hops {
            if !self.trusts(caller) {
                break;
            }
            match hop {
                Some(address) => caller = address,
                None => break,
            }
        }
        caller
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    /// The addresses in one header value, last first; `None` for one that is no address.
    fn hops(&self, value: &str) -> Vec<Option<IpAddr>> {
        let parts = outside_quotes(value, ',');
        let hops = parts.into_iter().rev();
        match self.header {
            ForwardedBy::XForwardedFor => hops.map(address).collect(),
            ForwardedBy::Forwarded => hops.map(forwarded_for).collect(),
        }
    }
}

/// The `for` parameter of one element of `Forwarded`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = outside_quotes(element, ';');
    let mut named = pairs.into_iter().filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("for")
            .then(|| value.trim())
    });
    let (one, None) = (named.next()?, named.next()) else {
        return None;
    };
    let quoted = one
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    address(quoted.unwrap_or(one))
}

/// Parses an address, with or without port and brackets.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    let address = bare.parse().or_else(|_| with_port()).ok()?;
    Some(IpAddr::to_canonical(&address))
}

fn outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let mut quoted = false;
    text.split(|letter| {
        quoted ^= letter == '"';
        letter == separator && !quoted
    })
    .collect()
}

/// Parses `--trust_cache-proxy`: an address or a network.
///
/// # Errors
/// The problem, as a part of a sentence.
pub fn network(text: &str) -> Result<IpNet, String> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(address.into());
    }
    let network: IpNet = text.parse().map_err(|_| {
        "an address or a network is needed, such as 10.0.0.7 or 10.0.0.0/8".to_owned()
    })?;
    if network.prefix_len() == 0 {
        return Err("this would believe everybody; name your proxies alone".to_owned());
    }
    let whole = network.trunc();
    if whole != network {
        return Err(format!(
            "this is an address within a network; write {whole} for the network, or {} for the address",
            network.addr()
        ));
    }
    Ok(network)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(header: ForwardedBy, peer: &str, values: &[&str]) -> String {
        let trusted = ["10.0.0.0/8", "2001:db8:1::/48"].map(|text| network(text).expect("one"));
        let proxies = Proxies::new(trusted.to_vec(), Some(header)).expect("proxies");
        let peer = peer.parse().expect("an address");
        proxies.caller(peer, values.iter().copied()).to_string()
    }

    #[test]
    fn what_somebody_else_says_is_not_believed() {
        let caller = |peer, values: &[&str]| caller(ForwardedBy::XForwardedFor, peer, values);
        assert_eq!(caller("203.0.113.5", &["198.51.100.7"]), "203.0.113.5");
        assert_eq!(caller("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(caller("::ffff:10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
    }

    #[test]
    fn the_rightmost_address_that_is_no_proxy_of_ours_counts() {
        let caller = |values: &[&str]| caller(ForwardedBy::XForwardedFor, "10.0.0.1", values);
        assert_eq!(caller(&["198.51.100.7, 203.0.113.5"]), "203.0.113.5");
        assert_eq!(
            caller(&["198.51.100.7,203.0.113.5 , 10.0.0.2"]),
            "203.0.113.5"
        );
        assert_eq!(caller(&["198.51.100.7", "203.0.113.5"]), "203.0.113.5");
        assert_eq!(caller(&["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
        assert_eq!(caller(&["2001:db8::7, [2001:db8:1::1]:443"]), "2001:db8::7");
        assert_eq!(caller(&["203.0.113.5:4711"]), "203.0.113.5");
    }

    #[test]
    fn a_proxy_that_does_not_say_for_whom_it_asks_counts_itself() {
        let caller = |values: &[&str]| caller(ForwardedBy::XForwardedFor, "10.0.0.1", values);
        assert_eq!(caller(&[]), "10.0.0.1");
        assert_eq!(caller(&["", "unknown"]), "10.0.0.1");
        assert_eq!(caller(&["203.0.113.5, nonsense, 10.0.0.2"]), "10.0.0.2");
    }

    #[test]
    fn the_standard_header_is_read_with_its_quotes() {
        let caller = |values: &[&str]| caller(ForwardedBy::Forwarded, "10.0.0.1", values);
        assert_eq!(caller(&["for=203.0.113.5;proto=https"]), "203.0.113.5");
        assert_eq!(
            caller(&[
                r#"for=198.51.100.7, proto=http; For="[2001:db8::7]:4711";by="a,b;for=10.0.0.9""#
            ]),
            "2001:db8::7"
        );
        assert_eq!(caller(&["for=203.0.113.5, for=_hidden"]), "10.0.0.1");
        assert_eq!(caller(&["for=203.0.113.5;for=203.0.113.6"]), "10.0.0.1");
        assert_eq!(caller(&["proto=https"]), "10.0.0.1");
    }

    #[test]
    fn networks_are_whole_and_not_everybody() {
        assert_eq!(network("10.0.0.7").expect("one").to_string(), "10.0.0.7/32");
        assert_eq!(network("::1").expect("one").to_string(), "::1/128");
        for (bad, says) in [
            ("10.0.0.7/8", "write 10.0.0.0/8"),
            ("0.0.0.0/0", "everybody"),
            ("::/0", "everybody"),
            ("proxy.example", "10.0.0.0/8"),
            ("10.0.0.0/33", "10.0.0.0/8"),
            ("", "10.0.0.0/8"),
        ] {
            let told = network(bad).expect_err(bad);
            assert!(told.contains(says), "{bad}: {told}");
        }
    }

    #[test]
    fn a_header_without_a_proxy_is_refused() {
        let refusal = Proxies::new(Vec::new(), Some(ForwardedBy::Forwarded)).expect_err("refused");
        assert!(refusal.hint.contains("--trusted-proxy"));
        assert!(Proxies::new(Vec::new(), None).is_ok());
    }
}
