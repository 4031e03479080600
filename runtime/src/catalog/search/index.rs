//! The search itself, over any number of plugins.

use std::{cmp::Ordering, sync::Arc};

use super::{
    confidence::{Confidence, LOOKED_AT, is_related},
    explain::{Explanation, explanation},
    fields::{FIELDS, Field},
    fusion::Fusion,
    lexical::{Lengths, Lexical},
    names::named_in,
    plugins::plugin_weights,
    query::Query,
    section::Section,
    terms::Terms,
    vectors::WordVectors,
};

/// Sections put together. All of the analysis is in the sections; making one of a thousand entries takes a millisecond or two.
pub struct SearchIndex {
    sections: Vec<Arc<Section>>,
    /// Where each section's entries begin in the list of all.
    offsets: Vec<usize>,
    len: usize,
    lengths: Lengths,
    terms: Terms,
    vectors: Option<&'static WordVectors>,
}

/// An entry that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Which section it is in.
    pub section: usize,
    /// Which of the section's documents it is.
    pub entry: usize,
    /// How well it fits; comparable within one query only.
    pub score: f32,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Best first, whether they fit or not; without those that have nothing to do with the query.
    pub hits: Vec<Hit>,
    /// Whether the best of them are what was looked for, as far as can be told. Otherwise they are only the least unfitting.
    pub fits: bool,
    /// Sections, that of the best entry first.
    pub nearest: Vec<usize>,
}

/// Everything known about a query and every entry.
pub(super) struct Scores {
    pub query: Query,
    pub lexical: Lexical,
    /// By position; empty where meaning plays no part.
    pub cosines: Vec<f32>,
    pub fusion: Fusion,
    /// By section: what its entries get for their plugin.
    pub plugins: Vec<f32>,
    /// By position: the final score.
    pub fused: Vec<f32>,
    /// Positions of entries that the query calls by name.
    pub named: Vec<usize>,
}

impl SearchIndex {
    /// An index over sections.
    pub fn new(sections: Vec<Arc<Section>>) -> Self {
        Self::with_vectors(sections, WordVectors::shipped())
    }

    pub(super) fn with_vectors(
        sections: Vec<Arc<Section>>,
        vectors: Option<&'static WordVectors>,
    ) -> Self {
        let mut offsets = Vec::with_capacity(sections.len());
        let mut len = 0;
        let mut words = [0_u64; FIELDS];
        for section in &sections {
            offsets.push(len);
            len += section.len();
            for lengths in &section.lengths {
                for field in Field::ALL {
                    words[field as usize] += u64::from(lengths[field as usize]);
                }
            }
        }
        let lengths = Lengths::new(words.map(|words| words as f32 / len.max(1) as f32));
        let mut terms = Terms::default();
        for (section, offset) in sections.iter().zip(&offsets) {
            terms.add(section, *offset, &lengths);
        }
        Self {
            sections,
            offsets,
            len,
            lengths,
            terms,
            vectors,
        }
    }

    /// Whether it is an index over these very sections, in this order.
    pub fn is_over(&self, sections: &[Arc<Section>]) -> bool {
        let own = self.sections.iter();
        sections.len() == self.sections.len() && own.zip(sections).all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The best `limit` entries for a query; of equals the first of the list. A query without a word finds nothing.
    pub fn search(&self, query: &str, limit: usize) -> Found {
        let scores = self.scores(query);
        if scores.query.words.is_empty() || self.is_empty() {
            return Found {
                hits: Vec::new(),
                fits: false,
                nearest: Vec::new(),
            };
        }
        let order = |a: &usize, b: &usize| -> Ordering {
            let named = |position| scores.named.contains(position);
            (named(b).cmp(&named(a)))
                .then(scores.fused[*b].total_cmp(&scores.fused[*a]))
                .then(a.cmp(b))
        };
        let mut ranked: Vec<usize> = (0..self.len).collect();
        let wanted = limit.max(LOOKED_AT).min(ranked.len());
        ranked.select_nth_unstable_by(wanted - 1, order);
        ranked.truncate(wanted);
        ranked.sort_unstable_by(order);
        let hits = ranked.iter().take(limit);
        Found {
            hits: hits
                .filter(|position| is_related(&scores, **position))
                .map(|position| self.hit(&scores, *position))
                .collect(),
            fits: Confidence::of(&scores, &ranked).fits(),
            nearest: self.nearest(&scores),
        }
    }

    /// Why an entry has the score it has.
    pub fn explain(&self, query: &str, section: usize, entry: usize) -> Option<Explanation> {
        if entry >= self.sections.get(section)?.len() {
            return None;
        }
        let scores = self.scores(query);
        Some(explanation(self, &scores, section, entry))
    }

    fn scores(&self, query: &str) -> Scores {
        let query = Query::read(query, self, self.vectors);
        let lexical = Lexical::of(&query, self);
        let cosines = self.cosines(&query);
        let fusion = Fusion::of(&lexical.scores, &cosines);
        let mut fused: Vec<f32> = lexical
            .scores
            .iter()
            .enumerate()
            .map(|(position, score)| fusion.fused(*score, cosines.get(position).copied()))
            .collect();
        let plugins = plugin_weights(&self.by_section(&fused));
        for ((offset, section), weight) in self.sections().zip(&plugins) {
            for score in &mut fused[offset..offset + section.len()] {
                *score += weight;
            }
        }
        Scores {
            named: named_in(&query, self),
            query,
            lexical,
            cosines,
            fusion,
            plugins,
            fused,
        }
    }

    fn cosines(&self, query: &Query) -> Vec<f32> {
        let Some(vector) = &query.vector else {
            return Vec::new();
        };
        let mut cosines = Vec::with_capacity(self.len);
        for (offset, section) in self.sections() {
            cosines.extend(section.embeddings.cosines(vector));
            // A section without vectors of its own.
            cosines.resize(offset + section.len(), 0.0);
        }
        cosines
    }

    /// The scores of each section.
    fn by_section<'a>(&'a self, scores: &'a [f32]) -> Vec<&'a [f32]> {
        self.sections()
            .map(|(offset, section)| &scores[offset..offset + section.len()])
            .collect()
    }

    fn nearest(&self, scores: &Scores) -> Vec<usize> {
        let best: Vec<f32> = self
            .by_section(&scores.fused)
            .iter()
            .map(|scores| scores.iter().copied().fold(f32::NEG_INFINITY, f32::max))
            .collect();
        let mut nearest: Vec<usize> = (0..best.len())
            .filter(|section| !self.sections[*section].is_empty())
            .collect();
        nearest.sort_by(|a, b| best[*b].total_cmp(&best[*a]));
        nearest
    }

    fn hit(&self, scores: &Scores, position: usize) -> Hit {
        // Of sections that begin at one place all but the last are empty.
        let section = self.offsets.partition_point(|offset| *offset <= position) - 1;
        Hit {
            section,
            entry: position - self.offsets[section],
            score: scores.fused[position],
        }
    }

    /// The position of a section's entry in the list of all.
    pub(super) fn position(&self, section: usize, entry: usize) -> usize {
        self.offsets[section] + entry
    }

    pub(super) fn section(&self, section: usize) -> &Section {
        &self.sections[section]
    }

    /// The sections, each with the position of its first entry.
    pub(super) fn sections(&self) -> impl Iterator<Item = (usize, &Section)> {
        self.offsets
            .iter()
            .copied()
            .zip(self.sections.iter().map(|section| &**section))
    }

    pub(super) fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }
}
