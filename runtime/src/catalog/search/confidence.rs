//! Whether anything fits: standard scores always rank something first, however little it has to do with the query.
//!
//! The bounds are measured (`docs/search.md`): queries of all sets hardly ever fall below them, and those that no tool
//! serves mostly do where the catalogue is of one domain.

use super::index::Scores;

/// Entries that are looked at: the answer is not always the first.
pub(super) const LOOKED_AT: usize = 3;
/// Cosine and coverage together must reach this.
const TOGETHER: f32 = 0.25;
/// A share of what the query says that is no accident.
const SOME_COVERAGE: f32 = 0.02;
/// A cosine that speaks for itself, where no word is in common.
const MEANING_ALONE: f32 = 0.45;
/// An entry with no word in common and a smaller cosine has nothing to do with the query.
const UNRELATED: f32 = 0.2;

/// Signs that what was found is what was looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Confidence {
    /// The best share of the query that an entry has, from 0 to 1.
    pub coverage: f32,
    /// The best cosine.
    pub cosine: f32,
    /// The query calls an entry by its name.
    pub named: bool,
}

impl Confidence {
    /// That of the entries ranked first.
    pub(super) fn of(scores: &Scores, ranked: &[usize]) -> Self {
        let first = &ranked[..ranked.len().min(LOOKED_AT)];
        let best = |values: &[f32]| {
            let values = first.iter().filter_map(|position| values.get(*position));
            values.copied().fold(0.0, f32::max)
        };
        Self {
            coverage: best(&scores.lexical.covered),
            cosine: best(&scores.cosines),
            named: !scores.named.is_empty(),
        }
    }

    /// Whether what was found may be shown as an answer.
    pub(super) fn fits(self) -> bool {
        let related = self.coverage >= SOME_COVERAGE || self.cosine >= MEANING_ALONE;
        self.named || (related && self.cosine + self.coverage >= TOGETHER)
    }
}

/// Whether an entry has anything to do with the query.
pub(super) fn is_related(scores: &Scores, position: usize) -> bool {
    let cosine = scores.cosines.get(position).copied().unwrap_or_default();
    scores.lexical.covered[position] > 0.0
        || cosine >= UNRELATED
        || scores.named.contains(&position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_meaning_speak_for_each_other() {
        for (coverage, cosine, named, fits) in [
            (0.0, 0.0, false, false),
            (0.0, 0.4, false, false),
            (0.0, 0.5, false, true),
            (0.1, 0.1, false, false),
            (0.1, 0.3, false, true),
            (0.6, 0.0, false, true),
            (0.0, 0.0, true, true),
        ] {
            let confidence = Confidence {
                coverage,
                cosine,
                named,
            };
            assert_eq!(confidence.fits(), fits, "{confidence:?}");
        }
    }
}
