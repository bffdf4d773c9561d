import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { type HostileCase } from '../../support/hostile/case';
import { messageSignature, transactionSignature, typedDataSignature } from '../../support/hostile/expected';
import { judge } from '../../support/hostile/judge';
import { MESSAGES } from '../../support/hostile/messages';
import { KEY } from '../../support/hostile/people';
import { TRANSACTIONS } from '../../support/hostile/transactions';
import { TYPED_DATA } from '../../support/hostile/typed-data';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { type Answer, installKeystead, type Screen } from '../../support/wallet/installed';
import { flat } from '../../support/screen-text';

const start = useEmptiedSnap(installKeystead);

const HEADINGS = [
  ['personal_sign', MESSAGES, messageSignature],
  ['eth_signTransaction', TRANSACTIONS, transactionSignature],
  ['eth_signTypedData_v4', TYPED_DATA, typedDataSignature],
] as const satisfies [string, readonly HostileCase<unknown>[], (params: unknown) => Json | Promise<Json>][];

/** A sample of the rejected inputs is enough here. `test/hostile` runs the same code with every input. */
const ONE_REFUSAL_IN = 4;
/**
 * The maximum number of characters of JSON. Longer inputs are slow in the runtime and tested in `rpc/signing.test.ts`.
 */
const MOST = 100_000;

const isChosen = ({ params, must, handlers = ['keyring'] }: HostileCase<unknown>, index: number): boolean =>
  handlers.includes('keyring') &&
  // The runtime accepts only JSON.
  params !== undefined &&
  JSON.stringify(params).length <= MOST &&
  (must.refuse === undefined || index % ONE_REFUSAL_IN === 0);

/**
 * The execution environment drops members named `__proto__` before the snap sees a request, so these two arrive as
 * valid inputs. test/hostile tests them directly.
 */
const DROPPED = ['a message with an own __proto__', 'a domain with an own __proto__'];

describe('the built snap at the keyring handler', () => {
  it.each(HEADINGS)(
    '%s: rejects hostile inputs with an explanation, and signs every valid one exactly',
    async (name, cases, expected) => {
      const { create, submit } = await start();
      const { id } = await create({ privateKey: KEY });
      let asked = 0;
      for (const { name: title, method = name, params, scope, must } of cases.filter(isChosen)) {
        if (DROPPED.includes(title)) continue;
        const request = submit(id, method, JSON.parse(JSON.stringify(params)) as Json, scope);
        const answered = request.then(() => undefined);
        const screen: Screen | undefined = await Promise.race([
          answered,
          request.getInterface().catch(() => undefined),
        ]);
        await screen?.ok();
        const { result, error } = (await request).response as Answer<{ result: Json }>;
        const screens = screen === undefined ? [] : [flat(screen.content)];
        asked += screens.length;
        const outcome = {
          ...(result !== undefined && { result: result.result }),
          ...(error !== undefined && { error: { data: undefined, ...error } }),
          screens,
        };
        // If there is no dialog here, MetaMask shows the insight with its own confirmation.
        const { warn: _warn, ...withoutWarning } = must;
        const due = screens.length > 0 ? must : withoutWarning;
        await judge(
          outcome,
          due,
          params,
          () => expected(params),
          () => Promise.resolve(screens.join()),
        ).catch((error_: unknown) => {
          throw new Error(`${title}: ${String(error_)}`);
        });
      }
      expect(asked).toBeGreaterThan(0);
    },
  );
});
