import { encodeErrorResult, type Hex, parseAbi, parseEther } from 'viem';

import { explainFailure } from '../../../../src/core/erc4337/failures';

const ERRORS = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
]);

describe('explaining a rejected operation', () => {
  it('states the needed and the available amount', () => {
    const funds = { needed: parseEther('0.0021'), balance: parseEther('0.0004'), deposit: parseEther('0.0001') };
    expect(explainFailure({ code: -32500, message: "AA21 didn't pay prefund" }, funds)).toEqual({
      aa: 'AA21',
      sentence:
        "The account cannot pay for the operation. It needs 0.0021 ETH and has 0.0005 ETH (0.0004 ETH in the account, 0.0001 ETH deposited at the entry point). (-32500: AA21 didn't pay prefund)",
    });
  });

  const codes = [
    10, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 30, 31, 32, 33, 34, 36, 40, 41, 50, 51, 90, 91, 92, 93, 94, 95, 96, 97,
    98, 99,
  ];
  it.each(codes)('explains AA%i', (code) => {
    const { aa, sentence } = explainFailure({ code: -32500, message: `AA${code} some words` });
    expect(aa).toBe(`AA${code}`);
    expect(sentence).not.toMatch(/^The (entry point or the account rejected|operation was rejected)/u);
  });

  it.each([-32500, -32501, -32502, -32503, -32504, -32505, -32506, -32507, -32508, -32521, -32601, -32602])(
    'knows %i',
    (code) => {
      expect(explainFailure({ code, message: 'words' }).sentence).toMatch(
        /^(?!The operation was rejected).+ \(-32\d{3}: words\)$/u,
      );
    },
  );

  it.each([
    'transaction gas limit too high (cap: 16777216, tx: 20000000)',
    'gas required exceeds allowance (16777216)',
    'transaction gas limit (20000000) is greater than the cap (16777216)',
    'TxGasLimitCapExceeded: Gas limit 20000000 exceeded cap of 16777216.',
  ])('says what to do about more gas than one transaction may use: %s', (message) => {
    expect(explainFailure({ code: -32521, message }).sentence).toBe(
      `It needs more gas than one transaction may use on this network (16,777,216, EIP-7825). Send fewer calls at once. (-32521: ${message})`,
    );
    // A contract's own words are not the network's.
    for (const words of [`execution reverted: ${message}`, 'gas required exceeds allowance (30000000)'])
      expect(explainFailure({ code: -32521, message: words }).sentence).toMatch(/^The call would fail/u);
  });

  it('falls back to the original message', () => {
    expect(explainFailure({ code: -1, message: 'AA77 strange' })).toEqual({
      aa: 'AA77',
      sentence: 'The operation was rejected. (-1: AA77 strange)',
    });
  });

  it('quotes at most 300 characters of the message', () => {
    const quoted = (said: string) => explainFailure({ message: said }).sentence;
    expect(quoted('a'.repeat(300))).toBe(`The operation was rejected. (${'a'.repeat(300)})`);
    expect(quoted('a'.repeat(301))).toBe(`The operation was rejected. (${'a'.repeat(300)}…)`);
  });

  it('decodes the revert reason in the data', () => {
    const [error, panic, failedOp, withRevert] = [
      encodeErrorResult({ abi: ERRORS, errorName: 'Error', args: ['not enough'] }),
      encodeErrorResult({ abi: ERRORS, errorName: 'Panic', args: [0x11n] }),
      encodeErrorResult({ abi: ERRORS, errorName: 'FailedOp', args: [0n, 'AA25 invalid account nonce'] }),
      encodeErrorResult({ abi: ERRORS, errorName: 'FailedOpWithRevert', args: [0n, 'AA33 reverted', '0x1234'] }),
    ];
    expect(explainFailure({ code: -32521, message: 'reverted', data: error }).sentence).toContain(
      'reverted / not enough',
    );
    expect(explainFailure({ code: -32521, message: 'reverted', data: { data: panic } }).sentence).toContain(
      'Panic 0x11',
    );
    expect(explainFailure({ code: -32500, message: 'x', data: { revertData: failedOp } }).aa).toBe('AA25');
    expect(explainFailure({ code: -32501, message: 'x', data: { originalError: { data: withRevert } } }).aa).toBe(
      'AA33',
    );
  });

  const withInner = (inner: Hex): Hex =>
    encodeErrorResult({ abi: ERRORS, errorName: 'FailedOpWithRevert', args: [0n, 'AA23 reverted', inner] });

  it('decodes the inner revert reason of the account or paymaster', () => {
    const inner = encodeErrorResult({ abi: ERRORS, errorName: 'Error', args: ['account: not Owner'] });
    expect(explainFailure({ code: -32500, message: 'reverted', data: withInner(inner) }).sentence).toBe(
      'The account rejected the operation during validation. (-32500: reverted / AA23 reverted: account: not Owner)',
    );
    expect(explainFailure({ code: -32500, message: 'AA23 reverted', data: withInner('0xdeadbeef') }).sentence).toBe(
      'The account rejected the operation during validation. (-32500: AA23 reverted)',
    );
  });

  it('stops at a revert that nests without end', () => {
    let nested: Hex = '0x';
    for (let depth = 0; depth < 50; depth++) nested = withInner(nested);
    const { sentence } = explainFailure({ code: -32500, message: 'reverted', data: nested });
    expect(sentence).toBe('The account rejected the operation during validation. (-32500: reverted / AA23 reverted)');
  });

  it.each([
    '0x',
    '0x08c379a0',
    '0x08c379a0ff',
    `0x08c379a0${'ff'.repeat(64)}`,
    '0xdeadbeef00',
    'text',
    7,
    null,
    [],
    { data: {} },
  ])('ignores malformed data %j', (data) => {
    expect(explainFailure({ code: -32521, message: 'reverted', data }).sentence).toBe(
      'The call would fail on the network. (-32521: reverted)',
    );
  });
});
