//! The path of a request: a template whose variables can never leave their segment.

use std::fmt;

/// The path of a template, and what stands behind its `?`. A fragment is no part of a request.
pub(super) fn split(template: &str) -> (&str, Option<&str>) {
    let template = template.split('#').next().unwrap_or_default();
    match template.split_once('?') {
        Some((path, query)) => (path, Some(query).filter(|query| !query.is_empty())),
        None => (template, None),
    }
}

/// The names of a template's variables.
pub(super) fn variables(path: &str) -> impl Iterator<Item = &str> {
    pieces(path).filter_map(|piece| match piece {
        Piece::Variable(name) => Some(name),
        Piece::Literal(_) => None,
    })
}

enum Piece<'a> {
    Literal(&'a str),
    Variable(&'a str),
}

fn pieces(path: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = path;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(inner) = rest.strip_prefix('{')
            && let Some((name, after)) = inner.split_once('}')
        {
            rest = after;
            return Some(Piece::Variable(name));
        }
        // The first character is literal, even a brace that nothing closes.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find('{').map_or(rest.len(), |at| first + at);
        let (literal, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Literal(literal))
    })
}

/// A variable whose value would change which path is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Escapes {
    /// The variable.
    pub variable: String,
}

impl fmt::Display for Escapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is part of the path, where an empty value, `.` and `..` would name another one",
            self.variable
        )
    }
}

/// The path with encoded values in the variables' places.
pub(super) fn filled(
    path: &str,
    encoded: impl Fn(&str) -> Option<String>,
) -> Result<String, Escapes> {
    let mut filled = String::with_capacity(path.len() + 16);
    // The variable of the segment that is being written, and where that segment starts.
    let mut variable: Option<&str> = None;
    let mut start = 0;
    for piece in pieces(path) {
        match piece {
            Piece::Variable(name) => {
                let value = encoded(name).unwrap_or_default();
                if value.is_empty() {
                    return Err(escape(name));
                }
                variable = Some(name);
                filled.push_str(&value);
            }
            Piece::Literal(text) => {
                for c in text.chars() {
                    if c == '/' {
                        check(&filled[start..], variable.take())?;
                        filled.push('/');
                        start = filled.len();
                    } else {
                        push_literal(&mut filled, c);
                    }
                }
            }
        }
    }
    check(&filled[start..], variable)?;
    Ok(filled)
}

fn check(segment: &str, variable: Option<&str>) -> Result<(), Escapes> {
    match variable {
        // A decoder may know encoded dots too.
        Some(name) if is_dots(segment) => Err(escape(name)),
        _ => Ok(()),
    }
}

fn is_dots(segment: &str) -> bool {
    let dots = segment.to_ascii_lowercase().replace("%2e", ".");
    matches!(dots.as_str(), "" | "." | "..")
}

fn escape(name: &str) -> Escapes {
    Escapes {
        variable: name.to_owned(),
    }
}

/// What the document itself wrote, as it has to be in a URL.
fn push_literal(out: &mut String, c: char) {
    let allowed = c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@%".contains(c);
    if allowed {
        out.push(c);
        return;
    }
    let mut buffer = [0; 4];
    for byte in c.encode_utf8(&mut buffer).bytes() {
        out.push_str(&format!("%{byte:02X}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(path: &str, value: &str) -> Result<String, Escapes> {
        filled(path, |_| Some(value.to_owned()))
    }

    #[test]
    fn templates_are_taken_apart() {
        assert_eq!(split("/a/{b}?x=1#y"), ("/a/{b}", Some("x=1")));
        assert_eq!(split("/#Target=x"), ("/", None));
        let found: Vec<_> = variables("/a/{b}.{c d}/e{").collect();
        assert_eq!(found, ["b", "c d"]);
    }

    #[test]
    fn literals_stay_and_are_fit_for_a_url() {
        assert_eq!(fill("/a b/{x}:do/ü", "1").unwrap(), "/a%20b/1:do/%C3%BC");
        assert_eq!(fill("/files/{n}.json", "a").unwrap(), "/files/a.json");
        assert_eq!(fill("/", "a").unwrap(), "/");
        assert_eq!(fill("/a/", "a").unwrap(), "/a/");
    }

    #[test]
    fn a_variable_cannot_make_its_segment_another() {
        for value in ["", ".", "..", "%2e%2E", ".%2e"] {
            let escape = fill("/a/{x}/b", value).unwrap_err();
            assert_eq!(escape.variable, "x");
            assert!(fill("/a/{x}", value).is_err());
        }
        assert!(fill("/a/{x}{y}", ".").is_err());
        assert!(fill("/a/.{x}", ".").is_err());
        assert!(fill("/a/{x}", "...").is_ok());
        assert!(filled("/a/{x}", |_| None).is_err());
    }
}
