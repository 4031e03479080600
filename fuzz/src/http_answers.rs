//! The answers of an HTTP/1 server, read strictly.

/// One answer.
#[derive(Debug)]
pub struct HttpAnswer {
    pub status: u16,
    /// Status line and headers, in lower case.
    pub head: String,
}

/// Every answer of a connection that has ended; the error says what is no whole answer.
pub fn http_answers(bytes: &[u8]) -> Result<Vec<HttpAnswer>, String> {
    let mut rest = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let (answer, after) = first(rest).ok_or_else(|| format!("no answer: {rest:?}"))?;
        answers.push(answer);
        rest = after;
    }
    Ok(answers)
}

fn first(text: &str) -> Option<(HttpAnswer, &str)> {
    let (head, after) = text.split_once("\r\n\r\n")?;
    let mut words = head.lines().next()?.split(' ');
    let version = words.next()?;
    let status = words.next()?.parse().ok()?;
    let head = head.to_ascii_lowercase();
    let header = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let mut values = lines
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value);
        (values.next(), values.next())
    };
    // One of both, and once: others might see another end of the answer.
    let body = match (header("content-length"), header("transfer-encoding")) {
        _ if status < 200 || status == 204 || status == 304 => "",
        // An answer to HEAD tells of a body that it has not.
        _ if after.is_empty() || after.starts_with("HTTP/1.") => "",
        ((Some(length), None), (None, None)) => after.get(..length.parse::<usize>().ok()?)?,
        ((None, None), (Some("chunked"), None)) => chunked(after)?,
        // The connection's end is the answer's.
        ((None, None), (None, None)) if version == "HTTP/1.0" => after,
        _ => return None,
    };
    let after = &after[body.len()..];
    matches!(version, "HTTP/1.0" | "HTTP/1.1").then_some((HttpAnswer { status, head }, after))
}

/// The beginning of a text that is a body in chunks.
fn chunked(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let (length, after) = rest.split_once("\r\n")?;
        let length = usize::from_str_radix(length, 16).ok()?;
        rest = after.get(length..)?.strip_prefix("\r\n")?;
        if length == 0 {
            return Some(&text[..text.len() - rest.len()]);
        }
    }
}
