//! Grouping of client addresses for limits.

use std::net::IpAddr;

/// The network that an address is counted with: an IPv6 client has a whole network of addresses (/64).
pub fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((v6.to_bits() & !u128::from(u64::MAX)).to_be_bytes()),
    }
}
