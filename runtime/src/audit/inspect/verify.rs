//! Whether the chain is whole, over all files.

use std::{
    collections::HashSet,
    io::{self, BufRead, BufReader},
};

use serde_json::{Value, json};

use super::CallLog;
use crate::{
    Failure,
    audit::{
        chain::{self, Link},
        files::{Files, LOCK_WAIT},
        head::Head,
    },
};

/// What is wrong at a place of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Damage {
    /// A line is not what its hash says, or what the next line says of it.
    Changed,
    /// Lines are missing between this one and the one before.
    Removed,
    /// This line, or the one before, was put between others.
    Inserted,
    /// Lines are missing at the end.
    CutOff,
    /// The last line is not whole: a crash, or somebody, was there.
    Torn,
    /// Nothing says where the log ends.
    NoEnd,
}

impl Damage {
    fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Inserted => "inserted",
            Self::CutOff => "cut-off",
            Self::Torn => "torn",
            Self::NoEnd => "no-end",
        }
    }
}

/// Follows the chain from the oldest line that is kept to the newest.
struct Walk {
    lines: u64,
    repairs: u64,
    lost: u64,
    first: Option<Link>,
    last: Option<Link>,
    /// The ends of what rotation has removed, as the log itself says.
    removed: HashSet<String>,
    /// Whether the hash that somebody has kept elsewhere was met; that of the head as well.
    anchor: Option<(String, bool)>,
    head: Option<(Head, bool)>,
    broken: Option<Value>,
}

/// `{ok, folder, files, lines, first?, head?: {seq, hash}, repairs, lost, broken?: {what, file, line, seq?, about}}`; with the
/// hash of an earlier head also `anchored`: whether the chain leads through it.
///
/// `repairs` counts what crashes have left and the log has told, `lost` the lines that could not be written.
pub fn verify(log: &CallLog, anchor: Option<&str>) -> Result<Value, Failure> {
    let Snapshot { head, files } = snapshot(log).map_err(|error| log.unreadable(&error))?;
    let mut walk = Walk {
        lines: 0,
        repairs: 0,
        lost: 0,
        first: None,
        last: None,
        removed: HashSet::new(),
        anchor: anchor.map(|hash| (hash.to_ascii_lowercase(), hash == chain::FIRST)),
        head: head.map(|head| {
            let met = head.seq == 0;
            (head, met)
        }),
        broken: None,
    };
    for (number, size) in &files {
        let Some(file) = log.open(*number)? else {
            continue;
        };
        let mut lines = BufReader::new(io::Read::take(file, *size));
        let mut line = Vec::new();
        for place in 1_u64.. {
            line.clear();
            let read = lines.read_until(b'\n', &mut line);
            if read.map_err(|error| log.unreadable(&error))? == 0 || walk.broken.is_some() {
                break;
            }
            walk.step(&line, *number, place);
        }
    }
    walk.finish();
    Ok(walk.verdict(log, files.len()))
}

/// The log at one moment.
#[derive(Default)]
struct Snapshot {
    head: Option<Head>,
    /// The number and the length of each file.
    files: Vec<(u64, u64)>,
}

fn snapshot(log: &CallLog) -> io::Result<Snapshot> {
    let numbers = match log.files.numbers() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Snapshot::default()),
        numbers => numbers?,
    };
    // A reader who may not write cannot lock; what it sees may then be a line ahead of the head.
    let _lock = log.files.lock(LOCK_WAIT).ok();
    let head = match std::fs::File::open(log.files.head()) {
        Ok(mut file) => Head::read(&mut file)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let sizes = numbers.into_iter().map(|number| {
        let metadata = log.files.path(number).metadata()?;
        Ok((number, metadata.len()))
    });
    Ok(Snapshot {
        head,
        files: sizes.collect::<io::Result<_>>()?,
    })
}

