import { type Ending, within } from '../../clients/within';
import { ServiceFailedError, ServiceRefusedError, ServiceSilentError, type ServiceError } from '../../core/errors';
import { quantityToHex } from '../../core/eth/bytes';
import { oneLine } from '../../core/eth/one-line';
import { QuantityAnswerStruct } from '../../core/structs/hex';
import { number, optional, string, type Checker, type, unknown } from '../../core/structs/struct';

/** Milliseconds that a request may take, with selecting its network and waiting for requests on another one. */
const TIME_LIMIT = 2_500;
/** The wallet limits an answer to 64 MB only. Longer ones than these characters of JSON are not read. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_QUOTE = 300;

/**
 * The network that the wallet's node is asked for. Every snap has a selected network of its own, like a site, and may
 * select another one that the wallet has without the person being asked. With `maySelect: false`, a request fails
 * instead.
 */
export type WalletNetwork = { readonly chainId: bigint; readonly maySelect: boolean };

type Request = { readonly method: string; readonly params: readonly unknown[] };

const RefusalStruct = type({ code: number(), message: string(), data: optional(unknown()) });

/** The wallet's own error, or the node's error in it. Its words are untrusted. */
function refusalIn(error: unknown): ServiceError | undefined {
  if (!RefusalStruct.is(error)) return undefined;
  const { code, message, data } = RefusalStruct.is(error.data) ? error.data : error;
  return { code, message: oneLine(message, MAX_QUOTE), ...(data !== undefined && { data }) };
}

/** @throws {ServiceRefusedError} If the wallet or its node responds with an error. */
async function send({ method, params }: Request): Promise<unknown> {
  try {
    return await ethereum.request({ method, params: [...params] as never });
  } catch (thrown) {
    const error = refusalIn(thrown);
    if (error === undefined) throw new ServiceFailedError(`The wallet's node did not answer ${method}.`);
    throw new ServiceRefusedError(`The wallet's node rejected ${method}: ${error.message} (${error.code})`, error);
  }
}

function failAtEnd(why: Ending): never {
  if (why === 'cancelled') throw new ServiceFailedError("The request to the wallet's node was cancelled.");
  throw new ServiceSilentError(`The wallet's node did not respond within ${TIME_LIMIT / 1000} s.`);
}

async function selected(): Promise<bigint> {
  const chainId = await send({ method: 'eth_chainId', params: [] });
  if (!QuantityAnswerStruct.is(chainId)) throw new ServiceFailedError('The wallet did not say which network it uses.');
  return BigInt(chainId);
}

/** @returns The chain id of the network that is selected for this snap, or undefined if the wallet does not say. */
export const selectedNetwork = (): Promise<bigint | undefined> =>
  within(TIME_LIMIT, selected, () => undefined).catch(() => undefined);

/** @param ended - Aborted if it is too late to select the network, because nobody waits for it any more. */
async function select({ chainId, maySelect }: WalletNetwork, ended: AbortSignal): Promise<void> {
  if ((await selected()) === chainId) return;
  // It has not been asked, and may be asked later.
  if (!maySelect || ended.aborted) throw new ServiceSilentError('The wallet uses another network.');
  try {
    await send({ method: 'wallet_switchEthereumChain', params: [{ chainId: quantityToHex(chainId) }] });
  } catch {
    throw new ServiceFailedError('The wallet does not let Keystead use this network.');
  }
  if ((await selected()) !== chainId) throw new ServiceFailedError('The wallet stayed on another network.');
}

/** Requests on one network that run at the same time. */
class Group {
  readonly network: WalletNetwork;
  /** Settles once the network is selected. */
  readonly ready: Promise<void>;
  readonly #running = new Set<Promise<unknown>>();
  /**
   * The time at which all requests are over, in milliseconds since 1970. They may never settle: once a snap has
   * answered all that it was asked, the wallet drops its timers.
   */
  #until = Date.now() + TIME_LIMIT;

  /** @param before - The requests to wait for. */
  constructor(network: WalletNetwork, before: Group | undefined) {
    this.network = network;
    this.ready = this.#select(before);
  }

  get #left(): number {
    return this.#until - Date.now();
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Whether a request for a network may join. */
  admits({ chainId, maySelect }: WalletNetwork): boolean {
    return chainId === this.network.chainId && maySelect === this.network.maySelect && this.#running.size > 0;
  }

  async run<T>(request: Promise<T>): Promise<T> {
    this.#until = Date.now() + TIME_LIMIT;
    this.#running.add(request);
    try {
      return await request;
    } finally {
      this.#running.delete(request);
    }
  }

  async #select(before: Group | undefined): Promise<void> {
    if (before !== undefined)
      await within(
        before.#left,
        () => before.#ended(),
        () => undefined,
      );
    await within(this.#left, (ended) => select(this.network, ended), failAtEnd);
  }

  async #ended(): Promise<void> {
    await this.ready.catch(() => undefined);
    await Promise.allSettled(this.#running);
  }
}

let last: Group | undefined;

function groupFor(network: WalletNetwork): Group {
  const current = last?.isOver === false ? last : undefined;
  return current?.admits(network) === true ? current : (last = new Group(network, current));
}

/**
 * Asks the wallet's node for a network. Requests for different networks wait for each other, so that an answer is
 * always of the network that was asked for.
 *
 * @param result - The struct that the result must match.
 * @param signal - Cancels the request.
 * @throws {ServiceRefusedError} If the wallet or its node responds with an error.
 * @throws {ServiceFailedError} If the wallet does not respond in time or uses another network, or the result is
 * malformed.
 */
export async function askWallet<T>(
  network: WalletNetwork,
  { method, params }: Request,
  result: Checker<T>,
  signal?: AbortSignal,
): Promise<T> {
  const group = groupFor(network);
  const answer = await group.run(
    within(
      TIME_LIMIT,
      async (ended) => {
        await group.ready;
        // The network may be another one by now.
        if (ended.aborted) return undefined;
        return send({ method, params });
      },
      failAtEnd,
      signal,
    ),
  );
  if (JSON.stringify(answer ?? null).length > MAX_CHARACTERS)
    throw new ServiceFailedError(`The wallet's node returned more than ${MAX_CHARACTERS} characters for ${method}.`);
  try {
    return result.create(answer);
  } catch {
    throw new ServiceFailedError(`The wallet's node returned a malformed result for ${method}.`);
  }
}
