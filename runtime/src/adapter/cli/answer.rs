//! What a program did, as the result of a tool.

use std::{process::ExitStatus, time::Duration};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use serde_json::{Map, Value, json};

use super::{
    binary::{DataFiles, data_kind},
    capture::Capture,
    controls::plain,
    encoding::{decoded, system_encoding},
    run::{Background, Ended},
    settings::{Output, ToolSettings},
};
use crate::reply::{Code, Failure, UpstreamResult, exact};

/// What programs say that want a terminal and have none, in lower case.
const WANTS_TERMINAL: &[&str] = &[
    "/dev/tty",
    "not a tty",
    "not a terminal",
    "no tty",
    "a terminal is required",
    "requires a terminal",
    "inappropriate ioctl for device",
    "terminal prompts disabled",
];

/// How the output of a tool is read.
pub(super) struct Reading<'a> {
    pub tool: &'a ToolSettings,
    pub files: &'a DataFiles,
}

impl Reading<'_> {
    /// The result, or the failure of a program whose time was over.
    pub(super) fn result(
        &self,
        name: &str,
        limit: Duration,
        ended: Ended,
    ) -> Result<UpstreamResult, Failure> {
        let mut notes = Vec::new();
        let output = self.tool.output.unwrap_or_default();
        let stdout = self.stream("stdout", ended.stdout, output, &mut notes);
        let of_stderr = if output == Output::Raw {
            Output::Raw
        } else {
            Output::Text
        };
        let stderr = self.stream("stderr", ended.stderr, of_stderr, &mut notes);
        let Some(status) = ended.status else {
            return Err(out_of_time(name, limit, stdout, stderr));
        };
        let is_error = !self.is_success(status);
        if is_error && [&stdout, &stderr].into_iter().any(wants_terminal) {
            notes.push("it wanted a terminal, and has none: nobody can be asked there. Give what it asks for as arguments, or set it up beforehand.".into());
        }
        if is_error && let Some(limits) = &ended.limits {
            notes.push(limits.clone());
        }
        notes.extend(background_note(ended.background).map(str::to_owned));
        let structured = self.structured(status, stdout, stderr);
        Ok(UpstreamResult {
            content: vec![json!({ "type": "text", "text": structured.to_string() })],
            structured_content: Some(structured),
            is_error,
            notes,
            ..UpstreamResult::default()
        })
    }

    fn structured(&self, status: ExitStatus, stdout: Value, stderr: Value) -> Value {
        let mut map = Map::from_iter([("exitCode".to_owned(), json!(status.code()))]);
        if let Some(signal) = signal_name(status) {
            map.insert("signal".into(), json!(signal));
        }
        let code = status.code().map(|code| code.to_string());
        if let Some(meaning) = code.and_then(|code| self.tool.exit_codes.get(&code)) {
            map.insert("meaning".into(), json!(meaning));
        }
        map.insert("stdout".into(), stdout);
        map.insert("stderr".into(), stderr);
        Value::Object(map)
    }

    fn is_success(&self, status: ExitStatus) -> bool {
        match (&self.tool.ok_exit_codes, status.code()) {
            (Some(codes), Some(code)) => codes.contains(&code),
            (None, code) => code == Some(0),
            (Some(_), None) => false,
        }
    }

    /// One stream as text, as JSON, or as the description of the data it holds.
    fn stream(
        &self,
        name: &str,
        capture: Capture,
        output: Output,
        notes: &mut Vec<String>,
    ) -> Value {
        let total = capture.total();
        let (head, tail) = capture.pieces();
        let kept = head.len() + tail.as_ref().map_or(0, Vec::len);
        let missing = total - kept as u64;
        let named = self.encoding();
        if let Some(data) = self.data(&head, total, missing, named) {
            return data;
        }
        let mut replaced = 0;
        let mut text = |bytes: &[u8]| {
            let decoded = decoded(bytes, named, system_encoding());
            replaced += decoded.replaced;
            decoded.text
        };
        let (head, tail) = (text(&head), tail.map(|tail| text(&tail)));
        if replaced > 0 {
            notes.push(format!(
                "{name}: {replaced} characters could not be read as {} and are shown as \u{fffd}; the plugin's manifest can name another `encoding`",
                named.unwrap_or(encoding_rs::UTF_8).name()
            ));
        }
        if output == Output::Json && !head.trim().is_empty() {
            match exact(&head).filter(|_| tail.is_none()) {
                Some(read) if read.repeats_keys => notes.push(format!(
                    "{name} is given as text: read as JSON, repeated keys would be lost"
                )),
                Some(read) => {
                    if read.as_text > 0 {
                        notes.push(format!(
                            "{name}: {} numbers have more digits than a number can hold; they are given as text",
                            read.as_text
                        ));
                    }
                    return read.value;
                }
                None => notes.push(format!(
                    "{name} is not JSON as expected; it is given as text"
                )),
            }
        }
        let mut overwritten = 0;
        let mut readable = |text: String| {
            if output == Output::Raw {
                return text;
            }
            let plain = plain(&text);
            overwritten += plain.overwritten;
            plain.text
        };
        let head = readable(head);
        let whole = match tail.map(&mut readable) {
            None => head,
            Some(tail) => {
                notes.push(format!(
                    "{name} had {total} bytes; {missing} in the middle were not kept. Ask for less at once, or have the program write to a file."
                ));
                format!("{head}\n[… {missing} bytes were not kept …]\n{tail}")
            }
        };
        if overwritten > 0 {
            notes.push(format!(
                "{name}: {overwritten} states of lines that were written over (progress) are left out"
            ));
        }
        json!(whole)
    }

    /// The description of data, which is put into a file.
    fn data(
        &self,
        head: &[u8],
        total: u64,
        missing: u64,
        named: Option<&'static Encoding>,
    ) -> Option<Value> {
        let wide = |encoding| encoding == UTF_16LE || encoding == UTF_16BE;
        let marked = Encoding::for_bom(head).map(|(encoding, _)| encoding);
        if named.or(marked).is_some_and(wide) {
            return None;
        }
        let kind = data_kind(head)?;
        let mut about = json!({ "binary": kind.media_type, "bytes": total });
        match self.files.keep(head, kind) {
            Ok(path) => about["file"] = json!(path),
            Err(error) => about["note"] = json!(format!("it could not be kept in a file: {error}")),
        }
        if missing > 0 {
            about["note"] = json!(format!(
                "the file holds the first {} bytes only (setting maxOutputBytes)",
                head.len()
            ));
        }
        Some(about)
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        let label = self.tool.encoding.as_ref()?;
        Encoding::for_label(label.as_bytes())
    }
}

