//! BM25F over the fields of tools and skills.

use std::collections::HashMap;

use super::words::words;

const K1: f32 = 1.6;
const B: f32 = 0.5;
const FIELDS: usize = 4;
/// Name, description, parameter names, parameter descriptions: a word in the name says most.
const WEIGHTS: [f32; FIELDS] = [3.0, 0.6, 0.7, 0.5];

/// The text of one entry, by field.
#[derive(Debug, Default)]
pub(super) struct Searchable {
    pub name: String,
    pub description: String,
    pub parameters: String,
    pub parameter_texts: String,
}

/// An index over a fixed list of entries; results are positions in that list.
#[derive(Debug, Default)]
pub struct SearchIndex {
    /// Word → (entry, weighted and length-normalised frequency).
    postings: HashMap<String, Vec<(usize, f32)>>,
    entries: usize,
}

impl SearchIndex {
    pub(super) fn build(entries: impl Iterator<Item = Searchable>) -> Self {
        let documents: Vec<[Vec<String>; FIELDS]> = entries
            .map(|entry| {
                [
                    words(&entry.name),
                    words(&entry.description),
                    words(&entry.parameters),
                    words(&entry.parameter_texts),
                ]
            })
            .collect();
        let count = documents.len().max(1) as f32;
        let mut mean = [0.0; FIELDS];
        for document in &documents {
            for (field, text) in document.iter().enumerate() {
                mean[field] += text.len() as f32 / count;
            }
        }
        let mut postings: HashMap<String, Vec<(usize, f32)>> = HashMap::new();
        for (entry, document) in documents.iter().enumerate() {
            let mut frequencies: HashMap<&str, f32> = HashMap::new();
            for (field, text) in document.iter().enumerate() {
                let length = 1.0 - B + B * text.len() as f32 / mean[field].max(1.0);
                for word in text {
                    *frequencies.entry(word).or_default() += WEIGHTS[field] / length;
                }
            }
            for (word, frequency) in frequencies {
                postings
                    .entry(word.to_owned())
                    .or_default()
                    .push((entry, frequency));
            }
        }
        Self {
            postings,
            entries: documents.len(),
        }
    }

    /// Positions of the best `limit` entries, best first; ties keep the list's order.
    pub fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let mut terms = words(query);
        terms.sort_unstable();
        terms.dedup();
        let mut scores = vec![0.0_f32; self.entries];
        for term in &terms {
            let Some(postings) = self.postings.get(term) else {
                continue;
            };
            let rarity = (1.0
                + (self.entries as f32 - postings.len() as f32 + 0.5)
                    / (postings.len() as f32 + 0.5))
                .ln();
            for (entry, frequency) in postings {
                scores[*entry] += rarity * frequency * (K1 + 1.0) / (frequency + K1);
            }
        }
        let mut ranked: Vec<usize> = (0..self.entries)
            .filter(|entry| scores[*entry] > 0.0)
            .collect();
        ranked.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        ranked.truncate(limit);
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, description: &str) -> Searchable {
        Searchable {
            name: name.into(),
            description: description.into(),
            ..Searchable::default()
        }
    }

    #[test]
    fn the_name_outweighs_the_description_and_rare_words_decide() {
        let index = SearchIndex::build(
            [
                entry("create_issue", "Create an issue in a repository"),
                entry("list_issues", "List the issues of a repository"),
                entry(
                    "get_repository",
                    "Everything about a repository, issues included",
                ),
            ]
            .into_iter(),
        );
        assert_eq!(index.search("list open issues", 5)[0], 1);
        assert_eq!(index.search("repository details", 5)[0], 2);
        assert_eq!(index.search("create a new issue", 1), [0]);
        assert!(index.search("weather in Paris", 5).is_empty());
        assert!(index.search("", 5).is_empty());
    }
}
