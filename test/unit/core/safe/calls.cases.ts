import { encodeFunctionData, type Hex, parseAbi } from 'viem';

import { simpleAccount07 } from '../../../../src/core/erc4337/simple-account';
import { decodeCalls, encodeCalls } from '../../../../src/core/safe/calls';
import { MULTI_SEND_CALL_ONLY } from '../../../../src/core/safe/contracts';

const TO: Hex = `0x${'ab'.repeat(20)}`;
const PAYMENT = { to: TO, value: 5n, data: '0x' } as const;
const CALL = { to: TO, value: 0n, data: '0x1234' } as const;

describe.each([
  ['a Safe', encodeCalls, decodeCalls],
  ['a simple account', simpleAccount07.encodeCalls, simpleAccount07.decodeCalls],
])('the call data of %s', (_account, encode, decode) => {
  it.each([
    ['one call', [CALL]],
    ['several calls', [CALL, PAYMENT]],
  ])('is read exactly, or not at all: %s', (_what, calls) => {
    const data = encode(calls);
    expect(decode(data)).toEqual(calls);
    expect(decode(`${data}00`)).toBeUndefined();
    expect(decode(data.slice(0, -2) as Hex)).toBeUndefined();
  });
});

test('the call data of a Safe is not read if it is a batch of no calls', () => {
  const empty = encodeFunctionData({ abi: parseAbi(['function multiSend(bytes)']), args: ['0x'] });
  const abi = parseAbi(['function executeUserOp(address,uint256,bytes,uint8)']);
  const data = encodeFunctionData({ abi, args: [MULTI_SEND_CALL_ONLY, 0n, empty, 1] });
  expect(decodeCalls(data)).toBeUndefined();
});
