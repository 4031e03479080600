//! Whether a URL that somebody else named may be asked.

use std::{
    error::Error,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::{address, addresses::addresses, allowed::AllowedHost, name};
use crate::reply::{Code, Failure};

/// Judges what a service or a document named. Cloning is cheap.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    pub allow: Arc<[AllowedHost]>,
    /// Whether loopback addresses may be named, as a service of this machine may.
    pub this_machine: bool,
}

/// A place that must not be asked; nothing was sent there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{host} is {what}, where a service must not send requests to; nothing was sent there")]
pub(crate) struct Refused {
    /// The name or the address.
    pub host: String,
    what: &'static str,
}

impl Refused {
    /// Why a request failed, where the resolver refused an address.
    pub(crate) fn cause_of(error: &reqwest::Error) -> Option<&Self> {
        let mut cause: &(dyn Error + 'static) = error;
        loop {
            if let Some(refused) = cause.downcast_ref() {
                return Some(refused);
            }
            cause = cause.source()?;
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let hint = format!(
            "If that is right, the user allows it in their own agent-tools.json: \"network\": {{\"allow\": [{:?}]}}.",
            refused.host
        );
        Failure::new(Code::UpstreamProtocol, refused.to_string()).with_hint(hint)
    }
}

impl Guard {
    /// What can be known before anything is resolved: the scheme, literal addresses in whatever spelling, and names.
    pub(super) fn check(&self, url: &Url) -> Result<(), Refused> {
        let refused = |host: &str, what| {
            let host = host.to_owned();
            Err(Refused { host, what })
        };
        if !matches!(url.scheme(), "http" | "https") {
            return refused(url.scheme(), "no http or https address");
        }
        if !url.username().is_empty() || url.password().is_some() {
            let host = url.host_str().unwrap_or_default();
            return refused(host, "given with a user or a password");
        }
        match url.host() {
            Some(Host::Ipv4(address)) => self.check_address(address.into(), None),
            Some(Host::Ipv6(address)) => self.check_address(address.into(), None),
            Some(Host::Domain(domain)) => {
                let domain = name::canonical(domain);
                match name::special(&domain) {
                    Some(what) if !self.allows_name(&domain) => refused(&domain, what),
                    _ => Ok(()),
                }
            }
            None => refused("", "no address of a host"),
        }
    }

    /// The addresses of a name, when each of them may be connected to.
    async fn resolved(&self, host: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let found = addresses(host, 0).await?;
        let host = name::canonical(host);
        if !self.allows_name(&host) {
            for address in &found {
                self.check_address(address.ip(), Some(&host))?;
            }
        }
        Ok(found)
    }

    /// `name` is what led to the address.
    fn check_address(&self, address: IpAddr, name: Option<&str>) -> Result<(), Refused> {
        let Some(what) = address::special(address) else {
            return Ok(());
        };
        let own = self.this_machine && address::is_loopback(address);
        if own || self.allow.iter().any(|host| host.covers_address(address)) {
            return Ok(());
        }
        let host = match name {
            Some(name) => name.to_owned(),
            None => address.to_string(),
        };
        Err(Refused { host, what })
    }

    fn allows_name(&self, name: &str) -> bool {
        (self.this_machine && name::is_loopback(name))
            || self.allow.iter().any(|host| host.covers_name(name))
    }
}

/// The addresses that are checked are those that are connected to: nobody resolves the name again in between.
impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let addresses: Addrs = Box::new(guard.resolved(name.as_str()).await?.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(allow: &[&str]) -> Guard {
        Guard {
            allow: allow.iter().map(|host| host.parse().unwrap()).collect(),
            this_machine: false,
        }
    }

    /// Why it is refused; what is no URL is asked by nobody.
    fn refusal(url: &str) -> Option<&'static str> {
        let Ok(url) = Url::parse(url) else {
            return Some("no URL");
        };
        guard(&[]).check(&url).err().map(|refused| refused.what)
    }

    #[test]
    fn odd_spellings_of_inner_addresses_are_refused() {
        for url in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://127.0.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://017700000001/",
            "http://0x7f.0x0.0x0.0x1/",
            "http://127.0.0.1./",
            "http://%31%32%37.0.0.1/",
            "http://127%2e0%2e0%2e1/",
            "http://１２７.0.0.1/",
            "http://127。0。0。1/",
            "http://①②⑦.0.0.1/",
            "http://127.0.0.1:80@127.0.0.1/",
            "http://example.com@127.0.0.1/",
            "http://example.com:80@10.0.0.1:443/",
            "http:127.0.0.1",
            "http:/\\127.0.0.1/",
            "http://0/",
            "http://[::]/",
            "http://[::1]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[::127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://[fe80::1]/",
            "http://[fd00:ec2::254]/latest/meta-data/",
            "http://169.254.169.254/latest/meta-data/",
            "http://2852039166/latest/meta-data/",
            "http://0xa9fea9fe/",
            "http://025177524776/",
            "http://metadata.google.internal/computeMetadata/v1/",
            "http://METADATA.google.internal./",
            "http://metadata。google。internal/",
            "http://localhost/",
            "http://LocalHost.:8080/",
            "http://ＬＯＣＡＬＨＯＳＴ/",
            "http://a.localhost/",
            "http://router/",
            "http://192.168.1.1/",
            "http://100.64.0.1/",
            "http://255.255.255.255/",
            "https://user@example.com/",
            "ftp://example.com/",
            "file:///etc/passwd",
        ] {
            assert!(refusal(url).is_some(), "{url}");
        }
        for url in [
            "https://example.com/",
            "http://8.8.8.8/",
            "http://134744072/",
            "https://[2606:4700::1111]/",
            "https://example.com./",
            "https://bücher.example/",
            // A path of example.com, and that is what is connected to.
            "http://example.com\\@127.0.0.1/",
        ] {
            assert_eq!(refusal(url), None, "{url}");
        }
    }

