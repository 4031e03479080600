//! The log as a whole: written, rotated, damaged, mended and checked.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    chain, entry,
    inspect::{CallLog, Filter, statistics, verify},
    log::Log,
    settings::Place,
};
use crate::config::ConfigChoice;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn dir(&self) -> PathBuf {
        self.0.path().join("audit")
    }

    fn log(&self) -> Log {
        self.log_of(u64::MAX, 100)
    }

    fn log_of(&self, max_bytes: u64, keep: u64) -> Log {
        Log::at(Place {
            dir: self.dir(),
            max_bytes,
            keep,
        })
    }

    /// A log of so many lines in one file.
    fn written(lines: u64) -> Self {
        let folder = Self::new();
        let log = folder.log();
        (1..=lines).for_each(|n| log.append(&line(n)).unwrap());
        folder
    }

    fn file(&self, number: u64) -> PathBuf {
        self.dir().join(format!("calls-{number:08}.jsonl"))
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.file(1)).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn write_lines(&self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.file(1), text).unwrap();
    }

    fn reader(&self) -> CallLog {
        CallLog::find(Some(self.dir()), &ConfigChoice::default()).unwrap()
    }

    fn verdict(&self) -> Value {
        verify(&self.reader(), None).unwrap()
    }

    /// What is broken, and at which line of the file.
    fn broken(&self) -> (String, u64) {
        let verdict = self.verdict();
        assert_eq!(verdict["ok"], false, "{verdict}");
        let broken = &verdict["broken"];
        (
            broken["what"].as_str().unwrap().to_owned(),
            broken["line"].as_u64().unwrap_or(0),
        )
    }

    fn kinds(&self) -> Vec<String> {
        let listed = self.reader().list(&Filter::default(), 1000).unwrap();
        let lines = listed["lines"].as_array().unwrap().iter();
        lines
            .map(|line| {
                let what = line["what"].as_str().map(|what| format!(" {what}"));
                format!(
                    "{}{}",
                    line["kind"].as_str().unwrap(),
                    what.unwrap_or_default()
                )
            })
            .collect()
    }
}

fn line(n: u64) -> Map<String, Value> {
    let mut fields = entry::begin("call");
    fields.insert("plugin".into(), json!("p"));
    fields.insert("tool".into(), json!(format!("t{n}")));
    fields.insert("outcome".into(), json!("ok"));
    fields.insert("ms".into(), json!(n));
    fields.insert("receipt".into(), json!(format!("c0-{n}")));
    fields
}

/// The same with another content, and a hash that fits.
fn forged(line: &str) -> String {
    let mut fields: Map<String, Value> = serde_json::from_str(line).unwrap();
    let seq = fields.remove("seq").unwrap().as_u64().unwrap();
    let prev = fields.remove("prev").unwrap();
    fields.remove("hash");
    fields.insert("outcome".into(), json!("refused"));
    let (line, _) = chain::seal(seq, prev.as_str().unwrap(), &fields);
    line.trim_end().to_owned()
}

#[test]
fn a_log_is_whole_over_runs() {
    let folder = Folder::written(3);
    folder.log().append(&line(4)).unwrap();
    let verdict = folder.verdict();
    assert_eq!(
        (&verdict["ok"], &verdict["lines"]),
        (&json!(true), &json!(4))
    );
    assert_eq!(verdict["head"]["seq"], 4);
    assert_eq!(
        Folder::new().verdict()["ok"],
        true,
        "no log is not a broken one"
    );
}

#[test]
fn each_kind_of_tampering_is_seen_at_its_place() {
    type Change = fn(&mut Vec<String>);
    let changes: [(&str, u64, Change); 9] = [
        ("changed", 2, |lines| {
            lines[1] = lines[1].replace("\"ok\"", "\"no\"")
        }),
        ("changed", 3, |lines| lines[1] = forged(&lines[1])),
        ("changed", 0, |lines| lines[4] = forged(&lines[4])),
        ("removed", 3, |lines| drop(lines.remove(2))),
        ("removed", 0, |lines| drop(lines.remove(0))),
        ("inserted", 4, |lines| lines.insert(3, lines[1].clone())),
        ("cut-off", 0, |lines| lines.truncate(3)),
        ("cut-off", 0, Vec::clear),
        ("changed", 6, |lines| lines.push("{}".into())),
    ];
    for (what, at, change) in changes {
        let folder = Folder::written(5);
        assert_eq!(folder.verdict()["ok"], true);
        let mut lines = folder.lines();
        change(&mut lines);
        folder.write_lines(&lines);
        assert_eq!(folder.broken(), (what.to_owned(), at));
    }
}

#[test]
fn a_line_put_between_two_with_a_hash_that_fits_is_seen() {
    let folder = Folder::written(3);
    let mut lines = folder.lines();
    let after = chain::open(lines[0].as_bytes()).unwrap();
    let (between, _) = chain::seal(2, &after.hash, &line(9));
    lines.insert(1, between.trim_end().to_owned());
    folder.write_lines(&lines);
    assert_eq!(folder.broken(), ("inserted".to_owned(), 3));
}

