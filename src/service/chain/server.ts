import type { IncomingMessage, Server } from 'node:http';

import type { Hash } from './archive/hashing';
import { Admission } from '../admission/admission';
import { meterConnections } from '../runtime/connection-metrics';
import {
  closeAfterResponses,
  countConnections,
  createListener,
  endConnections,
  listen,
  stopListening,
} from '../admission/listener';
import type { ChainServiceConfig } from './config';
import { connectRedis } from '../runtime/redis';
import { redisUrlOf } from '../runtime/redis-url';
import { type Dependency, problemIf, watchDependencies } from '../runtime/dependencies';
import { wereLost } from '../keys/lost';
import { UseRecorder, type UseStore } from '../keys/use';
import { openUse } from '../keys/open';
import { RefusalLog } from '../runtime/refusal-log';
import { requestIds } from '../runtime/request-id';
import type { PartContext, RunningPart } from '../part';
import { Addresses } from './addresses';
import { authenticator } from './authenticate';
import { Meter } from './credits/meter';
import type { CreditLedger } from './credits';
import { openLedger } from './credits/open';
import { priceList } from './credits/prices';
import { Dispatcher } from './dispatch';
import { type FilterStore, MemoryFilters } from './filters/filter-store';
import { openRedisFilters } from './filters/redis-filters';
import { handleHttp, type RpcContext } from './http';
import { refusalOf, sharesOfKeys } from './shares';
import { meterKeys, rpcMetrics } from './metrics';
import { Network } from './network';
import { Sockets } from './sockets';
import type { NodeState } from './upstreams/chain-node';

/** Requests of one connection that may wait for each other. */
const PIPELINED = 100;

/** How often the archives are checked for new imports. */
const REFRESH_MS = 2_000;

/** Time for a request that is already on its way when a stop begins. */
const GRACE_MS = 1_000;

/** Whether an upgrade request is meant for WebSocket, even if malformed. */
const isForSockets = ({ headers, url }: IncomingMessage): boolean =>
  /websocket/iu.test(headers.upgrade ?? '') || url?.startsWith('/ws/') === true;

/** Where to listen, how the address is announced, and which settings control it. */
type Address = { label: string; host: string; port: number; settings: string };

/**
 * Opens the store of filters: in Redis where the ledger is, so that every process knows them.
 *
 * @param config - The service's configuration.
 * @param onError - Called when the connection to Redis is lost.
 */
async function openFilters(
  config: Pick<ChainServiceConfig, 'ledger' | 'redis'>,
  onError: (error: Error) => void,
): Promise<FilterStore> {
  if (config.ledger !== 'redis') return new MemoryFilters();
  return openRedisFilters(await connectRedis(redisUrlOf(config), onError, { isPatient: true }));
}

/** The running chain service: its listeners, networks and ledger. */
export class RpcServer implements RunningPart {
  readonly addresses: { label: string; url: string }[] = [];
  readonly #context: PartContext<ChainServiceConfig>;
  readonly #ledger: CreditLedger;
  readonly #meter: Meter;
  readonly #networks: Network[] = [];
  readonly #servers: Server[] = [];
  readonly #dependencyProblems: () => Promise<string[]>;
  readonly #useStore: UseStore;
  #use: UseRecorder | undefined;
  #dispatcher: Dispatcher | undefined;
  #filters: FilterStore | undefined;
  #sockets: Sockets | undefined;
  #refresh: NodeJS.Timeout | undefined;
  #leaving = false;
  #stopping = false;

  private constructor(context: PartContext<ChainServiceConfig>, ledger: CreditLedger, use: UseStore) {
    this.#context = context;
    this.#ledger = ledger;
    this.#useStore = use;
    this.#meter = new Meter(ledger, priceList(context.config.credits));
    this.#dependencyProblems = watchDependencies(context.metrics, this.#dependencies());
  }

