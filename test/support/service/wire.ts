import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { OWN_ADDRESS } from './own-address';

export type Side = 'to Redis' | 'from Redis';

/** A proxy between a client and Redis that can hold back data in one direction. */
export class Wire {
  readonly #server: Server;
  readonly #pairs: { near: Socket; far: Socket }[] = [];
  #held: { side: Side; bytes: Buffer[]; came: () => void } | undefined;

  constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, OWN_ADDRESS);
      this.connections += 1;
      this.#pairs.push({ near, far });
      this.#pass('to Redis', near, far);
      this.#pass('from Redis', far, near);
      near.on('error', () => undefined);
      far.on('error', () => undefined).on('close', () => near.destroy());
    }).listen(0, OWN_ADDRESS);
  }

  #pass(side: Side, from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      if (side === 'to Redis') this.onRequest?.(bytes);
      if (this.#held?.side === side) {
        this.#held.bytes.push(bytes);
        this.#held.came();
      } else if (!to.destroyed) to.write(bytes);
    });
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening');
    return `redis://${OWN_ADDRESS}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of connections so far. */
  connections = 0;

  /** Called with all data for Redis. */
  onRequest: ((bytes: Buffer) => void) | undefined;

  /** Holds back data in one direction from now on. Resolves when the first data arrives. */
  hold(side: Side): Promise<void> {
    return new Promise((came) => (this.#held = { side, bytes: [], came }));
  }

  /** Disconnects the client, which may connect again. @returns The data held back, and its connection to Redis. */
  cut(): { far: Socket; bytes: Buffer } {
    const bytes = Buffer.concat(this.#held?.bytes ?? []);
    this.#held = undefined;
    const [{ near, far } = {}] = this.#pairs.splice(0);
    near?.destroy();
    return { far: far as Socket, bytes };
  }

  close(): void {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.destroy();
    this.#server.close();
  }
}
