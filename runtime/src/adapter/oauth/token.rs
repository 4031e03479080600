//! Requests to the token endpoint (RFC 6749, sections 4.1.3, 4.4.2 and 6), and to the one that revokes (RFC 7009).

use reqwest::Url;
use serde::Deserialize;

use super::{
    client::{Client, Proof},
    exchange::{Answer, Exchange},
    record::Tokens,
    refusal::refusal,
};
use crate::{
    adapter::mcp_http::Secret,
    reply::{Code, Failure},
};

/// Why no token came.
#[derive(Debug)]
pub(super) struct NoToken {
    pub(super) failure: Failure,
    /// The grant itself is worth nothing any more: the user has to log in again.
    pub(super) for_good: bool,
}

impl From<Failure> for NoToken {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            for_good: false,
        }
    }
}

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    token_type: String,
    #[serde(default)]
    refresh_token: Option<String>,
    /// Seconds; some servers write a text.
    #[serde(default)]
    expires_in: Option<serde_json::Value>,
    #[serde(default)]
    scope: Option<String>,
}

/// Asks for a token with the fields of a grant. `asked` are the scopes that count as granted when the answer names none.
pub(super) async fn request(
    exchange: &Exchange,
    endpoint: &Url,
    client: &Client,
    grant: &[(&str, &str)],
    asked: &[String],
) -> Result<Tokens, NoToken> {
    let answer = post(exchange, endpoint, client, grant).await?;
    if answer.succeeded() {
        return tokens(answer, asked).map_err(NoToken::from);
    }
    let error = answer.body.get("error").and_then(|error| error.as_str());
    let code = match answer.status {
        429 | 500.. => Code::UpstreamUnreachable,
        _ => Code::UpstreamAuth,
    };
    Err(NoToken {
        for_good: matches!(
            error,
            Some("invalid_grant" | "invalid_client" | "unauthorized_client")
        ),
        failure: Failure::new(
            code,
            format!(
                "the authorization server gave no token: {}",
                refusal(&answer)
            ),
        ),
    })
}

/// Tells the server that a token is no longer needed. Whether it cared.
pub(super) async fn revoke(
    exchange: &Exchange,
    endpoint: &Url,
    client: &Client,
    token: &Secret,
    hint: &str,
) -> Result<bool, Failure> {
    let fields = [("token", token.expose()), ("token_type_hint", hint)];
    let answer = post(exchange, endpoint, client, &fields).await?;
    Ok(answer.succeeded())
}

async fn post(
    exchange: &Exchange,
    endpoint: &Url,
    client: &Client,
    fields: &[(&str, &str)],
) -> Result<Answer, Failure> {
    let mut fields = fields.to_vec();
    let mut basic = None;
    match (client.proof, &client.secret) {
        (Proof::Basic, Some(secret)) => basic = Some((client.id.as_str(), secret.expose())),
        (Proof::Post, Some(secret)) => {
            fields.push(("client_id", &client.id));
            fields.push(("client_secret", secret.expose()));
        }
        _ => fields.push(("client_id", &client.id)),
    }
    exchange.post_form(endpoint, &fields, basic).await
}

fn tokens(answer: Answer, asked: &[String]) -> Result<Tokens, Failure> {
    let unusable = |why: &str| {
        Failure::new(
            Code::UpstreamProtocol,
            format!("the authorization server's token response {why}"),
        )
    };
    let response: TokenResponse =
        serde_json::from_value(answer.body).map_err(|_| unusable("cannot be read"))?;
    if !response.token_type.eq_ignore_ascii_case("bearer") {
        return Err(unusable("is of another type than `Bearer`"));
    }
    let seconds = response.expires_in.as_ref().and_then(|value| {
        let number = value.as_f64().map(|seconds| seconds.max(0.0) as u64);
        number.or_else(|| value.as_str()?.parse().ok())
    });
    let scopes = match response.scope {
        Some(scope) => scope.split_whitespace().map(str::to_owned).collect(),
        None => asked.to_vec(),
    };
    let refresh = response.refresh_token.filter(|token| !token.is_empty());
    let tokens = Tokens::given(
        Secret::new(response.access_token),
        refresh.map(Secret::new),
        seconds,
        scopes,
    );
    // A token that cannot be sent is no token.
    tokens.bearer()?;
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: serde_json::Value) -> Result<Tokens, Failure> {
        tokens(Answer { status: 200, body }, &["asked".into()])
    }

    #[test]
    fn a_token_response_is_read() {
        let body = json!({"access_token": "a", "token_type": "bearer", "refresh_token": "r", "expires_in": "60", "scope": "x y"});
        let read_tokens = read(body).unwrap();
        assert_eq!(read_tokens.scopes, ["x", "y"]);
        assert!(read_tokens.alive() && !read_tokens.stale());
        let life = read_tokens.expires_at.unwrap() - read_tokens.renew_at.unwrap();
        assert_eq!(life, 30);
        let short = json!({"access_token": "a", "token_type": "Bearer", "expires_in": 20});
        let short = read(short).unwrap();
        assert!(short.alive() && !short.stale() && short.refresh.is_none());
        assert_eq!(short.scopes, ["asked"]);
        let huge = json!({"access_token": "a", "token_type": "Bearer", "expires_in": 1e300});
        assert!(read(huge).unwrap().alive());
        for wrong in [
            json!({"access_token": "CANARY", "token_type": "DPoP"}),
            json!({"access_token": "CANARY x", "token_type": "Bearer"}),
            json!({"access_token": 7, "token_type": "Bearer"}),
            json!({"token_type": "Bearer"}),
            json!(null),
        ] {
            let failure = read(wrong).unwrap_err();
            assert!(!failure.error.contains("CANARY"), "{failure}");
        }
    }
}
