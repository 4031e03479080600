//! BM25F: words in common, weighed by how rare they are and in which field they stand.

use super::{
    fields::{FIELDS, Field},
    index::SearchIndex,
    query::{Alternative, Query, QueryWord},
    section::Posting,
    terms::Occurrence,
};

/// How fast a further occurrence of a word stops counting.
const K1: f32 = 1.2;

/// What a field's words count, for documents of a certain mean length.
pub(super) struct Lengths {
    means: [f32; FIELDS],
}

impl Lengths {
    pub(super) fn new(means: [f32; FIELDS]) -> Self {
        Self { means }
    }

    /// What the occurrences of a term in one field count.
    pub(super) fn frequency(&self, field: Field, count: u8, length: u16) -> f32 {
        let discount = field.length_discount();
        let relative = f32::from(length) / self.means[field as usize].max(1.0);
        field.weight() * f32::from(count) / (1.0 - discount + discount * relative)
    }

    pub(super) fn frequency_in_all(&self, posting: &Posting, lengths: &[u16; FIELDS]) -> f32 {
        let mut sum = 0.0;
        for field in Field::ALL {
            let count = posting.counts[field as usize];
            if count > 0 {
                sum += self.frequency(field, count, lengths[field as usize]);
            }
        }
        sum
    }
}

/// A frequency's share of what an endless one would give, from 0 to 1.
pub(super) fn saturated(frequency: f32) -> f32 {
    frequency / (frequency + K1)
}

/// How much a term tells when `holders` of `entries` documents have it.
pub(super) fn rarity(holders: usize, entries: usize) -> f32 {
    let (holders, entries) = (holders as f32, entries as f32);
    (1.0 + (entries - holders + 0.5) / (holders + 0.5)).ln()
}

/// The words in common of every document with the query.
pub(super) struct Lexical {
    /// By position: the rarities of the words it has, weighed by where they stand, as a share of what a document could
    /// have at most. From 0 to 1.
    pub scores: Vec<f32>,
    /// By position: the share of what the query says that a document has anywhere at all. From 0 to 1.
    pub covered: Vec<f32>,
    /// By word of the query: how much it tells.
    pub rarities: Vec<f32>,
}

impl Lexical {
    pub(super) fn of(query: &Query, index: &SearchIndex) -> Self {
        let mut scores = vec![0.0; index.len()];
        let mut covered = vec![0.0; index.len()];
        let mut best = Best::new(index.len());
        let mut rarities = Vec::new();
        for word in &query.words {
            for alternative in &word.alternatives {
                best.add(alternative, index);
            }
            best.drain(|position, score, rarity| {
                scores[position] += score;
                covered[position] += rarity;
            });
            rarities.push(word_rarity(word, index));
        }
        let all: f32 = rarities.iter().sum();
        if all > 0.0 {
            scores
                .iter_mut()
                .chain(&mut covered)
                .for_each(|score| *score /= all);
        }
        Self {
            scores,
            covered,
            rarities,
        }
    }
}

/// The best of the alternatives of one word, so that a document with all synonyms is no better than one with the word.
struct Best {
    /// By position: score and rarity.
    values: Vec<(f32, f32)>,
    touched: Vec<usize>,
}

impl Best {
    fn new(entries: usize) -> Self {
        Self {
            values: vec![(0.0, 0.0); entries],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, alternative: &Alternative, index: &SearchIndex) {
        let rarity = alternative.rarity(index);
        for Occurrence { position, share } in alternative.occurrences(index) {
            let (position, score) = (*position as usize, rarity * share);
            let best = &mut self.values[position];
            if best.0 == 0.0 {
                self.touched.push(position);
            }
            *best = (best.0.max(score), best.1.max(rarity));
        }
    }

    fn drain(&mut self, mut take: impl FnMut(usize, f32, f32)) {
        for position in self.touched.drain(..) {
            let (score, rarity) = std::mem::take(&mut self.values[position]);
            take(position, score, rarity);
        }
    }
}

/// How much a word tells: as its rarest alternative that is anywhere, else as a word that is nowhere.
fn word_rarity(word: &QueryWord, index: &SearchIndex) -> f32 {
    let there = word.alternatives.iter().filter(|known| known.id.is_some());
    there
        .map(|alternative| alternative.rarity(index))
        .max_by(f32::total_cmp)
        .unwrap_or_else(|| rarity(0, index.len()))
}