  /**
   * Starts the service.
   *
   * @param context - Configuration, keys, log and metrics.
   * @param keccak - Keccak-256.
   * @returns The running service, listening on all its addresses.
   * @throws {ConfigError} If an address cannot be bound or a certificate cannot be read.
   * @throws {ArchiveError} If an archive is damaged.
   */
  static async start(context: PartContext<ChainServiceConfig>, keccak: Hash): Promise<RpcServer> {
    const { config, dataDir, log } = context;
    const ledger = await openLedger(config, dataDir, (error) => {
      log.error({ reason: error.message }, 'the credits ledger cannot be reached');
    });
    // The ledger is in the same Redis, and says that it is lost.
    const use = await openUse(config, dataDir, () => undefined, { isPatient: true });
    const server = new RpcServer(context, ledger, use);
    try {
      await server.#open(keccak);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async #open(keccak: Hash): Promise<void> {
    const { config, dataDir, keys, log, metrics: registry } = this.#context;
    const { rpc, networks } = config;
    const metrics = rpcMetrics(registry);
    this.#filters = await openFilters(config, (error) => {
      log.error({ reason: error.message }, 'the filters cannot be reached');
    });
    const filters = { store: this.#filters, keyFilters: rpc.limits.keyFilters };
    for (const network of networks) this.#networks.push(new Network(network, dataDir, keccak, metrics, log, filters));

    const refusals = new RefusalLog(log);
    const use = new UseRecorder(this.#useStore, {
      onStored: meterKeys(metrics),
      onError: (error) => {
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'the use of keys cannot be stored',
        );
      },
    });
    this.#use = use;
    const dispatcher = new Dispatcher(this.#meter, metrics, { log, refusals }, rpc.limits, use);
    this.#dispatcher = dispatcher;
    const rpcContext: RpcContext = {
      addresses: new Addresses(this.#networks.map((network, i) => ({ network, hosts: networks[i]?.hosts ?? [] }))),
      authenticate: authenticator(keys),
      dispatcher,
      metrics,
      log,
      refusals,
      use,
      balance: (identity) => this.#meter.balance(identity),
      requestId: requestIds(config.trustedProxies),
      bodyBytes: rpc.limits.bodyBytes,
      batchItems: rpc.limits.batchItems,
      answerMs: rpc.limits.answerMs,
      admission: new Admission(sharesOfKeys(rpc.limits), refusalOf),
      leaving: () => this.#leaving,
      stopping: () => this.#stopping,
    };
    this.#sockets = new Sockets(rpcContext, rpc.limits);
    const shared = { label: 'RPC', host: rpc.host, port: rpc.port, settings: 'rpc.host, rpc.port or --rpc-port' };
    await this.#listen(shared, rpcContext, undefined);
    for (const [i, network] of this.#networks.entries()) {
      const port = networks[i]?.port;
      const settings = `rpc.host, networks.${i}.port`;
      const address = { label: `RPC ${network.name}`, host: rpc.host, settings };
      if (port !== undefined) await this.#listen({ ...address, port }, rpcContext, network);
    }
    this.#refresh = setInterval(() => {
      this.#refreshArchives();
    }, REFRESH_MS).unref();
  }

  async #listen(address: Address, rpcContext: RpcContext, own: Network | undefined): Promise<void> {
    const { tls, rpc } = this.#context.config;
    const server = createListener(
      tls,
      { ...rpc.limits, pipelined: PIPELINED },
      (request, response) => {
        void handleHttp(rpcContext, own, request, response);
      },
      {
        wants: isForSockets,
        take: (request, socket, head) => {
          void this.#sockets?.upgrade(own, request, socket, head);
        },
      },
    );
    await this.#bind(server, address, tls ? 'https' : 'http');
  }

  async #bind(server: Server, { label, host, port, settings }: Address, scheme: string): Promise<void> {
    this.#servers.push(server);
    meterConnections(this.#context.metrics, label.toLowerCase(), () => countConnections(server));
    const bound = await listen(server, host, port, settings);
    this.addresses.push({ label, url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}` });
  }

  #refreshArchives(): void {
    const { log } = this.#context;
    for (const network of this.#networks) {
      try {
        if (network.refreshArchive()) log.info({ network: network.name }, 'archive reloaded');
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error({ network: network.name, reason }, 'newly imported segments cannot be loaded');
      }
    }
  }

  /** The state of each node, by network. */
  details(): { nodes?: Record<string, NodeState[]> } {
    const nodes = Object.fromEntries(
      this.#networks.flatMap((network) => {
        const states = network.nodeStates();
        return states ? [[network.name, states]] : [];
      }),
    );
    return Object.keys(nodes).length > 0 ? { nodes } : {};
  }

  async problems(): Promise<string[]> {
    return this.#stopping ? ['the service is stopping'] : this.#dependencyProblems();
  }

  #dependencies(): Dependency[] {
    const { config, dataDir, keys } = this.#context;
    const name = config.ledger;
    const mayLose = this.#ledger.mayLose?.bind(this.#ledger);
    const credits = problemIf(
      () => this.#meter.check(),
      () => 'the credits ledger cannot be reached',
    );
    const keysProblem = async () => {
      try {
        await keys.verify('');
        return (await wereLost(keys, dataDir, name)) ? 'the key store has lost its keys' : undefined;
      } catch {
        return 'the key store cannot be reached';
      }
    };
    return [
      { name, use: 'credits', problem: credits },
      { name, use: 'keys', problem: keysProblem },
      ...(mayLose ? [{ name, use: 'noeviction', problem: mayLose }] : []),
    ];
  }

  leave(ms: number): void {
    this.#leaving = true;
    for (const server of this.#servers) closeAfterResponses(server);
    this.#sockets?.leave(ms);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#refresh);
    const { drainMs } = this.#context.config.rpc;
    const graceMs = Math.min(GRACE_MS, drainMs / 20);
    const closed = this.#servers.map((server) => stopListening(server, graceMs));
    const deadline = setTimeout(() => {
      this.#sockets?.terminate();
      for (const server of this.#servers) endConnections(server);
    }, drainMs);
    await this.#sockets?.drain();
    await Promise.all(closed);
    clearTimeout(deadline);
    this.#sockets?.terminate();
    for (const network of this.#networks) network.close();
    // Requests that were cut off have just failed, and their refunds are in progress.
    await this.#dispatcher?.idle();
    await this.#meter.close();
    await this.#filters?.close();
    await (this.#use ?? this.#useStore).close();
    await this.#ledger.close();
  }
}
