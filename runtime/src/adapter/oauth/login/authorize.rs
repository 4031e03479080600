//! The authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636; RFC 8252).

use std::time::Duration;

use reqwest::Url;

use super::ShowUrl;
use crate::{
    adapter::{
        mcp_http::OauthSettings,
        oauth::{
            client::Client,
            discovery::{AuthorizationServer, Discovered, discover},
            exchange::{Exchange, place},
            pkce,
            reach::Reach,
            record::Record,
            redirect::{Redirect, Returned},
            token,
        },
    },
    random,
    reply::{Code, Failure},
    secrets::remember,
};

/// How long the user may take.
const LIMIT: Duration = Duration::from_secs(5 * 60);
/// Asks for a refresh token (OpenID Connect Core, section 11).
const OFFLINE: &str = "offline_access";

/// Sends the user to the authorization server, and exchanges what the browser brings back for tokens.
pub(super) async fn authorize(
    exchange: &Exchange,
    settings: &OauthSettings,
    url: &Url,
    before: Option<&Record>,
    show: &ShowUrl,
) -> Result<Record, Failure> {
    let reach = Reach::of(url);
    let found = discover(exchange, url).await?;
    let server = &found.server;
    let authorization_endpoint = authorization_endpoint(server, reach)?;
    let token_endpoint = reach.check(&server.token_endpoint, "token endpoint")?;
    let redirect = Redirect::bind(settings.redirect_port, port_before(before)).await?;
    let client =
        Client::for_login(exchange, settings, server, &redirect.address, before, reach).await?;
    let wanted = before.map_or(&[][..], |before| &before.wanted);
    let scopes = scopes(settings, wanted, &found);
    let (verifier, state) = (random::text()?, random::text()?);
    // Not the state, which stands in the address that is shown.
    remember(&verifier);
    let address = redirect.address.clone();
    show(
        address_of(
            authorization_endpoint,
            &[
                ("response_type", "code"),
                ("client_id", &client.id),
                ("redirect_uri", &address),
                ("scope", &scopes.join(" ")),
                ("state", &state),
                ("code_challenge", &pkce::challenge(&verifier)),
                ("code_challenge_method", "S256"),
                ("resource", &found.resource),
                // OpenID Connect gives a refresh token only to whom the user has agreed to give it.
                ("prompt", consent(&scopes)),
            ],
        )
        .as_str(),
    );
    let returned = tokio::time::timeout(LIMIT, redirect.returned(&state))
        .await
        .unwrap_or_else(|_| Err(too_late()))?;
    check_issuer(server, &returned)?;
    let grant = [
        ("grant_type", "authorization_code"),
        ("code", &returned.code),
        ("redirect_uri", &address),
        ("code_verifier", &verifier),
        ("resource", &found.resource),
    ];
    let tokens = token::request(exchange, &token_endpoint, &client, &grant, &scopes)
        .await
        .map_err(|refused| refused.failure)?;
    Ok(Record {
        server: place(url),
        issuer: server.issuer.clone(),
        token_endpoint: server.token_endpoint.clone(),
        revocation_endpoint: server.revocation_endpoint.clone(),
        resource: found.resource,
        client,
        tokens: Some(tokens),
        wanted: Vec::new(),
    })
}

fn authorization_endpoint(server: &AuthorizationServer, reach: Reach) -> Result<Url, Failure> {
    let impossible = |why: &str| {
        Failure::new(
            Code::UpstreamAuth,
            format!("the authorization server {why}"),
        )
        .with_hint("Tell whoever runs the server: a login is not possible like this.")
    };
    // MCP, "Authorization Code Protection": a server that does not say so is not used.
    let methods = server.code_challenge_methods_supported.as_deref();
    if !methods.is_some_and(|methods| methods.iter().any(|method| method == "S256")) {
        return Err(impossible("does not offer PKCE with S256"));
    }
    let endpoint = server.authorization_endpoint.as_deref();
    let endpoint = endpoint.ok_or_else(|| impossible("has no place to log in"))?;
    reach.check(endpoint, "authorization endpoint")
}

/// A client that was registered with a port uses it again.
fn port_before(before: Option<&Record>) -> Option<u16> {
    let address = before?.client.registered_for.as_deref()?;
    Url::parse(address).ok()?.port()
}

/// What the settings say, else what was missing with the last login, else what the server wants; and a refresh token where
/// that has to be asked for.
fn scopes(settings: &OauthSettings, wanted: &[String], found: &Discovered) -> Vec<String> {
    if let Some(scopes) = &settings.scopes {
        return scopes.clone();
    }
    let mut scopes = match wanted {
        [] => found.scopes.clone().unwrap_or_default(),
        wanted => wanted.to_vec(),
    };
    let offered = found.server.scopes_supported.as_deref().unwrap_or_default();
    let has = |scopes: &[String]| scopes.iter().any(|scope| scope == OFFLINE);
    if has(offered) && !has(&scopes) {
        scopes.push(OFFLINE.to_owned());
    }
    scopes
}

