//! The log: lines appended one by one, by any number of processes.
//!
//! Each line is written at once, before the reply goes out: nothing waits in memory to be lost. Nothing is kept open
//! either, so that a file that is taken away shows with the next line.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::{Map, Value, json};

use super::{
    chain, entry,
    files::{Files, LOCK_WAIT, SHORT_LOCK_WAIT, open_private},
    head::Head,
    recover::find_end,
    settings::Place,
    tail::Backwards,
};

/// A call log in a folder.
pub(crate) struct Log {
    files: Files,
    max_bytes: u64,
    keep: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Lines that could not be written since the last that could.
    lost: u64,
    problem: Option<String>,
}

/// Why a line was not written.
#[derive(Debug, thiserror::Error)]
#[error("the call log in {} cannot be written: {cause}", folder.display())]
pub(crate) struct LogError {
    folder: PathBuf,
    cause: io::Error,
}

impl Log {
    pub(crate) fn at(place: Place) -> Self {
        Self {
            files: Files::in_folder(&place.dir),
            max_bytes: place.max_bytes,
            keep: place.keep,
            state: Mutex::default(),
        }
    }

    /// Appends a line of these fields. A line that fails is counted, and the next one that succeeds follows a line that
    /// says so.
    pub(crate) fn append(&self, fields: &Map<String, Value>) -> Result<(), LogError> {
        let mut state = self.state();
        // While it goes wrong, no call waits long for what the last one has waited for already.
        let wait = match state.problem {
            None => LOCK_WAIT,
            Some(_) => SHORT_LOCK_WAIT,
        };
        match self.write(fields, &mut state.lost, wait) {
            Ok(()) => {
                state.problem = None;
                Ok(())
            }
            Err(cause) => {
                state.lost += 1;
                let error = LogError {
                    folder: self.files.dir().to_owned(),
                    cause,
                };
                if state.problem.is_none() {
                    tracing::warn!("{error}");
                }
                state.problem = Some(error.to_string());
                Err(error)
            }
        }
    }

    /// Where its lines are.
    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// Why the last line could not be written, while that is so.
    pub(crate) fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, fields: &Map<String, Value>, lost: &mut u64, wait: Duration) -> io::Result<()> {
        let _lock = match self.files.lock(wait) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.files.make_folder()?;
                self.files.lock(wait)?
            }
            lock => lock?,
        };
        let mut head_file = open_private(&self.files.head())?;
        let end = find_end(&self.files, Head::read(&mut head_file)?)?;
        let mut writer = Writer {
            log: self,
            head: end.head,
            head_file,
        };
        for problem in &end.problems {
            writer.append(problem)?;
        }
        if *lost > 0 {
            let mut said = entry::begin("lost");
            said.insert("lines".into(), json!(*lost));
            writer.append(&said)?;
            *lost = 0;
        }
        writer.append(fields)
    }
}

/// Writes at the end of the chain, for as long as the lock is held.
struct Writer<'a> {
    log: &'a Log,
    head: Head,
    head_file: File,
}

impl Writer<'_> {
    fn append(&mut self, fields: &Map<String, Value>) -> io::Result<()> {
        let (line, hash) = self.sealed(fields);
        if self.head.size == 0 || self.head.size + line.len() as u64 <= self.log.max_bytes {
            return self.put(&line, hash);
        }
        self.rotate()?;
        let (line, hash) = self.sealed(fields);
        self.put(&line, hash)
    }

    /// The next line, and its hash.
    fn sealed(&self, fields: &Map<String, Value>) -> (String, String) {
        chain::seal(self.head.seq + 1, &self.head.hash, fields)
    }

    fn put(&mut self, line: &str, hash: String) -> io::Result<()> {
        let mut file = open_private(&self.log.files.path(self.head.file))?;
        file.seek(SeekFrom::Start(self.head.size))?;
        if let Err(error) = file.write_all(line.as_bytes()) {
            // A full disk takes a part of a line.
            let _ = file.set_len(self.head.size);
            return Err(error);
        }
        self.head.seq += 1;
        self.head.hash = hash;
        self.head.size += line.len() as u64;
        self.head.write(&mut self.head_file)
    }

    /// Begins a new file. Its first line names what is removed for it, so that the chain may begin behind that.
    fn rotate(&mut self) -> io::Result<()> {
        let files = &self.log.files;
        let next = self.head.file + 1;
        let mut old = files.numbers()?;
        old.retain(|number| number + self.log.keep <= next);
        let mut said = entry::begin("rotated");
        if let Some(last) = old.last() {
            said.insert("removed".into(), self.end_of(*last)?);
        }
        self.head.file = next;
        self.head.size = 0;
        let (line, hash) = self.sealed(&said);
        self.put(&line, hash)?;
        for number in old {
            std::fs::remove_file(self.log.files.path(number))?;
        }
        Ok(())
    }

    /// The last line of a file: what follows it names its hash.
    fn end_of(&self, number: u64) -> io::Result<Value> {
        let file = open_private(&self.log.files.path(number))?;
        let size = file.metadata()?.len();
        let last = Backwards::new(file, size)?.next()?;
        let link = last.and_then(|line| chain::open(&line));
        let name = Files::name(number);
        Ok(match link {
            Some(link) => json!({ "file": name, "seq": link.seq, "hash": link.hash }),
            None => json!({ "file": name }),
        })
    }
}
