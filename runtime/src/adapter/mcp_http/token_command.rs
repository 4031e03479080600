//! A program of the user's that prints the token.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use reqwest::header::HeaderValue;

use super::bearer::{Bearer, BearerSource, SharedBearer};
use crate::{
    adapter::{Children, program_output::SecretProgram},
    reply::Failure,
};

pub(super) struct TokenCommand {
    program: SecretProgram,
    children: Arc<Children>,
    bearer: SharedBearer,
}

impl TokenCommand {
    pub(super) fn new(words: &[String], dir: &Path, children: Arc<Children>) -> Self {
        Self {
            program: SecretProgram::new("token command", words, dir),
            children,
            bearer: SharedBearer::default(),
        }
    }

    async fn run(&self) -> Result<Option<Bearer>, Failure> {
        let token = self.program.run(&self.children).await?;
        Bearer::new(&token, None).map(Some).map_err(|_| {
            self.program
                .failed("what it printed is no token: it must be one word")
        })
    }
}

#[async_trait]
impl BearerSource for TokenCommand {
    async fn header(&self, renew: bool) -> Result<Option<HeaderValue>, Failure> {
        self.bearer.header(renew, |_| self.run()).await
    }

    fn advice(&self) -> String {
        self.program.advice()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::reply::Code;

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
    async fn a_failure_says_why_and_never_what_was_written() {
        for (script, why) in [
            ("echo CANARY; echo CANARY >&2; exit 3", "exit status: 3"),
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
