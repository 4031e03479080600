//! One score from two lists: words in common and nearness in meaning.
//!
//! Each list is put on one scale by how far a score lies above the mean of its list, in standard deviations. Ranks alone
//! would forget by how much the first is better than the second.

/// How much nearness in meaning counts beside words in common.
const MEANING_WEIGHT: f32 = 2.0;
/// As many entries of a common catalogue are thought to be beside the real ones, so that a few entries still have a mean
/// and a deviation to speak of. A thousand hardly feel them.
const IMAGINED: f32 = 20.0;

/// Mean and standard deviation of scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub mean: f32,
    pub deviation: f32,
}

/// Shares of words in common, as common catalogues have them.
pub(super) const COMMON_LEXICAL: Spread = Spread {
    mean: 0.01,
    deviation: 0.03,
};
/// Cosines, as common catalogues have them.
pub(super) const COMMON_COSINE: Spread = Spread {
    mean: 0.05,
    deviation: 0.11,
};

impl Spread {
    /// That of the scores, with the imagined ones beside them.
    pub(super) fn of(scores: &[f32], common: Self) -> Self {
        let count = scores.len() as f32 + IMAGINED;
        let mean = (scores.iter().sum::<f32>() + IMAGINED * common.mean) / count;
        let squares: f32 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let imagined = common.deviation.powi(2) + (common.mean - mean).powi(2);
        Self {
            mean,
            deviation: ((squares + IMAGINED * imagined) / count).sqrt(),
        }
    }

    /// How far above the mean, in deviations.
    pub(super) fn standard(self, score: f32) -> f32 {
        (score - self.mean) / self.deviation
    }
}

/// The two lists on one scale.
pub(super) struct Fusion {
    lexical: Spread,
    cosine: Spread,
}

impl Fusion {
    pub(super) fn of(lexical: &[f32], cosines: &[f32]) -> Self {
        Self {
            lexical: Spread::of(lexical, COMMON_LEXICAL),
            cosine: Spread::of(cosines, COMMON_COSINE),
        }
    }

    /// Standard scores of one entry: of its words, and of its meaning.
    pub(super) fn standard(&self, lexical: f32, cosine: Option<f32>) -> (f32, f32) {
        let cosine = cosine.map_or(0.0, |cosine| self.cosine.standard(cosine));
        (self.lexical.standard(lexical), cosine)
    }

    /// One score.
    pub(super) fn fused(&self, lexical: f32, cosine: Option<f32>) -> f32 {
        let (lexical, cosine) = self.standard(lexical, cosine);
        lexical + MEANING_WEIGHT * cosine
    }
}
