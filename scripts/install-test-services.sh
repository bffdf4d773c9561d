#!/usr/bin/env bash
# Installs the programs that some tests of the service run against (Debian; as root). Tests that need one that is not
# there are skipped by name.
set -euo pipefail
command -v redis-server >/dev/null && command -v ipfs_cid >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server ipfs-cid
