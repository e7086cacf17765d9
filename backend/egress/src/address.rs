//! Which addresses are public: global unicast without special-purpose ranges.
//!
//! An allowlist for IPv6, where that is short, and a denylist for IPv4. Addresses that embed
//! another one (mapped, translated, tunnelled) are never public, whatever they embed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is on the public internet, and not of this machine, its network or a
/// special-purpose range.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Special-purpose ranges: first address and prefix length.
const SPECIAL_V4: [([u8; 4], u32); 19] = [
    ([0, 0, 0, 0], 8),        // this network
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // shared by carriers
    ([127, 0, 0, 0], 8),      // loopback
    ([169, 254, 0, 0], 16),   // link-local, metadata services
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments
    ([192, 0, 2, 0], 24),     // documentation
    ([168, 63, 129, 16], 32), // Azure's host: its wire server, its health probes, its names
    ([192, 31, 196, 0], 24),  // AS112, which swallows names of private networks
    ([192, 52, 193, 0], 24),  // multicast tunnels (AMT)
    ([192, 88, 99, 0], 24),   // 6to4 relays
    ([192, 168, 0, 0], 16),   // private
    ([192, 175, 48, 0], 24),  // AS112
    ([198, 18, 0, 0], 15),    // benchmarks
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 4),      // multicast
    ([240, 0, 0, 0], 4),      // reserved, broadcast
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    !SPECIAL_V4.iter().any(|(first, length)| {
        (u32::from(address) ^ u32::from_be_bytes(*first)) >> (32 - length) == 0
    })
}

/// Special-purpose ranges within global unicast.
const SPECIAL_V6: [([u16; 3], u32); 5] = [
    ([0x2001, 0x0000, 0], 23),      // protocol assignments, Teredo
    ([0x2001, 0x0db8, 0], 32),      // documentation
    ([0x2002, 0x0000, 0], 16),      // 6to4
    ([0x2620, 0x004f, 0x8000], 48), // AS112
    ([0x3fff, 0x0000, 0], 20),      // documentation
];

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [one, two, three, ..] = address.segments();
    let head = head([one, two, three]);
    let is_global = one & 0xe000 == 0x2000;
    is_global
        && !SPECIAL_V6
            .iter()
            .any(|(first, length)| (head ^ self::head(*first)) >> (48 - length) == 0)
}

/// The first 48 bits of an address.
fn head(segments: [u16; 3]) -> u64 {
    segments
        .iter()
        .fold(0, |head, segment| head << 16 | u64::from(*segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001::1",
            "2001:4860:4860::8888",
            "3ffe::1",
            "168.63.129.15",
            "168.63.129.17",
            "192.31.195.255",
            "192.52.194.1",
            "192.175.49.1",
            "2620:4f:7fff::1",
            "2620:4f:8001::1",
        ] {
            assert!(public(address), "{address}");
        }
    }

    #[test]
    fn this_machine_its_network_and_special_ranges_are_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "168.63.129.16",
            "192.31.196.1",
            "192.52.193.1",
            "192.175.48.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:1ff:ffff::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "2620:4f:8000::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(address), "{address}");
        }
    }
}
