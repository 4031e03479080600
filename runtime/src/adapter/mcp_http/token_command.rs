//! A program of the user's that prints the token.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use indexmap::IndexMap;
use reqwest::header::HeaderValue;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::bearer::{Bearer, BearerSource, SharedBearer};
use crate::{
    adapter::{
        Children,
        environment::{child_environment, expand, from_process},
        program::command,
    },
    reply::{Code, Failure},
};

/// How long the program may take: it may ask a service of its own.
const LIMIT: Duration = Duration::from_secs(30);
/// A token is shorter; what prints more is no token command.
const MAX_BYTES: u64 = 64 * 1024;

pub(super) struct TokenCommand {
    /// The program and its arguments; `${VAR}` expands.
    words: Vec<String>,
    dir: PathBuf,
    children: Arc<Children>,
    bearer: SharedBearer,
}

impl TokenCommand {
    pub(super) fn new(words: &[String], dir: &Path, children: Arc<Children>) -> Self {
        Self {
            words: words.to_vec(),
            dir: dir.to_owned(),
            children,
            bearer: SharedBearer::default(),
        }
    }

    async fn run(&self) -> Result<Option<Bearer>, Failure> {
        let (success, printed) = tokio::time::timeout(LIMIT, self.output())
            .await
            .unwrap_or_else(|_| {
                Err(self.failed(&format!("it did not end within {} s", LIMIT.as_secs())))
            })?;
        if let Err(why) = success {
            return Err(self.failed(&why));
        }
        let token = String::from_utf8(printed)
            .map_err(|_| self.failed("what it printed is no UTF-8 text"))?;
        let token = token.trim();
        if token.is_empty() {
            return Err(self.failed("it printed nothing"));
        }
        Bearer::new(token, None)
            .map(Some)
            .map_err(|_| self.failed("what it printed is no token: it must be one word"))
    }

    /// How it ended, and what it printed.
    async fn output(&self) -> Result<(Result<(), String>, Vec<u8>), Failure> {
        let words = self.words.iter().map(|word| expand(word, from_process));
        let words = words.collect::<Result<Vec<_>, _>>()?;
        let Some((program, args)) = words.split_first().filter(|(name, _)| !name.is_empty()) else {
            return Err(
                Failure::new(Code::ConfigInvalid, "`tokenCommand` names no program").with_hint(
                    "For example: \"auth\": {\"tokenCommand\": [\"gh\", \"auth\", \"token\"]}.",
                ),
            );
        };
        let environment = child_environment(&IndexMap::new(), from_process)?;
        let folder = match self.dir.is_dir() {
            true => self.dir.as_path(),
            false => Path::new("."),
        };
        let mut command = command(program, args, &environment, folder)
            .map_err(|failure| self.failed(&failure.error))?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = self
            .children
            .spawn(command, "token command".into())
            .map_err(|error| self.failed(&format!("it could not be started: {error}")))?;
        let (stdin, stdout, handle) = child
            .into_parts()
            .ok_or_else(|| Failure::new(Code::Internal, "the child's streams were taken"))?;
        drop(stdin);
        let printed = read(stdout)
            .await
            .map_err(|error| self.failed(&format!("its output could not be read: {error}")))?;
        let ended = match handle.succeeded().await {
            true => Ok(()),
            false => Err(handle
                .explain_exit()
                .await
                .unwrap_or_else(|| "it closed its output and did not end".into())),
        };
        Ok((ended, printed))
    }

    /// As it was configured: a variable's value may be a secret.
    fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn failed(&self, why: &str) -> Failure {
        Failure::new(
            Code::UpstreamAuth,
            format!("the token command {} failed: {why}", self.program()),
        )
        .with_hint(self.advice())
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

#[async_trait]
impl BearerSource for TokenCommand {
    async fn header(&self, renew: bool) -> Result<Option<HeaderValue>, Failure> {
        self.bearer.header(renew, |_| self.run()).await
    }

    fn advice(&self) -> String {
        format!(
            "Run {} in a terminal to see whether it prints a valid token; it is run again on the next call.",
            self.program()
        )
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn command(script: &str) -> TokenCommand {
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        TokenCommand::new(&words, Path::new("/"), Arc::default())
    }

    #[tokio::test]
    async fn what_it_prints_is_the_token() {
        let source = command("echo; echo '  t1 '");
        let header = source.header(false).await.unwrap().unwrap();
        assert_eq!(header, "Bearer t1");
        assert!(header.is_sensitive());
    }

    #[tokio::test]
    async fn a_failure_says_why_and_never_what_was_printed() {
        for (script, why) in [
            ("echo CANARY; echo locked >&2; exit 3", "locked"),
            ("true", "printed nothing"),
            ("echo CANARY two words", "no token"),
            ("printf 'CANARY\\377'", "no UTF-8"),
            ("head -c 70000 /dev/zero | tr '\\0' a", "too long"),
        ] {
            let failure = command(script).header(false).await.unwrap_err();
            assert_eq!(failure.code, Code::UpstreamAuth);
            assert!(failure.error.contains(why), "{failure}");
            assert!(!failure.error.contains("CANARY"), "{failure}");
        }
        let missing = ["/no/such/program".to_owned()];
        let source = TokenCommand::new(&missing, Path::new("/"), Arc::default());
        let failure = source.header(false).await.unwrap_err();
        assert!(failure.error.contains("command not found"), "{failure}");
        let none = TokenCommand::new(&[], Path::new("/"), Arc::default());
        assert_eq!(
            none.header(false).await.unwrap_err().code,
            Code::ConfigInvalid
        );
    }

    #[tokio::test]
    async fn it_gets_the_environment_of_children_alone() {
        let source = command("test -n \"$PATH\" && echo \"path$CARGO_MANIFEST_DIR\"");
        let header = source.header(false).await.unwrap().unwrap();
        assert_eq!(header, "Bearer path");
    }
}
