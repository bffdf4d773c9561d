#!/usr/bin/env bash
# Installs the newest keyring API, and newer Nodes, that test/contract and scripts/test-on-node.sh use (about 400 MB).
set -euo pipefail
cd "$(dirname "$0")/.."
(cd test/nodes && npm ci --no-audit --no-fund)
# It requires a newer Node than this one, and runs with the ones in test/nodes.
(cd test/contract/peers && npm ci --no-audit --no-fund --loglevel=error)
