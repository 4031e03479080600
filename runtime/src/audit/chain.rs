//! The chain: each line names the hash of the line before it, and its own.
//!
//! The hash is SHA-256 over the bytes of the line without its last member, `"hash"`: no form of JSON has to be agreed
//! upon to check it, and any other program can.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::checksum;

/// What the first line of all names as the hash before it.
pub(super) const FIRST: &str = "0000000000000000000000000000000000000000000000000000000000000000";
const HASH_DIGITS: usize = 64;
const BEFORE_HASH: &str = ",\"hash\":\"";
const BEHIND_HASH: &str = "\"}";

/// A line whose own hash is right.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub seq: u64,
    pub prev: String,
    pub hash: String,
    pub entry: Map<String, Value>,
}

/// `fields` as the line of that number behind the hash `prev`, with its line break; and its hash.
pub(super) fn seal(seq: u64, prev: &str, fields: &Map<String, Value>) -> (String, String) {
    let mut entry = Map::from_iter([("seq".to_owned(), json!(seq))]);
    entry.extend(fields.clone());
    entry.insert("prev".into(), json!(prev));
    let mut line = Value::Object(entry).to_string();
    let hash = digest(line.as_bytes());
    line.pop();
    line.push_str(&format!("{BEFORE_HASH}{hash}{BEHIND_HASH}\n"));
    (line, hash)
}

/// The line without its line break; `None` when it is none of ours, or is not what its hash says.
pub(super) fn open(line: &[u8]) -> Option<Link> {
    let line = std::str::from_utf8(line).ok()?;
    let rest = line.strip_suffix(BEHIND_HASH)?;
    let (rest, hash) = rest.split_at_checked(rest.len().checked_sub(HASH_DIGITS)?)?;
    let body = rest.strip_suffix(BEFORE_HASH)?;
    if digest(format!("{body}}}").as_bytes()) != hash {
        return None;
    }
    let Ok(Value::Object(entry)) = serde_json::from_str(line) else {
        return None;
    };
    Some(Link {
        seq: entry.get("seq")?.as_u64()?,
        prev: entry.get("prev")?.as_str()?.to_owned(),
        hash: hash.to_owned(),
        entry,
    })
}

/// In hexadecimal digits.
pub(super) fn digest(bytes: &[u8]) -> String {
    checksum::hexadecimal(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_its_hash_says_whatever_numbers_it_holds() {
        let fields = json!({ "kind": "call", "args": { "x": 0.1, "big": 1e300, "n": 18_446_744_073_709_551_615_u64, "t": "é\n\"}" } });
        let (line, hash) = seal(7, FIRST, fields.as_object().unwrap());
        assert!(line.ends_with(&format!(",\"hash\":\"{hash}\"}}\n")));
        let link = open(line.trim_end().as_bytes()).unwrap();
        assert_eq!((link.seq, link.prev.as_str(), link.hash), (7, FIRST, hash));
        assert_eq!(link.entry["kind"], "call");
    }

    #[test]
    fn every_byte_counts() {
        let (line, _) = seal(1, FIRST, json!({ "kind": "call" }).as_object().unwrap());
        let line = line.trim_end().as_bytes();
        for at in 0..line.len() {
            let mut changed = line.to_vec();
            changed[at] ^= 1;
            assert!(open(&changed).is_none(), "byte {at}");
        }
        assert!(open(&line[..line.len() - 1]).is_none());
        assert!(open(b"").is_none());
    }
}
