//! Why an entry has the score it has.

use serde::Serialize;

use super::{
    fields::Field,
    index::{Scores, SearchIndex},
    lexical::saturated,
    query::{Alternative, QueryWord, Via},
};

/// Why an entry has the score it has. `score` is `lexical.standard + 2 × meaning.standard + plugin`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The score that entries are ranked by.
    pub score: f32,
    /// The query calls the entry by its name, so it comes before all that are not.
    pub named: bool,
    /// Words in common.
    pub lexical: Part,
    /// Nearness in meaning; missing where no word of the query has a vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Part>,
    /// What the entry gets for its plugin.
    pub plugin: f32,
    /// The words of the query, in its order.
    pub words: Vec<WordMatch>,
}

/// One of the two lists that are put together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// As it is: a share of words in common from 0 to 1, or a cosine.
    pub value: f32,
    /// How far above the catalogue's mean, in standard deviations.
    pub standard: f32,
}

/// A word of the query.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WordMatch {
    /// As the query has it, in lower case and without accents.
    pub word: String,
    /// What of it the entry has; nothing where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<Match>,
}

/// What of a word an entry has.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// The word that counted.
    #[serde(rename = "as")]
    pub shown: String,
    /// Why that word was looked for.
    pub via: Via,
    /// What it adds to `lexical.value`.
    pub value: f32,
    /// The fields it stands in, with the share of `value` that each brought.
    pub fields: Vec<(Field, f32)>,
}

pub(super) fn explanation(
    index: &SearchIndex,
    scores: &Scores,
    section: usize,
    entry: usize,
) -> Explanation {
    let position = index.position(section, entry);
    let lexical = scores.lexical.scores[position];
    let cosine = scores.cosines.get(position).copied();
    let (lexical_standard, cosine_standard) = scores.fusion.standard(lexical, cosine);
    let all: f32 = scores.lexical.rarities.iter().sum();
    let words = scores.query.words.iter();
    Explanation {
        score: scores.fused[position],
        named: scores.named.contains(&position),
        lexical: Part {
            value: lexical,
            standard: lexical_standard,
        },
        meaning: cosine.map(|value| Part {
            value,
            standard: cosine_standard,
        }),
        plugin: scores.plugins[section],
        words: words
            .map(|word| WordMatch {
                word: word.word.clone(),
                matched: matched(word, index, section, entry, all),
            })
            .collect(),
    }
}

/// The alternative of the word that counted: the best.
fn matched(
    word: &QueryWord,
    index: &SearchIndex,
    section: usize,
    entry: usize,
    all: f32,
) -> Option<Match> {
    let alternatives = word.alternatives.iter();
    let matches = alternatives.filter_map(|alternative| {
        let fields = fields(alternative, index, section, entry);
        let frequency: f32 = fields.iter().map(|(_, frequency)| frequency).sum();
        if frequency == 0.0 {
            return None;
        }
        let value = alternative.rarity(index) * saturated(frequency) / all;
        let shares = fields
            .into_iter()
            .map(|(field, own)| (field, value * own / frequency));
        Some(Match {
            shown: alternative.shown.clone(),
            via: alternative.via,
            value,
            fields: shares.collect(),
        })
    });
    matches.max_by(|a, b| a.value.total_cmp(&b.value))
}

/// What a term counts in each field of the entry that has it.
fn fields(
    alternative: &Alternative,
    index: &SearchIndex,
    section: usize,
    entry: usize,
) -> Vec<(Field, f32)> {
    let section = index.section(section);
    let mut postings = section.postings(&alternative.term).iter();
    let Some(posting) = postings.find(|posting| posting.entry as usize == entry) else {
        return Vec::new();
    };
    let fields = Field::ALL.into_iter();
    fields
        .filter(|field| posting.counts[*field as usize] > 0)
        .map(|field| {
            let index_of = field as usize;
            let count = posting.counts[index_of];
            let length = section.lengths[entry][index_of];
            (field, index.lengths().frequency(field, count, length))
        })
        .collect()
}
