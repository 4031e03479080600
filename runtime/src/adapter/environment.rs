//! The environment of a child: what programs need to run at all, and what the plugin names. Nothing else.

mod steering;

use std::{collections::BTreeMap, path::Path};

use indexmap::IndexMap;

use super::secret_value::secret_value;
use crate::{
    placeholder::{Part, parts},
    reply::{Code, Failure},
    secrets::remember_given,
    text_file::read_text,
};

pub(crate) use steering::steering;

/// Variables every child gets: finding programs, home and temporary folders, locale, proxies and certificates.
const KEPT: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TMP",
    "TEMP",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    // Windows
    "APPDATA",
    "LOCALAPPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The child's environment: the kept variables, then the plugin's own with `${VAR}` expanded.
pub(super) fn child_environment(
    own: &IndexMap<String, String>,
    lookup: impl Fn(&str) -> Option<String>,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut environment: BTreeMap<String, String> = KEPT
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), lookup(name)?)))
        .collect();
    // What is no UTF-8 belongs to nobody here.
    for (name, value) in std::env::vars_os() {
        if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string())
            && name.starts_with("LC_")
        {
            environment.insert(name, value);
        }
    }
    for (name, value) in own {
        let value = expand(value, &lookup)?;
        remember_given(name, &value);
        environment.insert(name.clone(), value);
    }
    Ok(environment)
}

/// The variables of a file as shells and editors have it: `NAME=value` a line, quotes, comments, `export`. Values are
/// taken as they are: nothing in them expands later.
pub(super) fn env_file(path: &Path) -> Result<IndexMap<String, String>, Failure> {
    let invalid = |what: String| {
        Failure::new(
            Code::ConfigInvalid,
            format!(
                "the file of variables {} cannot be used: {what}",
                path.display()
            ),
        )
        .with_hint("Correct `envFile`, or the file: one NAME=value a line.")
    };
    let text = read_text(path).map_err(invalid)?;
    dotenvy::from_read_iter(text.as_bytes())
        .map(|variable| match variable {
            Ok((name, value)) => Ok((name, value.replace("${", "$${"))),
            // The error quotes the line, which may hold a secret.
            Err(_) => Err(invalid("a line is no NAME=value".into())),
        })
        .collect()
}

/// Replaces the variables of a text. One that is not set, or is empty, and has no default is an error that names it.
pub(crate) fn expand(
    text: &str,
    lookup: impl Fn(&str) -> Option<String>,
) -> Result<String, Failure> {
    let mut expanded = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Text(text) => expanded.push_str(text),
            Part::Variable { name, default } => {
                let value = lookup(name).filter(|value| !value.is_empty());
                if let Some(value) = &value {
                    remember_given(name, value);
                }
                match value.as_deref().or(default) {
                    Some(value) => expanded.push_str(value),
                    None => return Err(not_set(name)),
                }
            }
            Part::Secret(name) => expanded.push_str(&secret_value(name)?),
            // The text may hold a secret besides.
            Part::Unclosed => {
                return Err(Failure::new(
                    Code::ConfigInvalid,
                    "a configured value has `${` without `}`",
                )
                .with_hint("Write ${NAME} or ${NAME:-default}."));
            }
        }
    }
    Ok(expanded)
}

fn not_set(name: &str) -> Failure {
    Failure::new(
        Code::ConfigInvalid,
        format!("the environment variable {name} is not set"),
    )
    .with_hint(format!("Set {name} before starting, then try again."))
}

/// Looks a variable up in this process.
pub(crate) fn from_process(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c060_what_is_kept_is_documented() {
        let docs = include_str!("../../../docs/architecture.md");
        for name in KEPT {
            assert!(docs.contains(&format!("`{name}`")), "{name}");
        }
        let windows =
            "SYSTEMROOT COMSPEC PATHEXT APPDATA LOCALAPPDATA TEMP PROGRAMFILES USERPROFILE";
        for name in windows.split(' ') {
            assert!(KEPT.contains(&name), "{name}");
        }
    }

    fn lookup(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("t0".into()),
            "EMPTY" => Some(String::new()),
            "PATH" => Some("/bin".into()),
            "SECRET" => Some("hidden".into()),
            _ => None,
        }
    }

    #[test]
    fn variables_expand_and_a_missing_one_is_named() {
        assert_eq!(expand("Bearer ${TOKEN}", lookup).unwrap(), "Bearer t0");
        assert_eq!(expand("${NONE:-x}${EMPTY:-y}$", lookup).unwrap(), "xy$");
        assert_eq!(
            expand("${env:TOKEN}-$TOKEN-${TOKEN:-d}-${env:NONE:-d}", lookup).unwrap(),
            "t0-$TOKEN-t0-d"
        );
        let failure = expand("${NONE}", lookup).unwrap_err();
        assert_eq!(failure.code, Code::ConfigInvalid);
        assert!(failure.error.contains("NONE"));
        let failure = expand("${env:NONE}", lookup).unwrap_err();
        assert!(
            failure.error.contains("variable NONE is"),
            "{}",
            failure.error
        );
        assert!(expand("${EMPTY}", lookup).is_err());
        assert_eq!(
            expand("$${TOKEN}-$$TOKEN-${TOKEN}", lookup).unwrap(),
            "${TOKEN}-$$TOKEN-t0"
        );
        assert!(expand("${TOKEN", lookup).is_err());
    }

    #[test]
    fn a_file_of_variables_is_read_as_shells_read_it() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join(".env");
        let text = "\u{feff}# c\r\nA=1\r\nexport B=\"x y\"\nC='lit ${TOKEN}'\n\nD=\n";
        std::fs::write(&path, text).unwrap();
        let variables = env_file(&path).unwrap();
        let pairs: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            pairs,
            [("A", "1"), ("B", "x y"), ("C", "lit $${TOKEN}"), ("D", "")]
        );
        std::fs::write(&path, "KEY CANARY\n").unwrap();
        let failure = env_file(&path).unwrap_err();
        assert!(failure.error.contains("NAME=value") && !failure.error.contains("CANARY"));
        assert!(
            env_file(&temp.path().join("gone"))
                .unwrap_err()
                .error
                .contains("No such file")
        );
    }

    #[test]
    fn a_child_sees_only_what_it_is_given() {
        let own = IndexMap::from([("API".to_owned(), "${TOKEN}".to_owned())]);
        let environment = child_environment(&own, lookup).unwrap();
        assert_eq!(environment["API"], "t0");
        assert_eq!(environment["PATH"], "/bin");
        assert!(!environment.contains_key("SECRET") && !environment.contains_key("TOKEN"));
    }
}
