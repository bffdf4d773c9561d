import { keccak256 } from 'viem';

import { NodeClient } from '../../../src/clients/node';
import { hashOfCode } from '../../../src/snap/account/delegations/check-delegate';
import { startSimulatedNode } from '../../support/simulated-node';

describe('code of a contract', () => {
  it.each([24, 32])('of %d KiB is read and hashed (EIP-170, EIP-7954)', async (kibibytes) => {
    const code = `0x${'5b'.repeat(kibibytes << 10)}` as const;
    const server = await startSimulatedNode({ eth_getCode: () => code });
    const node = new NodeClient({ url: server.url });
    expect(await node.code(`0x${'11'.repeat(20)}`)).toBe(code);
    expect(hashOfCode(code)).toBe(keccak256(code));
    await server.stop();
  });
});
