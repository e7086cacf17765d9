//! Forbidden addresses in every notation that a URL permits.
//!
//! The check has to reject each of them, unless it is not a URL at all. Requests to those that mean
//! this machine are also sent, with a canary listening. Nothing leaves the machine: the only name
//! that is resolved is one of this machine.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use ipnet::IpNet;
use site_lists::{Limits, TransportError};
use tokio::net::TcpListener;
use url::Url;

use super::*;
use crate::resolver::Resolver;

/// Addresses of this machine, private networks, link-local ranges, metadata services, and
/// special-purpose ranges.
const V4: [[u8; 4]; 23] = [
    [127, 0, 0, 1],
    [127, 1, 2, 3],
    [127, 255, 255, 254],
    [0, 0, 0, 0],
    [0, 1, 2, 3],
    [10, 0, 0, 1],
    [10, 255, 255, 255],
    [172, 16, 0, 1],
    [172, 31, 255, 254],
    [192, 168, 0, 1],
    [192, 168, 255, 255],
    [169, 254, 169, 254],
    [169, 254, 170, 2],
    [100, 64, 0, 1],
    [100, 100, 100, 200],
    [168, 63, 129, 16],
    [192, 0, 0, 192],
    [192, 31, 196, 1],
    [192, 52, 193, 1],
    [192, 175, 48, 1],
    [198, 18, 0, 1],
    [224, 0, 0, 251],
    [255, 255, 255, 255],
];

/// An IPv4 address as a host, in every notation that URL parsers accept, and some that they should
/// not.
fn notations(address: [u8; 4]) -> Vec<String> {
    let [a, b, c, d] = address;
    let number = u32::from_be_bytes(address);
    let low = number & 0x00ff_ffff;
    let lowest = number & 0xffff;
    let v4 = Ipv4Addr::from(address);
    let [high16, low16] = [number >> 16, number & 0xffff];
    let digits: String = v4
        .to_string()
        .chars()
        .map(|letter| match letter.to_digit(10) {
            Some(digit) => char::from_u32(0xff10 + digit).unwrap_or(letter),
            None => letter,
        })
        .collect();
    let encoded: String = v4
        .to_string()
        .bytes()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    vec![
        v4.to_string(),
        format!("{v4}."),
        number.to_string(),
        format!("0x{number:x}"),
        format!("0X{number:X}"),
        format!("0x{number:08x}"),
        format!("0{number:o}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("000{a:o}.00{b:o}.{c}.{d:#x}"),
        format!("{a}.{low}"),
        format!("{a}.{b}.{lowest}"),
        format!("{a:#x}.{low}"),
        format!("0{a:o}.{b}.{lowest:#x}"),
        digits,
        v4.to_string().replace('.', "\u{3002}"),
        v4.to_string().replace('.', "\u{ff0e}"),
        encoded,
        format!("[::ffff:{v4}]"),
        format!("[::ffff:{high16:x}:{low16:x}]"),
        format!("[0:0:0:0:0:ffff:{high16:04x}:{low16:04x}]"),
        format!("[::{v4}]"),
        format!("[64:ff9b::{v4}]"),
        format!("[64:ff9b:1::{high16:x}:{low16:x}]"),
        format!("[2002:{high16:x}:{low16:x}::1]"),
        format!("[2001:0:{high16:x}:{low16:x}::]"),
    ]
}

const OTHERS: [&str; 29] = [
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[fe80::1]",
    "[fe80::a9fe:a9fe]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[fd00:42::42]",
    "[2620:4f:8000::1]",
    "[fd12:3456:789a::1]",
    "[ff02::1]",
    "[ff05::2]",
    "[100::1]",
    "[2001:db8::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[fe80::1%25eth0]",
    "[::ffff:0:127.0.0.1]",
    "[::ffff:0:7f00:1]",
    "0",
    "0x0",
    "00",
    "0.0",
];

/// Whether the check rejects a URL, or it is not a valid URL.
fn is_kept_away(egress: &Egress, url: &str) -> bool {
    match Url::parse(url) {
        Err(_) => true,
        Ok(url) => matches!(egress.check(&url), Err(TransportError::Refused(_))),
    }
}

#[test]
fn no_notation_of_an_address_inside_passes_the_guard() {
    let egress = Egress::new([]).expect("TLS");
    let hosts: Vec<String> = V4
        .into_iter()
        .flat_map(notations)
        .chain(OTHERS.map(str::to_owned))
        .collect();
    let mut tried = 0;
    for host in &hosts {
        for url in [
            format!("https://{host}/"),
            format!("https://{host}:8443/latest/meta-data/"),
            format!("HTTPS://{host}/"),
            format!("https:\\\\{host}\\"),
            format!("https://user@{host}/"),
            format!("http://{host}/"),
        ] {
            assert!(is_kept_away(&egress, &url), "{url}");
            tried += 1;
        }
    }
    assert!(hosts.len() >= 300 && tried >= 1_800, "{}", hosts.len());
    record_figure(&format!(
        "{tried} addresses in {} notations refused",
        hosts.len()
    ));
}

/// Records the number of cases for `cargo xtask trust`. The helper of the other tests is in a crate
/// that depends on this one.
#[expect(
    clippy::disallowed_methods,
    reason = "the file for figures is named there"
)]
fn record_figure(figure: &str) {
    let Some(path) = std::env::var_os("CHECKLIST_TRUST_FIGURES") else {
        return;
    };
    let file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(path);
    let mut file = file.expect("the file for figures opens");
    file.write_all(format!("S2\t{figure}\n").as_bytes())
        .expect("the figure is written down");
}

