//! What the user allows besides the public internet.

use std::{net::IpAddr, str::FromStr};

use ipnet::IpNet;
use schemars::JsonSchema;
use serde::Deserialize;

use super::name;

/// Where services may lead to besides the public internet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(extend("additionalProperties" = false))]
pub struct NetworkSettings {
    /// Networks (`10.0.0.0/8`), addresses (`192.168.1.5`), names (`auth.corp.example`) and names below one
    /// (`*.corp.example`) that services and documents may name although they are no public ones.
    #[schemars(with = "Vec<String>")]
    pub allow: Vec<AllowedHost>,
}

/// One item of `allow`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum AllowedHost {
    /// A network or an address.
    Net(IpNet),
    /// A name, whatever it resolves to.
    Name(String),
    /// Every name that ends so; it begins with a dot.
    Below(String),
}

/// Neither an address, nor a network, nor a name.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0:?} is no network such as 10.0.0.0/8, no address, and no name such as auth.corp.example or *.corp.example"
)]
pub struct NoHost(String);

impl AllowedHost {
    pub(super) fn covers_address(&self, address: IpAddr) -> bool {
        match self {
            Self::Net(net) => net.contains(&address) || net.contains(&address.to_canonical()),
            Self::Name(_) | Self::Below(_) => false,
        }
    }

    /// The name is a canonical one.
    pub(super) fn covers_name(&self, name: &str) -> bool {
        match self {
            Self::Net(_) => false,
            Self::Name(allowed) => allowed == name,
            Self::Below(end) => name.ends_with(end.as_str()),
        }
    }
}

impl FromStr for AllowedHost {
    type Err = NoHost;

    fn from_str(text: &str) -> Result<Self, NoHost> {
        let text = text.trim();
        if let Ok(net) = text.parse::<IpNet>() {
            return Ok(Self::Net(net));
        }
        let bare = text.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Ok(Self::Net(address.into()));
        }
        let (below, host) = match text.strip_prefix("*.") {
            Some(host) => (true, host),
            None => (false, text),
        };
        // The same parser as for URLs, so that both write a name in the same way.
        match url::Host::parse(host) {
            Ok(url::Host::Domain(domain)) if !domain.contains('*') => {
                let domain = name::canonical(&domain);
                Ok(match below {
                    true => Self::Below(format!(".{domain}")),
                    false => Self::Name(domain),
                })
            }
            _ => Err(NoHost(text.to_owned())),
        }
    }
}

impl TryFrom<String> for AllowedHost {
    type Error = NoHost;

    fn try_from(text: String) -> Result<Self, NoHost> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str) -> AllowedHost {
        text.parse().unwrap()
    }

    #[test]
    fn networks_addresses_and_names_are_read() {
        let covers =
            |text: &str, address: &str| allowed(text).covers_address(address.parse().unwrap());
        assert!(covers("10.0.0.0/8", "10.1.2.3"));
        assert!(covers("10.0.0.0/8", "::ffff:10.1.2.3"));
        assert!(!covers("10.0.0.0/8", "11.0.0.1"));
        assert!(covers("192.168.1.5", "192.168.1.5"));
        assert!(!covers("192.168.1.5", "192.168.1.6"));
        assert!(covers("[fd00::1]", "fd00::1"));
        assert!(allowed("Auth.Corp.Example.").covers_name("auth.corp.example"));
        assert!(!allowed("corp.example").covers_name("auth.corp.example"));
        let below = allowed("*.corp.example");
        assert!(below.covers_name("a.b.corp.example"));
        for other in ["corp.example", "evilcorp.example", "corp.example.evil.org"] {
            assert!(!below.covers_name(other), "{other}");
        }
    }

    #[test]
    fn what_is_none_of_them_is_refused() {
        for wrong in [
            "",
            "*",
            "*.",
            "a.*.b",
            "10.0.0.0/33",
            "http://a.example",
            "a b",
            "1.2.3",
        ] {
            assert!(wrong.parse::<AllowedHost>().is_err(), "{wrong:?}");
        }
        let settings = serde_json::json!({"allow": ["http://x/"]});
        let error = serde_json::from_value::<NetworkSettings>(settings).unwrap_err();
        assert!(error.to_string().contains("10.0.0.0/8"), "{error}");
    }
}
