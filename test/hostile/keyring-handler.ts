import { type KeysteadError } from '../../src/core/errors';
import { answerKeyringRequest } from '../../src/snap/handlers/keyring';
import { startKeyring } from '../support/wallet/keyring';
import { WalletDouble } from '../support/wallet/wallet-double';

/* Requests that the keyring handler must reject: checks the field in the error, and that nothing changed. */

export const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
export const NOBODY = '7c507ff0-365f-4de0-8cd5-eb83c30ebda4';
export const OTHER = '0x3535353535353535353535353535353535353535';
export const MANY = 200_000;

export type Refused = new (...args: never[]) => KeysteadError;

/** A wallet with an externally owned account and a smart account. */
export async function start() {
  const wallet = new WalletDouble();
  const { keyring, deps } = startKeyring({ wallet });
  const eoa = await keyring.createAccount({});
  const smart = await keyring.createAccount({ type: 'eip155:erc4337', chainId: 'eip155:1' });
  const before = JSON.stringify(wallet.state);
  wallet.calls.length = 0;
  const ask = async (method: string, params: unknown): Promise<unknown> =>
    answerKeyringRequest({ method, params }, deps, deps.origin).catch((error: unknown) => error);
  return { wallet, deps, eoa, smart, before, ask };
}
export type World = Awaited<ReturnType<typeof start>>;

export type Case = readonly [
  what: string,
  method: string,
  params: (world: World) => unknown,
  kind: Refused,
  names: RegExp,
];

/** Every case is rejected as specified, and nothing changes. */
export function describeRefusals(cases: readonly Case[]): void {
  describe('hostile requests at the keyring handler', () => {
    it.each(cases)('%s', async (_what, method, params, kind, names) => {
      const world = await start();
      const refusal = await world.ask(method, params(world));
      expect(refusal).toBeInstanceOf(kind);
      const { message, data } = refusal as KeysteadError;
      expect(message).toMatch(names);
      // No value of the request and no internals.
      expect(message + JSON.stringify(data)).not.toContain(KEY.slice(2, 20));
      expect(message).not.toMatch(/undefined|\[object|is not a function|Cannot read/u);
      expect(JSON.stringify(world.wallet.state)).toBe(world.before);
      expect(world.wallet.calls).not.toContain('entropy');
      expect(world.wallet.calls).not.toContain('write');
    });
  });
}
