import { ACCOUNT_VERSIONS, ENTRY_POINTS } from '../core/erc4337/entry-points';
import { DEVNET_CHAIN } from './chain/definition';
import { standInModule } from './chain/state';
import { type DevnetDescription } from './companion-server';
import { type Ports } from './ports';
import { type DevnetService, UNCLE_EXAMPLE } from './service';

/** The sixth and the seventh account of anvil's test phrase, which no part of the devnet uses. */
const RECIPIENTS = [
  { name: 'Example recipient 1', address: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc' },
  { name: 'Example recipient 2', address: '0x976EA74026E726554dB657fA54763abd0C3a0aa9' },
] as const;

/** @returns The content of `/devnet.json`. */
export function describe(ports: Ports, service: DevnetService, withBundler: boolean): DevnetDescription {
  const standIn = standInModule();
  return {
    snapId: `local:http://localhost:${ports.snap}`,
    snapUrl: `http://localhost:${ports.snap}/`,
    executorUrl: `http://127.0.0.1:${ports.snap}/executor/index.html`,
    chain: {
      chainId: `eip155:${DEVNET_CHAIN.id}`,
      name: DEVNET_CHAIN.name,
      rpcUrl: service.rpcUrl,
      ...(withBundler && { bundlerUrl: service.rpcUrl }),
      paymasterUrl: `http://127.0.0.1:${ports.paymaster}`,
      entryPoints: Object.fromEntries(ACCOUNT_VERSIONS.map((version) => [version, ENTRY_POINTS[version]])),
    },
    uncles: { rpcUrl: service.mainnetUrl, example: UNCLE_EXAMPLE },
    storage: { url: service.storageUrl, ...service.credentials },
    recoveryModule: { ...standIn, period: Number(standIn.period) },
    recipients: RECIPIENTS,
  };
}
