//! Landlock for files, seccomp for the network: rules that a thread gives itself and that everything it starts inherits.
//! They need no privileges, and nothing takes them back.

use std::collections::BTreeMap;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope, path_beneath_rules,
};
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::roots::Roots;

/// What the rules are written for. An older kernel enforces those of them that it knows.
const WRITTEN_FOR: ABI = ABI::V6;
/// System calls have these numbers too on x86-64, in the x32 ABI.
const X32: i64 = 0x4000_0000;

/// What a child may do.
pub(super) struct Rules {
    pub roots: Roots,
    pub network: bool,
}

/// Whether the kernel has Landlock, and it is switched on.
pub(super) fn is_there() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

impl Rules {
    /// Puts this thread, and whatever it starts from now on, under the rules.
    pub(super) fn enforce(&self) -> Result<(), String> {
        let status = Ruleset::default()
            .handle_access(AccessFs::from_all(WRITTEN_FOR))
            // Neither signals nor abstract sockets to what is outside.
            .and_then(|rules| rules.scope(Scope::AbstractUnixSocket | Scope::Signal))
            .and_then(Ruleset::create)
            .and_then(|rules| {
                let read = AccessFs::from_read(WRITTEN_FOR);
                rules.add_rules(path_beneath_rules(&self.roots.read, read))
            })
            .and_then(|rules| {
                let all = AccessFs::from_all(WRITTEN_FOR);
                rules.add_rules(path_beneath_rules(&self.roots.write, all))
            })
            .and_then(|rules| rules.restrict_self())
            .map_err(|error| error.to_string())?;
        if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
            return Err("the kernel does not enforce it".into());
        }
        if self.network {
            return Ok(());
        }
        let filter = no_sockets().map_err(|error| error.to_string())?;
        apply_filter(&filter).map_err(|error| error.to_string())
    }
}

/// Sockets of this machine (AF_UNIX) and of the kernel (AF_NETLINK, which lists interfaces) alone. Landlock knows TCP
/// only, and no UDP. io_uring opens sockets without these calls.
fn no_sockets() -> Result<BpfProgram, seccompiler::BackendError> {
    let is_not = |domain: i32| {
        let domain = u64::try_from(domain).unwrap_or_default();
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, domain)
    };
    let elsewhere = SeccompRule::new(vec![is_not(libc::AF_UNIX)?, is_not(libc::AF_NETLINK)?])?;
    let mut rules = BTreeMap::from([
        (libc::SYS_socket, vec![elsewhere.clone()]),
        (libc::SYS_io_uring_setup, Vec::new()),
    ]);
    if cfg!(target_arch = "x86_64") {
        rules.insert(libc::SYS_socket | X32, vec![elsewhere]);
        rules.insert(libc::SYS_io_uring_setup | X32, Vec::new());
    }
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, denied, arch)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Containers often have no io_uring at all; who refuses it is told by the error.
    #[test]
    #[allow(unsafe_code)]
    fn nothing_without_network_sets_up_an_io_uring() {
        let refused = std::thread::spawn(|| {
            apply_filter(&no_sockets().unwrap()).unwrap();
            // SAFETY: without parameters the kernel reads and writes nothing.
            let made = unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, 0) };
            (made, std::io::Error::last_os_error().raw_os_error())
        });
        assert_eq!(refused.join().unwrap(), (-1, Some(libc::EACCES)));
    }
}
