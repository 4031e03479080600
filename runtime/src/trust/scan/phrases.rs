//! Sentences that no description needs.

use std::{collections::HashSet, sync::LazyLock};

use regex::{Regex, RegexBuilder};

use super::{Kind, excerpt};

/// Most texts of a schema are shorter, and none of them says anything. In bytes.
const MIN_TEXT: usize = 11;
/// How much stands around what is shown, in bytes.
const AROUND: usize = 20;

/// What is looked for; case does not matter. Each is a thing that a description has no reason to say to a model.
const PATTERNS: [(Kind, &str); 16] = [
    // Earlier instructions are set aside.
    (
        Kind::Instructions,
        r"\b(ignore|disregard|forget|override)\s+(all\s+|any\s+)?(of\s+)?(the\s+|your\s+)?(previous|prior|preceding|earlier|above|foregoing|other|existing)\s+(instructions?|prompts?|rules|directions|guidelines|messages)",
    ),
    (
        Kind::Instructions,
        r"\bignora\s+(todas\s+)?(las\s+|tus\s+)?(instrucciones|indicaciones|reglas)\s+(anteriores|previas)",
    ),
    // The user is kept in the dark.
    (
        Kind::Instructions,
        r"\b(do\s+not|don'?t|never|without)\s+(ever\s+)?(tell|telling|inform|informing|notify|notifying|alert|alerting|mention(ing)?\s+(this|it|that)?\s*to|reveal(ing)?\s+(this|it|that)\s+to|let(ting)?)\s+(this\s+|it\s+)?(to\s+)?the\s+(user|human|person|operator)\b",
    ),
    (
        Kind::Instructions,
        r"\bno\s+(se\s+lo\s+)?(le\s+)?(digas|menciones|informes|avises)\b[ -~]{0,20}\bal?\s+usuario",
    ),
    // What only the frame of a conversation has.
    (
        Kind::Instructions,
        r"<\s*/?\s*(important|system|instructions?|secret|hidden|assistant|admin)\s*>|\[/?INST\]|<\|(im_start|im_end|system|endoftext)\|>",
    ),
    (
        Kind::Instructions,
        r"\bnew\s+(system\s+)?instructions?\s*:|\byou\s+are\s+now\s+(a|an|in)\b|\b(your|the)\s+new\s+(role|task|goal)\s+is\b",
    ),
    // Files with credentials are to be read.
    (
        Kind::Instructions,
        r"\b(read|open|access|load|cat|send|include|pass|upload|provide|attach|copy|fetch)\b[ -\-/-~]{0,60}(~/\.|\.ssh\b|\bid_rsa\b|\bid_ed25519\b|\.aws/|\.env\b|\bmcp\.json\b|/etc/passwd|/etc/shadow|\.npmrc\b|\.netrc\b|\bkeychain\b)",
    ),
    // The conversation is to be passed on.
    (
        Kind::Instructions,
        r"\b(send|forward|post|pass|include|put|append|upload|copy|write|repeat|reveal|print|output)\b[ -\-/-~]{0,40}\b(the\s+|your\s+)?(system\s+prompt|(entire|whole|full|complete)\s+(conversation|chat)|(conversation|chat)\s+history|previous\s+messages|reasoning\s+trace)\b",
    ),
    // It wants to be called whatever the task is.
    (
        Kind::Instructions,
        r"\b(always|must|should)\b[ -\-/-~]{0,20}\b(call|use|invoke|run)\s+this\s+(tool|function)\b[ -\-/-~]{0,20}\b(before|prior\s+to|after|instead\s+of)\s+(any|every|all|each)\b",
    ),
    // It says what holds for others.
    (
        Kind::Instructions,
        r"\bthis\s+(tool|description|instruction|rule|message)\s+(overrides|supersedes|takes\s+precedence|has\s+priority)\b|\bwhen\s+(the\s+)?(tool|function)\s+[`'\x22]?\w+[`'\x22]?\s+is\s+(called|used|available|present)\b",
    ),
    // Credentials.
    (
        Kind::Secret,
        r"\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{40,}|\bglpat-[A-Za-z0-9_-]{20,}",
    ),
    (
        Kind::Secret,
        r"\bsk-(ant-|proj-|live-)?[A-Za-z0-9_-]{32,}|\bsk_live_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{20,}|\bAIza[A-Za-z0-9_-]{35}",
    ),
    (
        Kind::Secret,
        r"\bA(KI|SI)A[A-Z0-9]{16}\b|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
    ),
    (
        Kind::Secret,
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}",
    ),
    // An image or a link that is shown carries away what was filled in.
    (
        Kind::Link,
        r"!\[[ -\\^-~]*\]\(\s*https?://[!-(*-~]*[?&][!-(*-<>-~]*=\s*(\{|%7b|<|\$|\[)",
    ),
    (
        Kind::Link,
        r"https?://[!#-&(*-;=?-~]+[?&](data|secret|token|key|content|context|history|prompt|conversation|msg|message|payload|leak|exfil)=(\{|%7b|<|\$\{|\[)",
    ),
];

/// Another tool by its name, as one that is to be replaced or is told how to work.
const OTHER_TOOL: &str = r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|replaces|do\s+not\s+(?:use|call)|don'?t\s+(?:use|call)|never\s+(?:use|call)|whenever|every\s+time|(?:before|after|when)\s+(?:using|calling))\s+(?:you\s+(?:use|call)\s+)?(?:the\s+)?(?:tool\s+)?[`'\x22]?([a-z0-9]+(?:[_-][a-z0-9]+)+)";

static COMPILED: LazyLock<Vec<(Kind, Regex)>> = LazyLock::new(|| {
    let compiled = PATTERNS
        .iter()
        .filter_map(|(kind, pattern)| Some((*kind, compile(pattern)?)));
    compiled.collect()
});

static OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| compile(OTHER_TOOL));

/// A test compiles each.
fn compile(pattern: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    // Without the tables of Unicode they are small and quick; what is looked for is ASCII.
    builder.case_insensitive(true).unicode(false).build().ok()
}

/// What was found, and the place as it reads there.
pub(super) fn scan(text: &str, own: &HashSet<String>) -> Vec<(Kind, String)> {
    let mut found = Vec::new();
    if text.len() < MIN_TEXT {
        return found;
    }
    for (kind, pattern) in COMPILED.iter() {
        if let Some(hit) = pattern.find(text) {
            found.push((*kind, around(text, hit.start(), hit.end())));
        }
    }
    let others = OTHER.iter().flat_map(|pattern| pattern.captures_iter(text));
    let mut others = others.filter_map(|captures| captures.get(1));
    let foreign = others.find(|name| {
        let is_own = |own: &String| {
            own.eq_ignore_ascii_case(name.as_str())
                || own.replace('-', "_") == name.as_str().replace('-', "_")
        };
        name.as_str().contains('_') && !own.iter().any(is_own)
    });
    if let Some(name) = foreign {
        found.push((Kind::OtherTool, around(text, name.start(), name.end())));
    }
    found
}

fn around(text: &str, start: usize, end: usize) -> String {
    excerpt(text, start.saturating_sub(AROUND), end + AROUND).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_can_be_compiled() {
        assert_eq!(COMPILED.len(), PATTERNS.len());
        assert!(OTHER.is_some());
    }
}
