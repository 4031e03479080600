//! One call as an HTTP request, without credentials: those are put on last, and only where they belong.

use std::path::Path;

use reqwest::{
    Method, Url,
    header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue},
};

use super::{
    arguments::{Given, refused},
    description::Location,
    document::invalid,
    operation::Operation,
    payload::Payload,
    servers::Target,
    template,
    writing::{in_header, in_path, pairs},
};
use crate::reply::Failure;

/// A request that can be sent, more than once where that is needed.
#[derive(Debug)]
pub(super) struct Request {
    pub method: Method,
    pub url: Url,
    /// What the caller and the document say; never a credential.
    pub headers: HeaderMap,
    /// `name=value`, encoded.
    pub cookies: Vec<String>,
    pub payload: Option<Payload>,
    /// Whether the configured credentials are meant for this server.
    pub trusted: bool,
}

impl Request {
    pub(super) async fn of(
        operation: &Operation,
        given: Given<'_>,
        folder: Option<&Path>,
    ) -> Result<Self, Failure> {
        let target = operation.target.as_ref().map_err(Clone::clone)?;
        let url = url(operation, &given, target)?;
        let headers = headers(operation, &given)?;
        let cookies = given
            .values
            .iter()
            .filter(|(argument, _)| argument.location == Location::Cookie)
            .flat_map(|(argument, value)| pairs(&argument.wire, value, &argument.writing))
            .collect();
        let payload = match (&operation.body, given.body) {
            (Some(plan), Some(body)) => Some(Payload::of(plan, body, folder).await?),
            _ => None,
        };
        Ok(Self {
            method: operation.method.clone(),
            url,
            headers,
            cookies,
            payload,
            trusted: target.trusted,
        })
    }
}

fn url(operation: &Operation, given: &Given<'_>, target: &Target) -> Result<Url, Failure> {
    let path = template::filled(&operation.path, |name| {
        let (argument, value) = given.at(Location::Path, name)?;
        Some(in_path(name, value, &argument.writing))
    })
    .map_err(|escapes| {
        let argument = given.at(Location::Path, &escapes.variable);
        let name = argument.map_or(escapes.variable.as_str(), |(argument, _)| &argument.name);
        refused(operation, vec![format!("/{name}: {escapes}")])
    })?;
    let whole = format!("{}{path}", target.base.path().trim_end_matches('/'));
    let mut url = target.base.clone();
    url.set_path(&whole);
    // Whatever a parser makes of it, it must still be this path on this server.
    if url.path() != whole || url.origin() != target.base.origin() {
        return Err(invalid(format!(
            "the path {} of the document does not stay as it is in a URL; nothing was sent",
            operation.path
        )));
    }
    let asked: Vec<_> = given
        .values
        .iter()
        .filter(|(argument, _)| argument.location == Location::Query)
        .collect();
    // What the template has behind `?` holds where the call says nothing else.
    let is_asked = |pair: &&str| {
        let name = pair.split('=').next();
        asked
            .iter()
            .any(|(argument, _)| name == Some(&argument.wire))
    };
    let query: Vec<String> = operation
        .query
        .iter()
        .flat_map(|query| query.split('&'))
        .filter(|pair| !is_asked(pair))
        .map(str::to_owned)
        .chain(
            asked
                .iter()
                .flat_map(|(argument, value)| pairs(&argument.wire, value, &argument.writing)),
        )
        .collect();
    url.set_query((!query.is_empty()).then(|| query.join("&")).as_deref());
    Ok(url)
}

fn headers(operation: &Operation, given: &Given<'_>) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, operation.accept.clone());
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate"));
    for (argument, value) in &given.values {
        if argument.location != Location::Header {
            continue;
        }
        let Some(text) = in_header(value, &argument.writing) else {
            continue;
        };
        let forbidden =
            |what: &str| refused(operation, vec![format!("/{}: {what}", argument.name)]);
        let name = HeaderName::from_bytes(argument.wire.as_bytes())
            .map_err(|_| forbidden("the document gives it a name that no header can have"))?;
        let value = HeaderValue::from_bytes(text.as_bytes())
            .map_err(|_| forbidden("a header cannot hold line breaks or control characters"))?;
        headers.insert(name, value);
    }
    Ok(headers)
}
