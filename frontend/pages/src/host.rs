//! The host of an address: a name, or an IP address.

/// Whether a host, as browsers write it, is an IP address: one of IPv6 is in brackets, and one of IPv4
/// ends with a number. Labels of names may end with digits, but the last one is never a number.
#[must_use]
pub fn is_ip_address(host: &str) -> bool {
    let last_label = host.rsplit('.').next().unwrap_or_default();
    let is_number = !last_label.is_empty() && last_label.bytes().all(|byte| byte.is_ascii_digit());
    is_number || host.ends_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_ends_with_a_digit_is_no_ip_address() {
        for host in ["127.0.0.1", "10.20.30.40", "[::1]", "[fe80::a]"] {
            assert!(is_ip_address(host), "{host}");
        }
        for host in [
            "localhost",
            "web01",
            "web01.example.org",
            "example.c0",
            "10.web",
            "",
        ] {
            assert!(!is_ip_address(host), "{host}");
        }
    }
}
