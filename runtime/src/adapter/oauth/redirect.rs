//! Where the browser comes back to after a login: a listener on 127.0.0.1 (RFC 8252, section 7.3).

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{RawQuery, State},
    http::StatusCode,
    response::Html,
    routing::get,
};
use reqwest::Url;
use subtle::ConstantTimeEq;
use tokio::{net::TcpListener, sync::mpsc};
use tokio_util::sync::CancellationToken;

use super::refusal::readable;
use crate::{
    reply::{Code, Failure},
    secrets::remember,
};

const PATH: &str = "/callback";
/// A browser may keep its connection open.
const LAST_PAGE: Duration = Duration::from_millis(500);

/// A bound port that the browser can be sent to.
pub(super) struct Redirect {
    listener: TcpListener,
    /// The address as the authorization server is told it.
    pub(super) address: String,
}

/// What the browser brought.
#[derive(Debug)]
pub(super) struct Returned {
    pub(super) code: String,
    /// RFC 9207.
    pub(super) issuer: Option<String>,
}

struct Waiting {
    state: String,
    returned: mpsc::Sender<Result<Returned, Failure>>,
}

impl Redirect {
    /// Binds `fixed`, or else the port that was used before if it is free, or else any.
    pub(super) async fn bind(fixed: Option<u16>, before: Option<u16>) -> Result<Self, Failure> {
        let bound = match (fixed, before) {
            (Some(port), _) => bind(port).await,
            (None, Some(port)) => match bind(port).await {
                Err(_) => bind(0).await,
                bound => bound,
            },
            (None, None) => bind(0).await,
        };
        let failed = |error: std::io::Error| {
            let port = fixed.unwrap_or_default();
            Failure::new(
                Code::BindFailed,
                format!("127.0.0.1:{port} cannot be listened on: {error}"),
            )
            .with_hint("Free that port, or choose another `redirectPort`.")
        };
        let listener = bound.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Self {
            listener,
            address: format!("http://127.0.0.1:{port}{PATH}"),
        })
    }

    /// Waits for the browser. Whoever comes without the right `state` is turned away and ends nothing.
    pub(super) async fn returned(self, state: &str) -> Result<Returned, Failure> {
        let (sender, mut receiver) = mpsc::channel(1);
        let waiting = Arc::new(Waiting {
            state: state.to_owned(),
            returned: sender,
        });
        let app = Router::new().route(PATH, get(receive)).with_state(waiting);
        let stop = CancellationToken::new();
        let server = axum::serve(self.listener, app)
            .with_graceful_shutdown(stop.clone().cancelled_owned())
            .into_future();
        tokio::pin!(server);
        let returned = tokio::select! {
            returned = receiver.recv() => returned,
            _ = &mut server => None,
        };
        let Some(returned) = returned else {
            return Err(Failure::new(
                Code::Internal,
                "the listener for the login has ended",
            ));
        };
        // The page that says so is still on its way to the browser.
        stop.cancel();
        let _ = tokio::time::timeout(LAST_PAGE, server).await;
        returned
    }
}

async fn bind(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

async fn receive(
    State(waiting): State<Arc<Waiting>>,
    RawQuery(query): RawQuery,
) -> (StatusCode, Html<&'static str>) {
    let Some(returned) = read(&query.unwrap_or_default(), &waiting.state) else {
        return (
            StatusCode::BAD_REQUEST,
            Html("This is not the login that is waited for."),
        );
    };
    let page = match &returned {
        Ok(_) => "You are logged in. You can close this page.",
        Err(_) => "The login failed; the terminal says why. You can close this page.",
    };
    let _ = waiting.returned.try_send(returned);
    (StatusCode::OK, Html(page))
}

/// Reads the query of RFC 6749, sections 4.1.2 and 4.1.2.1. `None`: it belongs to another login.
fn read(query: &str, state: &str) -> Option<Result<Returned, Failure>> {
    let url = Url::parse(&format!("http://127.0.0.1/?{query}")).ok()?;
    let value = |name: &str| {
        let mut pairs = url.query_pairs();
        pairs.find_map(|(key, value)| (key == name).then(|| value.into_owned()))
    };
    let given = value("state")?;
    if !bool::from(given.as_bytes().ct_eq(state.as_bytes())) {
        return None;
    }
    let issuer = value("iss");
    if let Some(code) = value("code").filter(|code| !code.is_empty()) {
        remember(&code);
        return Some(Ok(Returned { code, issuer }));
    }
    let error = value("error").unwrap_or_else(|| "it came back without a code".into());
    let why = value("error_description").map_or(String::new(), |why| format!(": {why}"));
    let text = readable(&format!("{error}{why}"));
    Some(Err(Failure::new(
        Code::UpstreamAuth,
        format!("the login was not granted: {text}"),
    )
    .with_hint("Run the login again and allow the access.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_state_ends_the_waiting() {
        for other in [
            "",
            "code=c",
            "code=c&state=",
            "code=c&state=t",
            "error=x&state=",
            "state",
        ] {
            assert!(read(other, "S123").is_none(), "{other}");
        }
        let returned = read("code=c%20d&state=S123&iss=https%3A%2F%2Fx", "S123")
            .unwrap()
            .unwrap();
        assert_eq!(returned.code, "c d");
        assert_eq!(returned.issuer.as_deref(), Some("https://x"));
        let failure = read(
            "error=access_denied&error_description=no+way&state=S123",
            "S123",
        )
        .unwrap()
        .unwrap_err();
        assert!(failure.error.contains("access_denied: no way"), "{failure}");
        assert!(read("state=S123", "S123").unwrap().is_err());
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_named_only_if_it_was_asked_for() {
        let taken = Redirect::bind(None, None).await.unwrap();
        let port = taken.listener.local_addr().unwrap().port();
        let failure = Redirect::bind(Some(port), None).await.err().unwrap();
        assert_eq!(failure.code, Code::BindFailed);
        assert!(failure.error.contains(&port.to_string()), "{failure}");
        let other = Redirect::bind(None, Some(port)).await.unwrap();
        assert_ne!(other.address, taken.address);
    }
}
