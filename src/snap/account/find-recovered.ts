import { type OwnMethods } from '../../core/methods/own';
import { pad } from 'viem/utils';

import { InternalError, InvalidParamsError, KeysteadError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { type FoundRecovered } from '../../core/methods/results';
import { WrongAnswerError } from '../../core/safe/recovery/answer';
import { AddressStruct } from '../../core/schemas/address';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { array, integer, object, parse, type Struct, type } from '../../core/structs/struct';
import { servicesOf } from '../network/services';
import { MAX_INDEX } from './account';
import { SAFE_KIND } from './alarmed';
import { type AccountDeps } from './deps';
import { assertControls, isSafeProxy } from './recovered-safe';
import { deploymentOf, ownerOf } from './smart-account';

const FindParamsStruct: Struct<OwnMethods['keystead_findRecovered']['params']> = object({
  index: integer(0, MAX_INDEX),
});

/** `AddedOwner(address indexed owner)` of Safe 1.4.1. A Safe that is set up with an owner does not log it. */
const ADDED_OWNER = '0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26';

const LogsStruct = array(type({ address: AddressStruct }));

/** Anyone can log an event. So many contracts are asked whether they are Safes, at so many at a time. */
const MAX_CONTRACTS = 100;
const AT_ONCE = 10;

/** So many Safes are asked who controls them. */
const MAX_SAFES = 10;

/** The Safes among contracts, in the same order. */
async function safesAmong(addresses: readonly Hex[], node: Parameters<typeof isSafeProxy>[1]): Promise<Hex[]> {
  const safes: Hex[] = [];
  for (let start = 0; start < addresses.length && safes.length <= MAX_SAFES; start += AT_ONCE) {
    const some = addresses.slice(start, start + AT_ONCE);
    const areSafes = await Promise.all(some.map((address) => isSafeProxy(address, node)));
    safes.push(...some.filter((_address, at) => areSafes[at]));
  }
  return safes;
}

/** @throws {KeysteadError} If the node does not search all blocks, which many nodes limit. */
async function recoveredOn(configuration: ChainConfiguration, owner: Hex, own: Hex): Promise<FoundRecovered> {
  const { chainId } = configuration;
  const { node } = servicesOf(configuration);
  const filter = { fromBlock: '0x0', toBlock: 'latest', topics: [ADDED_OWNER, pad(owner)] };
  const logs = await node.ask('eth_getLogs', [filter], LogsStruct);
  // The newest first: a search that anyone could fill with older events would find nothing.
  const newest = logs.map(({ address }) => lowerCase(address)).reverse();
  const contracts = [...new Set(newest)].filter((address) => !isSameAddress(address, own));
  const safes = await safesAmong(contracts.slice(0, MAX_CONTRACTS), node);
  const found = await Promise.all(
    safes.slice(0, MAX_SAFES).map((address) =>
      assertControls(owner, address, node).then(
        () => [{ chainId, address }],
        (error: unknown) => {
          if (error instanceof InvalidParamsError || error instanceof WrongAnswerError) return [];
          throw error;
        },
      ),
    ),
  );
  const isComplete = contracts.length <= MAX_CONTRACTS && safes.length <= MAX_SAFES;
  return { found: found.flat(), unsearched: isComplete ? [] : [chainId] };
}

/**
 * `keystead_findRecovered`: looks for Safes that a recovery has given to the derived key of an index, on all networks
 * that are set up. Their addresses do not follow from the key, so only the networks know them.
 */
export async function findRecovered(
  params: unknown,
  { chains, entropy }: Pick<AccountDeps, 'chains' | 'entropy'>,
): Promise<FoundRecovered> {
  const { index } = parse(FindParamsStruct, params, 'params');
  const owner = await ownerOf(SAFE_KIND, { source: 'derived', index }, entropy);
  const { address } = deploymentOf({ kind: SAFE_KIND, salt: BigInt(index) }, owner);
  const searches = await Promise.all(
    (await chains.list()).map((configuration) =>
      recoveredOn(configuration, owner, address).catch((error: unknown) => {
        if (!(error instanceof KeysteadError) || error instanceof InternalError) throw error;
        return { found: [], unsearched: [configuration.chainId] };
      }),
    ),
  );
  return {
    found: searches.flatMap(({ found }) => found),
    unsearched: searches.flatMap(({ unsearched }) => unsearched),
  };
}
