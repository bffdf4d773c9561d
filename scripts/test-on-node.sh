#!/usr/bin/env bash
# Runs the unit tests, and some tests of the built snap and the service, with a newer Node: 22 or 24. These come from npm
# packages (`test/nodes`), which the first call installs.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: scripts/test-on-node.sh 22|24}
node=test/nodes/node_modules/node-$version/bin
[ -x "$node/node" ] || (cd test/nodes && npm ci --no-audit --no-fund)
PATH=$PWD/$node:$PATH
echo "Node $(node --version)"
npx tsx scripts/build.ts --if-stale
npx jest --selectProjects unit snap service -- test/unit test/snap/keyring.test.ts \
  test/service/runtime.test.ts test/service/chain.test.ts test/service/hostile.test.ts
