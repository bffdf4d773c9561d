import {
  CALLS_STATUSES,
  canBecome,
  PROGRESS,
  type ProgressFacts,
  progressOf,
  type ProgressState,
  REMARKS,
  TRANSITIONS,
} from '../../../../src/core/calls/progress';
import { callsProgress } from '../../../../src/companion/model/calls-status';
import { type Activity, statusOf } from '../../../../src/companion/model/activity';
import { type Batch, progressOfBatch } from '../../../../src/snap/send/batch';
import { CallsStatusScreen } from '../../../../src/snap/screens/calls-status';
import { shownBatch } from '../../../../src/snap/handlers/shown-batch';

const HASH = `0x${'12'.repeat(32)}` as const;
const ME = `0x${'ac'.repeat(20)}` as const;
const STATES = Object.keys(PROGRESS) as ProgressState[];

/** Said only of what was never included. */
const FINAL_ONLY: ReadonlySet<string> = new Set(['replaced', 'cancelled']);

/** Every combination of what can be known. */
const FACTS: readonly ProgressFacts[] = CALLS_STATUSES.flatMap((status) =>
  [undefined, ...REMARKS.filter((remark) => status === 400 || !FINAL_ONLY.has(remark))].flatMap((remark) =>
    [false, true].flatMap((isUnclear) =>
      [false, true].map((isSeen) => ({ status, ...(remark && { remark }), isUnclear, isSeen })),
    ),
  ),
);

describe('the states of calls', () => {
  it('lead on from what the person is asked to a final one, and never back to what was not given out', () => {
    for (const state of STATES) {
      expect(canBecome(state, state)).toBe(true);
      expect(TRANSITIONS[state]).not.toContain('asked');
      if (state !== 'asked') expect(TRANSITIONS[state]).not.toContain('approved');
    }
    expect(canBecome('seen', 'handed-over')).toBe(false);
    expect(canBecome('included', 'handed-over')).toBe(false);
    // A node that took a transaction may drop it; a block may be reorganized.
    expect(canBecome('seen', 'unknown')).toBe(true);
    expect(canBecome('included', 'seen')).toBe(true);
  });

  it('are final exactly where EIP-5792 says so', () => {
    for (const facts of FACTS) {
      const { state } = progressOf(facts);
      expect([facts, state === 'included']).toEqual([facts, facts.status === 200]);
      expect([facts, ['included', 'failed'].includes(state)]).toEqual([facts, facts.status !== 100]);
    }
  });

  it('say what was tried wherever nothing is known, and never that it was sent', () => {
    const unknown = FACTS.map(progressOf).filter(({ state }) => state === 'unknown');
    expect(unknown).not.toHaveLength(0);
    for (const { badge, text } of unknown) {
      expect(badge).toBe('Unknown');
      expect(text).toMatch(/^Unknown\. .*(?:asked|answer|nonce)/u);
    }
    expect(progressOf({ status: 100, isUnclear: true }).text).not.toMatch(/^Sent/u);
  });

  it.each<[string, Omit<ProgressFacts, 'status'>, ProgressState]>([
    ['sent, and not shown by the network yet', {}, 'handed-over'],
    ['sent, and shown by the network', { isSeen: true }, 'seen'],
    ['sent without an answer', { isUnclear: true }, 'unknown'],
    ['sent without an answer, but shown by the network', { isUnclear: true, isSeen: true }, 'seen'],
    ['shown by the network once, and no longer found', { remark: 'no-answer', isSeen: true }, 'unknown'],
    ['sent without an answer, and no longer found', { remark: 'no-answer', isUnclear: true, isSeen: true }, 'unknown'],
  ])('are told of pending calls that were %s', (_what, facts, state) => {
    expect(progressOf({ status: 100, ...facts }).state).toBe(state);
  });

  it('are told alike by the page, the activity, the screens and the status for sites', () => {
    const batch: Batch = {
      id: 'a',
      origin: 'https://dapp.example',
      account: ME,
      chainId: 'eip155:1',
      at: 0,
      calls: 1,
      atomic: true,
      sent: { as: 'transactions', items: [{ hash: HASH, nonce: '0x5' }], unsent: 0 },
      status: 100,
    };
    for (const { isUnclear, isSeen, isWaiting: _none, ...facts } of FACTS) {
      const one: Batch = {
        ...batch,
        ...facts,
        ...(isSeen === true && { isSeen }),
        sent: { ...batch.sent, ...(isUnclear === true && { isUnclear }) },
      };
      const { state, badge, text, tone } = progressOf({
        ...facts,
        isUnclear: isUnclear === true,
        isSeen: isSeen === true,
      });
      expect(progressOfBatch(one)).toEqual({ state, badge, text, tone });
      const shown = shownBatch(one, { names: {}, networks: {}, smartOn: {} });
      expect(JSON.stringify(CallsStatusScreen(shown))).toContain(JSON.stringify(text));
      const { account, origin, at } = one;
      const sent: NonNullable<Activity['sent']> = {
        id: 'a',
        calls: 1,
        ...facts,
        isUnclear: isUnclear === true,
        transactions: [HASH],
      };
      expect(statusOf({ account, origin, at, sent: { ...sent, ...(isSeen === true && { isSeen }) } })).toEqual({
        state,
        badge,
        text,
        tone,
      });
      const said = { capabilities: { keystead: { state, message: text } } };
      expect(callsProgress(said, PROGRESS.approved)).toEqual({ state, text });
    }
  });

  it('do not go back on the page because of a late answer, or one that says nothing', () => {
    const seen = { state: 'seen', text: 'Pending.' } as const;
    for (const keystead of [{ state: 'handed-over', message: 'Sent.' }, { state: 'constructor' }, {}])
      expect(callsProgress({ capabilities: { keystead } }, seen)).toBe(seen);
    expect(callsProgress({}, seen)).toBe(seen);
  });
});

describe('what was never included', () => {
  it('says what took its place, if that is known', () => {
    const text = (remark?: 'replaced' | 'cancelled') => progressOf({ status: 400, ...(remark && { remark }) }).text;
    expect(text()).toBe('Not included, and can no longer be.');
    expect(text('replaced')).toBe('Not included. Something else used its nonce, so it can no longer be.');
    expect(text('cancelled')).toBe('Cancelled. It was not carried out.');
    expect(progressOf({ status: 500 }).text).toMatch(/^Failed: it was included but reverted/u);
  });
});
