//! Variables that make a program do something else than it is for: load other code, run another program, read other
//! settings, talk through another host. A project's file may set none of them.

/// Names, in capitals, and what a value of them can do. A name that ends in `*` stands for all that begin so.
const STEERING: &[(&[&str], &str)] = &[
    (
        &["LD_*", "DYLD_*", "GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH"],
        "the loader of the system loads other code into the program",
    ),
    (
        &[
            "NODE_OPTIONS",
            "NODE_PATH",
            "NODE_REPL_EXTERNAL_MODULE",
            "BUN_OPTIONS",
            "DENO_*",
        ],
        "JavaScript runtimes load other modules",
    ),
    (
        &["NPM_CONFIG_*", "YARN_*", "PNPM_*", "COREPACK_*"],
        "package managers take other options, such as another registry or shell",
    ),
    (
        &["PYTHON*", "PIP_*", "UV_*", "PIPX_*", "VIRTUAL_ENV"],
        "Python and its installers load other modules or packages",
    ),
    (
        &[
            "PERL5*",
            "PERLLIB",
            "RUBYOPT",
            "RUBYLIB",
            "GEM_*",
            "BUNDLE_*",
            "LUA_*",
            "PHPRC",
            "PHP_INI_SCAN_DIR",
        ],
        "interpreters load other modules",
    ),
    (
        &[
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
            "CLASSPATH",
            "JAVA_HOME",
        ],
        "the Java machine loads other code",
    ),
    (
        &["DOTNET_*", "CORECLR_*", "COR_*", "COMPLUS_*"],
        ".NET loads other code",
    ),
    (
        &[
            "BASH_ENV",
            "ENV",
            "SHELLOPTS",
            "BASHOPTS",
            "BASH_FUNC_*",
            "IFS",
            "PS4",
            "PROMPT_COMMAND",
            "ZDOTDIR",
        ],
        "shells run other commands first",
    ),
    (
        &[
            "GIT_*",
            "SSH_ASKPASS",
            "SUDO_ASKPASS",
            "RSYNC_RSH",
            "CVS_RSH",
            "SVN_SSH",
        ],
        "Git and its like run other programs",
    ),
    (
        &[
            "EDITOR",
            "VISUAL",
            "PAGER",
            "MANPAGER",
            "LESSOPEN",
            "LESSCLOSE",
            "BROWSER",
        ],
        "programs start this one",
    ),
    (
        &[
            "DOCKER_*",
            "CONTAINER_HOST",
            "KUBECONFIG",
            "AWS_CONFIG_FILE",
            "AWS_SHARED_CREDENTIALS_FILE",
            "CARGO_*",
            "RUSTC*",
            "GOFLAGS",
        ],
        "the program works with another service, or runs what its settings name",
    ),
    (
        &[
            "PATH",
            "PATHEXT",
            "COMSPEC",
            "SHELL",
            "SYSTEMROOT",
            "WINDIR",
        ],
        "another program is found under the name",
    ),
    (
        &[
            "HOME",
            "USERPROFILE",
            "HOMEDRIVE",
            "HOMEPATH",
            "APPDATA",
            "LOCALAPPDATA",
            "XDG_*",
        ],
        "the program reads another user's settings, which may name programs",
    ),
    (
        &[
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "FTP_PROXY",
            "NO_PROXY",
        ],
        "what the program sends goes through another host",
    ),
    (
        &[
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "NODE_EXTRA_CA_CERTS",
            "NODE_TLS_REJECT_UNAUTHORIZED",
            "REQUESTS_CA_BUNDLE",
            "CURL_CA_BUNDLE",
            "OPENSSL_*",
            "SSLKEYLOGFILE",
        ],
        "the program believes another host, or gives its keys away",
    ),
    (
        &["AGENT_TOOLS_*"],
        "it is how this runtime is set up, and how it finds its own children",
    ),
];

/// What a value of the variable can do, where that is more than the program's own business.
pub(crate) fn steering(name: &str) -> Option<&'static str> {
    // Windows knows no case, and proxies are read in small letters too.
    let name = name.to_ascii_uppercase();
    let is_named = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == **pattern,
    };
    STEERING
        .iter()
        .find(|(patterns, _)| patterns.iter().any(is_named))
        .map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_program_is_told_from_what_it_is_given() {
        let steers = "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP PYTHONHOME \
            BASH_ENV ENV SHELLOPTS PERL5LIB PERL5OPT RUBYOPT RUBYLIB GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_GLOBAL \
            JAVA_TOOL_OPTIONS npm_config_script_shell PATH Path HOME https_proxy AGENT_TOOLS_CHILD_OF BASH_FUNC_ls%%";
        for name in steers.split_whitespace() {
            assert!(steering(name).is_some(), "{name}");
        }
        let given = "API_KEY GITHUB_TOKEN MEMORY_FILE_PATH DATABASE_URL NODE_ENV LOG_LEVEL LANG TZ ENVIRONMENT PORT TERM";
        for name in given.split_whitespace() {
            assert_eq!(steering(name), None, "{name}");
        }
    }

    #[test]
    fn the_table_is_documented() {
        let docs = include_str!("../../../../docs/isolation.md");
        for (names, reason) in STEERING {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let row = format!("| {} | {reason} |", names.join(" "));
            assert!(
                docs.contains(&row),
                "docs/isolation.md lacks the row\n{row}"
            );
        }
    }
}
