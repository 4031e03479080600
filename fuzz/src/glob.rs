//! Globs of names as they are documented, told in the simplest way: `*` is any characters, `?` one, `[ab]`, `[a-z]` and
//! `[!a]` one of some, `{x,y}` either, and a `\` takes the meaning from the character behind it.

use std::{collections::BTreeSet, iter::Peekable, str::Chars};

enum Piece {
    Any,
    One,
    Text(char),
    Class(bool, Vec<(char, char)>),
    Either(Vec<Vec<Piece>>),
}

/// Whether the whole of `text` is meant; `None` for what is no glob.
pub fn glob_matches(glob: &str, text: &str) -> Option<bool> {
    let mut rest = glob.chars().peekable();
    let pieces = pieces(&mut rest, false)?;
    let text: Vec<char> = text.chars().collect();
    let ends = ends(&pieces, &text, BTreeSet::from([0]));
    Some(ends.contains(&text.len()))
}

/// Plugin and name, in each way in which a `/` divides them that stands for itself.
pub fn divided(glob: &str) -> Vec<(&str, &str)> {
    let mut ways = Vec::new();
    let (mut escaped, mut class, mut depth) = (false, None, 0_i32);
    for (at, c) in glob.char_indices() {
        match (c, class) {
            _ if escaped => escaped = false,
            // A `]` that comes first is a member.
            (']', Some(0)) => class = Some(1),
            (']', Some(_)) => class = None,
            ('!' | '^', Some(0)) if glob[..at].ends_with('[') => {}
            (_, Some(members)) => class = Some(members + 1),
            ('\\', None) => escaped = true,
            ('[', None) => class = Some(0),
            ('{', None) => depth += 1,
            ('}', None) => depth -= 1,
            ('/', None) if depth == 0 => ways.push((&glob[..at], &glob[at + 1..])),
            _ => {}
        }
    }
    ways
}

fn pieces(rest: &mut Peekable<Chars<'_>>, within: bool) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    while let Some(c) = rest.next_if(|c| !within || !matches!(c, ',' | '}')) {
        pieces.push(match c {
            '*' => Piece::Any,
            '?' => Piece::One,
            '\\' => Piece::Text(rest.next()?),
            '[' => class(rest)?,
            '{' => {
                let mut either = Vec::new();
                loop {
                    either.push(self::pieces(rest, true)?);
                    if rest.next()? == '}' {
                        break Piece::Either(either);
                    }
                }
            }
            '}' => return None,
            other => Piece::Text(other),
        });
    }
    Some(pieces)
}

fn class(rest: &mut Peekable<Chars<'_>>) -> Option<Piece> {
    let others = rest.next_if(|c| matches!(c, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    loop {
        let from = rest.next()?;
        if from == ']' && !ranges.is_empty() {
            return Some(Piece::Class(others, ranges));
        }
        let mut behind = rest.clone();
        let is_range = behind.next() == Some('-') && behind.next().is_some_and(|to| to != ']');
        let to = match is_range {
            true => rest.nth(1)?,
            false => from,
        };
        if to < from {
            return None;
        }
        ranges.push((from, to));
    }
}

/// Where a match may end that begins at one of `starts`.
fn ends(pieces: &[Piece], text: &[char], starts: BTreeSet<usize>) -> BTreeSet<usize> {
    pieces.iter().fold(starts, |starts, piece| {
        let one = |fits: &dyn Fn(char) -> bool| -> BTreeSet<usize> {
            let fitting = starts
                .iter()
                .filter(|at| text.get(**at).is_some_and(|c| fits(*c)));
            fitting.map(|at| at + 1).collect()
        };
        match piece {
            Piece::Any => match starts.first() {
                Some(first) => (*first..=text.len()).collect(),
                None => BTreeSet::new(),
            },
            Piece::One => one(&|_| true),
            Piece::Text(wanted) => one(&|c| c == *wanted),
            Piece::Class(others, ranges) => {
                one(&|c| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *others)
            }
            Piece::Either(either) => {
                let ends = either
                    .iter()
                    .flat_map(|pieces| ends(pieces, text, starts.clone()));
                ends.collect()
            }
        }
    })
}
