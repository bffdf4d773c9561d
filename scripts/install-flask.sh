#!/usr/bin/env bash
# Downloads MetaMask's own release of MetaMask Flask for test/metamask, checks it against the digest that GitHub publishes
# with the release, and unpacks it. Prints the folder, which METAMASK_DIR names:
#
#   METAMASK_DIR=$(scripts/install-flask.sh) npm run test:metamask
#
# FLASK_VERSION selects another version, and FLASK_SHA256 the digest to expect in place of GitHub's.
set -euo pipefail
cd "$(dirname "$0")/.."

releases=https://api.github.com/repos/MetaMask/metamask-extension/releases
cache=node_modules/.cache/metamask-flask
mkdir -p "$cache"

# The latest release with an archive of Flask for Chromium, or the one of FLASK_VERSION.
release=$cache/release.json
curl -sSfL --retry 3 -H 'Accept: application/vnd.github+json' "$releases?per_page=30" -o "$release"
read -r name url digest < <(node -e '
  const [file, wanted] = process.argv.slice(1);
  const assets = JSON.parse(require("node:fs").readFileSync(file, "utf8")).flatMap(({ assets }) => assets);
  const name = wanted ? `metamask-flask-chrome-${wanted}-flask.0.zip` : undefined;
  const found = assets.find((asset) =>
    name === undefined ? /^metamask-flask-chrome-[\d.]+-flask\.\d+\.zip$/.test(asset.name) : asset.name === name,
  );
  if (!found) throw new Error(`No release has an archive of Flask${wanted ? ` ${wanted}` : ""} for Chromium.`);
  console.log(found.name, found.browser_download_url, (found.digest ?? "").replace("sha256:", "") || "-");
' "$release" "${FLASK_VERSION:-}")

expected=${FLASK_SHA256:-$digest}
if [[ ! "$expected" =~ ^[0-9a-f]{64}$ ]]; then
  echo "GitHub publishes no SHA-256 digest of $name. Set FLASK_SHA256 to the one you trust." >&2
  exit 1
fi

archive=$cache/$name
folder=$cache/${name%.zip}
if ! echo "$expected  $archive" | sha256sum --check --status 2>/dev/null; then
  rm -rf "$folder"
  curl -sSfL --retry 3 "$url" -o "$archive"
  echo "$expected  $archive" | sha256sum --check --status || {
    echo "$name does not have the SHA-256 digest $expected." >&2
    rm -f "$archive"
    exit 1
  }
fi

if [ ! -f "$folder/manifest.json" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  # Python is on every runner; unzip is not.
  python3 -m zipfile -e "$archive" "$folder"
fi
echo "$PWD/$folder"
