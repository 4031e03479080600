//! Where the chain goes on. What a crash or somebody else has left at its end is put right, and told in the log.

use std::io::{self, Read, Seek, SeekFrom};

use serde_json::{Map, Value, json};

use super::{
    chain,
    files::{Files, open_private},
    head::Head,
    tail::Backwards,
};

/// The end of the chain.
pub(super) struct End {
    pub head: Head,
    /// What was found there that a log written to its end does not have: the fields of a line for each.
    pub problems: Vec<Map<String, Value>>,
}

/// Finds it. Only who holds the lock may ask.
pub(super) fn find_end(files: &Files, head: Option<Head>) -> io::Result<End> {
    let mut problems = Vec::new();
    let mut head = match head {
        Some(head) => head,
        None => match last_line(files)? {
            None => Head::of_nothing(),
            Some(last) => {
                problems.push(problem("head-lost", json!({ "lastSeq": last.seq })));
                last
            }
        },
    };
    loop {
        settle(files, &mut head, &mut problems)?;
        // Who begins a new file may have been killed before the head said so.
        if !files.path(head.file + 1).try_exists()? {
            return Ok(End { head, problems });
        }
        head.file += 1;
        head.size = 0;
    }
}

/// Compares the file that the head names with what the head says of it, and moves the head to the end of the file.
fn settle(
    files: &Files,
    head: &mut Head,
    problems: &mut Vec<Map<String, Value>>,
) -> io::Result<()> {
    let path = files.path(head.file);
    let size = match path.metadata() {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
    };
    if size == head.size {
        return Ok(());
    }
    let mut file = open_private(&path)?;
    if size < head.size {
        let missing = head.size - size;
        head.size = Backwards::new(file.try_clone()?, size)?.end();
        file.set_len(head.size)?;
        problems.push(problem(
            "cut-off",
            json!({ "file": Files::name(head.file), "bytes": missing, "lastSeq": head.seq }),
        ));
        return Ok(());
    }
    file.seek(SeekFrom::Start(head.size))?;
    let mut behind = Vec::new();
    file.read_to_end(&mut behind)?;
    let mut foreign = 0;
    let mut rest = behind.as_slice();
    while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
        match chain::open(&rest[..at]) {
            // The head had not been written yet.
            Some(link) if link.prev == head.hash && link.seq == head.seq + 1 => {
                head.seq = link.seq;
                head.hash = link.hash;
            }
            _ => foreign += 1,
        }
        head.size += at as u64 + 1;
        rest = &rest[at + 1..];
    }
    if foreign > 0 {
        let name = Files::name(head.file);
        problems.push(problem(
            "foreign",
            json!({ "file": name, "lines": foreign }),
        ));
    }
    if !rest.is_empty() {
        file.set_len(head.size)?;
        problems.push(problem(
            "torn",
            json!({ "file": Files::name(head.file), "bytes": rest.len(), "sha256": chain::digest(rest) }),
        ));
    }
    Ok(())
}

/// The last line of all that is whole, as a head.
fn last_line(files: &Files) -> io::Result<Option<Head>> {
    for number in files.numbers()?.into_iter().rev() {
        let file = open_private(&files.path(number))?;
        let size = file.metadata()?.len();
        let mut lines = Backwards::new(file, size)?;
        let end = lines.end();
        while let Some(line) = lines.next()? {
            if let Some(link) = chain::open(&line) {
                return Ok(Some(Head {
                    file: number,
                    size: end,
                    seq: link.seq,
                    hash: link.hash,
                }));
            }
        }
    }
    Ok(None)
}

fn problem(what: &str, details: Value) -> Map<String, Value> {
    let mut fields = super::entry::begin("recovered");
    fields.insert("what".into(), json!(what));
    if let Value::Object(details) = details {
        fields.extend(details);
    }
    fields
}
