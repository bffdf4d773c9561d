import { encodeFunctionData, maxUint256, pad, parseAbi, toHex } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { type TypedData } from '../../../../src/core/eth/typed-data';
import { ALICE, BOB, codesOf, explainTyped, ME, NOW, saying, typedData, USDC } from '../../../support/explaining';
import { expectExplained } from '../../../support/books';

export const SOON = (NOW + 3600n).toString();
export const LATER = (NOW + 7200n).toString();
export const NEVER = maxUint256.toString();
export const DAI: Hex = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
export const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
export const WORD: Hex = `0x${'11'.repeat(32)}`;

export const at = (verifyingContract: Hex, name = 'Name') => ({ name, version: '1', chainId: 1, verifyingContract });

export const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
export const permit = (value: bigint, deadline: string): TypedData =>
  typedData(PERMIT, at(USDC), { owner: ME, spender: BOB, value: value.toString(), nonce: 0, deadline });

export const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
export const BATCH = `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`;
export const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';
export const details = (token: Hex, amount: bigint, expiration: string | number) => ({
  token,
  amount: amount.toString(),
  expiration,
  nonce: 0,
});

export const approve = (amount: bigint): Hex =>
  encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, amount] });
export const APPROVE = approve(5_500_000n);

const ENTRY_POINT_08 = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
const halves = (high: bigint, low: bigint): Hex => pad(toHex((high << 128n) | low), { size: 32 });

/** A user operation as signed for entry point 0.8 and later. */
export const packed = (fields: Readonly<Record<string, unknown>> = {}, entryPoint: Hex = ENTRY_POINT_08): TypedData =>
  typedData(
    'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
    at(entryPoint, 'ERC4337'),
    {
      sender: ALICE,
      nonce: 1,
      initCode: '0x',
      callData: encodeFunctionData({
        abi: parseAbi(['function execute(address,uint256,bytes)']),
        args: [USDC, 0n, APPROVE],
      }),
      accountGasLimits: halves(400_000n, 500_000n),
      preVerificationGas: 100_000,
      gasFees: halves(10n ** 9n, 20n * 10n ** 9n),
      paymasterAndData: '0x',
      ...fields,
    },
  );

export type Row = readonly [name: string, data: TypedData, says: readonly string[], dangers?: readonly string[]];

/** Each of these is decoded, contains these texts and has exactly these dangers. */
export function describeRows(rows: readonly Row[]): void {
  describe('typed data', () => {
    it.each(rows.map((row) => [row[0], row] as const))('%s', (name, [, data, says, dangers = []]) => {
      const explanation = explainTyped(data);
      const text = saying(explanation);
      for (const part of says) expect(text).toContain(part);
      expect(text).not.toContain('Meaning: unknown');
      expect(codesOf(explanation)).toEqual(dangers);
      expectExplained(`typed data: ${name}`, explanation);
    });
  });
}
