import { type Server } from 'node:http';
import { createListener, listen, type TlsFiles } from '../../admission/listener';
import type { RequestIds } from '../../runtime/request-id';
import { type StorageLogger } from '../http/logger';
import { type StorageMetrics } from '../http/metrics';
import { MAX_PIPELINED } from '../http/pipelining';
import { stopServing } from '../http/stop-serving';
import { type ReadableContent } from '../content/stored-content';
import { type GatewaySettings } from './config';
import { GatewayHandler } from './handler';

/** A running gateway. */
export type RunningGateway = {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  /** Finishes the requests in progress. */
  readonly stop: (graceMs?: number) => Promise<void>;
};

/**
 * Starts a trustless gateway: blocks and CAR files over HTTP, which clients verify against the CIDs they ask for. It
 * has no keys: whoever reaches it can read every stored block whose CID they know.
 *
 * @throws {ConfigError} If the address cannot be bound.
 * @see https://specs.ipfs.tech/http-gateways/trustless-gateway/
 */
export async function startGateway(
  service: ReadableContent,
  settings: GatewaySettings,
  tls: TlsFiles | undefined,
  logger: StorageLogger,
  metrics?: StorageMetrics,
  requestId?: RequestIds,
): Promise<RunningGateway> {
  const { host } = settings;
  const { connections, requestSeconds } = service.limits;
  const handler = new GatewayHandler(service, settings, logger, metrics, requestId);
  const requestMs = requestSeconds * 1000;
  const server = createListener(
    tls,
    { connections, requestMs, answerMs: requestMs, pipelined: MAX_PIPELINED },
    (request, response) => {
      void handler.handle(request, response);
    },
  );
  const port = await listen(server, host, settings.port, 'storage.gateway.host or storage.gateway.port');
  return {
    server,
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    stop: (graceMs) => stopServing(server, () => handler.idle(), graceMs),
  };
}
