//! What an MCP server and its authorization server say about themselves (RFC 9728, RFC 8414, OpenID Connect Discovery).

use reqwest::Url;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    challenge::Challenge,
    exchange::{Exchange, place},
    reach::Reach,
};
use crate::reply::{Code, Failure};

/// Where a token for an MCP server is got, and what it is for.
#[derive(Debug)]
pub(super) struct Discovered {
    /// Names the server in token requests (RFC 8707).
    pub(super) resource: String,
    /// What the server wants: as its challenge says, else as it describes itself.
    pub(super) scopes: Option<Vec<String>>,
    pub(super) server: AuthorizationServer,
}

/// RFC 9728, section 2.
#[derive(Debug, Deserialize)]
struct ResourceMetadata {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    #[serde(default)]
    scopes_supported: Option<Vec<String>>,
}

/// RFC 8414, section 2.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct AuthorizationServer {
    pub(super) issuer: String,
    pub(super) token_endpoint: String,
    #[serde(default)]
    pub(super) authorization_endpoint: Option<String>,
    #[serde(default)]
    pub(super) registration_endpoint: Option<String>,
    #[serde(default)]
    pub(super) revocation_endpoint: Option<String>,
    #[serde(default)]
    pub(super) scopes_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) code_challenge_methods_supported: Option<Vec<String>>,
    /// RFC 9207.
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
    #[serde(default)]
    pub(super) client_id_metadata_document_supported: bool,
}

/// Asks the MCP server at `url`, and then whom it names.
pub(super) async fn discover(exchange: &Exchange, url: &Url) -> Result<Discovered, Failure> {
    let reach = Reach::of(url);
    let headers = exchange.challenges(url).await?;
    let challenge = Challenge::bearer(headers.iter().map(String::as_str)).unwrap_or_default();
    let asked = challenge
        .scope
        .as_deref()
        .map(|scope| scope.split_whitespace().map(str::to_owned).collect());
    let metadata = resource_metadata(exchange, url, reach, challenge.resource_metadata).await?;
    let Some(metadata) = metadata else {
        return Ok(Discovered {
            resource: resource_of(url),
            scopes: asked,
            server: older_server(exchange, url, reach).await?,
        });
    };
    if !is_within(&metadata.resource, url) {
        return Err(refused(format!(
            "the server at {} describes another one, {}",
            place(url),
            Url::parse(&metadata.resource).map_or("which is no URL".into(), |url| place(&url))
        )));
    }
    let issuer = metadata
        .authorization_servers
        .first()
        .ok_or_else(|| refused(format!("{} names no authorization server", place(url))))?;
    let issuer_url = reach.check(issuer, "authorization server")?;
    let server = authorization_server(exchange, &issuer_url, issuer)
        .await?
        .ok_or_else(|| refused(format!("{} describes no OAuth", place(&issuer_url))))?;
    Ok(Discovered {
        resource: metadata.resource,
        scopes: asked.or(metadata.scopes_supported),
        server,
    })
}

/// The server's own description: where its challenge says, else at the well-known places (RFC 9728, section 3.1).
async fn resource_metadata(
    exchange: &Exchange,
    url: &Url,
    reach: Reach,
    named: Option<String>,
) -> Result<Option<ResourceMetadata>, Failure> {
    if let Some(named) = named {
        let address = reach.check(&named, "server's description")?;
        return match read(exchange, &address).await? {
            Some(metadata) => Ok(Some(metadata)),
            None => Err(refused(format!(
                "{}, which the server names, is no description of it",
                place(&address)
            ))),
        };
    }
    for address in well_known(url, "oauth-protected-resource") {
        if let Some(metadata) = read(exchange, &address).await? {
            return Ok(Some(metadata));
        }
    }
    Ok(None)
}

async fn authorization_server(
    exchange: &Exchange,
    issuer_url: &Url,
    issuer: &str,
) -> Result<Option<AuthorizationServer>, Failure> {
    let mut addresses = well_known(issuer_url, "oauth-authorization-server");
    addresses.truncate(1);
    addresses.push(at(
        issuer_url,
        &well_known_path(issuer_url, "openid-configuration"),
    ));
    if has_path(issuer_url) {
        let path = issuer_url.path().trim_end_matches('/');
        addresses.push(at(
            issuer_url,
            &format!("{path}/.well-known/openid-configuration"),
        ));
    }
    for address in addresses {
        let Some(found) = read::<AuthorizationServer>(exchange, &address).await? else {
            continue;
        };
        // RFC 8414, section 3.3: compared as text, so that no server speaks for another.
        if found.issuer != issuer {
            return Err(refused(format!(
                "{} says that it belongs to another issuer",
                place(&address)
            )));
        }
        return Ok(Some(found));
    }
    Ok(None)
}

