//! Which names are offered.

use super::Glob;

/// Globs of names to offer and to leave out.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameFilter {
    /// Every name when there is none.
    include: Vec<Glob>,
    exclude: Vec<Glob>,
}

impl NameFilter {
    /// The error names the glob that is none.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Ok(Self {
            include: Glob::all(include)?,
            exclude: Glob::all(exclude)?,
        })
    }

    /// Whether a name is offered. Leaving out wins.
    pub(crate) fn admits(&self, name: &str) -> bool {
        self.included(name) && !self.excludes(name)
    }

    /// Whether one of several names, such as the tags of one operation, is included and none excluded.
    pub(crate) fn admits_any(&self, names: &[String]) -> bool {
        let included = || names.iter().any(|name| self.included(name));
        (self.include.is_empty() || included()) && !names.iter().any(|name| self.excludes(name))
    }

    fn included(&self, name: &str) -> bool {
        self.include.is_empty() || self.include.iter().any(|glob| glob.matches(name))
    }

    fn excludes(&self, name: &str) -> bool {
        self.exclude.iter().any(|glob| glob.matches(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(globs: &[&str]) -> Vec<String> {
        globs.iter().map(|glob| (*glob).to_owned()).collect()
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
