//! Which names are no public ones, whatever they resolve to: a proxy would resolve them where it stands.

/// Top-level names that the public name system leaves to networks of their own (RFC 2606, RFC 6761, RFC 6762, RFC 8375,
/// RFC 9476, ICANN's `internal`), and those that most private networks took without asking.
const PRIVATE: [&str; 14] = [
    "alt",
    "corp",
    "home",
    "home.arpa",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
    "test",
];

/// A name as it is compared: lower case, and without the dot that ends it; nor further ones, which a resolver may overlook.
pub(super) fn canonical(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

/// What a canonical name is that no public service has; `None` for a public one.
pub(super) fn special(name: &str) -> Option<&'static str> {
    if is_loopback(name) {
        return Some("this machine");
    }
    // No top-level name is a number; with dots behind it an address comes through as a name (RFC 3696, section 2).
    if is_number(name.rsplit('.').next().unwrap_or_default()) {
        return Some("an oddly written address");
    }
    let private = || {
        PRIVATE.iter().any(|zone| {
            name.strip_suffix(zone)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    };
    let single = || !name.contains('.');
    (single() || private()).then_some("a name of a private network")
}

/// As parsers of addresses read one: decimal or hexadecimal.
fn is_number(label: &str) -> bool {
    match label.strip_prefix("0x") {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// Whether the name is this machine's (RFC 6761, section 6.3).
pub(super) fn is_loopback(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_private_networks_are_known() {
        for name in [
            "localhost",
            "LOCALHOST.",
            "localhost..",
            "app.localhost",
            "metadata.google.internal",
            "metadata.google.internal.",
            "metadata.google.internal..",
            "metadata",
            "metadata..",
            "instance-data.ec2.internal",
            "printer.local",
            "router",
            "nas.home.arpa",
            "wiki.corp",
            "x.test",
            "127.0.0.1..",
            "a.0x7f..",
        ] {
            assert!(special(&canonical(name)).is_some(), "{name}");
        }
        for name in [
            "example.com",
            "internal.example.com",
            "notlocalhost.org",
            "mylocal.dev",
            "localhost.example.com",
            "0x1.example.com",
        ] {
            assert_eq!(special(&canonical(name)), None, "{name}");
        }
    }
}