/// Servers of protocol version 2025-03-26 were their own authorization servers, at fixed places if need be.
async fn older_server(
    exchange: &Exchange,
    url: &Url,
    reach: Reach,
) -> Result<AuthorizationServer, Failure> {
    let origin = url.origin().ascii_serialization();
    let root = reach.check(&origin, "server")?;
    let address = at(&root, "/.well-known/oauth-authorization-server");
    if let Some(found) = read::<AuthorizationServer>(exchange, &address).await? {
        if found.issuer.trim_end_matches('/') != origin {
            return Err(refused(format!(
                "{} says that it belongs to another issuer",
                place(&address)
            )));
        }
        return Ok(found);
    }
    let place = |path: &str| format!("{origin}{path}");
    Ok(AuthorizationServer {
        issuer: origin.clone(),
        token_endpoint: place("/token"),
        authorization_endpoint: Some(place("/authorize")),
        registration_endpoint: Some(place("/register")),
        revocation_endpoint: None,
        scopes_supported: None,
        token_endpoint_auth_methods_supported: None,
        code_challenge_methods_supported: Some(vec!["S256".into()]),
        authorization_response_iss_parameter_supported: false,
        client_id_metadata_document_supported: false,
    })
}

/// What stands at the address; nothing where there is none, as every answer but 200 says.
async fn read<T: DeserializeOwned>(
    exchange: &Exchange,
    address: &Url,
) -> Result<Option<T>, Failure> {
    let answer = exchange.get(address).await?;
    if answer.status >= 500 {
        return Err(Failure::new(
            Code::UpstreamUnreachable,
            format!("{} answered with HTTP {}", place(address), answer.status),
        )
        .with_hint("Try again later."));
    }
    Ok(match answer.status {
        200 => serde_json::from_value(answer.body).ok(),
        _ => None,
    })
}

/// With the path first, then without one.
fn well_known(url: &Url, name: &str) -> Vec<Url> {
    let mut addresses = vec![at(url, &well_known_path(url, name))];
    if has_path(url) {
        addresses.push(at(url, &format!("/.well-known/{name}")));
    }
    addresses
}

fn well_known_path(url: &Url, name: &str) -> String {
    format!("/.well-known/{name}{}", url.path().trim_end_matches('/'))
}

fn has_path(url: &Url) -> bool {
    !url.path().trim_end_matches('/').is_empty()
}

fn at(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// How a server is named that does not say it itself (MCP, "Canonical Server URI").
pub(super) fn resource_of(url: &Url) -> String {
    let place = place(url);
    match has_path(url) {
        true => place,
        false => place.trim_end_matches('/').to_owned(),
    }
}

/// Whether `resource` names the server at `url`, or a part of its origin that it belongs to.
fn is_within(resource: &str, url: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else {
        return false;
    };
    let (own, path) = (resource.path().trim_end_matches('/'), url.path());
    let below = path
        .strip_prefix(own)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    resource.origin() == url.origin() && below
}

fn refused(error: String) -> Failure {
    Failure::new(Code::UpstreamAuth, error)
        .with_hint("Tell whoever runs the server: a login is not possible like this.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn the_well_known_places_are_in_the_order_of_the_specifications() {
        let places = |text| -> Vec<String> {
            let found = well_known(&url(text), "oauth-protected-resource");
            found.iter().map(Url::to_string).collect()
        };
        assert_eq!(
            places("https://x.org/public/mcp?a=b"),
            [
                "https://x.org/.well-known/oauth-protected-resource/public/mcp",
                "https://x.org/.well-known/oauth-protected-resource"
            ]
        );
        assert_eq!(
            places("https://x.org/"),
            ["https://x.org/.well-known/oauth-protected-resource"]
        );
    }

    #[test]
    fn a_description_must_be_of_this_server() {
        let server = url("https://x.org/team/mcp");
        for fine in [
            "https://x.org/team/mcp",
            "https://x.org/team/mcp/",
            "https://x.org/team",
            "https://x.org",
            "https://x.org:443/",
        ] {
            assert!(is_within(fine, &server), "{fine}");
        }
        for other in [
            "https://y.org/team/mcp",
            "http://x.org/team/mcp",
            "https://x.org/te",
            "https://x.org/other",
            "https://x.org:444/team/mcp",
            "x.org",
        ] {
            assert!(!is_within(other, &server), "{other}");
        }
        assert_eq!(resource_of(&url("https://X.org/?a#b")), "https://x.org");
        assert_eq!(
            resource_of(&url("https://x.org/mcp?a")),
            "https://x.org/mcp"
        );
    }
}
