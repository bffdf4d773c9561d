import { type Hex } from '../../../../src/core/eth/bytes';
import { ADVICE } from '../../../../src/core/decode/effects/dangers';
import { judgeRecipients, type Recipient } from '../../../../src/core/decode/effects/judge/recipients';
import { firstTimeNotice, strangersAmong } from '../../../../src/core/decode/effects/recipients';
import { isBurnAddress } from '../../../../src/core/decode/words/keyless';
import { Verdict } from '../../../../src/core/decode/effects/verdict';
import { type RecipientFacts } from '../../../../src/core/decode/explanation';
import { ALICE, BOB, explainCall, ME, USDC, VIEW, written } from '../../../support/explaining';

/** Looks like BOB: the same first and last four digits. */
const FAKE_BOB: Hex = `0x742d${'0'.repeat(32)}f44e`;
const DEAD: Hex = '0x000000000000000000000000000000000000dEaD';
const P256: Hex = `0x${'0'.repeat(37)}100`;

const NOTHING: RecipientFacts = { used: [], own: {}, hasCode: {} };

const lowerCase = (address: Hex): Hex => address.toLowerCase() as Hex;
const payment = (address: Hex, more: Partial<Recipient> = {}): Recipient => ({
  address,
  carriesData: false,
  asset: '1 ETH',
  ...more,
});
function judge(recipients: readonly Recipient[], facts: RecipientFacts) {
  const verdict = new Verdict();
  judgeRecipients(recipients, facts, verdict);
  const firstTime = strangersAmong(
    recipients.map(({ address }) => address),
    facts,
  );
  return { firstTime, dangers: verdict.dangers };
}
const judged = (recipient: Recipient, facts: Partial<RecipientFacts> = {}) =>
  judge([recipient], { ...NOTHING, ...facts });
const codes = (recipient: Recipient, facts: Partial<RecipientFacts> = {}) =>
  judged(recipient, facts).dangers.map(({ code }) => code);

