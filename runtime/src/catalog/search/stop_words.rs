//! Words of a query that say nothing about which tool is meant. Those of documents are left in: their rarity weighs them.

/// Of English; also what an agent or a person says around the matter itself.
const ENGLISH: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but",
    "by", "can", "could", "d", "did", "do", "does", "don", "each", "every", "for", "from", "give",
    "had", "has", "have", "he", "help", "her", "him", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "know", "let", "like", "ll", "m", "make", "may", "me", "might", "must",
    "my", "need", "no", "not", "of", "on", "one", "or", "our", "out", "please", "provide", "re",
    "s", "shall", "she", "should", "show", "so", "some", "such", "t", "tell", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to",
    "too", "up", "us", "use", "using", "ve", "very", "via", "want", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "within",
    "would", "you", "your",
];

/// Of Spanish, without accents, and without what is an English word of the trade.
const SPANISH: &[&str] = &[
    "al",
    "algo",
    "algun",
    "alguna",
    "algunas",
    "alguno",
    "algunos",
    "ante",
    "aqui",
    "asi",
    "aunque",
    "cada",
    "como",
    "con",
    "cual",
    "cuales",
    "cualquier",
    "cuando",
    "cuanto",
    "cuantos",
    "dame",
    "de",
    "del",
    "desde",
    "dime",
    "donde",
    "e",
    "el",
    "ella",
    "ellos",
    "en",
    "entre",
    "era",
    "eres",
    "es",
    "esa",
    "esas",
    "ese",
    "eso",
    "esos",
    "esta",
    "estan",
    "estas",
    "este",
    "esto",
    "estos",
    "estoy",
    "favor",
    "fue",
    "ha",
    "hacia",
    "hasta",
    "hay",
    "la",
    "las",
    "le",
    "les",
    "lo",
    "los",
    "mas",
    "mi",
    "mis",
    "mucho",
    "muy",
    "necesito",
    "ni",
    "nos",
    "nuestra",
    "nuestro",
    "o",
    "os",
    "otra",
    "otro",
    "para",
    "pero",
    "poder",
    "por",
    "porque",
    "puede",
    "puedes",
    "puedo",
    "que",
    "quien",
    "quiero",
    "se",
    "sea",
    "segun",
    "ser",
    "si",
    "sin",
    "sobre",
    "solo",
    "son",
    "soy",
    "su",
    "sus",
    "tal",
    "tambien",
    "te",
    "tengo",
    "ti",
    "tiene",
    "tienen",
    "toda",
    "todas",
    "todo",
    "todos",
    "tu",
    "tus",
    "un",
    "una",
    "unas",
    "uno",
    "unos",
    "y",
    "ya",
    "yo",
];

/// Whether the folded word is a stop word.
pub(super) fn is_stop_word(word: &str) -> bool {
    is_english(word) || is_spanish(word)
}

pub(super) fn is_english(word: &str) -> bool {
    ENGLISH.binary_search(&word).is_ok()
}

pub(super) fn is_spanish(word: &str) -> bool {
    SPANISH.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_as_the_search_in_them_needs() {
        for list in [ENGLISH, SPANISH] {
            assert!(list.is_sorted());
        }
        assert!(is_stop_word("the") && is_stop_word("para") && !is_stop_word("issue"));
    }
}