#[test]
fn a_head_that_is_taken_away_is_missed() {
    let folder = Folder::written(2);
    fs::remove_file(folder.dir().join("head")).unwrap();
    assert_eq!(folder.broken().0, "no-end");
    folder.log().append(&line(3)).unwrap();
    assert_eq!(
        folder.kinds(),
        ["call", "call", "recovered head-lost", "call"]
    );
}

#[test]
fn a_tampered_end_stays_broken_when_the_log_goes_on() {
    let folder = Folder::written(5);
    folder.write_lines(&folder.lines()[..3]);
    folder.log().append(&line(6)).unwrap();
    assert_eq!(
        folder.kinds(),
        ["call", "call", "call", "recovered cut-off", "call"]
    );
    assert_eq!(folder.broken(), ("removed".to_owned(), 4));
    fs::remove_file(folder.file(1)).unwrap();
    folder.log().append(&line(7)).unwrap();
    assert_eq!(folder.broken().0, "removed");
}

#[test]
fn lines_of_others_stay_and_are_told() {
    let folder = Folder::written(1);
    let mut lines = folder.lines();
    lines.push("not ours".into());
    folder.write_lines(&lines);
    folder.log().append(&line(2)).unwrap();
    assert_eq!(folder.kinds(), ["call", "recovered foreign", "call"]);
    assert_eq!(folder.broken(), ("changed".to_owned(), 2));
}

#[test]
fn a_crash_in_the_middle_of_a_line_is_mended_and_told() {
    let folder = Folder::written(2);
    let mut text = fs::read_to_string(folder.file(1)).unwrap();
    text.push_str("{\"seq\":3,\"kind\":\"ca");
    fs::write(folder.file(1), &text).unwrap();
    assert_eq!(folder.broken().0, "torn");
    folder.log().append(&line(3)).unwrap();
    assert_eq!(folder.kinds(), ["call", "call", "recovered torn", "call"]);
    let verdict = folder.verdict();
    assert_eq!(
        (&verdict["ok"], &verdict["repairs"]),
        (&json!(true), &json!(1))
    );
}

#[test]
fn a_crash_between_a_line_and_the_head_loses_nothing() {
    let folder = Folder::written(2);
    let head = fs::read(folder.dir().join("head")).unwrap();
    folder.log().append(&line(3)).unwrap();
    fs::write(folder.dir().join("head"), head).unwrap();
    assert_eq!(folder.verdict()["ok"], true);
    folder.log().append(&line(4)).unwrap();
    let verdict = folder.verdict();
    assert_eq!(
        (&verdict["ok"], &verdict["lines"]),
        (&json!(true), &json!(4))
    );
    assert_eq!(folder.kinds(), ["call"; 4]);
}

#[test]
fn a_crash_while_a_new_file_begins_loses_nothing() {
    let folder = Folder::new();
    let log = folder.log_of(1000, 100);
    while !folder.file(2).exists() {
        log.append(&line(1)).unwrap();
    }
    let first = fs::read_to_string(folder.file(1)).unwrap();
    let last = chain::open(first.trim_end().lines().last().unwrap().as_bytes()).unwrap();
    let head = json!({ "file": 1, "size": first.len(), "seq": last.seq, "hash": last.hash });
    let before = folder.verdict()["lines"].as_u64().unwrap();
    fs::write(folder.dir().join("head"), head.to_string()).unwrap();
    log.append(&line(2)).unwrap();
    let verdict = folder.verdict();
    assert_eq!(
        (&verdict["ok"], &verdict["lines"]),
        (&json!(true), &json!(before + 1))
    );
    assert!(
        folder
            .kinds()
            .iter()
            .all(|kind| kind == "call" || kind == "rotated")
    );
}

#[test]
fn rotation_keeps_the_chain_and_says_what_it_removes() {
    let folder = Folder::new();
    for keep in [3, 1] {
        let log = folder.log_of(2000, keep);
        (0..60).for_each(|n| log.append(&line(n)).unwrap());
        let files = fs::read_dir(folder.dir()).unwrap().count();
        assert_eq!(files as u64, keep + 2, "with the head and the lock");
        let verdict = folder.verdict();
        assert_eq!(verdict["ok"], true, "{verdict}");
        assert!(verdict["first"]["seq"].as_u64().unwrap() > 1);
    }
    for entry in fs::read_dir(folder.dir()).unwrap() {
        assert!(entry.unwrap().metadata().unwrap().len() <= 2000);
    }
}

#[test]
fn a_file_that_rotation_did_not_remove_is_missed() {
    for (gone, what) in [(1, "removed"), (2, "removed"), (4, "cut-off")] {
        let folder = Folder::new();
        let log = folder.log_of(1500, 100);
        while !folder.file(4).exists() {
            log.append(&line(1)).unwrap();
        }
        assert_eq!(folder.verdict()["ok"], true);
        fs::remove_file(folder.file(gone)).unwrap();
        assert_eq!(folder.broken().0, what, "file {gone}");
    }
}

