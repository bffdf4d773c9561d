import { pad } from 'viem/utils';

import { KeysteadError, InternalError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { array, integer, object, parse, type } from '../../core/schemas/struct';
import { servicesOf } from '../networks/services';
import { MAX_INDEX } from './account';
import { SAFE_KIND } from './alarmed';
import { type AccountDeps } from './deps';
import { assertControls } from './recovered-safe';
import { deploymentOf, ownerOf } from './smart-account';

const FindParamsStruct = object({ index: integer(0, MAX_INDEX) });

/** `AddedOwner(address indexed owner)` of Safe 1.4.1. A Safe that is set up with an owner does not log it. */
const ADDED_OWNER = '0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26';

const LogsStruct = array(type({ address: AddressStruct }));

/** Anyone can log an event. So many contracts are asked about their owner. */
const MAX_CANDIDATES = 10;

/** A Safe that a recovery has given to a key, on a network. */
export type RecoveredSafe = { readonly chainId: ChainName; readonly address: Hex };

/** @throws {KeysteadError} If the node does not search all blocks, which many nodes limit. */
async function recoveredOn(configuration: ChainConfiguration, owner: Hex, own: Hex): Promise<RecoveredSafe[]> {
  const { node } = servicesOf(configuration);
  const filter = { fromBlock: '0x0', toBlock: 'latest', topics: [ADDED_OWNER, pad(owner)] };
  const logs = await node.ask('eth_getLogs', [filter], LogsStruct);
  const found = [...new Set(logs.map(({ address }) => address))].filter((address) => !isSameAddress(address, own));
  const controlled = await Promise.all(
    found.slice(0, MAX_CANDIDATES).map((address) =>
      assertControls(owner, address, node).then(
        () => [{ chainId: configuration.chainId, address }],
        () => [],
      ),
    ),
  );
  return controlled.flat();
}

/**
 * `keystead_findRecovered`: looks for Safes that a recovery has given to the derived key of an index, on all networks
 * that are set up. Their addresses do not follow from the key, so only the networks know them. Networks that do not
 * answer are left out.
 */
export async function findRecovered(
  params: unknown,
  { chains, entropy }: Pick<AccountDeps, 'chains' | 'entropy'>,
): Promise<RecoveredSafe[]> {
  const { index } = parse(FindParamsStruct, params, 'params');
  const owner = await ownerOf(SAFE_KIND, { source: 'derived', index }, entropy);
  const { address } = deploymentOf({ kind: SAFE_KIND, salt: BigInt(index) }, owner);
  const found = await Promise.all(
    (await chains.list()).map((configuration) =>
      recoveredOn(configuration, owner, address).catch((error: unknown) => {
        if (!(error instanceof KeysteadError) || error instanceof InternalError) throw error;
        return [];
      }),
    ),
  );
  return found.flat();
}
