//! The URL at which browsers reach the server, with or without a path.
//!
//! All routes, pages and assets are below it. Embed tokens name it as their audience.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::Uri;

/// The base URL, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    origin: String,
    host: String,
    path: String,
}

/// Why a text is no base URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidBaseUrl(&'static str);

impl BaseUrl {
    /// The base URL of a server that browsers reach at its listening address.
    #[must_use]
    pub fn of_socket(address: std::net::SocketAddr) -> Self {
        Self {
            origin: format!("http://{address}"),
            host: address.ip().to_string(),
            path: String::new(),
        }
    }

    /// The origin: `https://host:8443`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The host: a name, or an IP address.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether the scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// The path: empty, or with a leading and no trailing slash.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the host is a loopback address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback_host(&self.host)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.path)
    }
}

impl FromStr for BaseUrl {
    type Err = InvalidBaseUrl;

    fn from_str(text: &str) -> Result<Self, InvalidBaseUrl> {
        if text.contains(['#', '?']) {
            return Err(InvalidBaseUrl("a base URL has neither ? nor #"));
        }
        let uri: Uri = text.parse().map_err(|_| InvalidBaseUrl("this is no URL"))?;
        let scheme = match uri.scheme_str().map(str::to_ascii_lowercase).as_deref() {
            Some("http") => "http",
            Some("https") => "https",
            _ => return Err(InvalidBaseUrl("a base URL begins with http:// or https://")),
        };
        let authority = uri
            .authority()
            .ok_or(InvalidBaseUrl("the host is missing"))?;
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(InvalidBaseUrl("a base URL has a host and no user name"));
        }
        let host = authority.host().to_ascii_lowercase();
        // As browsers serialize it in `Origin`: without the default port of the scheme.
        let usual = if scheme == "http" { 80 } else { 443 };
        let port = match authority.port_u16() {
            Some(port) if port != usual => format!(":{port}"),
            _ => String::new(),
        };
        let path = uri.path().trim_end_matches('/');
        if !path.split('/').skip(1).all(is_plain_segment) {
            return Err(InvalidBaseUrl(
                "the path has to be made of letters, digits, - . _ and ~",
            ));
        }
        Ok(Self {
            origin: format!("{scheme}://{host}{port}"),
            host,
            path: path.to_owned(),
        })
    }
}

/// Whether a host from a URL or a `Host` header, without its port, is loopback.
#[must_use]
pub fn is_loopback_host(host: &str) -> bool {
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_ascii_lowercase();
    match host.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// Whether proxies, browsers and routers all interpret a path segment alike.
fn is_plain_segment(segment: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
    !segment.is_empty() && segment != "." && segment != ".." && segment.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, &'static str> {
        text.parse::<BaseUrl>()
            .map(|base| base.to_string())
            .map_err(|error| error.0)
    }

    #[test]
    fn a_base_url_is_brought_to_one_form() {
        assert_eq!(
            read("https://Host.example/platform/").as_deref(),
            Ok("https://host.example/platform")
        );
        assert_eq!(
            read("HTTPS://host.example:443").as_deref(),
            Ok("https://host.example")
        );
        assert_eq!(
            read("http://[::1]:8080/a/b").as_deref(),
            Ok("http://[::1]:8080/a/b")
        );
    }

    #[test]
    fn what_cannot_be_a_base_url_is_refused() {
        for bad in [
            "",
            "host.example",
            "/platform",
            "ftp://host.example",
            "https://",
            "https://u:p@host.example",
            "https://host.example/?a=b",
            "https://host.example/#a",
            "https://host.example/a//b",
            "https://host.example/a/../b",
            "https://host.example/{a}",
            "https://host.example/a%2Fb",
        ] {
            assert!(read(bad).is_err(), "{bad} was accepted");
        }
    }

    #[test]
    fn only_loopback_names_mean_this_machine() {
        let loopback = |text: &str| text.parse::<BaseUrl>().expect("a URL").is_loopback();
        for here in [
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://127.9.9.9",
            "http://[::1]:1",
            "http://a.localhost",
        ] {
            assert!(loopback(here), "{here}");
        }
        for elsewhere in [
            "http://127.0.0.1.example",
            "http://10.0.0.1",
            "https://localhost.example",
            "http://[::2]",
        ] {
            assert!(!loopback(elsewhere), "{elsewhere}");
        }
    }
}
