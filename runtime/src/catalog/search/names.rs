//! Entries that a query calls by their names.

use std::collections::HashMap;

use super::{index::SearchIndex, query::Query, stop_words::is_stop_word};

/// A longer name is not looked for in a query, in words.
const LONGEST: usize = 10;

/// Positions of entries whose name is the query, or stands in it. Case and separators do not count.
///
/// A name of a single word must be all that the query says, as must one of stop words only: `search` in a sentence is no
/// name, nor is `help me`.
pub(super) fn named_in(query: &Query, index: &SearchIndex) -> Vec<usize> {
    let mut named = Vec::new();
    for (name, run) in runs(query) {
        let called = index.terms().named(&name).iter();
        let meant = called.filter(|(_, words)| match run {
            Run::All => true,
            Run::Part => *words > 1,
        });
        named.extend(meant.map(|(position, _)| *position as usize));
    }
    named
}

/// How much of the query some words in a row are.
#[derive(Clone, Copy)]
enum Run {
    /// All that it says.
    All,
    /// Words in it that say something.
    Part,
}

/// The runs of words that may be a name, each written as one word.
fn runs(query: &Query) -> HashMap<String, Run> {
    let words = &query.all;
    let mut runs = HashMap::new();
    for start in 0..words.len() {
        let mut run = String::new();
        let mut says_something = false;
        for word in words.iter().skip(start).take(LONGEST) {
            run.push_str(word);
            says_something |= !is_stop_word(word);
            if says_something {
                runs.insert(run.clone(), Run::Part);
            }
        }
    }
    let content: String = query.words.iter().map(|word| word.word.as_str()).collect();
    runs.insert(content, Run::All);
    runs.insert(words.concat(), Run::All);
    runs.remove("");
    runs
}
