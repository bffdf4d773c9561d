#!/usr/bin/env bash
# Installs what the tests in test/chain run against: the bundler of the devnet, contracts, compiler, MetaMask's
# controller (about 690 MB).
set -euo pipefail
cd "$(dirname "$0")/.."
(cd src/devnet/bundler && npm ci --no-audit --no-fund)
(cd test/chain/peers && npm ci --no-audit --no-fund)
