/** @jest-environment ./test/environments/node.mjs */
import fc from 'fast-check';

import { explainTypedData } from '../../src/core/decode/explain/typed-data';
import { type Explanation } from '../../src/core/decode/explanation';
import { type Market } from '../support/chain/markets/market';
import { SEAPORT_MARKETS } from '../support/chain/markets/seaport';
import {
  ACCOUNT,
  describeWithMarkets,
  type Filled,
  FILLER,
  MARKET_FEES,
  type Markets,
  type Placed,
  signOrder,
  startMarkets,
} from '../support/chain/markets/world';
import { codesOf, saying, written } from '../support/explaining';
import { fuzzing } from '../support/fuzz';
import { type Amounts, termsSaid } from '../support/order-rows';

/**
 * Random orders of each market are explained, signed, and filled by its own contract at the worst terms that it
 * accepts. What the account then has lost and gained, and what others have gained, has to be what the rows say.
 */

const MARKETS: readonly Market[] = [...SEAPORT_MARKETS];

/** Nothing turned out worse than said, and nothing better, but for the last second of an auction. */
function expectSaid(found: Amounts, said: Amounts, slack: bigint): void {
  expect(Object.keys(found).sort()).toEqual(Object.keys(said).sort());
  for (const [asset, amount] of Object.entries(said)) {
    const better = (found[asset] ?? 0n) - amount;
    expect({ asset, better, isWithin: better >= 0n && better <= slack }).toEqual({ asset, better, isWithin: true });
  }
}

/** What the open part of a screen says. */
const openPart = ({ changes, main }: Explanation): string => [...changes, ...main].map(written).join('\n').toLowerCase();

function expectOutcome(explanation: Explanation, { changes, receivers }: Filled, { slack = 0n }: Placed): void {
  const { own, others } = termsSaid(explanation);
  expectSaid(changes[ACCOUNT.toLowerCase()] ?? {}, own, slack);
  const payees = new Set([...receivers, ...Object.keys(changes).filter((party) => gained(changes[party]!))]);
  for (const party of [ACCOUNT, FILLER]) payees.delete(party.toLowerCase());
  for (const payee of payees) {
    expect(openPart(explanation)).toContain(payee);
    expectSaid(changes[payee] ?? {}, others[payee] ?? {}, slack);
  }
  // Somebody else who gets everything is a danger.
  if (!gained(changes[ACCOUNT.toLowerCase()]!)) expect(codesOf(explanation)).toContain('paid-to-another');
}

const gained = (amounts: Amounts): boolean => Object.values(amounts).some((amount) => amount > 0n);

describeWithMarkets('orders that are filled', () => {
  let markets: Markets;

  beforeAll(async () => {
    markets = await startMarkets();
  });
  afterAll(() => markets.stop());

  describe.each(MARKETS)('$name', ({ deploy, orders }) => {
    beforeAll(() => deploy(markets));

    it('the account loses and gains at the worst what the rows say, and they say who is paid', async () => {
      await fc.assert(
        fc.asyncProperty(orders, async (draw) => {
          const moment = markets.next();
          const placed = draw(moment);
          await markets.make(placed);
          const explanation = explainTypedData(placed.data, { signer: ACCOUNT, now: moment.now });
          const filled = await markets.fill(placed, signOrder(placed.data));
          try {
            expectOutcome(explanation, filled, placed);
          } catch (error) {
            throw new Error(`${saying(explanation)}\n\n${String(error)}`);
          }
        }),
        { ...fuzzing(60), endOnFailure: true },
      );
    });
  });
});
