//! Checks that an address lies outside this machine and its network.
//!
//! An address of foreign origin must not reach internal hosts: servers of this machine, the local network,
//! the metadata service of a cloud. Both the host as written and each address that its name resolves to are
//! checked, and the connection is made to the checked address: a name that resolves otherwise a moment later
//! gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use quorate_messages::{Message, message};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// The reason why an address is not public.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPublic {
    /// The scheme is not `http` or `https`, or there is no host.
    #[error("an address begins with http:// or https:// and a host")]
    Scheme,
    /// The name is one of this machine or its network.
    #[error("{0} is a name of this machine or its network")]
    Name(String),
    /// The address belongs to this machine or its network, or is unassigned.
    #[error("{0} is an address of this machine, of its network, or of nobody")]
    Address(IpAddr),
    /// All addresses that the name leads to are such ones.
    #[error("{0} leads into this machine or its network")]
    Leads(String),
}

impl NotPublic {
    /// The reason as a message of the catalogue.
    pub fn message(&self) -> Message {
        match self {
            Self::Scheme => message!("failure-cause-no-host"),
            Self::Name(name) => message!("failure-cause-local-name", name),
            Self::Address(address) => message!("failure-cause-local-address", %address),
            Self::Leads(name) => message!("failure-cause-leads-inside", name),
        }
    }
}

/// Checks an address as it is written: a literal address in any spelling, or a name that can only be
/// local. What other names lead to is checked when they are looked up.
///
/// # Errors
/// What is not public about it.
pub fn check_public(url: &Url) -> Result<(), NotPublic> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(NotPublic::Scheme);
    }
    match url.host() {
        None => Err(NotPublic::Scheme),
        Some(Host::Domain(name)) => check_name(name),
        Some(Host::Ipv4(address)) => check_address(address.into()),
        Some(Host::Ipv6(address)) => check_address(address.into()),
    }
}

/// Names that stand for this machine or its network by agreement, or in the host files of usual systems.
const LOCAL_NAMES: [&str; 9] = [
    "localhost",
    "local",
    "internal",
    "home.arpa",
    "localdomain",
    "localhost6",
    "localdomain6",
    "ip6-localhost",
    "ip6-loopback",
];

fn check_name(name: &str) -> Result<(), NotPublic> {
    let plain = name.trim_end_matches('.').to_ascii_lowercase();
    // More dots at its end than an address may have make it a name, which a lenient reader takes for the address.
    if let Ok(address) = plain.parse::<IpAddr>() {
        return check_address(address);
    }
    let is_local = LOCAL_NAMES.iter().any(|local| {
        plain.strip_suffix(local).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    });
    if plain.is_empty() || is_local { Err(NotPublic::Name(name.to_owned())) } else { Ok(()) }
}

fn check_address(address: IpAddr) -> Result<(), NotPublic> {
    let public = match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    };
    if public { Ok(()) } else { Err(NotPublic::Address(address)) }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        // This network, and addresses that carriers share among their customers.
        [0, ..] | [100, 64..=127, ..] => true,
        // Protocols, relays of 6to4, tests of speed, and the reserved rest with broadcast.
        [192, 0, 0, _] | [192, 88, 99, _] | [198, 18..=19, ..] | [240..=255, ..] => true,
        _ => false,
    };
    !(special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

/// Whether an address is allocated to the public network (2000::/3) or embeds a public IPv4 address.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, ..] = address.segments();
    let inside = |high: u16, low: u16| is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    let [.., high, low] = address.segments();
    match address.segments() {
        // Mapped addresses and their deprecated form, which loopback (::1) and unspecified (::) share.
        [0, 0, 0, 0, 0, 0 | 0xffff, _, _] => inside(high, low) && first == 0,
        [0x64, 0xff9b, 0, 0, 0, 0, _, _] => inside(high, low),
        [0x2002, ..] => inside(second, third),
        // ISATAP: the last part is an IPv4 address of the site.
        [.., 0 | 0x200, 0x5efe, high, low] if !inside(high, low) => false,
        // Protocols (Teredo among them), documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}

/// Looks names up and hands on public addresses alone.
pub(crate) struct PublicOnly {
    /// The host of the proxy: the operator has chosen it, so it may be internal.
    proxy: Option<String>,
    /// Looks a name up in place of the system.
    #[cfg(test)]
    look_up: Option<LookUp>,
    /// An address of this machine that stands for a public one.
    #[cfg(test)]
    pub(crate) stand_in: Option<IpAddr>,
}

#[cfg(test)]
type LookUp = std::sync::Arc<dyn Fn(&str) -> Vec<std::net::SocketAddr> + Send + Sync>;

impl PublicOnly {
    /// The names of the system; the host of the proxy is trusted.
    pub(crate) fn of_system(proxy: Option<String>) -> Self {
        Self {
            proxy,
            #[cfg(test)]
            look_up: None,
            #[cfg(test)]
            stand_in: None,
        }
    }

    /// Names that lead elsewhere.
    #[cfg(test)]
    pub(crate) fn looking_up(
        look_up: impl Fn(&str) -> Vec<std::net::SocketAddr> + Send + Sync + 'static,
    ) -> Self {
        Self { proxy: None, look_up: Some(std::sync::Arc::new(look_up)), stand_in: None }
    }
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let trusted = self.proxy.as_deref() == Some(name.as_str());
        #[cfg(test)]
        let (look_up, stand_in) = (self.look_up.clone(), self.stand_in);
        #[cfg(not(test))]
        let stand_in: Option<IpAddr> = None;
        let is_allowed = move |ip| trusted || stand_in == Some(ip) || check_address(ip).is_ok();
        Box::pin(async move {
            let name = name.as_str();
            if !trusted {
                check_name(name)?;
            }
            #[cfg(test)]
            let found: Vec<_> = match look_up {
                Some(look_up) => look_up(name),
                None => tokio::net::lookup_host((name, 0)).await?.collect(),
            };
            #[cfg(not(test))]
            let found: Vec<_> = tokio::net::lookup_host((name, 0)).await?.collect();
            let public: Vec<_> = found.into_iter().filter(|found| is_allowed(found.ip())).collect();
            if public.is_empty() {
                return Err(NotPublic::Leads(name.to_owned()).into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
