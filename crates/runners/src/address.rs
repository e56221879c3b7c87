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
    pub(crate) fn message(&self) -> Message {
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

/// Names that stand for this machine or its network by agreement.
const LOCAL_NAMES: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];

fn check_name(name: &str) -> Result<(), NotPublic> {
    let plain = name.trim_end_matches('.').to_ascii_lowercase();
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
        }
    }

    /// Names that lead elsewhere.
    #[cfg(test)]
    pub(crate) fn looking_up(
        look_up: impl Fn(&str) -> Vec<std::net::SocketAddr> + Send + Sync + 'static,
    ) -> Self {
        Self { proxy: None, look_up: Some(std::sync::Arc::new(look_up)) }
    }
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let trusted = self.proxy.as_deref() == Some(name.as_str());
        #[cfg(test)]
        let look_up = self.look_up.clone();
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
            let public: Vec<_> =
                found.into_iter().filter(|found| trusted || check_address(found.ip()).is_ok()).collect();
            if public.is_empty() {
                return Err(NotPublic::Leads(name.to_owned()).into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str) -> Result<(), NotPublic> {
        check_public(&format!("https://{host}/v1").parse().expect("a URL"))
    }

    #[test]
    fn what_leads_into_this_machine_or_its_network_is_refused_in_every_spelling() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0x7f000001",
            "0177.0.0.1",
            "127.0.0.1.",
            "１２７.0.0.1",
            "0.0.0.0",
            "0",
            "10.0.0.7",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "169.254.169.254",
            "0xa9fea9fe",
            "2852039166",
            "224.0.0.1",
            "239.1.2.3",
            "240.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "192.0.2.1",
            "192.0.0.170",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:10.1.2.3]",
            "[::127.0.0.1]",
            "[::a00:1]",
            "[64:ff9b::127.0.0.1]",
            "[64:ff9b::a9fe:a9fe]",
            "[64:ff9b:1::808:808]",
            "[2002:7f00:1::]",
            "[2002:a00:1::5]",
            "[2002:c0a8:101::1]",
            "[2001:0:4136:e378::1]",
            "[2001:db8::1]",
            "[3fff::1]",
            "[fe80::1]",
            "[febf::1]",
            "[fec0::1]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[ff02::1]",
            "[100::1]",
            "[5f00::1]",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "api.localhost",
            "printer.local",
            "printer.local.",
            "metadata.google.internal",
            "x.INTERNAL",
            "router.home.arpa",
        ] {
            check(host).expect_err(host);
        }
        for scheme in ["ftp://8.8.8.8/", "file:///etc/passwd", "data:text/plain,x"] {
            assert_eq!(check_public(&scheme.parse().expect("a URL")), Err(NotPublic::Scheme), "{scheme}");
        }
    }

    #[test]
    fn what_is_public_stays_allowed() {
        for host in [
            "api.example.com",
            "8.8.8.8",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "169.253.0.1",
            "notlocalhost",
            "my-local",
            "internal.example.com",
            "[2606:4700::1111]",
            "[::ffff:8.8.8.8]",
            "[64:ff9b::8.8.8.8]",
            "[2002:808:808::1]",
            "[2001:4860:4860::8888]",
        ] {
            assert_eq!(check(host), Ok(()), "{host}");
        }
    }

    async fn look_up(name: &str, proxy: Option<&str>) -> Result<usize, String> {
        let resolver = PublicOnly::of_system(proxy.map(str::to_owned));
        let found = resolver.resolve(name.parse().expect("a name")).await;
        found.map(Iterator::count).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_name_that_leads_home_has_no_address() {
        assert!(look_up("localhost", None).await.expect_err("local").contains("name of this machine"));
        assert!(look_up("localhost", Some("localhost")).await.expect("trusted") > 0);
        // What no check of names can know: an ordinary name for a local address.
        let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
        let own = hosts.lines().filter(|line| line.starts_with("127.") || line.starts_with("::1"));
        for name in own.flat_map(|line| line.split_whitespace().skip(1)) {
            look_up(name, None).await.expect_err(name);
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_home_the_second_time_has_no_address_then() {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let resolver = PublicOnly::looking_up(move |_| {
            let first = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0;
            let ip = if first { [8, 8, 8, 8] } else { [127, 0, 0, 1] };
            vec![(ip, 0).into(), ([10, 0, 0, 1], 0).into()]
        });
        let found = async || {
            let found = resolver.resolve("hooks.example.com".parse().expect("a name")).await;
            found.map(|found| found.map(|one| one.ip().to_string()).collect::<Vec<_>>())
        };
        assert_eq!(found().await.expect("public"), ["8.8.8.8"]);
        assert!(found().await.expect_err("local").to_string().contains("leads into this machine"));
    }
}
