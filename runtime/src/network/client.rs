//! The HTTP client of a service. It verifies certificates, takes the system's proxies, and follows no redirect by itself,
//! so that whoever sends a request decides what goes along to the next place.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{ClientBuilder, Method, RequestBuilder, Url, redirect::Policy};
use url::Origin;

use super::{
    addresses::Addresses,
    allowed::{AllowedHost, NetworkSettings},
    guard::Guard,
};
use crate::reply::{Code, Failure};

const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Where the services of one runtime may lead to. Cloning is cheap.
#[derive(Debug, Clone, Default)]
pub(crate) struct Network {
    allow: Arc<[AllowedHost]>,
}

/// What is asked wherever it is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trusted {
    /// Origins that the user has configured.
    pub origins: Vec<Origin>,
    /// Whether services may name programs of this machine, because they are such programs themselves.
    pub this_machine: bool,
}

/// A client of one service. Cloning gives another handle to the same connections.
#[derive(Clone)]
pub(crate) struct HttpClient {
    trusted: Arc<[Origin]>,
    guard: Guard,
    /// Which proxy the system has for a URL.
    proxies: Arc<Matcher>,
    limit: Option<Duration>,
    /// For what is configured, and for what a proxy resolves.
    unguarded: reqwest::Client,
    /// Connects to nothing but addresses that the guard has seen. Made when it is first needed, which is seldom.
    guarded: Arc<OnceLock<reqwest::Client>>,
}

impl Network {
    pub(crate) fn new(settings: &NetworkSettings) -> Self {
        Self {
            allow: settings.allow.clone().into(),
        }
    }

    /// A client whose requests, with their answers, may take as long as `limit` says.
    pub(crate) fn client(
        &self,
        trusted: Trusted,
        limit: Option<Duration>,
    ) -> Result<HttpClient, Failure> {
        let guard = Guard {
            allow: self.allow.clone(),
            this_machine: trusted.this_machine,
        };
        Ok(HttpClient {
            trusted: trusted.origins.into(),
            proxies: Arc::new(Matcher::from_system()),
            unguarded: client(builder(limit).dns_resolver(Arc::new(Addresses)))?,
            guarded: Arc::default(),
            limit,
            guard,
        })
    }
}

impl HttpClient {
    /// A request that can be completed and sent, when the URL may be asked.
    ///
    /// Behind a proxy nobody here sees what a name resolves to: names and literal addresses are judged all the same, and
    /// where the proxy may connect to is the proxy's to say.
    pub(crate) fn request(&self, method: Method, url: Url) -> Result<RequestBuilder, Failure> {
        if self.trusted.contains(&url.origin()) {
            return Ok(self.unguarded.request(method, url));
        }
        self.guard.check(&url)?;
        let client = match self.goes_by_proxy(&url) {
            true => &self.unguarded,
            false => self.guarded()?,
        };
        Ok(client.request(method, url))
    }

    fn guarded(&self) -> Result<&reqwest::Client, Failure> {
        if let Some(client) = self.guarded.get() {
            return Ok(client);
        }
        let resolver = Arc::new(self.guard.clone());
        let made = client(builder(self.limit).no_proxy().dns_resolver(resolver))?;
        Ok(self.guarded.get_or_init(|| made))
    }

    fn goes_by_proxy(&self, url: &Url) -> bool {
        let uri = url.as_str().parse::<hyper::Uri>();
        uri.is_ok_and(|uri| self.proxies.intercept(&uri).is_some())
    }
}

/// A proxy's address may hold a password.
impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient")
            .field("trusted", &self.trusted)
            .field("guard", &self.guard)
            .finish_non_exhaustive()
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place")]
fn builder(limit: Option<Duration>) -> ClientBuilder {
    crate::runtime::install_tls_provider();
    let builder = reqwest::Client::builder()
        .redirect(Policy::none())
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_LIMIT)
        .user_agent(concat!("agent-tools-runtime/", env!("CARGO_PKG_VERSION")));
    match limit {
        Some(limit) => builder.timeout(limit),
        None => builder,
    }
}

fn client(builder: ClientBuilder) -> Result<reqwest::Client, Failure> {
    builder
        .build()
        .map_err(|error| Failure::new(Code::Internal, format!("no HTTP client: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trusted(origins: &[&str]) -> HttpClient {
        let origins = origins
            .iter()
            .map(|url| Url::parse(url).unwrap().origin())
            .collect();
        let trusted = Trusted {
            origins,
            ..Trusted::default()
        };
        Network::default().client(trusted, None).unwrap()
    }

    #[test]
    fn what_is_configured_is_asked_at_that_origin_alone() {
        let client = trusted(&["http://10.0.0.1:8080/api", "https://intern.corp"]);
        let asked = |url: &str| {
            let url = Url::parse(url).unwrap();
            client.request(Method::GET, url).is_ok()
        };
        for url in [
            "http://10.0.0.1:8080/other",
            "https://intern.corp:443/",
            "https://example.com/",
        ] {
            assert!(asked(url), "{url}");
        }
        for url in [
            "http://10.0.0.1/",
            "https://10.0.0.1:8080/",
            "http://10.0.0.2:8080/",
            "http://intern.corp/",
            "https://intern.corp:8443/",
            "http://localhost/",
        ] {
            assert!(!asked(url), "{url}");
        }
    }

    #[tokio::test]
    async fn a_name_that_resolves_to_an_inner_address_is_not_connected_to() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!(
            "http://localhost:{}/",
            listener.local_addr().unwrap().port()
        );
        // As with a public name that resolves so: the check of names is past.
        let client = trusted(&[]);
        let error = client.guarded().unwrap().get(url).send().await.unwrap_err();
        let refused = super::super::Refused::cause_of(&error).unwrap();
        assert_eq!(refused.host, "localhost");
        let accepted = std::future::poll_fn(|context| {
            std::task::Poll::Ready(listener.poll_accept(context).is_ready())
        });
        assert!(!accepted.await, "nobody has connected");
    }
}
