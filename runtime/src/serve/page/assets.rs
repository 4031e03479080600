//! The files of the page, which are part of the program. They hold nothing that is anybody's.

use axum::{
    Router,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

use crate::serve::access;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! files {
    ($($name:literal: $kind:ident,)+) => {
        const FILES: &[(&str, &str, &str)] =
            &[$((concat!("/page/", $name), $kind, include_str!(concat!("web/", $name)))),+];
    };
}

const INDEX: &str = include_str!("web/index.html");

files! {
    "page.css": CSS,
    "parts.css": CSS,
    "icon.svg": SVG,
    "call.js": SCRIPT,
    "chart.js": SCRIPT,
    "consent.js": SCRIPT,
    "dom.js": SCRIPT,
    "fields.js": SCRIPT,
    "form.js": SCRIPT,
    "health.js": SCRIPT,
    "live.js": SCRIPT,
    "page.js": SCRIPT,
    "plugins.js": SCRIPT,
    "result.js": SCRIPT,
    "schema.js": SCRIPT,
    "search.js": SCRIPT,
    "server.js": SCRIPT,
    "tabs.js": SCRIPT,
    "tokens.js": SCRIPT,
    "visible.js": SCRIPT,
}

pub(super) fn router() -> Router {
    let index = get(|| async { file(HTML, INDEX) }).fallback(access::nothing_here);
    let index = Router::new().route("/", index);
    FILES.iter().fold(index, |router, (path, kind, text)| {
        router.route(path, get(|| async { file(kind, text) }))
    })
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/page/web");
        let there: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !["index.html", "tsconfig.json"].contains(&name.as_str()))
            .map(|name| format!("/page/{name}"))
            .collect();
        let served = FILES.iter().map(|(path, ..)| (*path).to_owned()).collect();
        assert_eq!(there, served);
    }

    #[test]
    fn no_script_makes_markup_of_text_and_none_is_inline() {
        for (path, _, text) in FILES {
            for word in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
            ] {
                assert!(!text.contains(word), "{path} has {word}");
            }
        }
        assert_eq!(
            INDEX.matches("<script").count(),
            INDEX.matches("<script type=\"module\" src=").count()
        );
        assert!(!INDEX.contains("style="));
    }
}
