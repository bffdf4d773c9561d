import fc from 'fast-check';

import { explainTypedData } from '../../../src/core/decode/explain/typed-data';
import { type Explanation } from '../../../src/core/decode/explanation';
import { ACROSS_MARKET } from '../../support/chain/markets/across';
import { JAM_MARKET } from '../../support/chain/markets/bebop';
import { BEBOP_MARKET } from '../../support/chain/markets/bebop-settlement';
import { BLUR_MARKET } from '../../support/chain/markets/blur';
import { COW_MARKET } from '../../support/chain/markets/cow';
import { ELEMENT_MARKET } from '../../support/chain/markets/element';
import { INCH_5_MARKETS, INCH_MARKET } from '../../support/chain/markets/inch';
import { LOOKSRARE_MARKETS } from '../../support/chain/markets/looksrare';
import { type Market } from '../../support/chain/markets/market';
import { RARIBLE_MARKET } from '../../support/chain/markets/rarible';
import { SEAPORT_MARKETS } from '../../support/chain/markets/seaport';
import { UNISWAPX_MARKETS } from '../../support/chain/markets/uniswapx';
import {
  ACCOUNT,
  describeWithMarkets,
  type Filled,
  FILLER,
  isInstalled,
  MARKET_FEES,
  type Markets,
  type Moment,
  type Placed,
  signOrder,
  startMarkets,
  STRANGER,
} from '../../support/chain/markets/world';
import { ZEROX_MARKETS } from '../../support/chain/markets/zerox';
import { codesOf, saying, written } from '../../support/explaining';
import { fuzzing } from '../../support/fuzz';
import { type Amounts, termsSaid } from '../../support/order-rows';

/**
 * Random orders of each market are explained, signed, and filled by its own contract at the worst terms that it
 * accepts. What the account then has lost and gained, and what others have gained, has to be what the rows say.
 */

const MARKETS: readonly Market[] = [
  ...SEAPORT_MARKETS,
  ...UNISWAPX_MARKETS,
  COW_MARKET,
  INCH_MARKET,
  ...INCH_5_MARKETS,
  ...ZEROX_MARKETS,
  ...LOOKSRARE_MARKETS,
  JAM_MARKET,
  BEBOP_MARKET,
  BLUR_MARKET,
  ELEMENT_MARKET,
  RARIBLE_MARKET,
  ACROSS_MARKET,
];

const explain = ({ data }: Placed, { now }: Moment): Explanation => explainTypedData(data, { signer: ACCOUNT, now });

/** Nothing turned out worse than said, and nothing better, but for the last second of an auction. */
function expectSaid(found: Amounts, said: Amounts, slack: bigint): void {
  expect(Object.keys(found).sort()).toEqual(Object.keys(said).sort());
  for (const [asset, amount] of Object.entries(said)) {
    const better = (found[asset] ?? 0n) - amount;
    expect({ asset, better, isWithin: better >= 0n && better <= slack }).toEqual({ asset, better, isWithin: true });
  }
}

const lossOf = (amounts: Amounts): bigint =>
  -Object.values(amounts).reduce((sum, amount) => (amount < 0n ? sum + amount : sum), 0n);

/** Of a part of an order, the account or its payee gets no less for what is lost than the rows say. */
function expectNoWorse(found: Amounts, said: Amounts, { lost, saidLost }: { lost: bigint; saidLost: bigint }): void {
  for (const [asset, amount] of Object.entries(said)) {
    if (amount <= 0n) continue;
    expect({ asset, isNoWorse: (found[asset] ?? 0n) * saidLost >= amount * lost }).toEqual({ asset, isNoWorse: true });
  }
}

/** What the open part of a screen says. */
const openPart = ({ changes, main }: Explanation): string =>
  [...changes, ...main].map(written).join('\n').toLowerCase();

/** What a party gained, as rows name it. */
function named(amounts: Amounts, { ape }: Placed): Amounts {
  if (ape?.isAny !== true) return amounts;
  return Object.fromEntries(
    Object.entries(amounts).map(([asset, amount]) => [asset === `APES#${ape.id}` ? 'APES#any' : asset, amount]),
  );
}

/** What the market itself took is not in the order, and a row says so. */
const beforeFees = (amounts: Amounts, fees: Amounts): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([asset, amount]) => [asset, amount + (fees[asset] ?? 0n)]));

/** The fees of the assets that somebody's rows name. */
const feesOf = (said: Amounts, fees: Amounts): Amounts =>
  Object.fromEntries(Object.entries(fees).filter(([asset]) => asset in said));

