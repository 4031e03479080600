//! The end of the chain, in a file of its own: that lines are missing at the end shows by it alone.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

use serde::{Deserialize, Serialize};

use super::chain;

/// Longer than any head, so that one write replaces all of the former.
const LENGTH: usize = 256;

/// The last line that was written, and where it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// The number of the file that is written.
    pub file: u64,
    /// Its length in bytes.
    pub size: u64,
    pub seq: u64,
    pub hash: String,
}

impl Head {
    /// That of a log without a line.
    pub(super) fn of_nothing() -> Self {
        Self {
            file: 1,
            size: 0,
            seq: 0,
            hash: chain::FIRST.to_owned(),
        }
    }

    /// `None` when there is none, or none that can be read.
    pub(super) fn read(file: &mut File) -> io::Result<Option<Self>> {
        let mut text = String::new();
        file.seek(SeekFrom::Start(0))?;
        match file.take(LENGTH as u64).read_to_string(&mut text) {
            Ok(_) => Ok(serde_json::from_str(text.trim_end()).ok()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn write(&self, file: &mut File) -> io::Result<()> {
        let text = serde_json::to_string(self)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(format!("{text:LENGTH$}").as_bytes())
    }
}