fn out_of_time(name: &str, limit: Duration, stdout: Value, stderr: Value) -> Failure {
    Failure::new(
        Code::Timeout,
        format!(
            "{name} did not end within {} s (setting timeoutMs); it was ended with all its child processes",
            limit.as_secs_f32()
        ),
    )
    .with_hint("Ask for less at once. `stdout` and `stderr` hold what it had written.")
    .with("stdout", stdout)
    .with("stderr", stderr)
}

fn wants_terminal(stream: &Value) -> bool {
    let text = stream.as_str().unwrap_or_default().to_lowercase();
    WANTS_TERMINAL.iter().any(|phrase| text.contains(phrase))
}

fn background_note(background: Background) -> Option<&'static str> {
    match background {
        Background::Nothing => None,
        Background::Killed { held: true } => Some(
            "the program ended, but a background process that it had started still held its output; that process was ended",
        ),
        Background::Killed { held: false } => {
            Some("the program ended and left a background process; that process was ended")
        }
        Background::GoesOn => Some(
            "the program ended, but a background process that it had started still holds its output; what that process writes from now on is lost",
        ),
    }
}

#[cfg(unix)]
fn signal_name(status: ExitStatus) -> Option<String> {
    use std::os::unix::process::ExitStatusExt;
    let number = status.signal()?;
    let known = nix::sys::signal::Signal::try_from(number);
    Some(known.map_or_else(
        |_| format!("signal {number}"),
        |signal| signal.as_str().into(),
    ))
}

