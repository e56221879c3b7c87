#!/bin/sh
# Installs the package and the real framework into an environment of its own, and runs the tests.
#
#     adapters/python/test.sh [arguments of pytest]
#
# QUORATE_BIN names the program `quorate` for the tests that hold meetings; by default target/debug/quorate of this
# repository. PYTHON names the interpreter, by default python3 (3.10 or newer). VENV names the folder of the
# environment, by default target/adapters/venv; it is made again when requirements-test.txt or pyproject.toml changes.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
python=${PYTHON:-python3}
venv=${VENV:-$root/target/adapters/venv}

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "test.sh: $python is not Python 3.10 or newer with venv; name one with PYTHON=…" >&2
    exit 2
fi
wanted=$(cat "$here/requirements-test.txt" "$here/pyproject.toml" | cksum)
if [ "$(cat "$venv/installed" 2>/dev/null || true)" != "$wanted" ]; then
    echo "test.sh: installing the framework into $venv" >&2
    "$python" -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements-test.txt"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c "$here/requirements-test.txt" \
        -e "$here[agent-framework,test]"
    echo "$wanted" > "$venv/installed"
fi
cd "$here"
exec "$venv/bin/python" -m pytest "$@"
