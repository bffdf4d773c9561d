#!/usr/bin/env bash
# Installs the third-party clients and test suites that test/service/storage/api/peers.cases.ts and test/service/storage/gateway run (about
# 150 MB, not part of the product), and their fixtures. Without them those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/../test/service/storage"
(cd gateway/peers && npm ci --no-audit --no-fund)
cd peers
npm ci --no-audit --no-fund
# interface-ipfs-core 0.158.1 is published without its fixtures; 0.155.2 has them.
package=$(npm pack --silent interface-ipfs-core@0.155.2)
tar xzf "$package" --strip-components=3 package/dist/test/fixtures
rm "$package"
