import { join, relative } from 'node:path';

import { buildSnap } from '../../scripts/build';
import { buildPage } from '../../scripts/build-page';
import { makeDirectory } from '../service/runtime/directory';
import { startAnvil } from './anvil';
import { bundlerSoFar, installBundler, INSTALL_SIZE, isBundlerInstalled, startBundler } from './bundler';
import { DEVNET_CHAIN } from './chain/definition';
import { preparedContracts, writeFirstState } from './chain/state';
import {
  checkBundler,
  checkChain,
  checkCompanion,
  checkPaymaster,
  checkSnap,
  checkStorage,
  checkUncles,
} from './checks';
import { serveCompanion } from './companion-server';
import { describe } from './description';
import { type Options } from './options';
import { startPaymasterService } from './paymaster-service';
import { type Ports, portsFrom } from './ports';
import { type Run, together } from './run';
import { screen } from './screen';
import { type DevnetService, startService } from './service';
import { serveSnap } from './snap-server';

const here = (path: string): string => `${relative(process.cwd(), path)}/`;

const url = (port: number): string => `http://127.0.0.1:${port}`;

/** Runs the chain, with the prepared contracts or its saved state. */
async function runChain({ progress, parts, signal }: Run, folder: string, port: number, keepState: boolean) {
  const state = join(folder, 'chain.json');
  await progress.step(
    'chain',
    async () => {
      writeFirstState(state);
      const anvil = parts.add('The chain', await startAnvil({ port, state, keepState, signal }));
      await checkChain(anvil.url);
    },
    () => `${url(port)}  ${DEVNET_CHAIN.name}: anvil, chain ID 31337, entry points 0.6 to 0.9`,
  );
}

async function runBundler({ progress, parts, signal }: Run, ports: Ports): Promise<void> {
  if (!isBundlerInstalled())
    await progress.step(
      `bundler installation (once, ${INSTALL_SIZE})`,
      () => installBundler(signal),
      () => 'alto, from npm',
      bundlerSoFar,
    );
  await progress.step(
    'bundler',
    async () => {
      const bundler = await startBundler({ rpcUrl: url(ports.chain), port: ports.bundler, signal });
      await checkBundler(parts.add('The bundler', bundler).url);
    },
    () => `${url(ports.bundler)}  alto`,
  );
}

async function runPaymaster({ progress, parts }: Run, port: number): Promise<void> {
  await progress.step(
    'paymaster service',
    async () => {
      const paymaster = await startPaymasterService(preparedContracts().paymasters, port);
      await checkPaymaster(parts.add('The paymaster service', paymaster).url);
    },
    () => `${url(port)}  ERC-7677`,
  );
}

async function runService(
  { progress, parts }: Run,
  folder: string,
  ports: Ports,
  withBundler: boolean,
): Promise<DevnetService> {
  return progress.step(
    'Keystead service',
    async () => {
      const service = await startService({
        dataDir: join(folder, 'service'),
        ports,
        chainUrl: url(ports.chain),
        bundlerUrl: withBundler ? url(ports.bundler) : undefined,
      });
      parts.add('The Keystead service', service);
      await checkChain(service.rpcUrl);
      await checkUncles(service.mainnetUrl);
      await checkStorage(service.storageUrl, service.credentials);
      return service;
    },
    () => `${url(ports.rpc)}  chain, uncles and files`,
  );
}

/**
 * Starts the devnet: builds what is stale, and starts the chain, the bundler, the paymaster service, the Keystead
 * service, the snap server and the Keystead page. Each must answer a real request before it is reported as ready.
 *
 * @param end - Stops everything, for the given reason.
 * @throws If a part does not start.
 */
export async function startDevnet(options: Options, run: Run, end: (reason: unknown) => void): Promise<void> {
  const { progress, parts, signal, temporary } = run;
  const ports = portsFrom(options.portBase);
  const folder = options.dataDir ?? temporary;
  makeDirectory(folder);
  await runChain(run, folder, ports.chain, options.dataDir !== undefined);
  const [snap, page, service] = await together(
    [
      progress.step(
        'snap build',
        () => buildSnap({ edition: 'dev', companionPort: ports.companion, ifStale: true, signal }),
        (built) => here(built.folder),
      ),
      progress.step(
        'Keystead page build',
        () => buildPage({ ifStale: true }),
        (built) => here(built.folder),
      ),
      runService(run, folder, ports, options.bundler),
      runPaymaster(run, ports.paymaster),
      options.bundler ? runBundler(run, ports) : Promise.resolve(),
    ],
    end,
  );
  signal.throwIfAborted();
  if (options.bundler) await checkBundler(service.rpcUrl);

  const description = describe(ports, service, options.bundler);
  await progress.step(
    'snap server',
    async () => {
      const server = parts.add('The snap server', await serveSnap(snap.folder, ports.snap, page.folder));
      await checkSnap(server.url, snap.shasum);
    },
    () => description.snapId,
  );
  await progress.step(
    'Keystead page',
    async () => {
      const { companion: port, chain } = ports;
      const server = await serveCompanion({ port, folder: page.folder, chainUrl: url(chain), description });
      await checkCompanion(parts.add('The Keystead page', server).url, description.snapId);
    },
    () => `http://localhost:${ports.companion}/`,
  );
  progress.line(screen(options, ports, description));
}
