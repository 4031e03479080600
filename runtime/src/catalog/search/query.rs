//! What is looked for: the words of a query, and for each the terms that would do.

use serde::Serialize;

use super::{
    index::SearchIndex,
    lexical::rarity,
    lists::{glossary, synonyms},
    spelling::nearest,
    stop_words::{is_english, is_spanish, is_stop_word},
    terms::{Occurrence, TermId},
    vectors::{Embeddings, WordVectors},
    words::{spanish_stem, stem, words},
};

/// Words of a query that are read; nobody searches with more.
const MAX_WORDS: usize = 64;
/// How much a word counts that is not the query's own: it may mean something else here.
const SYNONYM_WEIGHT: f32 = 0.3;
const GLOSSARY_WEIGHT: f32 = 0.7;
const CORRECTION_WEIGHT: f32 = 0.8;

/// Why a term is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Via {
    /// It is the query's own word.
    Word,
    /// It means about the same.
    Synonym,
    /// It is the English for the query's Spanish word.
    Glossary,
    /// It is the nearest to a word that nobody knows.
    Correction,
}

/// A term that would do for a word of the query.
#[derive(Debug)]
pub(super) struct Alternative {
    pub term: String,
    pub shown: String,
    pub weight: f32,
    pub via: Via,
    /// None where no entry has it.
    pub id: Option<TermId>,
}

impl Alternative {
    /// The entries that have it.
    pub(super) fn occurrences<'a>(&self, index: &'a SearchIndex) -> &'a [Occurrence] {
        self.id.map_or(&[], |id| index.terms().occurrences(id))
    }

    /// How much it tells.
    pub(super) fn rarity(&self, index: &SearchIndex) -> f32 {
        self.weight * rarity(self.occurrences(index).len(), index.len())
    }
}

/// A word of the query.
#[derive(Debug)]
pub(super) struct QueryWord {
    pub word: String,
    /// Its English stem.
    term: String,
    pub alternatives: Vec<Alternative>,
}

/// A query, read.
#[derive(Debug)]
pub(super) struct Query {
    /// Every word as it stands, for names that the query contains.
    pub all: Vec<String>,
    /// Each word that counts, once.
    pub words: Vec<QueryWord>,
    /// `None` without a table of word vectors, or where it knows no word of the query.
    pub vector: Option<Embeddings>,
}

impl Query {
    pub(super) fn read(text: &str, index: &SearchIndex, vectors: Option<&WordVectors>) -> Self {
        let mut all = words(text);
        all.truncate(MAX_WORDS);
        let mut content: Vec<&String> = all.iter().filter(|word| !is_stop_word(word)).collect();
        if content.is_empty() {
            content = all.iter().collect();
        }
        let spanish = is_in_spanish(&all, index);
        let mut read: Vec<QueryWord> = Vec::new();
        for word in content {
            let term = stem(word);
            if read.iter().all(|known| known.term != term) {
                read.push(QueryWord::read(word, term, spanish, index, vectors));
            }
        }
        Self {
            vector: vectors.and_then(|vectors| vector(&read, vectors)),
            all,
            words: read,
        }
    }
}

impl QueryWord {
    fn read(
        word: &str,
        term: String,
        spanish: bool,
        index: &SearchIndex,
        vectors: Option<&WordVectors>,
    ) -> Self {
        let mut read = Self {
            word: word.to_owned(),
            term: term.clone(),
            alternatives: Vec::new(),
        };
        read.add(index, term.clone(), word, 1.0, Via::Word);
        if spanish || !read.is_there() {
            let spanish_term = spanish_stem(word);
            read.add(index, spanish_term.clone(), word, 1.0, Via::Word);
            for english in glossary().get(&spanish_term).into_iter().flatten() {
                read.add(
                    index,
                    stem(english),
                    english,
                    GLOSSARY_WEIGHT,
                    Via::Glossary,
                );
            }
        }
        for other in synonyms().get(&term).into_iter().flatten() {
            read.add(index, stem(other), other, SYNONYM_WEIGHT, Via::Synonym);
        }
        let is_known = read.is_there() || vectors.is_some_and(|vectors| vectors.knows(word));
        let known = || index.terms().words_from(word.chars().next());
        if !is_known && let Some(meant) = nearest((&term, word), known()) {
            read.add(
                index,
                stem(meant),
                meant,
                CORRECTION_WEIGHT,
                Via::Correction,
            );
        }
        read
    }

    /// Whether any entry has what would do.
    fn is_there(&self) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|alternative| alternative.id.is_some())
    }

    fn add(&mut self, index: &SearchIndex, term: String, shown: &str, weight: f32, via: Via) {
        if self.alternatives.iter().all(|known| known.term != term) {
            self.alternatives.push(Alternative {
                id: index.terms().find(&term),
                term,
                shown: shown.to_owned(),
                weight,
                via,
            });
        }
    }

    /// The word that the vector is made of: the one that was meant.
    fn meant(&self) -> &str {
        let corrected = self
            .alternatives
            .iter()
            .find(|alternative| alternative.via == Via::Correction);
        corrected.map_or(&self.word, |alternative| &alternative.shown)
    }
}

fn vector(words: &[QueryWord], vectors: &WordVectors) -> Option<Embeddings> {
    let mut mean = vectors.mean();
    for word in words {
        mean.add(word.meant(), 1.0);
    }
    let vector = mean.vector();
    vector
        .iter()
        .any(|value| *value != 0.0)
        .then(|| Embeddings::one(&vector))
}

/// Whether more words speak for Spanish than for English. A word of the glossary speaks for it where no document has it.
fn is_in_spanish(words: &[String], index: &SearchIndex) -> bool {
    let count = |speaks: &dyn Fn(&str) -> bool| words.iter().filter(|word| speaks(word)).count();
    let for_spanish = count(&|word| {
        is_spanish(word)
            || (glossary().contains_key(&spanish_stem(word))
                && index.terms().find(&stem(word)).is_none())
    });
    for_spanish > count(&is_english)
}