    #[test]
    fn what_the_user_allows_is_not_refused() {
        let guard = guard(&["10.0.0.0/8", "*.corp.example", "router"]);
        let allows = |url: &str| guard.check(&Url::parse(url).unwrap()).is_ok();
        for url in [
            "http://10.9.8.7/",
            "http://167772161/",
            "http://[::ffff:10.0.0.1]/",
            "http://router/",
        ] {
            assert!(allows(url), "{url}");
        }
        for url in [
            "http://192.168.0.1/",
            "http://127.0.0.1/",
            "http://router2/",
        ] {
            assert!(!allows(url), "{url}");
        }
    }

    #[tokio::test]
    async fn resolved_addresses_are_checked_too() {
        // Whatever the name is, it resolves to a loopback address.
        let error = guard(&[]).resolved("localhost").await.unwrap_err();
        let refused = error.downcast::<Refused>().unwrap();
        assert_eq!(
            (refused.host.as_str(), refused.what),
            ("localhost", "a loopback address")
        );
        for allow in [&["127.0.0.0/8", "::1"][..], &["localhost"]] {
            assert!(
                guard(allow).resolved("localhost").await.is_ok(),
                "{allow:?}"
            );
        }
        // One good address among others does not do.
        assert!(guard(&["127.0.0.0/8"]).resolved("localhost").await.is_err());
    }

    #[test]
    fn the_hint_names_what_to_allow() {
        let url = Url::parse("http://0xa9fea9fe/").unwrap();
        let failure = Failure::from(guard(&[]).check(&url).unwrap_err());
        assert_eq!(failure.code, Code::UpstreamProtocol);
        assert_eq!(
            failure.error,
            "169.254.169.254 is a cloud's metadata service, where a service must not send requests to; nothing was sent there"
        );
        assert!(
            failure.hint.unwrap().contains("\"169.254.169.254\""),
            "the address is named as it is written in the settings"
        );
    }
}