impl Walk {
    fn step(&mut self, line: &[u8], file: u64, place: u64) {
        let Some(whole) = line.strip_suffix(b"\n") else {
            let about = "the line ends too early; the next call that is recorded puts that right, and says so";
            return self.breaks(Damage::Torn, file, place, None, about);
        };
        let Some(link) = chain::open(whole) else {
            let about = "the line is not what its hash says";
            return self.breaks(Damage::Changed, file, place, None, about);
        };
        if let Some(before) = &self.last
            && (link.prev != before.hash || link.seq != before.seq + 1)
        {
            let next = before.seq + 1;
            let (damage, about) = match link.seq {
                seq if seq > next => {
                    let gone = seq - next;
                    (
                        Damage::Removed,
                        format!("{gone} lines before it are missing"),
                    )
                }
                seq if seq == next => (
                    Damage::Changed,
                    "the line before it was replaced by another".to_owned(),
                ),
                _ => (
                    Damage::Inserted,
                    "it, or the line before it, does not belong here".to_owned(),
                ),
            };
            return self.breaks(damage, file, place, Some(link.seq), &about);
        }
        self.lines += 1;
        match link.entry.get("kind").and_then(Value::as_str) {
            Some("recovered") => self.repairs += 1,
            Some("lost") => {
                self.lost += link.entry.get("lines").and_then(Value::as_u64).unwrap_or(0)
            }
            Some("rotated") => {
                let end = link
                    .entry
                    .get("removed")
                    .and_then(|end| end["hash"].as_str());
                self.removed.extend(end.map(str::to_owned));
            }
            _ => {}
        }
        if let Some((hash, met)) = &mut self.anchor {
            *met |= *hash == link.hash;
        }
        if let Some((head, met)) = &mut self.head {
            *met |= head.hash == link.hash && head.seq == link.seq;
        }
        self.first.get_or_insert_with(|| link.clone());
        self.last = Some(link);
    }

    /// What only shows at the end: whether the log begins and ends where it says.
    fn finish(&mut self) {
        if self.broken.is_some() {
            return;
        }
        if let Some(first) = self.first.clone() {
            let from_the_start = first.prev == chain::FIRST && first.seq == 1;
            let behind_removed = self.removed.contains(&first.prev);
            // What is anchored before it was kept elsewhere on purpose.
            if !from_the_start && !behind_removed {
                let about = format!(
                    "{} lines before it are missing",
                    first.seq.saturating_sub(1)
                );
                return self.breaks(Damage::Removed, 0, 0, Some(first.seq), &about);
            }
            if let Some((hash, met)) = &mut self.anchor {
                *met |= *hash == first.prev;
            }
        }
        let last = self.last.as_ref().map_or(0, |last| last.seq);
        match &self.head {
            Some((_, true)) => {}
            Some((head, false)) if head.seq > last => {
                let about = format!("{} lines behind it are missing", head.seq - last);
                self.breaks(Damage::CutOff, 0, 0, Some(last), &about);
            }
            Some((head, false)) => {
                let seq = head.seq;
                let about = "the line is not the one that was written there";
                self.breaks(Damage::Changed, 0, 0, Some(seq), about);
            }
            None if last > 0 => {
                let about = "the file `head` is missing or cannot be read, so that lines may be missing at the end";
                self.breaks(Damage::NoEnd, 0, 0, Some(last), about);
            }
            None => {}
        }
    }

    /// `file` and `line` are 0 where the damage is at the whole log's beginning or end.
    fn breaks(&mut self, damage: Damage, file: u64, line: u64, seq: Option<u64>, about: &str) {
        let mut broken = json!({ "what": damage.as_str(), "about": about });
        if file > 0 {
            broken["file"] = json!(Files::name(file));
            broken["line"] = json!(line);
        }
        if let Some(seq) = seq {
            broken["seq"] = json!(seq);
        }
        self.broken = Some(broken);
    }

    fn verdict(self, log: &CallLog, files: usize) -> Value {
        let anchored = self.anchor.as_ref().map(|(_, met)| *met);
        let ok = self.broken.is_none() && anchored != Some(false);
        let mut verdict = json!({
            "ok": ok, "folder": log.files.dir(), "files": files, "lines": self.lines,
            "repairs": self.repairs, "lost": self.lost,
        });
        if let Some(first) = self.first {
            verdict["first"] = json!({ "seq": first.seq, "time": first.entry.get("time") });
        }
        if let Some(last) = self.last {
            verdict["head"] = json!({ "seq": last.seq, "hash": last.hash });
        }
        if let Some(anchored) = anchored {
            verdict["anchored"] = json!(anchored);
        }
        if let Some(broken) = self.broken {
            verdict["broken"] = broken;
        }
        verdict
    }
}
