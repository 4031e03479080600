//! What a program of the user's prints, which is a secret.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use indexmap::IndexMap;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::{
    Children,
    children::ChildStreams,
    environment::{child_environment, expand, from_process},
    program::command,
};
use crate::reply::{Code, Failure};

/// How long the program may take: it may ask a service of its own.
const LIMIT: Duration = Duration::from_secs(30);
/// A token is shorter; what prints more is no token command.
const MAX_BYTES: u64 = 64 * 1024;

/// A program and its arguments, in which `${VAR}` expands.
pub(super) struct SecretProgram {
    /// How it is called in messages, such as `token command`.
    called: &'static str,
    words: Vec<String>,
    dir: PathBuf,
}

impl SecretProgram {
    /// A program that is run in the folder `dir`.
    pub(super) fn new(called: &'static str, words: &[String], dir: &Path) -> Self {
        Self {
            called,
            words: words.to_vec(),
            dir: dir.to_owned(),
        }
    }

    /// What it prints, without white space around it.
    pub(super) async fn run(&self, children: &Arc<Children>) -> Result<String, Failure> {
        let (success, printed) = tokio::time::timeout(LIMIT, self.output(children))
            .await
            .unwrap_or_else(|_| {
                Err(self.failed(&format!("it did not end within {} s", LIMIT.as_secs())))
            })?;
        if let Err(why) = success {
            return Err(self.failed(&why));
        }
        let printed = String::from_utf8(printed)
            .map_err(|_| self.failed("what it printed is no UTF-8 text"))?;
        match printed.trim() {
            "" => Err(self.failed("it printed nothing")),
            printed => Ok(printed.to_owned()),
        }
    }

    /// How it ended, and what it printed.
    async fn output(
        &self,
        children: &Arc<Children>,
    ) -> Result<(Result<(), String>, Vec<u8>), Failure> {
        let words = self.words.iter().map(|word| expand(word, from_process));
        let words = words.collect::<Result<Vec<_>, _>>()?;
        let Some((program, args)) = words.split_first().filter(|(name, _)| !name.is_empty()) else {
            return Err(Failure::new(
                Code::ConfigInvalid,
                format!("the {} names no program", self.called),
            )
            .with_hint(
                "Give the program and its arguments, for example: [\"gh\", \"auth\", \"token\"].",
            ));
        };
        let environment = child_environment(&IndexMap::new(), from_process)?;
        let folder = match self.dir.is_dir() {
            true => self.dir.as_path(),
            false => Path::new("."),
        };
        let mut command = command(program, args, &environment, folder)
            .map_err(|failure| self.failed(&failure.error))?;
        command
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (streams, handle) = children
            .start(command)
            .map_err(|error| self.failed(&format!("it could not be started: {error}")))?;
        let ChildStreams {
            stdin,
            stdout,
            mut stderr,
        } = streams;
        drop(stdin);
        // It may write the secret there before anybody knows it, so that this is shown nowhere.
        tokio::spawn(async move { tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await });
        let printed = read(stdout)
            .await
            .map_err(|error| self.failed(&format!("its output could not be read: {error}")))?;
        let ended = match handle.ended().await {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("it ended with {status}")),
            None => Err("it closed its output and did not end".into()),
        };
        Ok((ended, printed))
    }

    /// As it was configured: a variable's value may be a secret.
    fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub(super) fn failed(&self, why: &str) -> Failure {
        Failure::new(
            Code::UpstreamAuth,
            format!("the {} {} failed: {why}", self.called, self.program()),
        )
        .with_hint(self.advice())
    }

    /// What a person can do when what it prints is of no use.
    pub(super) fn advice(&self) -> String {
        format!(
            "Run {} in a terminal to see whether it prints a valid token; it is run again on the next call.",
            self.program()
        )
    }
}

/// At most one byte more than is allowed, so that too much is not taken for a token.
async fn read(stdout: impl AsyncRead + Unpin) -> std::io::Result<Vec<u8>> {
    let mut printed = Vec::new();
    stdout.take(MAX_BYTES + 1).read_to_end(&mut printed).await?;
    match u64::try_from(printed.len()) {
        Ok(length) if length <= MAX_BYTES => Ok(printed),
        _ => Err(std::io::Error::other("it is too long for a token")),
    }
}
