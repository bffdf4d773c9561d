import type { Network } from './network';

/** Finds the network of a request by its host name and the port it arrived at. */
export class Addresses {
  readonly #byHost: ReadonlyMap<string, Network>;
  readonly #only: Network | undefined;

  /** @param networks - Each network with its host names. */
  constructor(networks: readonly { network: Network; hosts: readonly string[] }[]) {
    this.#byHost = new Map(
      networks.flatMap(({ network, hosts }) => hosts.map((host) => [host.toLowerCase(), network] as const)),
    );
    this.#only = networks.length === 1 ? networks[0]?.network : undefined;
  }

  /**
   * @param host - `Host` header, with or without a port.
   * @param own - The network of a dedicated port; undefined on the shared port.
   * @returns The network; undefined if the address is ambiguous. It never guesses: a response from another chain would
   * look right.
   */
  find(host: string | undefined, own: Network | undefined): Network | undefined {
    if (own) return own;
    if (this.#byHost.size === 0) return this.#only;
    const name = host?.toLowerCase().replace(/:\d+$/u, '');
    return (name === undefined ? undefined : this.#byHost.get(name)) ?? this.#only;
  }
}
