import { startAnvil } from '../../../src/devnet/anvil';
import { startBundler } from '../../../src/devnet/bundler';
import { SPONSOR_ADDRESS, startPaymasterService } from '../../../src/devnet/paymaster-service';
import { ACCOUNT_VERSIONS, type AccountVersion } from '../../../src/core/erc4337/entry-points';
import { DELEGATE_VERSIONS } from '../../../src/core/erc4337/delegates';
import { type ChainClient, chainClient, deployCanonical, deployDelegate, deployPaymaster } from './contracts';

/**
 * A chain with entry points 0.6 to 0.9 and the delegates for EIP-7702, a bundler, and a sponsor. The contracts of 0.9 are those
 * of a release candidate.
 */
export type World = {
  readonly chain: ChainClient;
  readonly rpcUrl: string;
  readonly bundlerUrl: string;
  readonly paymasterUrl: string;
  readonly paymasters: Readonly<Record<AccountVersion, `0x${string}`>>;
  readonly stop: () => Promise<void>;
};

/** Starts everything; stops what was started if a part fails. */
export async function startWorld(): Promise<World> {
  const running: { readonly stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of running.reverse()) await part.stop();
  };
  try {
    const anvil = await startAnvil();
    running.push(anvil);
    const chain = chainClient(anvil.url);
    for (const version of ACCOUNT_VERSIONS) await deployCanonical(chain, version);
    for (const version of DELEGATE_VERSIONS) await deployDelegate(chain, version);
    const paymasters = {
      '0.6': await deployPaymaster(chain, '0.6', SPONSOR_ADDRESS),
      '0.7': await deployPaymaster(chain, '0.7', SPONSOR_ADDRESS),
      '0.8': await deployPaymaster(chain, '0.8', SPONSOR_ADDRESS),
      '0.9': await deployPaymaster(chain, '0.9', SPONSOR_ADDRESS),
    };
    const service = await startPaymasterService(paymasters);
    running.push(service);
    const alto = await startBundler({ rpcUrl: anvil.url });
    running.push(alto);
    return { chain, rpcUrl: anvil.url, bundlerUrl: alto.url, paymasterUrl: service.url, paymasters, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
