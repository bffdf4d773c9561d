import { createServer } from 'node:net';

import { portHolder } from './port-holder';

/** The ports of the parts of the devnet, all on the loopback interface. */
export type Ports = {
  readonly companion: number;
  readonly snap: number;
  readonly rpc: number;
  readonly mainnet: number;
  readonly storage: number;
  readonly paymaster: number;
  readonly chain: number;
  readonly bundler: number;
};

const NAMES: Readonly<Record<keyof Ports, string>> = {
  companion: 'the Keystead page',
  snap: 'the snap server',
  rpc: 'the chain service',
  mainnet: "the chain service's mainnet",
  storage: 'the storage service',
  paymaster: 'the paymaster service',
  chain: 'the chain',
  bundler: 'the bundler',
};

const DEFAULT_PORTS: Ports = {
  companion: 8000,
  snap: 8080,
  rpc: 8545,
  mainnet: 8546,
  storage: 5001,
  paymaster: 5002,
  chain: 8547,
  bundler: 4337,
};

const PARTS = Object.keys(NAMES) as (keyof Ports)[];

/** The number of ports that follow on from a base. */
export const PORT_COUNT = PARTS.length;

/** @returns The usual ports; with a base, that one and those after it. */
export function portsFrom(base: number | undefined): Ports {
  if (base === undefined) return DEFAULT_PORTS;
  return Object.fromEntries(PARTS.map((part, index) => [part, base + index])) as Ports;
}

/** @returns Whether nobody listens on a port of the loopback interface. */
export function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/**
 * @param withBundler - Whether the bundler's port is needed.
 * @throws If a port is taken: which, by what if that can be found out, and what to do.
 */
export async function assertPortsFree(ports: Ports, withBundler: boolean): Promise<void> {
  const problems: string[] = [];
  for (const part of PARTS) {
    const port = ports[part];
    if ((part === 'bundler' && !withBundler) || (await isFree(port))) continue;
    const holder = await portHolder(port);
    problems.push(`Port ${port}, for ${NAMES[part]}, is in use${holder === undefined ? '' : ` by ${holder}`}.`);
  }
  if (problems.length > 0)
    throw new Error(`${problems.join('\n')}\nStop it, or choose other ports: npm start -- --port-base 9000`);
}
