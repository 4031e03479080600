//! The words of all sections in one table, so that a search looks each up once, however many plugins there are.

use std::collections::HashMap;

use super::{
    lexical::{Lengths, saturated},
    section::Section,
};

/// Every term of some sections, and every name.
#[derive(Default)]
pub(super) struct Terms {
    ids: HashMap<Box<str>, TermId>,
    terms: Vec<Term>,
    /// Positions of the entries of a name, which is written without case and separators, and how many words it has.
    names: HashMap<Box<str>, Vec<(u32, u8)>>,
}

/// Which of the terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TermId(u32);

/// An entry that has a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Occurrence {
    pub position: u32,
    /// What the term counts there, from 0 to 1.
    pub share: f32,
}

struct Term {
    name: Box<str>,
    occurrences: Vec<Occurrence>,
    /// The words that have this stem, of each section the first.
    shown: Vec<Box<str>>,
}

impl Terms {
    /// Takes in a section whose first entry has the position `offset`.
    #[allow(clippy::cast_possible_truncation)] // Nobody has four milliards of tools.
    pub(super) fn add(&mut self, section: &Section, offset: usize, lengths: &Lengths) {
        let offset = offset as u32;
        for (number, (name, shown)) in section.terms.iter().enumerate() {
            let term = self.term_mut(name);
            let occurrences = section.postings_of(number).iter().map(|posting| {
                let frequency =
                    lengths.frequency_in_all(posting, &section.lengths[posting.entry as usize]);
                Occurrence {
                    position: offset + posting.entry,
                    share: saturated(frequency),
                }
            });
            term.occurrences.extend(occurrences);
            if !term.shown.contains(shown) {
                term.shown.push(shown.clone());
            }
        }
        for ((name, words), position) in section.names.iter().zip(offset..) {
            match self.names.get_mut(name) {
                Some(known) => known.push((position, *words)),
                None => drop(self.names.insert(name.clone(), vec![(position, *words)])),
            }
        }
    }

    fn term_mut(&mut self, name: &str) -> &mut Term {
        let next = TermId(u32::try_from(self.terms.len()).unwrap_or(u32::MAX));
        let id = match self.ids.get(name) {
            Some(id) => *id,
            None => {
                self.ids.insert(name.into(), next);
                self.terms.push(Term {
                    name: name.into(),
                    occurrences: Vec::new(),
                    shown: Vec::new(),
                });
                next
            }
        };
        &mut self.terms[id.0 as usize]
    }

    /// The term, if any entry has it.
    pub(super) fn find(&self, term: &str) -> Option<TermId> {
        self.ids.get(term).copied()
    }

    /// The entries that have it, in the order of their positions.
    pub(super) fn occurrences(&self, term: TermId) -> &[Occurrence] {
        &self.terms[term.0 as usize].occurrences
    }

    /// Positions of the entries of that name, each with the number of its words.
    pub(super) fn named(&self, name: &str) -> &[(u32, u8)] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// The stems that begin with that letter, and their words.
    pub(super) fn words_from(&self, letter: Option<char>) -> impl Iterator<Item = (&str, &str)> {
        let of_letter = self
            .terms
            .iter()
            .filter(move |term| term.name.chars().next() == letter);
        of_letter.flat_map(|term| term.shown.iter().map(|shown| (&*term.name, &**shown)))
    }
}