#[cfg(not(unix))]
fn signal_name(_status: ExitStatus) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    async fn result(tool: Value, raw_status: i32, stdout: &[u8], stderr: &[u8]) -> UpstreamResult {
        let tool: ToolSettings = serde_json::from_value(tool).unwrap();
        let keep = tool.max_output_bytes.unwrap_or(1 << 20);
        let (mut out, mut err) = (Capture::new(keep), Capture::new(keep));
        tokio::join!(out.fill(stdout), err.fill(stderr));
        let ended = Ended {
            status: Some(ExitStatus::from_raw(raw_status)),
            stdout: out,
            stderr: err,
            limits: None,
            background: Background::Nothing,
        };
        let reading = Reading {
            tool: &tool,
            files: &DataFiles::default(),
        };
        reading.result("t", Duration::from_secs(1), ended).unwrap()
    }

    #[tokio::test]
    async fn codes_mean_what_the_manifest_says() {
        let grep = json!({"okExitCodes": [0, 1], "exitCodes": {"1": "no match", "2": "trouble"}});
        let none = result(grep.clone(), 1 << 8, b"", b"").await;
        assert!(!none.is_error);
        assert_eq!(
            none.structured_content.unwrap(),
            json!({"exitCode": 1, "meaning": "no match", "stdout": "", "stderr": ""})
        );
        assert!(result(grep, 2 << 8, b"", b"").await.is_error);
        assert!(result(json!({}), 1 << 8, b"", b"").await.is_error);
        let only_one = json!({"okExitCodes": [1]});
        assert!(result(only_one, 0, b"", b"").await.is_error);
        let killed = result(json!({"okExitCodes": [0]}), 11, b"half", b"").await;
        assert!(killed.is_error);
        assert_eq!(
            killed.structured_content.unwrap(),
            json!({"exitCode": null, "signal": "SIGSEGV", "stdout": "half", "stderr": ""})
        );
    }

    #[tokio::test]
    async fn every_json_value_is_read_and_loses_nothing() {
        let tool = json!({"output": "json"});
        for (text, wanted, note) in [
            ("{\"a\":[1]}\n", json!({"a": [1]}), None),
            ("", json!(""), None),
            ("oops", json!("oops"), Some("is not JSON")),
            ("{\"a\":[1.10,1e2]}", json!({"a": [1.1, 100.0]}), None),
            (
                "12345678901234567890123",
                json!("12345678901234567890123"),
                Some("stdout: 1 numbers have more digits"),
            ),
            (
                "{\"a\":1,\"a\":2}",
                json!("{\"a\":1,\"a\":2}"),
                Some("repeated keys would be lost"),
            ),
        ] {
            let result = result(tool.clone(), 0, text.as_bytes(), b"").await;
            assert_eq!(result.structured_content.unwrap()["stdout"], wanted);
            let noted = result.notes.first().map(String::as_str);
            assert_eq!(noted.is_some(), note.is_some(), "{text}");
            assert!(noted.unwrap_or_default().contains(note.unwrap_or_default()));
        }
    }

    #[tokio::test]
    async fn text_is_cleaned_unless_it_is_wanted_raw() {
        let bytes = b"1%\r2%\n\x1b[1mdone\x1b[0m\n";
        let clean = result(json!({}), 0, bytes, b"\x1b[31mred").await;
        let structured = clean.structured_content.unwrap();
        assert_eq!(
            (&structured["stdout"], &structured["stderr"]),
            (&json!("2%\ndone\n"), &json!("red"))
        );
        assert!(
            clean.notes[0].contains("1 states of lines"),
            "{:?}",
            clean.notes
        );
        let raw = result(json!({"output": "raw"}), 0, bytes, b"").await;
        assert_eq!(
            raw.structured_content.unwrap()["stdout"],
            json!("1%\r2%\n\u{1b}[1mdone\u{1b}[0m\n")
        );
    }

    #[tokio::test]
    async fn what_is_too_long_loses_its_middle_and_says_so() {
        let lines: String = (0..1000).map(|line| format!("line {line}\n")).collect();
        let cut = result(json!({"maxOutputBytes": 100}), 0, lines.as_bytes(), b"").await;
        let text = cut.structured_content.unwrap()["stdout"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            text.starts_with("line 0\n") && text.ends_with("line 999\n"),
            "{text}"
        );
        assert!(cut.notes[0].contains("8890 bytes"), "{:?}", cut.notes);
    }

    #[tokio::test]
    async fn a_wish_for_a_terminal_is_named_only_where_it_failed() {
        let said = b"sh: 1: cannot create /dev/tty: No such device or address\n";
        let failed = result(json!({}), 2 << 8, b"", said).await;
        assert!(failed.notes[0].contains("wanted a terminal"));
        let fine = result(json!({}), 0, b"", said).await;
        assert!(fine.notes.is_empty());
    }
}
