#!/usr/bin/env bash
# Installs the contracts of markets that test/chain/orders.test.ts fills orders with (about 120 MB, not part of the product).
# Without them those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
npx tsx scripts/install-market-contracts.ts
