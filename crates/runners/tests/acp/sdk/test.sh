#!/bin/sh
# Installs the protocol's SDK into target/acp-sdk, and runs the tests with an agent that is made with it.
#
#     crates/runners/tests/acp/sdk/test.sh
#
# It needs npm with a registry; the other tests of agents need neither.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../../../../.." && pwd)
place=$root/target/acp-sdk
if ! command -v npm >/dev/null; then
    echo "test.sh: npm is not there; install Node.js 20 or newer" >&2
    exit 2
fi
mkdir -p "$place"
cp "$here/package.json" "$here/agent.mjs" "$place"
npm install --prefix "$place" --no-audit --no-fund --silent
cd "$root"
QUORATE_ACP_SDK=$place exec cargo nextest run --workspace --test acp --run-ignored only "$@"
