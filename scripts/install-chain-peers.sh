#!/usr/bin/env bash
# Installs what the tests in test/chain run against: contracts, compiler, bundler, MetaMask's controller (about 600 MB).
set -euo pipefail
cd "$(dirname "$0")/../test/chain/peers"
npm ci --no-audit --no-fund
