// Fetches with @helia/verified-fetch: run-verified-fetch.mjs <gateway> <url or [url, headers]>...
// Prints one JSON line: for each, {status, type, sha256} or {error}.
import { createHash } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';

// Node 20 lacks it, and packages below that one call it.
Promise.withResolvers ??= function () {
  const made = {};
  made.promise = new this((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

/** A client that only gets blocks which do not match their CIDs may ask forever. */
const PATIENCE_MS = 5000;

const [gateway, ...urls] = process.argv.slice(2);
const { createVerifiedFetch } = await import('@helia/verified-fetch');
const verifiedFetch = await createVerifiedFetch({
  gateways: [gateway],
  routers: [],
  allowInsecure: true,
  allowLocal: true,
});

async function fetched(url, headers) {
  let timer;
  const ended = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no verified answer')), PATIENCE_MS);
  });
  try {
    const response = await Promise.race([verifiedFetch(url, { headers }), ended]);
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  } catch (error) {
    return { error: String(error) };
  } finally {
    clearTimeout(timer);
  }
}

const results = [];
for (const argument of urls)
  results.push(await fetched(...(argument.startsWith('[') ? JSON.parse(argument) : [argument, {}])));
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0));
