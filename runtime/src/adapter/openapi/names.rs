//! Names that models and their providers take: of tools, and of arguments.

use std::collections::{HashMap, HashSet};

/// Model providers refuse longer names.
const MAX_NAME: usize = 64;

/// What an operation's name is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity<'a> {
    /// The name that the document gives the tool on purpose.
    pub name: Option<&'a str>,
    pub operation_id: Option<&'a str>,
    pub method: &'a str,
    pub path: &'a str,
}

/// A name for each operation, in their order. No name is given twice, and none depends on the order of the document.
/// Two operations that are given one name on purpose are an error.
pub(super) fn tool_names(operations: &[Identity<'_>]) -> Result<Vec<String>, String> {
    let wanted: Vec<String> = operations.iter().map(wanted).collect();
    let mut order: Vec<usize> = (0..operations.len()).collect();
    // Of several that want one name, the one that is given it keeps it, then the one that is written so, then the first by
    // path and method.
    order.sort_by_key(|&index| {
        let operation = &operations[index];
        let renamed = operation.operation_id != Some(wanted[index].as_str());
        (
            operation.name.is_none(),
            renamed,
            operation.path,
            operation.method,
        )
    });
    let mut owners: HashMap<String, usize> = HashMap::new();
    let mut names = vec![String::new(); operations.len()];
    for index in order {
        let operation = &operations[index];
        let mut name = wanted[index].clone();
        let mut attempt = 0;
        while let Some(&owner) = owners.get(&name) {
            if operation.name.is_some() {
                return Err(format!(
                    "the document gives both {} {} and {} {} the name {name} (`x-agent-tools-name`)",
                    operations[owner].method,
                    operations[owner].path,
                    operation.method,
                    operation.path
                ));
            }
            if attempt == 0 {
                tracing::warn!(
                    "the operations {} {} and {} {} both want the name {name}",
                    operations[owner].method,
                    operations[owner].path,
                    operation.method,
                    operation.path
                );
            }
            let mark = format!("{} {}#{attempt}", operation.method, operation.path);
            name = marked(&wanted[index], &mark);
            attempt += 1;
        }
        owners.insert(name.clone(), index);
        names[index] = name;
    }
    Ok(names)
}

fn wanted(operation: &Identity<'_>) -> String {
    if let Some(name) = operation.name {
        return name.to_owned();
    }
    let from_id = operation.operation_id.map(plain).unwrap_or_default();
    if from_id.is_empty() {
        let name = plain(&format!(
            "{}_{}",
            operation.method.to_lowercase(),
            operation.path
        ));
        return fitting(&name, &format!("{} {}", operation.method, operation.path));
    }
    fitting(&from_id, operation.operation_id.unwrap_or_default())
}

/// Letters, digits, `_` and `-`; every run of anything else is one `_`.
fn plain(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    name.trim_matches('_').to_owned()
}

fn fitting(name: &str, whole: &str) -> String {
    if name.len() <= MAX_NAME {
        name.to_owned()
    } else {
        marked(name, whole)
    }
}

/// A name with a mark of what it stands for at its end.
fn marked(name: &str, whole: &str) -> String {
    // Names are ASCII by now, so any byte is a border.
    let kept = &name[..name.len().min(MAX_NAME - 9)];
    format!("{}_{:08x}", kept.trim_end_matches('_'), mark(whole))
}

/// FNV-1a: short, and the same in every version of this program.
fn mark(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The arguments of one tool: each name is given once.
#[derive(Debug, Default)]
pub(super) struct FieldNames(HashSet<String>);

impl FieldNames {
    /// Takes a name; whether it was free.
    pub(super) fn claim(&mut self, name: &str) -> bool {
        self.0.insert(name.to_owned())
    }

    /// The wire name where it is free, else with its location.
    pub(super) fn take(&mut self, wire: &str, location: &str) -> String {
        let mut name = wire.to_owned();
        let mut attempt = 1;
        while !self.0.insert(name.clone()) {
            name = match attempt {
                1 => format!("{wire}_{location}"),
                _ => format!("{wire}_{location}_{attempt}"),
            };
            attempt += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation<'a>(id: Option<&'a str>, method: &'a str, path: &'a str) -> Identity<'a> {
        Identity {
            name: None,
            operation_id: id,
            method,
            path,
        }
    }

    fn names(operations: &[Identity<'_>]) -> Vec<String> {
        tool_names(operations).unwrap()
    }

    #[test]
    fn a_name_that_is_given_on_purpose_is_kept() {
        let given = Identity {
            name: Some("find"),
            ..operation(Some("search"), "GET", "/z")
        };
        let operations = [operation(Some("find"), "GET", "/a"), given];
        let names = names(&operations);
        assert_eq!(names[1], "find");
        assert!(names[0].starts_with("find_"), "{names:?}");
        let what = tool_names(&[given, given]).unwrap_err();
        assert!(
            what.contains("GET /z") && what.contains("the name find"),
            "{what}"
        );
    }

    #[test]
    fn names_are_fit_for_providers() {
        let long = "a".repeat(100);
        let names = names(&[
            operation(Some("repos/list-for.org"), "GET", "/a"),
            operation(None, "GET", "/repos/{owner}/{repo}"),
            operation(Some("获取"), "POST", "/"),
            operation(Some(&long), "GET", "/long"),
        ]);
        assert_eq!(names[0], "repos_list-for_org");
        assert_eq!(names[1], "get_repos_owner_repo");
        assert_eq!(names[2], "post");
        assert_eq!(names[3].len(), 64);
        assert!(names[3].starts_with("aaaa"));
    }

    #[test]
    fn a_name_is_given_once_whatever_the_order() {
        let operations = [
            operation(Some("get.x"), "GET", "/a"),
            operation(Some("get_x"), "GET", "/z"),
            operation(Some("get_x"), "POST", "/z"),
            operation(Some("get x"), "GET", "/b"),
        ];
        let names = names(&operations);
        assert_eq!(names[1], "get_x", "the one that is written so keeps it");
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 4, "{names:?}");
        let reversed: Vec<_> = operations.iter().rev().copied().collect();
        let mut again = tool_names(&reversed).unwrap();
        again.reverse();
        assert_eq!(names, again);
    }

    #[test]
    fn an_argument_says_its_location_where_another_has_its_name() {
        let mut names = FieldNames::default();
        assert_eq!(names.take("id", "path"), "id");
        assert_eq!(names.take("id", "query"), "id_query");
        assert_eq!(names.take("id", "query"), "id_query_2");
        assert_eq!(names.take("page[size]", "query"), "page[size]");
    }
}
