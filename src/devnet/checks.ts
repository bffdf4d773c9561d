import { JsonRpcClient } from '../clients/json-rpc';
import { NodeClient } from '../clients/node';
import { StorageClient } from '../clients/storage';
import { DELEGATES } from '../core/erc4337/delegates';
import { ACCOUNT_VERSIONS, ENTRY_POINTS } from '../core/erc4337/entry-points';
import { KINDS } from '../core/kinds';
import { DEVNET_CHAIN } from './chain/definition';
import { type Credentials, UNCLE_EXAMPLE } from './service';
import { array, literal, string, type } from '../core/structs/struct';

/* Each part gets a request that it can answer only if it works; an error names the part and the reason. */

const CHAIN_ID = BigInt(DEVNET_CHAIN.id);

/** Checks the chain, directly or through the service: its ID, and the code of entry points, factories and delegates. */
export async function checkChain(url: string): Promise<void> {
  const node = new NodeClient({ url });
  await node.assertChain(CHAIN_ID);
  const wanted = [
    ...ACCOUNT_VERSIONS.map((version) => [`entry point ${version}`, ENTRY_POINTS[version]] as const),
    ...Object.entries(KINDS).map(([name, { factory }]) => [`factory of ${name}`, factory] as const),
    ...Object.entries(DELEGATES).map(([version, address]) => [`Simple7702Account ${version}`, address] as const),
  ];
  for (const [what, address] of wanted) {
    if ((await node.code(address)) === '0x')
      throw new Error(`The chain has no ${what}. Its state is from another version: use another data directory.`);
  }
}

/** Checks that the bundler accepts operations for every entry point. */
export async function checkBundler(url: string): Promise<void> {
  const supported = await new JsonRpcClient('bundler', { url }).request(
    'eth_supportedEntryPoints',
    [],
    array(string()),
  );
  for (const version of ACCOUNT_VERSIONS) {
    if (!supported.some((address) => address.toLowerCase() === ENTRY_POINTS[version].toLowerCase()))
      throw new Error(`The bundler does not support entry point ${version}.`);
  }
}

/** Checks that the paymaster service returns paymaster data. */
export async function checkPaymaster(url: string): Promise<void> {
  const operation = { sender: `0x${'11'.repeat(20)}`, nonce: '0x0', callData: '0x' };
  const params = [operation, ENTRY_POINTS['0.7'], `0x${CHAIN_ID.toString(16)}`, {}];
  await new JsonRpcClient('paymaster service', { url }).request(
    'pm_getPaymasterStubData',
    params,
    type({ paymaster: string() }),
  );
}

/** Checks that mainnet uncles can be looked up. */
export async function checkUncles(url: string): Promise<void> {
  const { block, index } = UNCLE_EXAMPLE;
  const client = new JsonRpcClient('chain service', { url });
  await client.request('eth_getUncleByBlockNumberAndIndex', [block, index], type({ hash: string() }));
}

/** Checks that the storage service accepts the key and computes the same hashes as the client. */
export async function checkStorage(url: string, { key, secret }: Credentials): Promise<void> {
  await new StorageClient({ url, key, secret }).add('Keystead', { onlyHash: true });
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers with HTTP ${response.status}.`);
  return response;
}

/** Checks that the snap server serves the built manifest, its bundle, and the execution environment. */
export async function checkSnap(url: string, shasum: string): Promise<void> {
  const manifest: unknown = await (await fetched(`${url}/snap.manifest.json`)).json();
  if (!type({ source: type({ shasum: literal(shasum) }) }).is(manifest))
    throw new Error(`${url} serves a different snap than the one just built.`);
  await fetched(`${url}/bundle.js`);
  await fetched(`${url}/executor/index.html`);
}

/** Checks the Keystead page and its description of the devnet. */
export async function checkCompanion(url: string, snapId: string): Promise<void> {
  await fetched(url);
  const description: unknown = await (await fetched(`${url}/devnet.json`)).json();
  if (!type({ snapId: literal(snapId) }).is(description))
    throw new Error(`${url}/devnet.json does not describe this devnet.`);
}
