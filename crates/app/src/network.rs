//! Whose addresses are counted together.

use std::net::IpAddr;

/// The network that an address is counted with: somebody with IPv6 has a whole network of addresses (/64).
pub fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((v6.to_bits() & !u128::from(u64::MAX)).to_be_bytes()),
    }
}
