//! "Did you mean": the nearest known name. A name is only ever suggested, never routed to by guess.

/// Names less alike than this are not suggested.
const THRESHOLD: f64 = 0.6;

/// The most similar of `names`, when one is similar enough.
pub(crate) fn closest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(name);
    names
        .map(|candidate| (similarity(&wanted, &fold(candidate)), candidate))
        .filter(|(score, _)| *score >= THRESHOLD)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// Case and separators do not count: `getRepo`, `get_repo` and `get-repo` are one name misspelt.
fn fold(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(128)
        .collect()
}

fn similarity(a: &[char], b: &[char]) -> f64 {
    let longest = a.len().max(b.len());
    if longest == 0 {
        return 0.0;
    }
    1.0 - distance(a, b) as f64 / longest as f64
}

/// Levenshtein distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut current = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let substituted = previous[j] + usize::from(x != y);
            current.push(substituted.min(previous[j + 1] + 1).min(current[j] + 1));
        }
        previous = current;
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_misses_are_suggested_and_others_are_not() {
        let names = ["list_issues", "create_issue", "get_repository"];
        assert_eq!(
            closest("list_issue", names.into_iter()),
            Some("list_issues")
        );
        assert_eq!(
            closest("getRepository", names.into_iter()),
            Some("get_repository")
        );
        assert_eq!(closest("weather", names.into_iter()), None);
        assert_eq!(closest("", names.into_iter()), None);
    }
}
