#!/bin/sh
# Installs the real SDKs of the Agent2Agent protocol, of versions 1.0 and 0.3, each into an environment of its own, and holds
# meetings with them: as clients of the server, and as remote agents at the table.
#
#     clients/a2a/test.sh [arguments of pytest]
#
# QUORATE_BIN names the program `quorate`, by default target/debug/quorate of this repository. PYTHON names the interpreter, by
# default python3 (3.10 or newer). The environments are in target/clients, and are made again when their list changes.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
python=${PYTHON:-python3}

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "test.sh: $python is not Python 3.10 or newer with venv; name one with PYTHON=…" >&2
    exit 2
fi
QUORATE_BIN=${QUORATE_BIN:-$root/target/debug/quorate}
export QUORATE_BIN
run() {
    venv=$root/target/clients/$1
    list=$here/$2
    folder=$3
    shift 3
    wanted=$(cksum < "$list")
    if [ "$(cat "$venv/installed" 2>/dev/null || true)" != "$wanted" ]; then
        echo "test.sh: installing $list" >&2
        "$python" -m venv --clear "$venv"
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$list"
        echo "$wanted" > "$venv/installed"
    fi
    (cd "$here" && PYTHONPATH="$here" "$venv/bin/python" -m pytest -q -p no:cacheprovider "$folder" "$@")
}
run a2a-now requirements.txt now "$@"
run a2a-before requirements-before.txt before "$@"
