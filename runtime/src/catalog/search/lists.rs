//! Words of the trade that stand for each other, and English words for Spanish ones.

use std::{collections::HashMap, sync::OnceLock};

use super::words::{spanish_stem, stem};

static SYNONYMS: &str = include_str!("../../../assets/synonyms.txt");
static GLOSSARY: &str = include_str!("../../../assets/spanish.txt");

/// Words by the stem of another word.
pub(super) type WordList = HashMap<String, Vec<&'static str>>;

/// The words that mean about the same, by the stem of each.
pub(super) fn synonyms() -> &'static WordList {
    static LIST: OnceLock<WordList> = OnceLock::new();
    LIST.get_or_init(|| read_synonyms(SYNONYMS))
}

/// English words, by the stem of the Spanish word they translate.
pub(super) fn glossary() -> &'static WordList {
    static LIST: OnceLock<WordList> = OnceLock::new();
    LIST.get_or_init(|| read_glossary(GLOSSARY))
}

/// One group a line, its words apart by spaces.
fn read_synonyms(text: &'static str) -> WordList {
    let mut list = WordList::new();
    for line in lines(text) {
        let group: Vec<&str> = line.split_whitespace().collect();
        for word in &group {
            let others = group.iter().filter(|other| stem(other) != stem(word));
            list.entry(stem(word)).or_default().extend(others);
        }
    }
    list
}

/// One word a line: `palabra = english english`.
fn read_glossary(text: &'static str) -> WordList {
    let mut list = WordList::new();
    for (word, translations) in lines(text).filter_map(|line| line.split_once('=')) {
        let known = list.entry(spanish_stem(word.trim())).or_default();
        for translation in translations.split_whitespace() {
            if !known.contains(&translation) {
                known.push(translation);
            }
        }
    }
    list
}

/// The lines that are no comment.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .map(|line| line.split_once('#').map_or(line, |(line, _)| line).trim())
        .filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_the_files() {
        let list = read_synonyms("# Comment\n\nremove delete erase\nissue ticket # one more\n");
        assert_eq!(list["delet"], ["remove", "erase"]);
        assert_eq!(list["ticket"], ["issue"]);
        let list = read_glossary("borrar = delete remove\nborrado = delete erased\nodd line\n");
        assert_eq!(list["borr"], ["delete", "remove", "erased"]);
    }

    #[test]
    fn the_files_that_are_shipped_hold_what_they_should() {
        assert!(synonyms().len() > 50);
        assert!(synonyms()["delet"].contains(&"remove"));
        assert!(glossary().len() > 200);
        assert!(glossary()["borr"].contains(&"delete"));
    }

    #[test]
    fn every_word_that_is_shipped_is_written_as_words_are_compared() {
        for (line, word) in [SYNONYMS, GLOSSARY]
            .into_iter()
            .flat_map(lines)
            .flat_map(|line| line.split([' ', '=']).map(move |word| (line, word)))
        {
            assert_eq!(super::super::words::words(word).concat(), word, "{line}");
        }
    }
}
