//! Which operations of a document become tools.

use super::settings::OpenApiSettings;

/// Whether an operation is offered. Leaving out wins.
pub(super) fn is_offered(settings: &OpenApiSettings, name: &str, tags: &[String]) -> bool {
    let named = |globs: &[String]| globs.iter().any(|glob| matches(glob, name));
    let tagged = |globs: &[String]| {
        globs
            .iter()
            .any(|glob| tags.iter().any(|tag| matches(glob, tag)))
    };
    (settings.include.is_empty() || named(&settings.include))
        && (settings.include_tags.is_empty() || tagged(&settings.include_tags))
        && !named(&settings.exclude)
        && !tagged(&settings.exclude_tags)
}

/// `*` is any text, `?` any character.
fn matches(glob: &str, text: &str) -> bool {
    let glob: Vec<char> = glob.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut g, mut t) = (0, 0);
    // The last `*`, and the character that it is tried to end before.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match star {
                Some((at, until)) => {
                    star = Some((at, until + 1));
                    g = at + 1;
                    t = until + 1;
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn globs_match_whole_names() {
        for (glob, text, want) in [
            ("repos_*", "repos_get", true),
            ("repos_*", "my_repos_get", false),
            ("*_get", "repos_get", true),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("get_?", "get_x", true),
            ("get_?", "get_", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(glob, text), want, "{glob} {text}");
        }
    }

    #[test]
    fn names_and_tags_choose_and_leaving_out_wins() {
        let settings: OpenApiSettings = serde_json::from_value(json!({
            "document": "x", "include": ["repos_*"], "exclude": ["*_delete"], "includeTags": ["Repos"], "excludeTags": ["old"],
        }))
        .unwrap();
        let offered = |name: &str, tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
            is_offered(&settings, name, &tags)
        };
        assert!(offered("repos_get", &["Repos"]));
        assert!(!offered("repos_get", &[]));
        assert!(!offered("users_get", &["Repos"]));
        assert!(!offered("repos_delete", &["Repos"]));
        assert!(!offered("repos_get", &["Repos", "old"]));
    }
}
