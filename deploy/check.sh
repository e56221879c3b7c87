#!/bin/sh
# Checks these files without starting anything: `deploy/check.sh [PATH OF A BINARY]`.
# Needs docker compose or docker-compose, systemd, Python 3, and access to PyPI for the schemas of Kubernetes.
set -eu
cd "$(dirname "$0")"
binary=$(realpath "${1:-../target/release/quorate}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "compose.yaml"
export QUORATE_PASSWORD=x POSTGRES_PASSWORD=x
if docker compose version >/dev/null 2>&1; then
    docker compose -f compose.yaml config --quiet
else
    docker-compose -f compose.yaml config --quiet
fi

echo "quorate.service"
sed "s#/usr/local/bin/quorate#$binary#" quorate.service >"$work/quorate.service"
systemd-analyze verify "$work/quorate.service"
systemd-analyze security --offline=yes --threshold=40 "$work/quorate.service" | tail -n 1

echo "kubernetes.yaml"
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet kubernetes-validate==1.37.0
"$work/python/bin/kubernetes-validate" --strict kubernetes.yaml >"$work/kubernetes.log" || {
    cat "$work/kubernetes.log"
    exit 1
}
echo "all of them are valid"
