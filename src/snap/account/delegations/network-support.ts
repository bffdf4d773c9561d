import { type NodeClient } from '../../../clients/node';
import { ENTRY_POINTS } from '../../../core/erc4337/entry-points';
import { ServiceRefusedError } from '../../../core/errors';
import {
  authorityOf,
  authorizationDigest,
  authorizationParameter,
  signedAuthorization,
} from '../../../core/eth/authorization';
import { LruCache } from '../../../core/lru-cache';
import { isPrivateKey, signDigest } from '../../../core/eth/secp256k1';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { BytesStruct } from '../../../core/structs/hex';
import { optional, type, unknown } from '../../../core/structs/struct';
import { type AllowedDelegate } from './allowed-delegate';
import { ENTRY_POINT } from './check-delegate';

/** Networks that were found to have EIP-7702, by the URL of their node. They do not lose it. */
const supporting = new LruCache<string, true>(100);

const HeaderStruct = type({ requestsHash: optional(unknown()) });

/** The header of every block since the upgrade that brought EIP-7702 to Ethereum has this field (EIP-7685). */
async function isAfterPrague(node: NodeClient): Promise<boolean> {
  const { requestsHash } = await node.ask('eth_getBlockByNumber', ['latest', false], HeaderStruct);
  return typeof requestsHash === 'string';
}

/** An authorization of an account that exists only for this question, so that nobody can use up its nonce. */
function throwawayAuthorization(chainId: bigint, address: AllowedDelegate['address']) {
  let key: Uint8Array;
  do key = crypto.getRandomValues(new Uint8Array(32));
  while (!isPrivateKey(key));
  const authorization = { chainId, address, nonce: 0n };
  return signedAuthorization(authorization, signDigest(authorizationDigest(authorization), key));
}

/** Lets the node make a call with an authorization, and see whether it is applied. */
async function appliesAuthorizations(
  { address, version }: AllowedDelegate,
  chainId: ChainName,
  node: NodeClient,
): Promise<boolean> {
  const authorization = throwawayAuthorization(chainIdOf(chainId), address);
  const authorizationList = [authorizationParameter(authorization)];
  const call = { to: authorityOf(authorization), data: ENTRY_POINT, authorizationList };
  const answer = await node.ask('eth_call', [call, 'latest'], BytesStruct).catch((error: unknown) => {
    if (error instanceof ServiceRefusedError) return '0x';
    throw error;
  });
  return answer.length === 66 && BigInt(answer) === BigInt(ENTRY_POINTS[version]);
}

/** @returns Whether accounts can run the code of a delegate on this network (EIP-7702). */
export async function runsDelegates(delegate: AllowedDelegate, chainId: ChainName, node: NodeClient): Promise<boolean> {
  const key = `${chainId} ${node.url}`;
  if (supporting.get(key) === true) return true;
  if (!(await isAfterPrague(node)) && !(await appliesAuthorizations(delegate, chainId, node))) return false;
  supporting.set(key, true);
  return true;
}
