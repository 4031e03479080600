//! One token for many calls: got once however many wait for it, and anew when it is refused or has ended.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use tokio::sync::Mutex;

use super::jwt;
use crate::reply::Failure;

/// A token, and which one it is.
#[derive(Clone)]
pub(super) struct Token {
    pub text: Arc<str>,
    number: u64,
    /// When it ends, where it says so.
    expires: Option<SystemTime>,
}

impl Token {
    /// A service may take a caller whose token has ended for an anonymous one, and say nothing.
    fn has_ended(&self) -> bool {
        self.expires.is_some_and(|end| end <= SystemTime::now())
    }

    fn is_one(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// The token that calls share. It is kept in memory only.
#[derive(Default)]
pub(super) struct SharedToken {
    last: Mutex<Last>,
    /// How many attempts have ended, so that who has waited for one that failed does not make another.
    ended: AtomicU64,
}

/// How the last attempt ended.
#[derive(Default)]
enum Last {
    #[default]
    None,
    Token(Token),
    Failed(Failure),
}

impl SharedToken {
    /// The token. `login` runs where there is none, or where it has ended or is the one that was `refused`.
    pub(super) async fn get(
        &self,
        refused: Option<&Token>,
        login: impl Future<Output = Result<Arc<str>, Failure>>,
    ) -> Result<Token, Failure> {
        let before = self.ended.load(Ordering::Relaxed);
        let mut last = self.last.lock().await;
        match &*last {
            Last::Token(token)
                if !token.has_ended() && !refused.is_some_and(|refused| refused.is_one(token)) =>
            {
                return Ok(token.clone());
            }
            Last::Failed(failure) if self.ended.load(Ordering::Relaxed) != before => {
                return Err(failure.clone());
            }
            _ => {}
        }
        let outcome = login.await;
        let number = self.ended.fetch_add(1, Ordering::Relaxed) + 1;
        let outcome = outcome.map(|text| Token {
            expires: jwt::expiry(&text),
            text,
            number,
        });
        *last = match &outcome {
            Ok(token) => Last::Token(token.clone()),
            Err(failure) => Last::Failed(failure.clone()),
        };
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Code;

    /// A service that gives `t1`, `t2`, … or refuses, and counts.
    #[derive(Default)]
    struct Service(AtomicU64);

    impl Service {
        async fn login(&self, works: bool) -> Result<Arc<str>, Failure> {
            let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
            // Whoever else wants a token comes to wait for this one.
            tokio::task::yield_now().await;
            match works {
                true => Ok(format!("t{number}").into()),
                false => Err(Failure::new(Code::UpstreamAuth, format!("no {number}"))),
            }
        }

        fn logins(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn who_waits_gets_what_the_other_got() {
        let (shared, service) = (SharedToken::default(), Service::default());
        let get = |works| shared.get(None, service.login(works));
        let (one, other) = tokio::join!(get(false), get(false));
        let failures = [one, other].map(|outcome| outcome.err().unwrap().error);
        assert_eq!(failures, ["no 1", "no 1"]);
        let (one, other) = tokio::join!(get(true), get(true));
        let tokens = [one, other].map(|outcome| outcome.unwrap().text.to_string());
        assert_eq!(tokens, ["t2", "t2"], "a later call tries again");
        assert_eq!(get(true).await.unwrap().text.as_ref(), "t2");
        assert_eq!(service.logins(), 2);
    }

    #[tokio::test]
    async fn a_refused_token_is_replaced_once() {
        let (shared, service) = (SharedToken::default(), Service::default());
        let old = shared.get(None, service.login(true)).await.unwrap();
        let renew = || shared.get(Some(&old), service.login(true));
        let (one, other) = tokio::join!(renew(), renew());
        let tokens = [one, other].map(|outcome| outcome.unwrap().text.to_string());
        assert_eq!(tokens, ["t2", "t2"]);
        assert_eq!(renew().await.unwrap().text.as_ref(), "t2");
        assert_eq!(service.logins(), 2);
    }

    #[tokio::test]
    async fn a_login_that_is_given_up_leaves_the_next_free() {
        let (shared, service) = (SharedToken::default(), Service::default());
        {
            let mut given_up = Box::pin(shared.get(None, service.login(true)));
            assert!(futures_util::poll!(given_up.as_mut()).is_pending());
        }
        let token = shared.get(None, service.login(true)).await.unwrap();
        assert_eq!(token.text.as_ref(), "t2");
    }
}
