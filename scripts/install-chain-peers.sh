#!/usr/bin/env bash
# Installs the dependencies of test/chain: the devnet's bundler, contracts, a compiler, MetaMask's controller,
# permissionless, Safe's SDK and the contracts of markets (about 640 MB).
set -euo pipefail
cd "$(dirname "$0")/.."
(cd src/devnet/bundler && npm ci --no-audit --no-fund)
(cd test/chain/peers && npm ci --no-audit --no-fund)
npx tsx scripts/install-market-contracts.ts
