//! Characters that are not what they seem.

use unicode_security::confusable_detection::skeleton;

use super::{Kind, excerpt};
use crate::{
    catalog::{is_hidden, split_tags, tagged_text, without_hidden},
    trust::visible::visible,
};

/// So many characters of zero width in one text are more than an editor leaves behind by accident.
const MANY: usize = 8;
/// So many of them in a row join nothing.
const RUN: usize = 3;

/// What of a text is hidden in a way that no language and no emoji needs.
pub(super) fn scan(text: &str) -> Option<(Kind, String)> {
    if text.is_ascii() && !text.chars().any(is_hidden) {
        return None;
    }
    if let Some((_, tags)) = split_tags(text) {
        let (count, said) = (tags.chars().count(), tagged_text(&tags));
        return Some((
            Kind::HiddenCharacters,
            format!("{count} Unicode tags that read {said:?}"),
        ));
    }
    if let Some(c) = text.chars().find(|c| is_never_needed(*c)) {
        return Some((Kind::HiddenCharacters, around(text, c)));
    }
    let (mut all, mut run) = (0, 0);
    for c in text.chars() {
        // Those that are left are part of a flag.
        if ('\u{e0000}'..='\u{e007f}').contains(&c) {
            continue;
        }
        run = if is_hidden(c) { run + 1 } else { 0 };
        all += usize::from(is_hidden(c) && !is_joiner(c));
        if run >= RUN || all >= MANY {
            return Some((Kind::HiddenCharacters, around(text, c)));
        }
    }
    None
}

/// A name in which letters of other scripts stand for Latin ones.
pub(super) fn look_alike(name: &str) -> Option<String> {
    let seen = without_hidden(name);
    if seen.is_ascii() {
        return None;
    }
    let looks = looks_like(&seen);
    let imitates = |c: char| !c.is_ascii() && looks_like(c.encode_utf8(&mut [0; 4])).is_ascii();
    let mixed = seen.chars().any(|c| c.is_ascii_alphabetic()) && seen.chars().any(imitates);
    (mixed || looks.is_ascii()).then(|| format!("{} looks like {looks}", escaped(name)))
}

/// The name as it looks: two that look the same have the same one (Unicode Technical Standard 39).
pub(crate) fn looks_like(name: &str) -> String {
    skeleton(name).collect()
}

/// Other letters than ASCII as their numbers: they are what a person does not see.
fn escaped(name: &str) -> String {
    let shown = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => c.escape_unicode().to_string(),
    };
    name.chars().map(shown).collect()
}

/// Overrides of the direction, private use and controls.
fn is_never_needed(c: char) -> bool {
    matches!(c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
        || (c.is_control() && !c.is_whitespace())
}

/// What Persian, the languages of India and emoji are written with.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The place of the character, with what is hidden there made visible.
fn around(text: &str, c: char) -> String {
    let at = text.find(c).unwrap_or(0);
    visible(excerpt(text, at.saturating_sub(30), at + 60))
}
