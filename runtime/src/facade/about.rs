//! What is said of a plugin in descriptions, known without starting it.

use super::vocabulary::Vocabulary;
use crate::plugin::Plugin;

/// A subject is cut here.
const SUBJECT_CHARS: usize = 40;
const SUBJECT_WORDS: usize = 6;
const SUBJECT_NOUNS: usize = 3;

/// What is said of a plugin.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    pub prefix: String,
    /// What it is about, in a few words.
    pub subject: Option<String>,
    /// The words of its tools' names, where its manifest names none of them.
    pub vocabulary: Vocabulary,
}

impl About {
    /// What the manifest says, and the last listing where the manifest does not say it.
    pub(super) async fn of(plugin: &Plugin) -> Self {
        let manifest = &plugin.manifest;
        let named = manifest.skill_names();
        let named = named.chain(manifest.readonly_tools.iter().map(String::as_str));
        let own = Vocabulary::of(&manifest.prefix, named);
        let nameless = own == Vocabulary::default();
        let vocabulary = match nameless {
            true => listed(plugin).await,
            false => Vocabulary::default(),
        };
        let described = manifest.description.as_deref().and_then(beginning);
        let nouns = if nameless { &vocabulary } else { &own };
        Self {
            prefix: manifest.prefix.clone(),
            subject: described.or_else(|| few_nouns(nouns)),
            vocabulary,
        }
    }
}

async fn listed(plugin: &Plugin) -> Vocabulary {
    let Some(catalogue) = plugin.known_catalogue().await else {
        return Vocabulary::default();
    };
    let names = catalogue.tools.keys().chain(catalogue.skills.keys());
    Vocabulary::of(plugin.prefix(), names.map(String::as_str))
}

/// The first few words of a description.
fn beginning(description: &str) -> Option<String> {
    let clause = description
        .split(['.', ',', ';', ':', '(', '\n'])
        .next()
        .unwrap_or_default();
    let mut text = String::new();
    for word in clause.split_whitespace().take(SUBJECT_WORDS) {
        if text.chars().count() + word.chars().count() >= SUBJECT_CHARS {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    Some(text).filter(|text| !text.is_empty())
}

fn few_nouns(vocabulary: &Vocabulary) -> Option<String> {
    let nouns = vocabulary.nouns.iter().take(SUBJECT_NOUNS);
    let nouns = nouns.map(String::as_str).collect::<Vec<_>>().join(", ");
    Some(nouns).filter(|nouns| !nouns.is_empty())
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn a_description_is_cut_at_a_word() {
        assert_eq!(
            beginning("Issues of a project. And more.").as_deref(),
            Some("Issues of a project")
        );
        assert_eq!(
            beginning("One two three four five six seven eight").as_deref(),
            Some("One two three four five six")
        );
        assert_eq!(beginning(" . "), None);
        assert_eq!(beginning(&"x".repeat(90)), None);
    }
}
