import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { type HostileCase } from '../helpers/hostile/case';
import { messageSignature, transactionSignature, typedDataSignature } from '../helpers/hostile/expected';
import { judge } from '../helpers/hostile/judge';
import { MESSAGES } from '../helpers/hostile/messages';
import { KEY } from '../helpers/hostile/people';
import { TRANSACTIONS } from '../helpers/hostile/transactions';
import { TYPED_DATA } from '../helpers/hostile/typed-data';
import { type Answer, installKeystead, type Screen } from '../helpers/wallet/installed';
import { flat } from '../helpers/screen-text';

const HEADINGS = [
  ['personal_sign', MESSAGES, messageSignature],
  ['eth_signTransaction', TRANSACTIONS, transactionSignature],
  ['eth_signTypedData_v4', TYPED_DATA, typedDataSignature],
] as const satisfies [string, readonly HostileCase<unknown>[], (params: unknown) => Json | Promise<Json>][];

/** Of the refusals so many stand for all: their code has run with every input in `test/hostile`. */
const ONE_REFUSAL_IN = 4;
/** Characters of JSON: what is longer takes the runtime longer than us, and is in `door/signing.test.ts`. */
const MOST = 100_000;

const isChosen = ({ params, must, handlers = ['keyring'] }: HostileCase<unknown>, index: number): boolean =>
  handlers.includes('keyring') &&
  // The runtime takes JSON only.
  params !== undefined &&
  JSON.stringify(params).length <= MOST &&
  (must.refuse === undefined || index % ONE_REFUSAL_IN === 0);

/**
 * The execution environment drops members called `__proto__` before the snap sees a request, so these two arrive as sound
 * ones. They are judged in test/hostile, where nothing stands in between.
 */
const DROPPED = ['a message with an own __proto__', 'a domain with an own __proto__'];

describe('the built snap at the keyring handler', () => {
  it.each(HEADINGS)(
    '%s: refuses hostile inputs in words, and signs every sound one exactly',
    async (name, cases, expected) => {
      const { create, submit } = await installKeystead();
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
        // What nobody is asked about here, MetaMask shows with its own question.
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
