import { type IncomingMessage, type ServerResponse } from 'node:http';

import { createPublicClient, createWalletClient, http, isAddress, numberToHex, parseEther } from 'viem';

import { DEVNET_CHAIN } from './chain/definition';
import { FAUCET_ADDRESS } from './chain/state';
import { localPageHeaders, readBody, sendJson } from './http';

/** The amount per request. */
const GIFT = parseEther('10');
const MAX_REQUEST = 1024;

/** A page sends JSON, for which its browser asks first. */
const CORS = {
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'POST',
};

const RULE = 'address: must be an Ethereum address, in a JSON object { "address": "0x…" }';

function addressIn(text: string): `0x${string}` | undefined {
  try {
    const { address } = JSON.parse(text) as { readonly address?: unknown };
    return typeof address === 'string' && isAddress(address, { strict: false }) ? address : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A faucet for test ether: `POST { "address" }` is answered with `{ "balance" }` in wei once the transfer is in a
 * block. Only pages of this machine may use it (CORS), and programs, which send no origin.
 *
 * @param chainUrl - The chain's node, which signs for {@link FAUCET_ADDRESS}.
 */
export function faucet(chainUrl: string): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const transport = http(chainUrl);
  const wallet = createWalletClient({ account: FAUCET_ADDRESS, chain: DEVNET_CHAIN, transport });
  const node = createPublicClient({ chain: DEVNET_CHAIN, transport, pollingInterval: 50 });
  return async (request, response) => {
    const local = localPageHeaders(request);
    if (local === undefined) {
      sendJson(response, 403, { error: 'origin: only pages of this machine may use the faucet' });
      return;
    }
    const cors = { ...CORS, ...local };
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 405, { allow: 'POST, OPTIONS', ...cors }).end();
      return;
    }
    // Any other type could come from a page of another origin without a preflight request.
    if (request.headers['content-type']?.split(';')[0]?.trim() !== 'application/json') {
      sendJson(response, 415, { error: 'content-type: must be application/json' }, cors);
      return;
    }
    const to = addressIn(await readBody(request, MAX_REQUEST));
    if (to === undefined) {
      sendJson(response, 400, { error: RULE }, cors);
      return;
    }
    const hash = await wallet.sendTransaction({ to, value: GIFT });
    await node.waitForTransactionReceipt({ hash });
    sendJson(response, 200, { balance: numberToHex(await node.getBalance({ address: to })) }, cors);
  };
}
