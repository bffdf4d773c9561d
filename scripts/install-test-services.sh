#!/usr/bin/env bash
# Installs programs that some tests of the service need (Debian; as root). Tests whose program is missing are skipped by
# name.
set -euo pipefail
command -v redis-server >/dev/null && command -v ipfs_cid >/dev/null && [ -x /usr/sbin/nginx ] && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server ipfs-cid nginx
