import { listenOnLoopback, type LoopbackServer } from './loopback';
import { sendFile } from './static-files';

/** The built snap, served on the loopback interface for installation in MetaMask Flask. */
export type SnapServer = Omit<LoopbackServer, 'url'> & {
  /** With `localhost` as its host: the snap's ID is `local:` followed by this URL. */
  readonly url: string;
};

/**
 * Files of the Keystead page served here: the execution environment, and the simulated wallet for pages that load it
 * themselves.
 */
const isWalletFile = (url: string): boolean => url.startsWith('/executor/') || url === '/wallet.js';

/**
 * Serves a built snap, the simulated wallet for pages of any origin, and its execution environment, whose origin must
 * differ from the page's.
 *
 * @param folder - The snap's folder; an absolute path.
 * @param port - 0 picks a free one.
 * @param pageFolder - The Keystead page's folder; only the wallet's files in it are served.
 * @throws {PortTakenError} If the port is in use.
 */
export async function serveSnap(folder: string, port: number, pageFolder?: string): Promise<SnapServer> {
  // MetaMask fetches the files from its own origin.
  const headers = { 'access-control-allow-origin': '*' };
  const server = await listenOnLoopback(port, (request, response) => {
    const from = pageFolder !== undefined && isWalletFile(request.url ?? '') ? pageFolder : folder;
    sendFile(from, request, response, headers);
  });
  return { ...server, url: `http://localhost:${server.port}` };
}
