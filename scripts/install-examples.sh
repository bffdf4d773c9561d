#!/usr/bin/env bash
# Installs what the examples need, for test/browser/nightly/examples.test.ts (about 250 MB).
set -euo pipefail
cd "$(dirname "$0")/../examples"
for example in viem wagmi-react user-operations; do
  (cd "$example" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
done
