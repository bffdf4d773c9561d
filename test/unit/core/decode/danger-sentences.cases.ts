import { readdirSync, readFileSync } from 'node:fs';

import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { SIGNER_FACTORY } from '../../../../src/core/safe/contracts';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ADVICE, type DangerCode } from '../../../../src/core/decode/effects/dangers';
import { Verdict } from '../../../../src/core/decode/effects/verdict';
import { explainMessage } from '../../../../src/core/decode/explain/message';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import { ALICE, BOB, explainCall, explainTyped, ME, typedData, USDC, VIEW } from '../../../support/explaining';
import { at, BATCH, DAI, details, PERMIT2, permit, SOON } from './typed-rows';

const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
const approve = (spender: Hex): Hex => encode('approve(address,uint256)', [spender, maxUint256]);

/** The sentences without the advice that follows them. */
const sentences = ({ dangers }: Explanation): string[] =>
  dangers.map(({ code, text }) => text.replace(` ${ADVICE[code as DangerCode]}`, ''));

describe('the sentence of a danger names who gains what from whom', () => {
  it.each<[string, Explanation, string]>([
    [
      'an unlimited approval of a known token',
      explainCall(USDC, approve(BOB)),
      'This lets 0x742d…f44e spend all of your USDC, now and in the future.',
    ],
    [
      'an unlimited approval of an unknown token',
      explainCall(TOKEN, approve(BOB)),
      'This lets 0x742d…f44e spend all of your tokens in contract 0x1f98…F984, now and in the future.',
    ],
    [
      'an unlimited approval by another account',
      explainCall(ALICE, encode('execute(address,uint256,bytes)', [USDC, 0n, approve(BOB)])),
      'This lets 0x742d…f44e spend all USDC that account 0xd8dA…6045 holds, now and in the future.',
    ],
    [
      'an unlimited permit',
      explainTyped(permit(maxUint256, SOON)),
      'This lets 0x742d…f44e spend all of your USDC, now and in the future.',
    ],
    [
      'an unlimited allowance through Permit2, which expires',
      explainTyped(
        typedData(BATCH, at(PERMIT2), {
          details: [details(DAI, (1n << 160n) - 1n, SOON)],
          spender: BOB,
          sigDeadline: SOON,
        }),
      ),
      'This lets 0x742d…f44e spend all of your DAI until 2026-01-01 01:00:00 UTC.',
    ],
    [
      'permission to borrow',
      explainCall(TOKEN, encode('approveDelegation(address,uint256)', [BOB, maxUint256])),
      'This lets 0x742d…f44e borrow an unlimited amount that your account has to repay, now and in the future.',
    ],
    [
      'full access to a contract',
      explainCall(TOKEN, encode('setApprovalForAll(address,bool)', [BOB, true])),
      'This lets 0x742d…f44e move everything you hold in contract 0x1f98…F984, now and in the future.',
    ],
    [
      'a transfer of everything',
      explainCall(USDC, encode('transfer(address,uint256)', [BOB, maxUint256])),
      'This sends all of your USDC to 0x742d…f44e.',
    ],
    [
      'a transfer of everything that another account holds',
      explainCall(USDC, encode('transferFrom(address,address,uint256)', [ALICE, BOB, maxUint256])),
      'This sends all USDC that account 0xd8dA…6045 holds to 0x742d…f44e.',
    ],
    [
      'a new owner',
      explainCall(TOKEN, encode('transferOwnership(address)', [BOB])),
      'This gives control of 0x1f98…F984 to 0x742d…f44e.',
    ],
    [
      'a module of your own account',
      explainCall(ME, encode('enableModule(address)', [BOB])),
      "This changes who controls your account. Let module 0x742d…f44e act for your account without its owners' signatures. Keystead does not know the code of this module. It can do anything, without a delay.",
    ],
    [
      'a withdrawal of a deposit',
      explainCall(TOKEN, encode('withdrawDepositTo(address,uint256)', [BOB, 10n ** 18n])),
      'This withdraws a deposit of 1 ETH from 0x1f98…F984 and sends it to 0x742d…f44e.',
    ],
    [
      'a request for another network',
      explainTyped(permit(1n, SOON), { ...VIEW, chainId: 5n }),
      'This is for Ethereum (chain 1), but the request is for Network 5.',
    ],
    [
      'a sign-in for another site',
      explainMessage(
        `0x${Buffer.from(`bank.example wants you to sign in with your Ethereum account:\n${ME}`).toString('hex')}`,
        { ...VIEW, origin: 'https://evil.example' },
      ),
      'The site “https://evil.example” wants you to sign in to “bank.example”. It could use your signature to act as you there.',
    ],
  ])('%s', (_name, explanation, sentence) => {
    expect(sentences(explanation)).toEqual([sentence]);
  });

  it('an allowance through Permit2 whose end has passed names no time', () => {
    const data = typedData(BATCH, at(PERMIT2), {
      details: [details(DAI, (1n << 160n) - 1n, 0)],
      spender: BOB,
      sigDeadline: SOON,
    });
    expect(sentences(explainTyped(data))).toEqual(['This lets 0x742d…f44e spend all of your DAI.']);
  });

  it('up to three different sentences are shown for a danger, in one text', () => {
    const calls = (spenders: readonly Hex[]) =>
      sentences(explainCall(USDC, encode('multicall(bytes[])', [spenders.map(approve)])));
    const many = Array.from({ length: 50 }, (_item, index): Hex => `0x${(index + 1).toString(16).padStart(40, '1')}`);
    expect(calls([BOB, BOB])).toEqual(['This lets 0x742d…f44e spend all of your USDC, now and in the future.']);
    expect(calls([BOB, ALICE])).toEqual([
      'This lets 0x742d…f44e spend all of your USDC, now and in the future. This lets 0xd8dA…6045 spend all of your USDC, now and in the future.',
    ]);
    const [text = ''] = calls(many);
    expect(text.split('This lets')).toHaveLength(4);
    expect(text).toMatch(/There is more of this kind: check every call and value\.$/u);
  });

  it.each(Object.entries(ADVICE))('of %s is followed by what to do instead', (code, advice) => {
    const verdict = new Verdict();
    verdict.danger(code as DangerCode, () => 'This happens.');
    expect(verdict.dangers).toEqual([{ code, text: `This happens. ${advice}` }]);
    expect(advice).toMatch(/^(?:Reject|Allow|Ask|Check|Choose|Compare) .*\.$|^Reject it\.$/u);
  });
});

