//! The addresses of a host. `localhost` is both loopback addresses, whatever the system says (RFC 6761, section 6.3): servers
//! listen on one of them. They are tried one after the other with a short delay.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};

/// Finds the addresses of a name.
pub(super) struct Addresses;

impl Resolve for Addresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let addresses: Addrs = Box::new(addresses(name.as_str(), 0).await?.into_iter());
            Ok(addresses)
        })
    }
}

pub(super) async fn addresses(host: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
    let lower = host.trim_end_matches('.').to_ascii_lowercase();
    if lower == "localhost" || lower.ends_with(".localhost") {
        let both = [
            IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(Ipv6Addr::LOCALHOST),
        ];
        return Ok(both.map(|address| SocketAddr::new(address, port)).into());
    }
    Ok(tokio::net::lookup_host((host, port)).await?.collect())
}

/// The addresses behind a URL, for a message. Empty where they are not known.
pub(crate) async fn tried(url: &Url) -> Vec<String> {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Vec::new();
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let found = addresses(host, port).await.unwrap_or_default();
    found.iter().map(SocketAddr::to_string).collect()
}
