//! Where the HTTP transport listens: on this machine alone, unless a token keeps strangers out.

use std::net::SocketAddr;

use tokio::net::{TcpListener, lookup_host};

use super::http::HttpOptions;
use crate::reply::{Code, Failure};

/// A shorter token can be guessed, sooner or later.
const WEAK: usize = 16;

/// Listens where the options say.
pub(super) async fn listen(options: &HttpOptions) -> Result<TcpListener, Failure> {
    if let Some(token) = &options.token {
        check_token(token)?;
    }
    let host = options.host.trim_start_matches('[').trim_end_matches(']');
    let addresses: Vec<SocketAddr> = lookup_host((host, options.port))
        .await
        .map_err(|error| failed(host, options.port, &error))?
        .collect();
    // What a name resolves to counts: even `localhost` is what this machine's settings make of it.
    let open = addresses
        .iter()
        .any(|address| !address.ip().to_canonical().is_loopback());
    if open && options.token.is_none() {
        return Err(Failure::new(
            Code::ConfigInvalid,
            format!("listening on {host} would let other machines in, and no token is set"),
        )
        .with_hint("Set a token (--token, AGENT_TOOLS_HTTP_TOKEN), or listen on 127.0.0.1."));
    }
    TcpListener::bind(addresses.as_slice())
        .await
        .map_err(|error| failed(host, options.port, &error))
}

fn check_token(token: &str) -> Result<(), Failure> {
    let refused = |what: &str| {
        Err(Failure::new(Code::ConfigInvalid, format!("the token {what}")).with_hint(
            "Set a long random one (--token, AGENT_TOOLS_HTTP_TOKEN), for example of `openssl rand -hex 32`, or none.",
        ))
    };
    if token.trim().is_empty() {
        return refused("is empty");
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return refused("has characters that no Authorization header can carry");
    }
    if token.len() < WEAK {
        tracing::warn!(
            "the token of the HTTP transport is shorter than {WEAK} characters and may be guessed"
        );
    }
    Ok(())
}

fn failed(host: &str, port: u16, error: &std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            Failure::new(Code::PortInUse, format!("port {port} on {host} is taken by another program"))
                .with_hint("Choose another one (--port, AGENT_TOOLS_HTTP_PORT; 0 takes a free one), or stop that program.")
        }
        _ => Failure::new(Code::BindFailed, format!("{host}:{port} cannot be listened on: {error}"))
            .with_hint("Check the address; ports below 1024 need special rights."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn listening(host: &str, token: Option<&str>) -> Result<SocketAddr, Code> {
        let options = HttpOptions {
            host: host.into(),
            port: 0,
            token: token.map(str::to_owned),
            ..HttpOptions::default()
        };
        let listener = listen(&options).await.map_err(|failure| failure.code)?;
        Ok(listener.local_addr().unwrap())
    }

    #[tokio::test]
    async fn only_a_token_opens_it_to_other_machines() {
        for host in ["127.0.0.1", "127.0.0.2", "localhost"] {
            let address = listening(host, None).await.unwrap();
            assert!(address.ip().is_loopback(), "{host}: {address}");
        }
        for host in ["0.0.0.0", "::", "[::]", "0", "::ffff:0.0.0.0"] {
            assert_eq!(
                listening(host, None).await,
                Err(Code::ConfigInvalid),
                "{host}"
            );
        }
        assert!(
            listening("0.0.0.0", Some("a-long-random-token"))
                .await
                .is_ok()
        );
    }

    #[tokio::test]
    async fn a_token_that_keeps_nobody_out_is_refused() {
        for token in ["", "  ", "\t", "two words", "line\n", "schlüssel"] {
            let refused = listening("127.0.0.1", Some(token)).await;
            assert_eq!(refused, Err(Code::ConfigInvalid), "{token:?}");
        }
        assert!(listening("127.0.0.1", Some("short")).await.is_ok());
    }
}
