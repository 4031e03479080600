//! The nearest known word to one that nobody knows.

/// From this many letters on one letter may be wrong, missing, too many, or two swapped.
const ONE_EDIT: usize = 4;
/// From this many on two.
const TWO_EDITS: usize = 8;
/// A shorter word is near to too many.
const SHORTEST: usize = 4;
/// No known word has more letters.
const LONGEST: usize = 40;

/// The known word nearest to `word`, by the fewest edits and then in the order of `known`. The first letter is taken to be
/// right.
///
/// Words come with their stems: of `issue` and `isues` only the stems are near.
pub(super) fn nearest<'a>(
    (stem, word): (&str, &str),
    known: impl Iterator<Item = (&'a str, &'a str)>,
) -> Option<&'a str> {
    let mut allowed = match word.chars().count() {
        0..ONE_EDIT => return None,
        ONE_EDIT..TWO_EDITS => 1,
        _ => 2,
    };
    let [stem, word] = [stem, word].map(letters);
    let mut best = None;
    for (known_stem, known) in known {
        let Some(edits) = [(&stem, known_stem), (&word, known)]
            .into_iter()
            .filter_map(|(a, b)| distance_within(a, b, allowed))
            .min()
        else {
            continue;
        };
        if edits < allowed || best.is_none() {
            best = Some(known);
            if edits <= 1 {
                return best;
            }
            allowed = edits;
        }
    }
    best
}

fn letters(word: &str) -> Vec<char> {
    word.chars().collect()
}

/// The distance, if it is no greater than `most`.
fn distance_within(a: &[char], b: &str, most: usize) -> Option<usize> {
    // In bytes it is as long as in letters or longer; most words end here.
    if b.len() + most < a.len() || b.len() < SHORTEST {
        return None;
    }
    let mut known = ['\0'; LONGEST];
    let mut length = 0;
    for letter in b.chars() {
        *known.get_mut(length)? = letter;
        length += 1;
    }
    if length.abs_diff(a.len()) > most {
        return None;
    }
    distance(a, &known[..length], most)
}

/// How many letters must be changed, added, dropped or swapped with their neighbour (optimal string alignment), if no
/// more than `most`. `b` has up to `LONGEST` letters.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let mut before = [0; LONGEST + 1];
    let mut last: [usize; LONGEST + 1] = std::array::from_fn(|edits| edits);
    for (i, x) in a.iter().enumerate() {
        let mut row = [i + 1; LONGEST + 1];
        for (j, y) in b.iter().enumerate() {
            let mut edits = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                edits = edits.min(before[j - 1] + 1);
            }
            row[j + 1] = edits;
        }
        before = std::mem::replace(&mut last, row);
        // What comes now is never less than the least of two rows.
        let rows = before[..=b.len()].iter().chain(&last[..=b.len()]);
        if rows.min() > Some(&most) {
            return None;
        }
    }
    Some(last[b.len()]).filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::super::words::stem;
    use super::*;

    fn near(word: &str, known: &[&str]) -> Option<String> {
        let stems: Vec<(String, &str)> = known.iter().map(|word| (stem(word), *word)).collect();
        let known = stems.iter().map(|(stem, word)| (stem.as_str(), *word));
        nearest((&stem(word), word), known).map(str::to_owned)
    }

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        for (word, expected) in [
            ("isues", Some("issue")),
            ("issuse", Some("issue")),
            ("repositry", Some("repository")),
            ("reposittorry", Some("repository")),
            ("lisst", Some("list")),
            ("lits", Some("list")),
            ("lst", None),
            ("weather", None),
            ("store", None),
            ("", None),
        ] {
            let known = &["issue", "repository", "list", "restore"];
            assert_eq!(near(word, known).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn fewer_edits_win() {
        let known = &["respositories", "repositorio", "repository"];
        assert_eq!(near("repositoryy", known).as_deref(), Some("repository"));
    }
}