describe('the table of dangers in docs/dangers.md', () => {
  const folder = 'src/core/decode/effects/judge';
  const files = readdirSync(folder).map(
    (file) => [file.slice(0, -3), readFileSync(`${folder}/${file}`, 'utf8')] as const,
  );
  const laws = /These laws hold[^]*?\n\n([^]*?)\n\n/u.exec(readFileSync('docs/decoding.md', 'utf8'))?.[1] ?? '';
  const last = laws.match(/^\d+\./gmu)?.length ?? 0;

  it.each(Object.keys(ADVICE))('says in which files %s is raised, and by which law', (code) => {
    const row = readFileSync('docs/dangers.md', 'utf8').match(new RegExp(`^\\| \`${code}\` .*$`, 'mu'))?.[0] ?? '';
    const [, , , named = '', ofLaws = ''] = row.split('|').map((cell) => cell.trim());
    const raised = files.flatMap(([name, source]) =>
      new RegExp(`\\.(?:danger|always)\\(\\s*'${code}'`, 'u').test(source) ? [`\`${name}\``] : [],
    );
    expect(raised).not.toEqual([]);
    expect(named.split(', ').sort()).toEqual(raised.sort());
    for (const law of ofLaws.split(', ')) expect(Number(law)).toBeGreaterThan(0);
    for (const law of ofLaws.split(', ')) expect(Number(law)).toBeLessThanOrEqual(last);
  });
});

describe('the creation of a passkey’s signer', () => {
  const create = encode('createSigner(uint256,uint256,uint176)', [0xaan, 0xbbn, 0xccn]);
  const heading = (to: Hex) => explainCall(to, create).sections[0];

  it('is an unknown call unless Safe’s factory is called, and shows the key', () => {
    expect(heading(ALICE)?.title).toBe('Unknown call');
    expect(heading(SIGNER_FACTORY)?.title).toBe('Create the signer of a passkey');
    expect(heading(SIGNER_FACTORY)?.lines).toContainEqual({ kind: 'text', label: 'Public key', value: '0xaa, 0xbb' });
  });
});

describe('a change of who controls a Safe', () => {
  const page: Viewpoint = { ...VIEW, isOwnPage: true };
  const fromPage = (to: Hex, data: Hex): Explanation => explainCall(to, data, { view: page });
  const codes = ({ dangers }: Explanation) => dangers.map(({ code }) => code);

  it.each<[string, Hex, string]>([
    [
      'adds an owner',
      encode('addOwnerWithThreshold(address,uint256)', [BOB, 1n]),
      'Add 0x742d…f44e as owner: any owner can sign alone',
    ],
    [
      'removes one',
      encode('removeOwner(address,address,uint256)', [ALICE, BOB, 1n]),
      'Remove 0x742d…f44e as owner: any owner can sign alone',
    ],
    [
      'replaces one',
      encode('swapOwner(address,address,address)', [ALICE, USDC, BOB]),
      'Replace owner 0xA0b8…eB48 with 0x742d…f44e',
    ],
    ['changes how many must sign', encode('changeThreshold(uint256)', [2n]), 'From now on 2 owners must sign'],
  ])('%s: a danger from a site, and said without alarm on the page where it was asked for', (_what, data, sentence) => {
    expect(sentences(explainCall(ME, data))).toContain(`This changes who controls your account. ${sentence}.`);
    const asked = fromPage(ME, data);
    expect(codes(asked)).not.toContain('account-administration');
    expect(asked.title).toBe(sentence);
  });

  it.each<[string, Hex, Hex]>([
    ['the owners of another account', ALICE, encode('addOwnerWithThreshold(address,uint256)', [BOB, 1n])],
    ['a module', ME, encode('enableModule(address)', [BOB])],
    ['a guard', ME, encode('setGuard(address)', [BOB])],
    ['a guard of modules', ME, encode('setModuleGuard(address)', [BOB])],
    ['a fallback handler', ME, encode('setFallbackHandler(address)', [BOB])],
    ['a guardian', ALICE, encode('addGuardianWithThreshold(address,uint256)', [BOB, 1n])],
  ])('is a danger on the page too if it is about %s', (_what, to, data) => {
    expect(codes(fromPage(to, data))).toContain('account-administration');
  });

  it('is about guardians where another contract has the function of the same name', () => {
    const data = encode('changeThreshold(uint256)', [1n]);
    expect(sentences(explainCall(ALICE, data))).toContain(
      'This lets 1 of the guardians that your account has at 0xd8dA…6045 replace its owners, after a delay.',
    );
    expect(codes(fromPage(ALICE, data))).toContain('account-administration');
  });

  it('names who becomes a guardian, and what guardians can do', () => {
    const data = encode('addGuardianWithThreshold(address,uint256)', [BOB, 2n]);
    expect(sentences(explainCall(ALICE, data))).toContain(
      'This makes 0x742d…f44e a guardian of your account. 2 of its guardians can replace its owners, after a delay.',
    );
  });
});
