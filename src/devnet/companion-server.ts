import { faucet } from './faucet';
import { sendJson } from './http';
import { listenOnLoopback, loopbackOrigins, type LoopbackServer } from './loopback';
import { sendFile } from './static-files';

/** What the companion page is told of the devnet it is served by, as `/devnet.json`. */
export type DevnetDescription = {
  readonly snapId: string;
  readonly snapUrl: string;
  /** The page that snaps run in, in an iframe; of another origin than the companion page. */
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
  /** A network whose uncles can be looked up, and one that is there. */
  readonly uncles: { readonly rpcUrl: string; readonly example: { readonly block: string; readonly index: string } };
  readonly storage: { readonly url: string; readonly key: string; readonly secret: string };
};

export type CompanionOptions = {
  readonly port: number;
  /** Of the built page. */
  readonly folder: string;
  /** Of the chain's node, for the faucet. */
  readonly chainUrl: string;
  readonly description: DevnetDescription;
};

/**
 * Serves the companion page with `/devnet.json` and `/faucet`. No answer may be read by a page of another origin.
 *
 * @throws {PortTakenError} If the port is taken.
 */
export function serveCompanion({ port, folder, chainUrl, description }: CompanionOptions): Promise<LoopbackServer> {
  const answerFaucet = faucet(chainUrl, loopbackOrigins(port));
  return listenOnLoopback(port, (request, response) => {
    if (request.url === '/faucet') return answerFaucet(request, response);
    if (request.url === '/devnet.json' && request.method === 'GET')
      sendJson(response, 200, description, {
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
    else sendFile(folder, request, response);
    return undefined;
  });
}
