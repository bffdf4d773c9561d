import { keccak256 as viemKeccak256 } from 'viem';

import { toHex } from '../../../src/eth/bytes';
import { initCodeHashOf, PROXY_06, PROXY_07, PROXY_08 } from '../../../src/erc4337/simple-account/proxy-code';
import { PROXY_CODE_06, PROXY_CODE_07, PROXY_CODE_08 } from './data/proxy-code';

describe('what hashing leaves of the creation code of a proxy', () => {
  it.each([
    ['0.6', PROXY_06, PROXY_CODE_06],
    ['0.7', PROXY_07, PROXY_CODE_07],
    ['0.8', PROXY_08, PROXY_CODE_08],
  ] as const)('of %s gives the hash of the whole code', (_version, kept, code) => {
    for (const length of [0, 1, 96, 135, 136, 137, 196, 500]) {
      const rest = Uint8Array.from({ length }, (_byte, index) => (index * 7) % 256);
      expect(toHex(initCodeHashOf(kept, rest))).toBe(viemKeccak256(`${code}${toHex(rest).slice(2)}`));
    }
  });
});
