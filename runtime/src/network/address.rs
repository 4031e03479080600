//! Which addresses are no public ones: the registries of special-purpose addresses (RFC 6890, IANA), and what clouds keep
//! for themselves.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// What an address is that no public service has; `None` for a public one.
pub(super) fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

/// Whether it is an address of this machine alone.
pub(super) fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    let found = V4.iter().find(|(net, _)| net.contains(&address));
    found.map(|(_, what)| *what)
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some(embedded) = embedded(address) {
        return special_v4(embedded);
    }
    let found = V6.iter().find(|(net, _)| net.contains(&address));
    match found {
        Some((_, what)) => Some(what),
        None if GLOBAL_V6.contains(&address) => None,
        None => Some("a reserved address"),
    }
}

/// The IPv4 address that is meant: of mapped addresses, and of those that a translator makes of the answers of a network
/// without IPv4 (NAT64, RFC 6052).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return Some(mapped);
    }
    let [.., a, b, c, d] = address.octets();
    NAT64.contains(&address).then(|| Ipv4Addr::new(a, b, c, d))
}

const NAT64: Ipv6Net = v6(0x64, 0xff9b, 96);
/// Only of these have any been given out.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 3);

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), length)
}

const V4: [(Ipv4Net, &str); 18] = [
    (v4(0, 0, 0, 0, 8), "an unspecified address"),
    (v4(10, 0, 0, 0, 8), "a private address"),
    (v4(100, 100, 100, 200, 32), "a cloud's metadata service"),
    (v4(100, 64, 0, 0, 10), "a shared address (RFC 6598)"),
    (v4(127, 0, 0, 0, 8), "a loopback address"),
    (v4(168, 63, 129, 16, 32), "a cloud's metadata service"),
    (v4(169, 254, 169, 254, 32), "a cloud's metadata service"),
    (v4(169, 254, 0, 0, 16), "a link-local address"),
    (v4(172, 16, 0, 0, 12), "a private address"),
    (v4(192, 0, 0, 0, 24), "a reserved address"),
    (v4(192, 0, 2, 0, 24), "a documentation address"),
    (v4(192, 88, 99, 0, 24), "a 6to4 relay"),
    (v4(192, 168, 0, 0, 16), "a private address"),
    (v4(198, 18, 0, 0, 15), "a benchmarking address"),
    (v4(198, 51, 100, 0, 24), "a documentation address"),
    (v4(203, 0, 113, 0, 24), "a documentation address"),
    (v4(224, 0, 0, 0, 4), "a multicast address"),
    (v4(240, 0, 0, 0, 4), "a reserved address"),
];

const V6: [(Ipv6Net, &str); 12] = [
    (
        Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128),
        "an unspecified address",
    ),
    (
        Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128),
        "a loopback address",
    ),
    (
        Ipv6Net::new_assert(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128),
        "a cloud's metadata service",
    ),
    (v6(0xfc00, 0, 7), "a private address"),
    (v6(0xfe80, 0, 10), "a link-local address"),
    (v6(0xfec0, 0, 10), "a private address"),
    (v6(0xff00, 0, 8), "a multicast address"),
    // What a tunnel ends at is not seen in these.
    (v6(0x2001, 0, 32), "a Teredo address"),
    (v6(0x2002, 0, 16), "a 6to4 address"),
    (v6(0x2001, 0xdb8, 32), "a documentation address"),
    (v6(0x3fff, 0, 20), "a documentation address"),
    (v6(0x2001, 0, 23), "a reserved address"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_known_at_both_ends_of_their_ranges() {
        for (what, addresses) in [
            ("unspecified", "0.0.0.0 0.255.255.255 :: ::ffff:0.0.0.0"),
            (
                "private",
                "10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 fc00:: fdff:ffff::1 fec0::1 \
                 ::ffff:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::c0a8:101",
            ),
            ("shared", "100.64.0.0 100.127.255.255"),
            (
                "loopback",
                "127.0.0.1 127.255.255.255 ::1 ::ffff:127.0.0.1 64:ff9b::127.0.0.1",
            ),
            ("link-local", "169.254.0.0 169.254.255.255 fe80::1 febf::1"),
            (
                "metadata",
                "169.254.169.254 100.100.100.200 168.63.129.16 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe",
            ),
            ("multicast", "224.0.0.1 239.255.255.255 ff02::1"),
            (
                "reserved",
                "192.0.0.8 240.0.0.1 255.255.255.255 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b:1::a00:1 100::1 2001:20::1 4000::1 5f00::1",
            ),
            (
                "documentation",
                "192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1",
            ),
            ("benchmarking", "198.18.0.1 198.19.255.255"),
            ("6to4", "192.88.99.1 2002:7f00:1::1 2002:a9fe:a9fe::"),
            ("Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
        ] {
            for address in addresses.split_whitespace() {
                let found = special(address.parse().unwrap());
                assert!(
                    found.is_some_and(|found| found.contains(what)),
                    "{address}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn public_addresses_are_no_special_ones() {
        for address in "1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 \
                        172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255 2606:4700::1111 2001:4860::8888 \
                        ::ffff:8.8.8.8 64:ff9b::8.8.8.8"
            .split_whitespace()
        {
            assert_eq!(special(address.parse().unwrap()), None, "{address}");
        }
    }
}
