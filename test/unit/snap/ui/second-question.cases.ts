import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { ADVICE } from '../../../../src/core/decode/effects/dangers';
import { type Explanation } from '../../../../src/core/decode/explanation';
import { grouped } from '../../../../src/core/eth/units';
import { ConfirmSignatureScreen, DANGER } from '../../../../src/snap/ui/confirm-signature';
import { ALICE, BOB, explainCall, ME, USDC } from '../../../support/explaining';
import { openPart } from '../../../support/open-part';
import { flat } from '../../../support/screen-text';

const screenOf = (explanation: Explanation, because?: string) =>
  ConfirmSignatureScreen({
    explanation,
    account: { name: 'Keystead 1', address: ME },
    origin: 'metamask',
    because,
  });

const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ALICE, maxUint256] });
const RISKY: Explanation = { ...explainCall(USDC, approval), warnings: ['Compare it.'] };

describe('a second question, after that of MetaMask', () => {
  it('leaves out no row that the first one may have lacked', () => {
    const [first, second] = [openPart(screenOf(RISKY)), openPart(screenOf(RISKY, DANGER))];
    const values = first.filter((line) => !line.startsWith('['));
    expect(values.length).toBeGreaterThan(4);
    for (const line of values) expect(second).toContain(line);
    const { title, changes, main } = RISKY;
    for (const { value } of [...changes, ...main])
      expect(flat(screenOf(RISKY, DANGER)).toLowerCase()).toContain(value.toLowerCase());
    expect(second[0]).toBe(`# ${title}`);
  });

  it('says its reason first, without advice, and keeps the warnings', () => {
    const content = screenOf(RISKY, DANGER);
    const open = openPart(content);
    expect(open[1]).toMatch(/^\[danger\] This lets 0xd8dA…6045 spend all of your USDC/u);
    expect(flat(content)).toContain('Asked again because of this danger');
    expect(flat(content)).not.toContain(ADVICE['unlimited-approval']);
    expect(open.join('\n')).toContain('Compare it.');
    expect(open.join(' ').split(/\s+/u).length).toBeLessThan(openPart(screenOf(RISKY)).join(' ').split(/\s+/u).length);
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
