import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { ADVICE } from '../../../../src/core/decode/effects/dangers';
import { type Explanation } from '../../../../src/core/decode/explanation';
import { openLines } from '../../../../src/core/decode/open-lines';
import { type Hex } from '../../../../src/core/eth/bytes';
import { grouped } from '../../../../src/core/eth/units';
import { ConfirmSignatureScreen, DANGER } from '../../../../src/snap/screens/confirm-signature';
import { ALICE, BOB, explainCall, ME, USDC } from '../../../support/explaining';
import { openPart } from '../../../support/open-part';
import { flat } from '../../../support/screen-text';

const screenOf = (explanation: Explanation, because?: string, said?: readonly Hex[]) =>
  ConfirmSignatureScreen({
    explanation,
    account: { name: 'Keystead 1', address: ME },
    origin: 'metamask',
    because,
    said,
  });

const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ALICE, maxUint256] });
const RISKY: Explanation = { ...explainCall(USDC, approval), warnings: ['Compare it.'] };

describe('a second question, after that of MetaMask', () => {
  it('leaves out no row, no advice and no warning if nothing was shown before', () => {
    const [first, second] = [openPart(screenOf(RISKY)), openPart(screenOf(RISKY, DANGER))];
    expect(first.length).toBeGreaterThan(6);
    for (const line of first) expect(second).toContain(line);
    expect(second[0]).toBe(`# ${RISKY.title}`);
    expect(flat(screenOf(RISKY, DANGER))).toContain('Asked again because of this danger');
  });

  it('counts what a message says as shown only if it is one', () => {
    const count = (body: NonNullable<Explanation['body']>) => openLines({ ...RISKY, body }).length;
    expect(count({ label: 'Message', text: 'Hello', isMessage: true })).toBe(
      count({ label: 'Message', text: 'Hello' }) + 1,
    );
  });

  it('keeps what was not shown on the open part: a row, a warning, a danger with its advice', () => {
    const [first, ...rows] = [...RISKY.changes, ...RISKY.main];
    expect(rows.length).toBeGreaterThan(0);
    const earlier = { ...RISKY, warnings: [], dangers: [], changes: [], main: rows };
    const open = openPart(screenOf(RISKY, DANGER, openLines(earlier))).join('\n');
    expect(open).toContain(first!.value);
    expect(open).toContain('Compare it.');
    expect(open).toContain(ADVICE['unlimited-approval']);
    const changed = { ...RISKY, changes: [{ ...first!, value: `${first!.value}0` }] };
    expect(openPart(screenOf(changed as Explanation, DANGER, openLines(RISKY))).join('\n')).toContain(
      `${first!.value}0`,
    );
  });

  it('says its reason alone if all was shown, without advice, and folds the rest', () => {
    const content = screenOf(RISKY, DANGER, openLines(RISKY));
    const open = openPart(content);
    expect(open).toEqual([
      `# ${RISKY.title}`,
      expect.stringMatching(/^\[danger\] This lets 0xd8dA…6045 spend all of your USDC, now and in the future\.$/u),
      'Asked through: MetaMask',
      'Account: Keystead 1',
    ]);
    for (const line of openPart(screenOf(RISKY)))
      expect(flat(content)).toContain(line.replace(/^\[\w+\] |^# |^[^:]+: /u, ''));
  });

  it('says another reason first as well, and then everything', () => {
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, 12_345_670_000n] });
    const open = openPart(screenOf(explainCall(USDC, transfer), 'your settings say so'));
    expect(open.slice(0, 3)).toEqual([
      '# Send 12,345.67 USDC to 0x742d…f44e',
      'Asked again because: your settings say so',
      'You send: 12,345.67 USDC',
    ]);
  });
});

describe('digits in groups', () => {
  it.each([
    ['0', '0'],
    ['1234.5', '1234.5'],
    ['12345.67', '12,345.67'],
    ['1234567890.123456', '1,234,567,890.123456'],
    ['-98765', '-98,765'],
  ])('%s is written as %s', (plain, written) => {
    expect(grouped(plain)).toBe(written);
  });
});
