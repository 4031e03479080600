//! Globs of names.
//!
//! A name is a text and no path: `/` and `.` are characters as any other. The whole name has to match, and case counts.

use regex::Regex;

/// `*` is any characters or none, `?` one character, `[ab]` and `[a-z]` one of some, `[!ab]` one of all others, `{x,y}`
/// either; a `\` takes the meaning from the character behind it.
#[derive(Debug, Clone)]
pub(crate) enum Glob {
    /// Without any of these signs.
    Text(String),
    Pattern(Regex),
}

impl Glob {
    /// The error names the glob that is none.
    pub(crate) fn new(glob: &str) -> Result<Self, String> {
        if !glob.contains(['*', '?', '[', '{', '}', '\\']) {
            return Ok(Self::Text(glob.to_owned()));
        }
        let wrong = |why: &str| format!("{glob:?} is no glob: {why}");
        let pattern = pattern(glob).map_err(wrong)?;
        // Its matching takes time that grows with the name's length alone, however many `*` there are.
        let pattern = Regex::new(&pattern).map_err(|_| wrong("it is too long"))?;
        Ok(Self::Pattern(pattern))
    }

    pub(crate) fn all(globs: &[String]) -> Result<Vec<Self>, String> {
        globs.iter().map(|glob| Self::new(glob)).collect()
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        match self {
            Self::Text(text) => text == name,
            Self::Pattern(pattern) => pattern.is_match(name),
        }
    }
}

/// Where a glob has a `/` that stands for itself and belongs to no `[…]` or `{…}`.
pub(crate) fn slashes(glob: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut chars = glob.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '[' => {
                chars.next_if(|(_, c)| matches!(c, '!' | '^'));
                // One that comes first is a member.
                chars.next_if(|(_, c)| *c == ']');
                let _ = chars.by_ref().find(|(_, c)| *c == ']');
            }
            '/' if depth == 0 => found.push(at),
            _ => {}
        }
    }
    found
}

/// The regular expression of a glob.
fn pattern(glob: &str) -> Result<String, &'static str> {
    let mut pattern = String::from(r"(?s)\A(?:");
    let mut depth = 0_usize;
    let mut chars = glob.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' => pattern.push_str(".*"),
            '?' => pattern.push('.'),
            '\\' => push_text(&mut pattern, chars.next().ok_or("dangling '\\'")?),
            '[' => push_class(&mut pattern, &mut chars)?,
            '{' => {
                depth += 1;
                pattern.push_str("(?:");
            }
            '}' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or("unopened alternatives; missing '{'")?;
                pattern.push(')');
            }
            ',' if depth > 0 => pattern.push('|'),
            c => push_text(&mut pattern, c),
        }
    }
    match depth {
        0 => Ok(pattern + r")\z"),
        _ => Err("unclosed alternatives; missing '}'"),
    }
}

/// What stands behind a `[`.
fn push_class(
    pattern: &mut String,
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> Result<(), &'static str> {
    let unclosed = "unclosed character class; missing ']'";
    pattern.push('[');
    if chars.next_if(|c| matches!(c, '!' | '^')).is_some() {
        pattern.push('^');
    }
    let mut is_first = true;
    loop {
        let from = chars.next().ok_or(unclosed)?;
        if from == ']' && !is_first {
            break;
        }
        is_first = false;
        push_text(pattern, from);
        let mut behind = chars.clone();
        // A `-` that comes last is a member.
        if behind.next() == Some('-') && behind.next().is_some_and(|c| c != ']') {
            chars.next();
            let to = chars.next().ok_or(unclosed)?;
            if to < from {
                return Err("a range of characters runs backwards");
            }
            pattern.push('-');
            push_text(pattern, to);
        }
    }
    pattern.push(']');
    Ok(())
}

/// A character that stands for itself.
fn push_text(pattern: &mut String, c: char) {
    pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_matches_whole_names_as_text() {
        for (glob, name, want) in [
            ("repos_*", "repos_get", true),
            ("repos_*", "my_repos_get", false),
            ("*_get", "repos_get", true),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("*", "", true),
            ("*", "a/b.c\nd", true),
            ("", "", true),
            ("", "x", false),
            ("Get_*", "get_x", false),
            // One character is not one byte.
            ("get_?", "get_x", true),
            ("get_?", "get_é", true),
            ("get_?", "get_日", true),
            ("get_?", "get_", false),
            ("get_??", "get_é", false),
            ("[é日]", "日", true),
            ("[à-ü]", "é", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[^a]", "b", true),
            ("[]a]", "]", true),
            ("[a-]", "-", true),
            ("[.]", "a", false),
            // Nothing is a path, and nothing a regular expression.
            ("**/delete", "delete", false),
            ("**/delete", "x/delete", true),
            ("a/*/c", "a/b/b/c", true),
            ("*.", "name.", true),
            ("*..", "name..", true),
            (".*", "x", false),
            ("a.c", "abc", false),
            ("a+", "aa", false),
            ("(a|b)", "a", false),
            ("a|b", "a", false),
            ("^a$", "a", false),
            // Alternatives and signs that stand for themselves.
            ("{get,list}_*", "list_x", true),
            ("{get,{list,show}}_x", "show_x", true),
            ("{,my_}x", "x", true),
            ("a,b", "a,b", true),
            (r"a\*", "a*", true),
            (r"a\*", "ab", false),
            (r"\{a\}", "{a}", true),
            (r"a\\b", r"a\b", true),
        ] {
            assert_eq!(
                Glob::new(glob).unwrap().matches(name),
                want,
                "{glob} {name}"
            );
        }
    }

    #[test]
    fn what_is_no_glob_is_named() {
        for (glob, why) in [
            ("a[", "missing ']'"),
            ("[]", "missing ']'"),
            ("{a", "missing '}'"),
            ("a}", "missing '{'"),
            ("[z-a]", "backwards"),
            (r"a\", "dangling"),
        ] {
            let error = Glob::new(glob).unwrap_err();
            assert!(error.starts_with(&format!("{glob:?} is no glob: ")));
            assert!(error.contains(why), "{error}");
        }
        assert!(
            Glob::new(&"?".repeat(1_000_000))
                .unwrap_err()
                .contains("too long")
        );
    }

    #[test]
    fn many_stars_take_no_longer_than_few() {
        // Trying every way to share the letters out among the stars would not end.
        let glob = Glob::new(&format!("{}b", "*a".repeat(60))).unwrap();
        assert!(!glob.matches(&"a".repeat(20_000)));
        assert!(glob.matches(&format!("{}b", "a".repeat(20_000))));
    }

    #[test]
    fn a_slash_in_brackets_divides_nothing() {
        assert_eq!(slashes("a/b/c"), [1, 3]);
        assert_eq!(slashes(r"[/]x{a/b,c}\//y"), [13]);
        assert_eq!(slashes("é/x"), [2]);
    }
}