#[test]
fn a_name_that_resolves_to_an_address_inside_is_not_connected_to() {
    let nets: Arc<[IpNet]> = Arc::new(["10.2.0.0/16".parse().expect("a network")]);
    let opened = Resolver::ToPublicOr(nets);
    for address in V4.map(Ipv4Addr::from) {
        let address = IpAddr::V4(address);
        assert!(!Resolver::ToPublic.lets_through(address), "{address}");
        assert!(!opened.lets_through(address), "{address}");
        let IpAddr::V4(v4) = address else { continue };
        let mapped = IpAddr::V6(v4.to_ipv6_mapped());
        assert!(!opened.lets_through(mapped), "{mapped}");
    }
    let inside: IpAddr = "10.2.3.4".parse().expect("an address");
    assert!(opened.lets_through(inside) && !Resolver::ToPublic.lets_through(inside));
    let public = IpAddr::V6(Ipv6Addr::new(0x2a00, 0x1450, 0x4001, 0, 0, 0, 0, 1));
    assert!(opened.lets_through(public) && Resolver::ToPublic.lets_through(public));
}

#[test]
fn loopback_links_and_metadata_stay_closed_whatever_the_operator_opens() {
    // As if the configuration had not been validated.
    let everything: Arc<[IpNet]> =
        Arc::new(["0.0.0.0/0", "::/0"].map(|net| net.parse().expect("a network")));
    let opened = Resolver::ToPublicOr(everything);
    for address in [
        "127.0.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "::ffff:127.0.0.1",
    ] {
        let address: IpAddr = address.parse().expect("an address");
        assert!(!opened.lets_through(address), "{address}");
    }
}

#[tokio::test]
async fn a_canary_on_this_machine_hears_nothing() {
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = canary.local_addr().expect("an address").port();
    let egress = Egress::new([]).expect("TLS");
    let limits = Limits {
        time: Duration::from_secs(2),
        bytes: 1_000,
    };
    let mut hosts = notations([127, 0, 0, 1]);
    hosts.extend(["localhost", "LOCALHOST", "[::1]", "0", "[::]"].map(str::to_owned));
    for host in hosts {
        for scheme in ["https", "http"] {
            let Ok(request) = Request::get(format!("{scheme}://{host}:{port}/")).body(Vec::new())
            else {
                continue;
            };
            let asked = egress.send(request, limits).await;
            assert!(matches!(asked, Err(TransportError::Refused(_))), "{host}");
        }
    }
    let nobody = tokio::time::timeout(Duration::from_millis(50), canary.accept()).await;
    assert!(nobody.is_err(), "somebody came");
}
