import { expect } from '@jest/globals';
import { encodeFunctionData, maxUint256, parseAbi, stringToHex } from 'viem';

import { ALICE, BOB, ME, transaction, USDC } from '../../support/explaining';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { installKeystead } from '../../support/wallet/installed';
import { dataOf, PROTOCOLS } from '../../support/protocols';
import { elementsOf } from '../../support/screen-elements';
import { flat, textOf } from '../../support/screen-text';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ALWAYS = { settings: { confirmSignatures: 'always' } } as const;
const NEVER = { settings: { confirmSignatures: 'never' } } as const;

const start = useEmptiedSnap(installKeystead);

const APPROVE = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, 5_500_000n] });
const UNLIMITED = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, maxUint256] });

const signIn = (account: string, domain: string) =>
  stringToHex(
    `${domain} wants you to sign in with your Ethereum account:\n${account}\n\nI **agree** to [terms](https://a.com)\n\nURI: https://example.com/\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
  );

const batch = encodeFunctionData({
  abi: parseAbi(['function executeBatch((address,uint256,bytes)[])']),
  args: [
    [
      [USDC, 0n, APPROVE],
      [USDC, 0n, UNLIMITED],
      [ALICE, 10n ** 18n, '0xdeadbeef'],
    ],
  ],
});

describe('a danger', () => {
  it.each<[string, string, unknown, string, string[]]>([
    [
      'an unlimited approval',
      'eth_signTransaction',
      [transaction({ data: UNLIMITED })],
      'This lets 0x742d…f44e spend all of your USDC, now and in the future.',
      [BOB, 'Amount or token ID unlimited'],
    ],
    [
      'a batch with one among its calls',
      'eth_signTransaction',
      [transaction({ to: ALICE, data: batch })],
      `This lets 0x742d…f44e spend all USDC that account 0xd8dA…6045 holds, now and in the future.`,
      ['1  Make 3 calls from an account', '1.1  Approve spending', '5.5 USDC', '1.3  Unknown call'],
    ],
    [
      'a sign-in with another account',
      'personal_sign',
      [signIn(ALICE, 'example.com'), ME],
      `This sign-in is for a different account than the one you are signing with.`,
      ['Sign-in domain example.com', 'Statement (quoted: the site)', '“I **agree** to [terms](https://a.com)”'],
    ],
    [
      'a message that may be a hash',
      'personal_sign',
      [`0x${'8f'.repeat(32)}`, ME],
      `This message may be a hash. You cannot see what it stands for: it could be anything.`,
      ['8f'.repeat(32)],
    ],
  ])('%s: asks even if the settings do not, and respects either answer', async (_name, method, params, text, says) => {
    const { create, submit } = await start(NEVER);
    const { id } = await create({ privateKey: KEY });
    const refused = submit(id, method, params as never);
    const screen = await refused.getInterface();
    expect(screen.type).toBe('confirmation');
    // Nothing was shown before, so the advice is there, too.
    const asked = elementsOf(screen.content).filter(
      ({ type, props }) =>
        type === 'Banner' && (props as { title?: string }).title === 'Asked again because of this danger',
    );
    expect(asked.map(flat)).toContainEqual(expect.stringContaining(text));
    const shown = textOf(screen.content).replace(/\s+/gu, ' ');
    for (const part of says) expect(shown).toContain(part.replace(/\s+/gu, ' '));
    await screen.cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    const approved = submit(id, method, params as never);
    await (await approved.getInterface()).ok();
    expect((await approved).response.error).toBeUndefined();
  });

  it('is not found in harmless requests: the same methods answer at once', async () => {
    const { create, sign } = await start(NEVER);
    const { id } = await create({ privateKey: KEY });
    for (const [method, params] of [
      ['eth_signTransaction', [transaction({ data: APPROVE })]],
      ['personal_sign', [signIn(ME, 'example.com'), ME]],
    ] as const)
      expect((await sign(id, method, params as never)).error).toBeUndefined();
  });
});

describe('typed data of real protocols', () => {
  it(`is shown and signed on approval, for each of the ${PROTOCOLS.length}`, async () => {
    const { create, submit } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    for (const protocol of PROTOCOLS) {
      const request = submit(id, 'eth_signTypedData_v4', [ME, dataOf(protocol)] as never);
      const { content, ok } = await request.getInterface();
      const rows = elementsOf(content)
        .filter(({ type }) => type === 'Row')
        .map((row) => textOf(row));
      for (const part of protocol.says) {
        const wanted = part.replace(': ', ' ').toLowerCase();
        expect([textOf(content), ...rows].some((text) => text.toLowerCase().includes(wanted))).toBe(true);
      }
      const banners = elementsOf(content).filter(({ type }) => type === 'Banner');
      const dangers = banners.filter(({ props }) => (props as { severity?: string }).severity === 'danger');
      expect(dangers).toHaveLength(protocol.dangers?.length ?? 0);
      await ok();
      expect((await request).response.error).toBeUndefined();
    }
  });

  it('of ten thousand elements gives a bounded screen', async () => {
    const { create, submit } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const data = {
      types: {
        EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
        List: [{ name: 'numbers', type: 'uint256[]' }],
      },
      primaryType: 'List',
      domain: { chainId: 1 },
      message: { numbers: Array.from({ length: 10_000 }, (_item, index) => index) },
    };
    const request = submit(id, 'eth_signTypedData_v4', [ME, data]);
    const { content, cancel } = await request.getInterface();
    expect(elementsOf(content).filter(({ type }) => type === 'Row').length).toBeLessThan(325);
    expect(textOf(content)).toContain('Signed but not shown here: 9901 more values.');
    await cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });
});
