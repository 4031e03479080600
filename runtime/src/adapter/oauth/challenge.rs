//! The `WWW-Authenticate` header (RFC 9110, section 11.6.1) of a server that wants a bearer token (RFC 6750, section 3).

/// What a server says it wants.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    /// Where it describes itself (RFC 9728, section 5.1).
    pub(super) resource_metadata: Option<String>,
    /// The scopes that the request needs, separated by spaces.
    pub(super) scope: Option<String>,
    /// Why a token was not good enough (RFC 6750, section 3.1).
    pub(super) error: Option<String>,
}

impl Challenge {
    /// The first challenge of the scheme `Bearer` in the headers.
    pub(super) fn bearer<'a>(headers: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        headers.into_iter().find_map(|header| {
            let mut found = None::<Self>;
            let mut rest = Scanner(header);
            while let Some(item) = rest.item() {
                match (item, &mut found) {
                    (Item::Scheme(_), Some(_)) => break,
                    (Item::Scheme(scheme), none) if scheme.eq_ignore_ascii_case("bearer") => {
                        *none = Some(Self::default());
                    }
                    (Item::Parameter(name, value), Some(challenge)) => {
                        match name.to_ascii_lowercase().as_str() {
                            "resource_metadata" => challenge.resource_metadata = Some(value),
                            "scope" => challenge.scope = Some(value),
                            "error" => challenge.error = Some(value),
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
            found
        })
    }
}

enum Item<'a> {
    Scheme(&'a str),
    Parameter(&'a str, String),
}

struct Scanner<'a>(&'a str);

impl<'a> Scanner<'a> {
    /// A word that `=` follows is a parameter's name, any other a scheme.
    fn item(&mut self) -> Option<Item<'a>> {
        self.0 = self
            .0
            .trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        let end = self
            .0
            .find(|c: char| c == '=' || c == ',' || c.is_whitespace())
            .unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        if word.is_empty() && rest.is_empty() {
            return None;
        }
        let after = rest.trim_start();
        let Some(value) = after.strip_prefix('=') else {
            self.0 = rest;
            return Some(Item::Scheme(word));
        };
        let value = self.value(value.trim_start());
        Some(Item::Parameter(word, value))
    }

    /// A quoted string or a token; moves behind it.
    fn value(&mut self, text: &'a str) -> String {
        let Some(quoted) = text.strip_prefix('"') else {
            let end = text
                .find(|c: char| c == ',' || c.is_whitespace())
                .unwrap_or(text.len());
            self.0 = &text[end..];
            return text[..end].to_owned();
        };
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.0 = &quoted[at + 1..];
                    return value;
                }
                '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
                c => value.push(c),
            }
        }
        self.0 = "";
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Option<(Option<String>, Option<String>)> {
        Challenge::bearer([header]).map(|found| (found.resource_metadata, found.scope))
    }

    #[test]
    fn the_bearer_challenge_is_found_among_others() {
        let metadata = || Some("https://x/.well-known/a".to_owned());
        assert_eq!(
            read(r#"Bearer resource_metadata="https://x/.well-known/a", scope="a b""#),
            Some((metadata(), Some("a b".into())))
        );
        assert_eq!(
            read(
                r#"Basic realm="Bearer scope=no, x", bearer error="invalid_token" , resource_metadata = https://x/.well-known/a,Digest scope="c""#
            ),
            Some((metadata(), None))
        );
        assert_eq!(
            read(r#"Bearer realm="a \"quoted\", b", SCOPE=one"#),
            Some((None, Some("one".into())))
        );
        assert_eq!(read("Bearer"), Some((None, None)));
        assert_eq!(read("Negotiate abc==, Basic realm=x"), None);
        assert_eq!(read(""), None);
        let two = ["Basic realm=x", "Bearer scope=y"];
        assert_eq!(Challenge::bearer(two).unwrap().scope.as_deref(), Some("y"));
    }

    #[test]
    fn whatever_is_read_ends() {
        for broken in [
            "=",
            "= =",
            ",,,",
            "Bearer =",
            "Bearer scope=",
            "Bearer scope=\"",
            "Bearer scope=\"\\",
            "\u{a0}=ü",
            "Bearer a=b=c",
            "Bearer ==,==",
        ] {
            let _ = read(broken);
        }
    }
}