#[test]
fn a_hash_that_was_kept_elsewhere_proves_what_was_before() {
    let folder = Folder::written(3);
    let head = folder.verdict()["head"]["hash"]
        .as_str()
        .unwrap()
        .to_owned();
    folder.log().append(&line(4)).unwrap();
    let anchored = verify(&folder.reader(), Some(&head)).unwrap();
    assert_eq!(
        (&anchored["ok"], &anchored["anchored"]),
        (&json!(true), &json!(true))
    );
    // Whoever can write here can write all of it anew, which nothing in the folder shows.
    fs::remove_dir_all(folder.dir()).unwrap();
    let log = folder.log();
    (1..=4).for_each(|n| log.append(&line(n * 10)).unwrap());
    assert_eq!(folder.verdict()["ok"], true);
    let anchored = verify(&folder.reader(), Some(&head)).unwrap();
    assert_eq!(
        (&anchored["ok"], &anchored["anchored"]),
        (&json!(false), &json!(false))
    );
}

#[test]
fn a_receipt_is_found_and_only_in_a_whole_log_intact() {
    let folder = Folder::written(5);
    let found = |id: &str| folder.reader().receipt(id).unwrap();
    assert_eq!(found("c0-2")["lines"][0]["tool"], "t2");
    assert_eq!(found("c0-2")["intact"], true);
    assert_eq!(found("c0-99")["found"], false);
    let mut lines = folder.lines();
    lines.remove(3);
    folder.write_lines(&lines);
    let broken = found("c0-2");
    assert_eq!(
        (&broken["found"], &broken["intact"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn lists_end_with_the_newest_and_counts_are_by_tool() {
    let folder = Folder::written(5);
    folder.log().append(&line(5)).unwrap();
    let listed = folder.reader().list(&Filter::default(), 2).unwrap();
    let seqs: Vec<&Value> = listed["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| &line["seq"])
        .collect();
    assert_eq!(seqs, [5, 6]);
    let counted = statistics(&folder.reader(), &Filter::default()).unwrap();
    assert_eq!(counted["calls"], 6);
    assert_eq!(
        counted["groups"][0],
        json!({ "plugin": "p", "tool": "t5", "outcome": "ok", "calls": 2, "p50": 5, "p95": 5 })
    );
}

#[test]
fn lines_that_could_not_be_written_are_counted() {
    let folder = Folder::new();
    fs::write(folder.dir(), "a file where the folder should be").unwrap();
    let log = folder.log();
    for n in 1..=3 {
        log.append(&line(n)).unwrap_err();
    }
    assert!(log.problem().unwrap().contains("cannot be written"));
    fs::remove_file(folder.dir()).unwrap();
    log.append(&line(4)).unwrap();
    assert_eq!(log.problem(), None);
    assert_eq!(folder.kinds(), ["lost", "call"]);
    let verdict = folder.verdict();
    assert_eq!(
        (&verdict["ok"], &verdict["lost"]),
        (&json!(true), &json!(3))
    );
}

#[test]
fn a_head_that_cannot_be_written_breaks_nothing() {
    let folder = Folder::written(1);
    let head = folder.dir().join("head");
    let kept = fs::read(&head).unwrap();
    fs::remove_file(&head).unwrap();
    fs::create_dir(&head).unwrap();
    let log = folder.log();
    log.append(&line(2)).unwrap_err();
    fs::remove_dir(&head).unwrap();
    fs::write(&head, kept).unwrap();
    log.append(&line(3)).unwrap();
    assert_eq!(folder.kinds(), ["call", "lost", "call"]);
    assert_eq!(folder.verdict()["ok"], true);
}

#[test]
fn many_writers_make_one_chain() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let log = folder.log_of(8000, 1000);
            scope.spawn(move || {
                for n in 0..50 {
                    log.append(&line(writer * 100 + n)).unwrap();
                }
            });
        }
    });
    let counted = statistics(&folder.reader(), &Filter::default()).unwrap();
    assert_eq!(counted["calls"], 200);
    assert_eq!(folder.verdict()["ok"], true);
}

#[test]
fn a_process_that_was_stopped_while_it_wrote_stops_no_other() {
    let folder = Folder::written(1);
    let lock = fs::File::open(folder.dir().join("lock")).unwrap();
    lock.lock().unwrap();
    let log = folder.log();
    let error = log.append(&line(2)).unwrap_err();
    assert!(error.to_string().contains("another process holds its lock"));
    lock.unlock().unwrap();
    log.append(&line(3)).unwrap();
    assert_eq!(folder.kinds(), ["call", "lost", "call"]);
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_it() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = Folder::written(1);
    assert_eq!(mode(&folder.dir()), 0o700);
    for entry in fs::read_dir(folder.dir()).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    // A file that others were let in to is closed again.
    fs::set_permissions(folder.file(1), fs::Permissions::from_mode(0o644)).unwrap();
    folder.log().append(&line(2)).unwrap();
    assert_eq!(mode(&folder.file(1)), 0o600);
    // And no link is followed out of the folder.
    let elsewhere = folder.0.path().join("elsewhere");
    fs::write(&elsewhere, "").unwrap();
    fs::remove_file(folder.file(1)).unwrap();
    symlink(&elsewhere, folder.file(1)).unwrap();
    folder.log().append(&line(3)).unwrap_err();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "");
}