function expectOutcome(explanation: Explanation, { changes, receivers }: Filled, placed: Placed): void {
  const { slack = 0n, feeSlack = 0n, counterparty } = placed;
  const { own, others } = termsSaid(explanation);
  const stranger = STRANGER.toLowerCase();
  if (placed.isPart === true) {
    const account = changes[ACCOUNT.toLowerCase()] ?? {};
    const price = { lost: lossOf(account), saidLost: lossOf(own) };
    expect(price.lost <= price.saidLost).toBe(true);
    expectNoWorse(account, own, price);
    expectNoWorse(changes[stranger] ?? {}, others[stranger] ?? {}, price);
    return;
  }
  const isBeforeFees = openPart(explanation).includes("before the market's fees");
  const fees = isBeforeFees ? (changes[MARKET_FEES.toLowerCase()] ?? {}) : {};
  const ofAccount = feesOf(own, fees);
  const ofStranger = feesOf(others[stranger] ?? {}, Object.keys(ofAccount).length > 0 ? {} : fees);
  expectSaid(named(beforeFees(changes[ACCOUNT.toLowerCase()] ?? {}, ofAccount), placed), own, slack);
  const payees = new Set([...receivers, ...Object.keys(changes).filter((party) => gained(changes[party]!))]);
  for (const party of [ACCOUNT, FILLER, MARKET_FEES]) payees.delete(party.toLowerCase());
  for (const payee of payees) {
    expect(openPart(explanation)).toContain(payee);
    // What the other side of the order gets is what the account loses.
    if (payee === counterparty?.toLowerCase()) continue;
    const got = beforeFees(changes[payee] ?? {}, payee === stranger ? ofStranger : {});
    expectSaid(got, others[payee] ?? {}, slack + feeSlack);
  }
  if (counterparty !== undefined) return;
  const strangers = [...payees].map((payee) => changes[payee] ?? {});
  const isMuch = isMuchForOthers(changes[ACCOUNT.toLowerCase()]!, strangers);
  const isAuction = /\((?:at best|up to) /u.test(openPart(explanation));
  if (isMuch) expect(codesOf(explanation)).toContain('paid-to-another');
  else if (!isAuction) expect(codesOf(explanation)).not.toContain('paid-to-another');
}

/** Whether others got more of an asset than fees and royalties are: of what the account lost, or of what all got. */
const isMuchForOthers = (own: Amounts, strangers: readonly Amounts[]): boolean =>
  [...new Set(strangers.flatMap(Object.keys))].some((asset) => {
    const theirs = strangers.reduce((sum, amounts) => sum + (amounts[asset] ?? 0n), 0n);
    const change = own[asset] ?? 0n;
    const whole = change < 0n ? -change : change + theirs;
    return theirs * 100n > whole * 15n;
  });

/** The time that the screen gives as the end. */
function endOf({ changes }: Explanation): bigint {
  const { value = '' } = changes.find(({ label }) => label === 'Until') ?? {};
  return BigInt(Date.parse(value.replace(' UTC', 'Z').replace(' ', 'T'))) / 1000n;
}

const gained = (amounts: Amounts): boolean => Object.values(amounts).some((amount) => amount > 0n);

describeWithMarkets('orders that are filled', () => {
  let markets: Markets;

  beforeAll(async () => {
    markets = await startMarkets();
  });
  afterAll(() => markets.stop());

  const missing = MARKETS.filter((market) => !isInstalled(market));
  if (missing.length > 0)
    it.skip.each(missing)(
      '$name (skipped: no package has its contracts, and MARKET_CONTRACTS gives none)',
      () => undefined,
    );

  describe.each(MARKETS.filter(isInstalled))('$name', ({ deploy, orders }) => {
    beforeAll(() => deploy(markets));

    it('the account loses and gains at the worst what the rows say, and they say who is paid', async () => {
      await fc.assert(
        fc.asyncProperty(orders, async (draw) => {
          const moment = markets.next();
          const placed = draw(moment);
          await markets.make(placed);
          const explanation = explain(placed, moment);
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

    it('nobody can fill it after the end that the screen says', async () => {
      const [draw] = fc.sample(orders, { ...fuzzing(1), numRuns: 1 });
      const moment = markets.next();
      const placed = draw!(moment);
      await markets.make(placed);
      const explanation = explain(placed, moment);
      if (placed.isEndless === true) {
        expect(explanation.changes.map(written)).toContain('Until: no end');
        return;
      }
      const until = endOf(explanation);
      // It can be filled before: that is undone.
      const before = await markets.rpc('evm_snapshot');
      await markets.fill(placed, signOrder(placed.data));
      expect(await markets.rpc('evm_revert', [before])).toBe(true);
      markets.passUntil(until);
      await expect(markets.fill(placed, signOrder(placed.data))).rejects.toThrow('a transaction failed');
    });
  });
});
