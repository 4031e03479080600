//! Which names are offered.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs of names to offer and to leave out. `*` is any text, `?` any character, `[ab]` one of some, `{x,y}` either.
#[derive(Debug, Clone)]
pub(crate) struct NameFilter {
    /// Every name when there is none.
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl NameFilter {
    /// The error names the glob that is none.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Ok(Self {
            include: match include {
                [] => None,
                globs => Some(set(globs)?),
            },
            exclude: set(exclude)?,
        })
    }

    /// Whether a name is offered. Leaving out wins.
    pub(crate) fn admits(&self, name: &str) -> bool {
        self.included(name) && !self.excludes(name)
    }

    /// Whether one of several names, such as the tags of one operation, is included and none excluded.
    pub(crate) fn admits_any(&self, names: &[String]) -> bool {
        let included = match &self.include {
            None => true,
            Some(_) => names.iter().any(|name| self.included(name)),
        };
        included && !names.iter().any(|name| self.excludes(name))
    }

    fn included(&self, name: &str) -> bool {
        self.include
            .as_ref()
            .is_none_or(|globs| globs.is_match(name))
    }

    fn excludes(&self, name: &str) -> bool {
        self.exclude.is_match(name)
    }
}

impl Default for NameFilter {
    fn default() -> Self {
        Self {
            include: None,
            exclude: GlobSet::empty(),
        }
    }
}

fn set(globs: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        // Names are no paths: `/` is a character as any other.
        let built = GlobBuilder::new(glob)
            .literal_separator(false)
            .backslash_escape(true)
            .build();
        set.add(built.map_err(|error| format!("{glob:?} is no glob: {}", error.kind()))?);
    }
    set.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(globs: &[&str]) -> Vec<String> {
        globs.iter().map(|glob| (*glob).to_owned()).collect()
    }

    #[test]
    fn globs_match_whole_names() {
        for (glob, text, want) in [
            ("repos_*", "repos_get", true),
            ("repos_*", "my_repos_get", false),
            ("*_get", "repos_get", true),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("get_?", "get_x", true),
            ("get_?", "get_", false),
            ("*", "", true),
            ("*", "a/b.c", true),
            ("", "x", false),
            ("{get,list}_*", "list_x", true),
            ("Get_*", "get_x", false),
        ] {
            let filter = NameFilter::new(&names(&[glob]), &[]).unwrap();
            assert_eq!(filter.admits(text), want, "{glob} {text}");
        }
    }

    #[test]
    fn leaving_out_wins() {
        let filter = NameFilter::new(&names(&["repos_*"]), &names(&["*_delete"])).unwrap();
        assert!(
            filter.admits("repos_get") && !filter.admits("repos_delete") && !filter.admits("x")
        );
        assert!(filter.admits_any(&names(&["x", "repos_get"])));
        assert!(
            !filter.admits_any(&names(&["repos_delete", "repos_get"])) && !filter.admits_any(&[])
        );
        assert!(NameFilter::default().admits("anything") && NameFilter::default().admits_any(&[]));
    }

    #[test]
    fn what_is_no_glob_is_named() {
        assert!(
            NameFilter::new(&names(&["a["]), &[])
                .unwrap_err()
                .starts_with("\"a[\" is no glob")
        );
    }
}
