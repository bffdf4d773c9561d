import { gunzipSync } from 'node:zlib';

import { startAnvil } from '../../../src/devnet/anvil';
import { type ContractState, type PreparedContracts } from '../../../src/devnet/chain/state';
import { SPONSOR_ADDRESS } from '../../../src/devnet/paymaster-service';
import { DELEGATE_VERSIONS } from '../../../src/core/erc4337/delegates';
import { ACCOUNT_VERSIONS } from '../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../src/core/eth/bytes';
import {
  chainClient,
  deployCanonical,
  deployDelegate,
  deployPasskeySigners,
  deployPaymaster,
  deployRecoveryStandIn,
  deploySafe,
} from './contracts';

/**
 * Deploys what the devnet starts with on a fresh chain, from the published packages, and reads it back. The packages
 * are those of `test/chain/peers` (`scripts/install-chain-peers.sh`).
 *
 * @returns Every contract that the chain did not have before, by address.
 */
export async function makeContracts(): Promise<PreparedContracts> {
  const anvil = await startAnvil();
  try {
    const chain = chainClient(anvil.url);
    const accounts = async (): Promise<[Hex, ContractState][]> => {
      const dump = await chain.request<{ Method: 'anvil_dumpState'; Parameters: []; ReturnType: Hex }>({
        method: 'anvil_dumpState',
        params: [],
      });
      const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as {
        accounts: Record<Hex, ContractState>;
      };
      return Object.entries(state.accounts) as [Hex, ContractState][];
    };
    const before = new Set((await accounts()).map(([address]) => address));
    const paymasters: Partial<Record<string, Hex>> = {};
    for (const version of ACCOUNT_VERSIONS) {
      await deployCanonical(chain, version);
      paymasters[version] = await deployPaymaster(chain, version, SPONSOR_ADDRESS);
    }
    for (const version of DELEGATE_VERSIONS) await deployDelegate(chain, version);
    await deploySafe(chain);
    await deployPasskeySigners(chain);
    const recoveryModule = await deployRecoveryStandIn(chain);
    const contracts = (await accounts())
      .filter(([address, { code }]) => code !== '0x' && !before.has(address))
      .sort(([a], [b]) => a.localeCompare(b));
    return {
      paymasters: paymasters as PreparedContracts['paymasters'],
      recoveryModule,
      contracts: Object.fromEntries(contracts),
    };
  } finally {
    await anvil.stop();
  }
}
