import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

import { OWN_ADDRESS } from '../service/own-address';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Numbers from 0 to 1 that look random, the same in every run. */
function draws(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * A proxy that resets the connection of a share of the requests: half of them before they arrive, half of them instead
 * of their answer.
 *
 * @param target - Address of the service.
 * @returns Its address, and how many requests and resets there were.
 */
export async function startResettingProxy(target: string, share: number) {
  const { hostname, port } = new URL(target);
  const draw = draws();
  const counts = { requests: 0, resets: 0 };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let losesAnswer = false;
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('data', (piece: Buffer) => {
      if (/^(?:GET|HEAD|PUT|DELETE) /u.test(piece.toString('latin1', 0, 8))) {
        counts.requests++;
        const drawn = draw();
        if (drawn < share) counts.resets++;
        if (drawn < share / 2) {
          near.resetAndDestroy();
          return;
        }
        losesAnswer = drawn < share;
      }
      far.write(piece);
    });
    far.on('data', (piece: Buffer) => {
      if (losesAnswer) near.resetAndDestroy();
      else near.write(piece);
    });
  });
  servers.push(server);
  server.listen(0, OWN_ADDRESS);
  await once(server, 'listening');
  return { endpoint: `http://${OWN_ADDRESS}:${(server.address() as AddressInfo).port}`, counts };
}
