import { listenOnLoopback, type LoopbackServer } from './loopback';
import { sendFile } from './static-files';

/** The built snap, served on the loopback interface, where MetaMask Flask installs it from. */
export type SnapServer = Omit<LoopbackServer, 'url'> & {
  /** With `localhost` as its host: the snap's id is `local:` and this. */
  readonly url: string;
};

/** Of the companion page: the execution environment, and the simulated wallet for pages that load it themselves. */
const isOfWallet = (url: string): boolean => url.startsWith('/executor/') || url === '/wallet.js';

/**
 * Serves a built snap, the simulated wallet for pages of any origin, and its execution environment, which must not have
 * the page's origin.
 *
 * @param folder - Of the snap; an absolute path.
 * @param port - 0 takes a free one.
 * @param pageFolder - Of the companion page: what of it is the wallet's is served.
 * @throws {PortTakenError} If the port is taken.
 */
export async function serveSnap(folder: string, port: number, pageFolder?: string): Promise<SnapServer> {
  // MetaMask fetches the files from its own origin.
  const headers = { 'access-control-allow-origin': '*' };
  const server = await listenOnLoopback(port, (request, response) => {
    const from = pageFolder !== undefined && isOfWallet(request.url ?? '') ? pageFolder : folder;
    sendFile(from, request, response, headers);
  });
  return { ...server, url: `http://localhost:${server.port}` };
}