describe('a recipient', () => {
  it('is new if the account has not sent to it, which is no danger', () => {
    expect(judged(payment(BOB), { used: [ALICE] })).toEqual({ firstTime: [BOB], dangers: [] });
    expect(judged(payment(BOB), { used: [lowerCase(BOB)] }).firstTime).toEqual([]);
    expect(firstTimeNotice([lowerCase(BOB)])).toBe('First time you send to 0x742d…f44e.');
    const others = [
      '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ] as const;
    expect(firstTimeNotice([BOB, ...others])).toBe('First time you send to 0x742d…f44e, 0xd8dA…6045 and 0x7099…79C8.');
  });

  it('is listed in the spelling of the request', () => {
    const { firstTime } = judge([payment(BOB), payment(ALICE)], NOTHING);
    expect(firstTime).toEqual([BOB, ALICE]);
  });

  it('that is an own account is never new', () => {
    expect(judged(payment(BOB), { own: { [lowerCase(BOB)]: 'Savings' } })).toEqual({ firstTime: [], dangers: [] });
  });

  it('that is a contact is never new', () => {
    expect(judged(payment(BOB), { contacts: { [lowerCase(BOB)]: 'Bob' } })).toEqual({ firstTime: [], dangers: [] });
  });
});

describe('an imitation', () => {
  it('of a contact is a danger, which names the contact', () => {
    const { firstTime, dangers } = judged(payment(FAKE_BOB), { contacts: { [lowerCase(BOB)]: 'Bob' } });
    expect(firstTime).toEqual([FAKE_BOB]);
    expect(dangers).toMatchObject([
      {
        code: 'address-poisoning',
        text: expect.stringContaining(`imitates ${BOB}, which is your contact Bob.`) as unknown as string,
      },
    ]);
  });

  it('of an earlier recipient is flagged, with both addresses in full', () => {
    expect(judged(payment(FAKE_BOB), { used: [ALICE, lowerCase(BOB)] })).toEqual({
      firstTime: [FAKE_BOB],
      dangers: [
        {
          code: 'address-poisoning',
          text: `0x742D00000000000000000000000000000000F44e imitates ${BOB}, which you have sent to before. Compare every character, or reject it and choose the recipient from your own contacts.`,
        },
      ],
    });
  });

  it('of an own account is flagged as one, even if the account has been sent to', () => {
    const [danger] = judged(payment(FAKE_BOB), { used: [BOB], own: { [BOB]: 'Savings' } }).dangers;
    expect(danger?.text).toContain(`imitates ${BOB}, which is your own account.`);
  });

  it('is not an address that the account has sent to, an own one, or the same one in another case', () => {
    expect(codes(payment(FAKE_BOB), { used: [BOB, FAKE_BOB] })).toEqual([]);
    expect(codes(payment(FAKE_BOB), { used: [BOB], own: { [FAKE_BOB]: 'Mine' } })).toEqual([]);
    expect(codes(payment(lowerCase(BOB)), { used: [BOB] })).toEqual([]);
  });

  it.each<[string, Hex]>([
    ['the first four digits only', `0x742d${'0'.repeat(32)}f44d`],
    ['the last four digits only', `0x742c${'0'.repeat(32)}f44e`],
  ])('is not an address with %s', (_what, address) => {
    expect(codes(payment(address), { used: [BOB] })).toEqual([]);
  });
});

describe('an address that nobody controls', () => {
  it.each<Hex>([
    `0x${'0'.repeat(40)}`,
    DEAD,
    lowerCase(DEAD),
    `0xdead${'0'.repeat(36)}`,
    `0x${'dead'.repeat(10)}`,
    '0xdEAD000000000000000042069420694206942069',
    `0x${'f'.repeat(40)}`,
    `0x${'0'.repeat(39)}1`,
    `0x${'0'.repeat(39)}a`,
    `0x${'0'.repeat(38)}11`,
    P256,
  ])('is %s, and is flagged if it receives something', (address) => {
    expect(isBurnAddress(address)).toBe(true);
    expect(codes(payment(address))).toEqual(['burn-address']);
    expect(codes({ address, carriesData: true })).toEqual([]);
  });

  it.each<Hex>([
    `0x${'0'.repeat(38)}12`,
    `0x${'0'.repeat(37)}101`,
    `0x1${'0'.repeat(38)}1`,
    `0xdead${'0'.repeat(35)}1`,
    BOB,
  ])('is not %s', (address) => {
    expect(isBurnAddress(address)).toBe(false);
    expect(codes(payment(address))).toEqual([]);
  });

  it('is named with what it would receive', () => {
    const [danger] = judged(payment(lowerCase(DEAD), { asset: '5 USDC' })).dangers;
    expect(danger?.text).toBe(
      `This sends 5 USDC to ${DEAD}, an address that nobody controls. Nobody can get it back. ${ADVICE['burn-address']}`,
    );
  });
});

describe("a token's own contract", () => {
  it('is flagged as the recipient of the token, but not otherwise', () => {
    expect(judged(payment(USDC, { asset: '5 USDC', isToken: true })).dangers).toEqual([
      {
        code: 'sent-to-token-contract',
        text: `This sends 5 USDC to ${USDC}, the contract of the token itself. Most tokens cannot be recovered from there. ${ADVICE['sent-to-token-contract']}`,
      },
    ]);
    expect(judged({ address: USDC, carriesData: false, isToken: true }).dangers[0]?.text).toMatch(
      /^This sends tokens to/u,
    );
    expect(codes(payment(USDC, { isToken: false }))).toEqual([]);
  });
});

describe('data for an address without code', () => {
  const call = (address: Hex, asset?: string): Recipient => ({
    address,
    carriesData: true,
    ...(asset !== undefined && { asset }),
  });

  it('is flagged, with what becomes of what is sent', () => {
    const hasCode = { [lowerCase(BOB)]: false };
    expect(judged(call(BOB), { hasCode }).dangers).toEqual([
      {
        code: 'call-without-code',
        text: `There is no contract at ${BOB} on this network. The data does nothing. ${ADVICE['call-without-code']}`,
      },
    ]);
    expect(judged(call(BOB, '1 ETH'), { hasCode }).dangers[0]?.text).toBe(
      `There is no contract at ${BOB} on this network. The data does nothing, and 1 ETH will belong to whoever holds the key of that address, if anyone does. ${ADVICE['call-without-code']}`,
    );
  });

  it.each<[string, Recipient, RecipientFacts['hasCode']]>([
    ['there is code', call(BOB), { [BOB]: true }],
    ['it is not known', call(BOB), { [BOB]: undefined }],
    ['it was not asked', call(BOB), { [ALICE]: false }],
    ['there is no data', payment(BOB), { [BOB]: false }],
    ['it is a precompiled contract', call(P256), { [P256]: false }],
  ])('is not flagged if %s', (_when, recipient, hasCode) => {
    expect(codes(recipient, { hasCode })).toEqual([]);
  });

  it('is not flagged for an own account, which the operation may deploy', () => {
    expect(codes(call(ME), { own: { [ME]: 'Smart account' }, hasCode: { [ME]: false } })).toEqual([]);
  });
});

describe('several recipients', () => {
  it('are all judged, and each danger is named once', () => {
    const { dangers } = judge(
      [payment(FAKE_BOB), payment(DEAD), payment(lowerCase(DEAD)), payment(USDC, { isToken: true })],
      { ...NOTHING, used: [BOB] },
    );
    expect(dangers.map(({ code }) => code)).toEqual(['address-poisoning', 'burn-address', 'sent-to-token-contract']);
    expect(dangers[1]?.text.match(/This sends/gu)).toHaveLength(1);
  });
});

test('a contact is called by its name, and is not trusted to do what its calldata says', () => {
  const view = { ...VIEW, recipients: { ...NOTHING, contacts: { [lowerCase(BOB)]: 'Bob' } } };
  // `execTransaction` of a Safe, which would move tokens to the account.
  const claim: Hex = `0x6a761202${USDC.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64 * 11)}`;
  for (const data of ['0xdeadbeef', claim] as const) {
    const { title, main } = explainCall(BOB, data, { value: 10n ** 18n, view });
    expect(title).toContain('your contact Bob');
    expect(title).not.toMatch(/^(?:Move|Receive|Send \d+ USDC)/u);
    expect(main.map(written).join('\n')).toContain(BOB);
  }
});
