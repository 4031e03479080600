//! Lines of a file from its end backwards: what is asked for is mostly among the last.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

const CHUNK: u64 = 64 * 1024;

/// The lines of the first `end` bytes of a file, the last first, without their line breaks. What stands behind the last
/// line break is no line.
pub(super) struct Backwards {
    file: File,
    /// What lies before this has not been read.
    start: u64,
    /// What has been read and not been given: it begins at `start`, and ends with a line break.
    read: Vec<u8>,
}

impl Backwards {
    pub(super) fn new(file: File, end: u64) -> io::Result<Self> {
        let mut lines = Self {
            file,
            start: end,
            read: Vec::new(),
        };
        loop {
            if let Some(at) = last_break(&lines.read) {
                lines.read.truncate(at + 1);
                return Ok(lines);
            }
            if !lines.read_more()? {
                lines.read.clear();
                return Ok(lines);
            }
        }
    }

    /// Where the last line ends.
    pub(super) fn end(&self) -> u64 {
        self.start + self.read.len() as u64
    }

    fn read_more(&mut self) -> io::Result<bool> {
        let length = CHUNK.min(self.start);
        if length == 0 {
            return Ok(false);
        }
        self.start -= length;
        self.file.seek(SeekFrom::Start(self.start))?;
        let mut chunk = Vec::new();
        (&self.file).take(length).read_to_end(&mut chunk)?;
        chunk.extend_from_slice(&self.read);
        self.read = chunk;
        Ok(true)
    }

    /// `None` before the first line.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let Some(inner) = self.read.len().checked_sub(1) else {
                return Ok(None);
            };
            if let Some(at) = last_break(&self.read[..inner]) {
                let mut line = self.read.split_off(at + 1);
                line.pop();
                return Ok(Some(line));
            }
            if !self.read_more()? {
                let mut line = std::mem::take(&mut self.read);
                line.pop();
                return Ok(Some(line));
            }
        }
    }
}

fn last_break(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn backwards(text: &str) -> Vec<String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut lines = Backwards::new(file, text.len() as u64).unwrap();
        let mut read = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            read.push(String::from_utf8(line).unwrap());
        }
        read
    }

    #[test]
    fn the_last_line_comes_first_and_a_fragment_never() {
        assert_eq!(backwards("a\nbc\n\nd\nfragment"), ["d", "", "bc", "a"]);
        assert_eq!(backwards("fragment"), [] as [&str; 0]);
        assert_eq!(backwards(""), [] as [&str; 0]);
        assert_eq!(backwards("\n"), [""]);
    }

    #[test]
    fn lines_cross_the_borders_of_what_is_read_at_once() {
        let lines: Vec<String> = (0..40_usize)
            .map(|n| format!("{n}{}", "x".repeat(n * 1000)))
            .collect();
        let mut read = backwards(&format!("{}\n", lines.join("\n")));
        read.reverse();
        assert_eq!(read, lines);
    }
}
