//! Where a listing goes on: found in what the service says, and said as arguments of the same tool.

use reqwest::{
    Url,
    header::{HeaderMap, LINK},
};
use serde_json::{Map, Value, json};

use super::{
    description::Location,
    operation::{Argument, Operation},
};

/// Where services put the next page, as JSON pointers.
const NEXT: &[&str] = &[
    "/next_cursor",
    "/nextCursor",
    "/next_page_token",
    "/nextPageToken",
    "/next_token",
    "/nextToken",
    "/continuationToken",
    "/continuation_token",
    "/next_marker",
    "/response_metadata/next_cursor",
    "/meta/next_cursor",
    "/meta/nextCursor",
    "/meta/next_page",
    "/metadata/continue",
    "/pagination/next_cursor",
    "/pagination/nextCursor",
    "/pagination/next_page",
    "/paging/cursors/after",
    "/paging/next/after",
    "/page_info/end_cursor",
    "/pageInfo/endCursor",
    "/next_page",
    "/nextPage",
    "/next_page_url",
    "/next_url",
    "/next",
    "/links/next",
    "/links/next/href",
    "/_links/next/href",
    "/_links/next",
    "/paging/next",
    "/pagination/next",
    "/@odata.nextLink",
    "/nextLink",
];
/// Arguments that take a cursor, when none is called as the cursor is.
const CURSOR_ARGUMENTS: &[&str] = &[
    "cursor",
    "pagecursor",
    "after",
    "startcursor",
    "pagetoken",
    "continuationtoken",
    "startingtoken",
    "continue",
    "marker",
    "token",
];
const NUMBER_ARGUMENTS: &[&str] = &["page", "pagenumber", "offset", "start", "skip"];

/// One sentence with the arguments of the next page, where there is one.
pub(super) fn next_page(
    operation: &Operation,
    headers: &HeaderMap,
    body: Option<&Value>,
    asked: &Url,
) -> Option<String> {
    let changes = linked(headers)
        .and_then(|link| by_url(operation, &link, asked))
        .or_else(|| by_body(operation, body?, asked))?;
    Some(format!(
        "there is more: call {} again with the same arguments and {}",
        operation.tool.name,
        Value::Object(changes)
    ))
}

/// The target of `Link: <…>; rel="next"`.
fn linked(headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(LINK)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .find_map(|value| {
            // A target may hold commas, so links are told apart by their brackets.
            value.split('<').skip(1).find_map(|link| {
                let (target, parameters) = link.split_once('>')?;
                parameters
                    .split([';', ','])
                    .any(|parameter| {
                        let (name, value) = parameter.split_once('=').unwrap_or_default();
                        name.trim().eq_ignore_ascii_case("rel")
                            && value
                                .trim()
                                .trim_matches('"')
                                .split_ascii_whitespace()
                                .any(|rel| rel.eq_ignore_ascii_case("next"))
                    })
                    .then(|| target.to_owned())
            })
        })
}

/// The arguments that differ in the query of the next page's URL.
fn by_url(operation: &Operation, next: &str, asked: &Url) -> Option<Map<String, Value>> {
    let next = asked.join(next).ok()?;
    let before: Vec<(String, String)> = asked.query_pairs().into_owned().collect();
    let mut changes = Map::new();
    for (name, value) in next.query_pairs().into_owned() {
        if before.contains(&(name.clone(), value.clone())) {
            continue;
        }
        let Some(argument) = query_arguments(operation).find(|argument| argument.wire == name)
        else {
            continue;
        };
        changes.insert(argument.name.clone(), typed(argument, &value));
    }
    (!changes.is_empty()).then_some(changes)
}

fn by_body(operation: &Operation, body: &Value, asked: &Url) -> Option<Map<String, Value>> {
    for pointer in NEXT {
        let text = match body.pointer(pointer) {
            Some(Value::String(text)) if !text.is_empty() => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => continue,
        };
        // A cursor is given on the last page too, where it leads nowhere.
        let last = [
            "/has_more",
            "/hasMore",
            "/pageInfo/hasNextPage",
            "/page_info/has_next_page",
        ]
        .iter()
        .any(|flag| body.pointer(flag) == Some(&Value::Bool(false)));
        if last {
            return None;
        }
        let changes = if text.starts_with("http://")
            || text.starts_with("https://")
            || text.starts_with(['/', '?'])
        {
            by_url(operation, &text, asked)
        } else {
            by_cursor(operation, pointer, &text)
        };
        if changes.is_some() {
            return changes;
        }
    }
    by_last_item(operation, body)
}

fn by_cursor(operation: &Operation, pointer: &str, cursor: &str) -> Option<Map<String, Value>> {
    let key = plain(pointer.rsplit('/').next()?);
    let number = cursor.bytes().all(|byte| byte.is_ascii_digit());
    let bare = key.strip_prefix("next").unwrap_or(&key);
    let guesses: &[&str] = if number && bare == "page" {
        NUMBER_ARGUMENTS
    } else {
        CURSOR_ARGUMENTS
    };
    let wanted = [bare, key.as_str()]
        .into_iter()
        .chain(guesses.iter().copied());
    for name in wanted.filter(|name| !name.is_empty()) {
        if let Some(argument) = settable(operation).find(|argument| plain(&argument.wire) == name) {
            return Some(one(argument, cursor));
        }
    }
    None
}

/// `has_more: true` with `starting_after`: the next page starts behind the last item.
fn by_last_item(operation: &Operation, body: &Value) -> Option<Map<String, Value>> {
    if body.get("has_more") != Some(&Value::Bool(true)) {
        return None;
    }
    let argument = settable(operation).find(|argument| plain(&argument.wire) == "startingafter")?;
    let id = body.get("data")?.as_array()?.last()?.get("id")?.as_str()?;
    Some(one(argument, id))
}

fn query_arguments(operation: &Operation) -> impl Iterator<Item = &Argument> {
    operation
        .arguments
        .iter()
        .filter(|argument| argument.location == Location::Query)
}

/// Those of the query, and those of a body that is spread out: some listings are asked for by POST.
fn settable(operation: &Operation) -> impl Iterator<Item = &Argument> {
    operation
        .arguments
        .iter()
        .filter(|argument| matches!(argument.location, Location::Query | Location::Body))
}

fn one(argument: &Argument, value: &str) -> Map<String, Value> {
    Map::from_iter([(argument.name.clone(), typed(argument, value))])
}

fn typed(argument: &Argument, value: &str) -> Value {
    match value.parse::<i64>() {
        Ok(number) if argument.is_integer => json!(number),
        _ => json!(value),
    }
}

/// A name without case and separators.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
