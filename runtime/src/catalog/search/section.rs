//! One plugin's documents, analysed: everything a search needs of them that does not depend on other plugins.
//!
//! An index over many plugins is a list of sections. So a plugin that changes costs its own analysis alone, and a section
//! is what is kept on disk.

use std::collections::HashMap;

use super::{
    document::{Document, Server},
    fields::{FIELDS, Field},
    stop_words::{is_english, is_spanish, is_stop_word},
    vectors::{Embeddings, WordVectors},
    words::{compact, spanish_stem, stem, words},
};

/// Words of a description that make the vector; what comes later is about details.
const DESCRIPTION_WORDS: usize = 30;
/// Words of parameter names that make the vector.
const PARAMETER_WORDS: usize = 10;
/// How much the name's words count in the vector, beside 1 for every other word.
const NAME_IN_VECTOR: f32 = 1.5;

/// Where a term occurs: how often in each field of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    pub entry: u32,
    pub counts: [u8; FIELDS],
}

/// One plugin's documents, analysed.
#[derive(Debug, Default, PartialEq)]
pub struct Section {
    pub(super) server: String,
    /// Names without case and separators, and how many words they have.
    pub(super) names: Vec<(Box<str>, u8)>,
    /// Sorted stems, each with the first word that had it.
    pub(super) terms: Vec<(Box<str>, Box<str>)>,
    /// Where the postings of each term end.
    pub(super) ends: Vec<u32>,
    pub(super) postings: Vec<Posting>,
    /// How many words each field of each entry has.
    pub(super) lengths: Vec<[u16; FIELDS]>,
    /// A vector for each entry, where there is a table of word vectors.
    pub(super) embeddings: Embeddings,
}

impl Section {
    /// Analyses the documents of one plugin.
    pub fn build(server: &Server, documents: &[Document]) -> Self {
        Self::with_vectors(server, documents, WordVectors::shipped())
    }

    pub(super) fn with_vectors(
        server: &Server,
        documents: &[Document],
        vectors: Option<&WordVectors>,
    ) -> Self {
        let mut section = Self {
            server: server.name.clone(),
            ..Self::default()
        };
        let mut terms = Terms::default();
        let server_words = words(&server.name);
        for document in documents {
            let name_words = words(&document.name);
            section.names.push((
                compact(&document.name).into(),
                u8::try_from(name_words.len()).unwrap_or(u8::MAX),
            ));
            let texts = Texts::of(server, &server_words, name_words, document);
            section.lengths.push(texts.lengths());
            terms.add(&texts);
            if let Some(vectors) = vectors {
                section.embeddings.push(&texts.vector(vectors));
            }
        }
        terms.into_section(&mut section);
        section
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether the plugin offers nothing.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Where the term occurs.
    pub(super) fn postings(&self, term: &str) -> &[Posting] {
        match self
            .terms
            .binary_search_by(|(known, _)| (**known).cmp(term))
        {
            Ok(index) => self.postings_of(index),
            Err(_) => &[],
        }
    }

    /// Where the term of that number occurs.
    pub(super) fn postings_of(&self, index: usize) -> &[Posting] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.postings[start as usize..self.ends[index] as usize]
    }

    /// Whether the parts fit together, so that no search in it can go wrong. One from a file need not.
    pub(super) fn is_sound(&self) -> bool {
        let entries = self.lengths.len();
        let vectors = &self.embeddings;
        self.names.len() == entries
            && self.ends.len() == self.terms.len()
            && self.ends.is_sorted()
            && self.ends.last().copied().unwrap_or_default() as usize == self.postings.len()
            && self.terms.is_sorted_by(|a, b| a.0 < b.0)
            && self
                .postings
                .iter()
                .all(|posting| (posting.entry as usize) < entries)
            && (vectors.scales.is_empty() || vectors.scales.len() == entries)
            && vectors.values.len()
                == vectors.scales.len() * WordVectors::shipped().map_or(0, WordVectors::dimensions)
            && vectors.scales.iter().all(|scale| scale.is_finite())
    }
}

/// The words of one document, by field.
struct Texts {
    fields: [Vec<String>; FIELDS],
    spanish: bool,
}

impl Texts {
    fn of(
        server: &Server,
        server_words: &[String],
        name: Vec<String>,
        document: &Document,
    ) -> Self {
        let mut named = name;
        for word in words(&document.title) {
            if !named.contains(&word) {
                named.push(word);
            }
        }
        let description = words(&document.description);
        let texts = document.parameter_texts.iter();
        Self {
            spanish: is_in_spanish(&description),
            fields: [
                server_words.to_vec(),
                words(&server.text),
                named,
                description,
                document
                    .parameters
                    .iter()
                    .flat_map(|name| words(name))
                    .collect(),
                texts.flat_map(|text| words(text)).collect(),
            ],
        }
    }

    fn lengths(&self) -> [u16; FIELDS] {
        self.fields
            .each_ref()
            .map(|words| u16::try_from(words.len()).unwrap_or(u16::MAX))
    }

    fn stem(&self, field: Field, word: &str) -> String {
        match field {
            Field::Description | Field::ParameterTexts if self.spanish => spanish_stem(word),
            _ => stem(word),
        }
    }

    fn vector(&self, vectors: &WordVectors) -> Vec<f32> {
        let of = |field: Field| {
            let words = self.fields[field as usize].iter();
            words.filter(|word| !is_stop_word(word))
        };
        let mut mean = vectors.mean();
        of(Field::Server).for_each(|word| mean.add(word, 1.0));
        of(Field::Name).for_each(|word| mean.add(word, NAME_IN_VECTOR));
        of(Field::Description)
            .take(DESCRIPTION_WORDS)
            .for_each(|word| mean.add(word, 1.0));
        of(Field::Parameters)
            .take(PARAMETER_WORDS)
            .for_each(|word| mean.add(word, 1.0));
        mean.vector()
    }
}

fn is_in_spanish(words: &[String]) -> bool {
    let count = |is: fn(&str) -> bool| words.iter().filter(|word| is(word)).count();
    count(is_spanish) > count(is_english)
}

/// The terms of all documents while they are gathered.
#[derive(Default)]
struct Terms {
    postings: HashMap<String, (String, Vec<Posting>)>,
    entries: u32,
}

impl Terms {
    fn add(&mut self, texts: &Texts) {
        let entry = self.entries;
        self.entries += 1;
        for field in Field::ALL {
            for word in &texts.fields[field as usize] {
                let (_, postings) = self
                    .postings
                    .entry(texts.stem(field, word))
                    .or_insert_with(|| (word.clone(), Vec::new()));
                if postings.last().is_none_or(|last| last.entry != entry) {
                    postings.push(Posting {
                        entry,
                        counts: [0; FIELDS],
                    });
                }
                if let Some(last) = postings.last_mut() {
                    let count = &mut last.counts[field as usize];
                    *count = count.saturating_add(1);
                }
            }
        }
    }

    fn into_section(self, section: &mut Section) {
        let mut sorted: Vec<_> = self.postings.into_iter().collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (term, (shown, postings)) in sorted {
            section.terms.push((term.into(), shown.into()));
            section.postings.extend(postings);
            let end = u32::try_from(section.postings.len()).unwrap_or(u32::MAX);
            section.ends.push(end);
        }
    }
}
