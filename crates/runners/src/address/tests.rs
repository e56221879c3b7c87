//! Spellings of addresses, and names that lead elsewhere than they seem to.

use super::*;

fn check(host: &str) -> Result<(), NotPublic> {
    check_public(&format!("https://{host}/v1").parse().expect("a URL"))
}

/// Spellings of hosts, one a line.
const SPELLINGS: &str = include_str!("../../../../fixtures/private-addresses.txt");

fn spellings() -> impl Iterator<Item = &'static str> {
    SPELLINGS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn what_leads_into_this_machine_or_its_network_is_refused_in_two_hundred_spellings() {
    let (mut read, mut unreadable) = (0, Vec::new());
    for host in spellings() {
        for address in [format!("https://{host}/v1"), format!("https://{host}:8443/v1?x=y")] {
            let Ok(url) = address.parse::<Url>() else {
                unreadable.push(host);
                continue;
            };
            check_public(&url).expect_err(host);
            let hook = crate::webhook::check_webhook_address(&url, true);
            hook.expect_err(host);
            read += 1;
        }
    }
    assert!(read >= 2 * 200, "{read} addresses were read and refused, and {unreadable:?} are none");
    for scheme in ["ftp://8.8.8.8/", "file:///etc/passwd", "data:text/plain,x", "gopher://127.0.0.1/"] {
        assert_eq!(check_public(&scheme.parse().expect("a URL")), Err(NotPublic::Scheme), "{scheme}");
    }
}

/// Names of everybody's domain name system that lead home, or to the metadata of a cloud.
const NAMES_THAT_LEAD_HOME: [(&str, [u8; 4]); 12] = [
    ("127.0.0.1.nip.io", [127, 0, 0, 1]),
    ("7f000001.nip.io", [127, 0, 0, 1]),
    ("127-0-0-1.sslip.io", [127, 0, 0, 1]),
    ("169-254-169-254.sslip.io", [169, 254, 169, 254]),
    ("app.10.0.0.7.nip.io", [10, 0, 0, 7]),
    ("localtest.me", [127, 0, 0, 1]),
    ("anything.localtest.me", [127, 0, 0, 1]),
    ("lvh.me", [127, 0, 0, 1]),
    ("fbi.com", [127, 0, 0, 1]),
    ("0x7f.1.example.com", [0, 0, 0, 0]),
    ("metadata.example.com", [169, 254, 169, 254]),
    ("xn--lcalhost-q3a.example", [192, 168, 0, 1]),
];

#[tokio::test]
async fn what_only_the_look_up_of_a_name_shows_is_refused_there() {
    let resolver = PublicOnly::looking_up(|name| {
        let found = NAMES_THAT_LEAD_HOME.iter().find(|(known, _)| *known == name);
        found.map(|(_, address)| (*address, 0).into()).into_iter().collect()
    });
    for (name, _) in NAMES_THAT_LEAD_HOME {
        assert_eq!(check(name), Ok(()), "nothing can be seen in {name}");
        let found = resolver.resolve(name.parse().expect("a name")).await.map(Iterator::count);
        assert!(found.expect_err(name).to_string().contains("leads into this machine"));
    }
}

/// Readers of names are as strict as those of addresses: what the client looks up without an address before it.
#[tokio::test]
async fn a_spelling_that_gets_as_far_as_the_look_up_is_refused_there() {
    let resolver = PublicOnly::looking_up(|name| panic!("{name} is looked up"));
    for host in spellings() {
        let plain = host.trim_matches(['[', ']']);
        let Ok(url) = format!("https://{plain}/").parse::<Url>() else { continue };
        let Some(Host::Domain(name)) = url.host() else { continue };
        resolver.resolve(name.parse().expect("a name")).await.map(Iterator::count).expect_err(name);
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
