import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../src/core/erc4337/hash';
import { type UserOperation } from '../../src/core/erc4337/user-operation';
import { summary, type Summary } from '../report/statistics';
import { finish, input } from './answer';

const { rounds } = input<{ rounds: number }>();
const operation: UserOperation = {
  sender: '0x1111111254eeb25477b68fb85ed929f73a960582',
  nonce: 7n,
  initCode: '0x',
  callData: `0x${'b6'.repeat(228)}`,
  callGasLimit: 65536n,
  verificationGasLimit: 393216n,
  preVerificationGas: 49152n,
  maxFeePerGas: 1500000000n,
  maxPriorityFeePerGas: 1500000000n,
  paymasterAndData: '0x',
  signature: '0x',
};

const rates: Record<string, Summary> = {};
for (const [version, entryPoint] of Object.entries(ENTRY_POINTS)) {
  const place = { version: version as keyof typeof ENTRY_POINTS, entryPoint, chainId: 31337n };
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let done = 0;
    for (; performance.now() - start < 200; done++) userOperationHash(operation, place);
    measured.push((done * 1000) / (performance.now() - start));
  }
  rates[version] = summary(measured);
}
finish({ version: process.versions.node, rates });
