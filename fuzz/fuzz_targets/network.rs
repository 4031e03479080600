//! Any text as an address that a service names. What may be asked is nothing that another parser takes for an inner address.

#![no_main]

use std::net::{IpAddr, Ipv4Addr};

use agent_tools_runtime::fuzzing::may_be_named;
use libfuzzer_sys::fuzz_target;
use url::{Host, Url};

fuzz_target!(|address: &str| {
    if !may_be_named(address) {
        return;
    }
    let url = Url::parse(address).expect("what may be asked is a URL");
    assert!(matches!(url.scheme(), "http" | "https"), "{address:?}");
    assert!(
        url.username().is_empty() && url.password().is_none(),
        "{address:?}"
    );
    match url.host().expect("it has a host") {
        Host::Ipv4(v4) => assert!(is_public(v4), "{address:?} is {v4}"),
        Host::Ipv6(v6) => {
            assert!(
                !v6.is_loopback() && !v6.is_unspecified() && !v6.is_multicast(),
                "{address:?}"
            );
            assert!(
                !v6.is_unique_local() && !v6.is_unicast_link_local(),
                "{address:?}"
            );
            let embedded = v6.to_ipv4();
            assert!(embedded.is_none_or(is_public), "{address:?} is {v6}");
        }
        Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            assert!(
                name.contains('.') && !name.ends_with(".localhost"),
                "{address:?}"
            );
            // What older parsers take for a number is none.
            let last = name.rsplit('.').next().unwrap_or_default();
            let digits = last.strip_prefix("0x").unwrap_or(last);
            let hex = last.starts_with("0x") && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
            assert!(!hex && !decimal, "{address:?}");
            assert!(name.parse::<IpAddr>().is_err(), "{address:?}");
        }
    }
});

fn is_public(address: Ipv4Addr) -> bool {
    !(address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation())
}
