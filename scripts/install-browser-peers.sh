#!/usr/bin/env bash
# Installs what test/browser/nightly uses of others: RainbowKit with wagmi 2 and React, and Playwright's test runner
# (about 700 MB).
set -euo pipefail
cd "$(dirname "$0")/../test/browser/peers"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