fn consent(scopes: &[String]) -> &'static str {
    match scopes.iter().any(|scope| scope == OFFLINE) {
        true => "consent",
        false => "",
    }
}

/// The endpoint, whose own query stays, with the fields that are not empty.
fn address_of(mut endpoint: Url, fields: &[(&str, &str)]) -> Url {
    endpoint
        .query_pairs_mut()
        .extend_pairs(fields.iter().filter(|(_, value)| !value.is_empty()));
    endpoint
}

/// RFC 9207, section 2.4: compared as text. An answer of another server must not reach this one's token endpoint.
fn check_issuer(server: &AuthorizationServer, returned: &Returned) -> Result<(), Failure> {
    let fits = match &returned.issuer {
        Some(issuer) => *issuer == server.issuer,
        None => !server.authorization_response_iss_parameter_supported,
    };
    match fits {
        true => Ok(()),
        false => Err(Failure::new(
            Code::UpstreamAuth,
            "the browser came back from another authorization server than the one it was sent to",
        )
        .with_hint("Somebody may try to steal the login; tell whoever runs the server.")),
    }
}

fn too_late() -> Failure {
    Failure::new(
        Code::Timeout,
        format!(
            "nobody came back from the login within {} minutes",
            LIMIT.as_secs() / 60
        ),
    )
    .with_hint("Run the login again.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn server(more: Value) -> AuthorizationServer {
        let mut all = json!({
            "issuer": "https://as.org",
            "token_endpoint": "https://as.org/token",
            "authorization_endpoint": "https://as.org/authorize?tenant=1",
            "code_challenge_methods_supported": ["plain", "S256"],
        });
        for (key, value) in more.as_object().unwrap() {
            all[key] = value.clone();
        }
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn only_s256_is_good_enough() {
        let reach = Reach::of(&Url::parse("https://x.org").unwrap());
        assert!(authorization_endpoint(&server(json!({})), reach).is_ok());
        for wrong in [
            json!({"code_challenge_methods_supported": ["plain"]}),
            json!({"code_challenge_methods_supported": null}),
            json!({"authorization_endpoint": null}),
            json!({"authorization_endpoint": "http://as.org/authorize"}),
            json!({"authorization_endpoint": "javascript:alert(1)"}),
        ] {
            let failure = authorization_endpoint(&server(wrong.clone()), reach).unwrap_err();
            assert_eq!(failure.code, Code::UpstreamAuth, "{wrong}");
        }
    }

    #[test]
    fn the_issuer_is_compared_as_text() {
        let check = |supported: bool, issuer: Option<&str>| {
            let server =
                server(json!({"authorization_response_iss_parameter_supported": supported}));
            let returned = Returned {
                code: "c".into(),
                issuer: issuer.map(str::to_owned),
            };
            check_issuer(&server, &returned).is_ok()
        };
        assert!(check(true, Some("https://as.org")) && check(false, Some("https://as.org")));
        assert!(check(false, None) && !check(true, None));
        for other in ["https://as.org/", "https://AS.org", "https://evil.org", ""] {
            assert!(
                !check(false, Some(other)) && !check(true, Some(other)),
                "{other}"
            );
        }
    }

    #[test]
    fn scopes_come_from_the_settings_first() {
        let found = |scopes: Option<Vec<String>>, offered: Value| Discovered {
            resource: "https://x.org".into(),
            scopes,
            server: server(json!({"scopes_supported": offered})),
        };
        let named = OauthSettings {
            scopes: Some(vec!["mine".into()]),
            ..OauthSettings::default()
        };
        let (none, theirs) = (OauthSettings::default(), Some(vec!["theirs".to_owned()]));
        let offline = json!([OFFLINE]);
        assert_eq!(
            scopes(
                &named,
                &["more".into()],
                &found(theirs.clone(), offline.clone())
            ),
            ["mine"]
        );
        assert_eq!(
            scopes(&none, &[], &found(theirs.clone(), json!(null))),
            ["theirs"]
        );
        assert_eq!(
            scopes(&none, &[], &found(theirs, offline)),
            ["theirs", OFFLINE]
        );
        assert!(scopes(&none, &[], &found(None, json!(["x"]))).is_empty());
        let more = ["theirs".to_owned(), "more".to_owned()];
        assert_eq!(scopes(&none, &more, &found(None, json!(null))), more);
    }

    #[test]
    fn the_endpoints_own_query_stays() {
        let endpoint = Url::parse("https://as.org/authorize?tenant=1").unwrap();
        let address = address_of(endpoint, &[("a", "x y"), ("empty", "")]);
        assert_eq!(address.as_str(), "https://as.org/authorize?tenant=1&a=x+y");
    }
}
