import { type Hex } from '../core/eth/bytes';
import { type RecoveryModule } from '../core/safe/recovery/modules';
import { DEVNET_CHAIN } from './chain/definition';
import { faucet } from './faucet';
import { localPageHeaders, sendJson } from './http';
import { listenOnLoopback, type LoopbackServer } from './loopback';
import { sendFile } from './static-files';

/** Describes the devnet to the Keystead page, as `/devnet.json`. */
export type DevnetDescription = {
  readonly snapId: string;
  readonly snapUrl: string;
  /** The page that runs snaps in an iframe; its origin differs from the Keystead page's. */
  readonly executorUrl: string;
  readonly chain: {
    /** CAIP-2. */
    readonly chainId: string;
    readonly name: string;
    readonly rpcUrl: string;
    /** Absent without a bundler. */
    readonly bundlerUrl?: string;
    readonly paymasterUrl: string;
    readonly entryPoints: Readonly<Record<string, string>>;
  };
  /** A network whose uncles can be looked up, and an example. */
  readonly uncles: { readonly rpcUrl: string; readonly example: { readonly block: string; readonly index: string } };
  readonly storage: { readonly url: string; readonly key: string; readonly secret: string };
  /** The recovery module of the chain: a stand-in, with its delay in seconds. */
  readonly recoveryModule: Omit<RecoveryModule, 'period'> & { readonly period: number };
  /** Addresses to try sending to. */
  readonly recipients: readonly { readonly name: string; readonly address: Hex }[];
};

export type CompanionOptions = {
  readonly port: number;
  /** The built page. */
  readonly folder: string;
  /** The chain's node, for the faucet. */
  readonly chainUrl: string;
  readonly description: DevnetDescription;
};

/** The headers of what the page of another origin must not get hold of, and what changes with each start. */
const PRIVATE = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' };

/** @returns The devnet's network, as a dapp passes it to Keystead. Without a bundler there is nothing to sponsor. */
const networkOf = ({ chain: { chainId, name, rpcUrl, bundlerUrl, paymasterUrl } }: DevnetDescription) => ({
  ...{ chainId, name, symbol: DEVNET_CHAIN.nativeCurrency.symbol, rpcUrl },
  ...(bundlerUrl !== undefined && { bundlerUrl, paymasterUrl }),
});

/**
 * Serves the Keystead page with `/devnet.json`, `/network.json` and `/faucet`. Pages of other origins cannot read the
 * responses, except that pages of this machine can read the network and use the faucet.
 *
 * @throws {PortTakenError} If the port is in use.
 */
export function serveCompanion({ port, folder, chainUrl, description }: CompanionOptions): Promise<LoopbackServer> {
  const answerFaucet = faucet(chainUrl);
  return listenOnLoopback(port, (request, response) => {
    if (request.url === '/faucet') return answerFaucet(request, response);
    if (request.url === '/devnet.json' && request.method === 'GET') sendJson(response, 200, description, PRIVATE);
    else if (request.url === '/network.json' && request.method === 'GET')
      sendJson(response, 200, networkOf(description), { ...PRIVATE, ...localPageHeaders(request) });
    else sendFile(folder, request, response);
    return undefined;
  });
}
