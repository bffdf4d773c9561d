import { encodeFunctionData, type Hex, parseAbi } from 'viem';

import { simpleAccount07 } from '../../../../src/core/erc4337/simple-account';
import { decodeCalls, encodeCalls } from '../../../../src/core/safe/calls';
import { MULTI_SEND_CALL_ONLY } from '../../../../src/core/safe/contracts';
import { unpackedCalls } from '../../../../src/core/safe/multi-send';

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

describe('the call data of a Safe', () => {
  const abi = parseAbi(['function executeUserOp(address,uint256,bytes,uint8)', 'function multiSend(bytes)']);
  const executing = (to: Hex, data: Hex, operation: number) =>
    encodeFunctionData({ abi, functionName: 'executeUserOp', args: [to, 0n, data, operation] });

  it('is read if it delegates to the contract that makes several calls, and to no other', () => {
    const several = encodeCalls([CALL, PAYMENT]);
    expect(decodeCalls(several)).toEqual([CALL, PAYMENT]);
    const other = several.replaceAll(MULTI_SEND_CALL_ONLY.slice(2).toLowerCase(), 'ab'.repeat(20)) as Hex;
    expect(decodeCalls(other)).toBeUndefined();
    expect(decodeCalls(executing(TO, '0x1234', 0))).toEqual([CALL]);
    expect(decodeCalls(executing(TO, '0x1234', 1))).toBeUndefined();
    expect(decodeCalls(executing(MULTI_SEND_CALL_ONLY, '0x1234', 1))).toBeUndefined();
    expect(decodeCalls('0x12345678')).toBeUndefined();
  });

  it('is not made for nothing', () => {
    expect(() => encodeCalls([])).toThrow('intents: must hold at least one intent');
  });
});

describe('the packed calls of a MultiSend', () => {
  const packed = (operation: string, length: number, data: string): string =>
    [operation, 'ab'.repeat(20), (5).toString(16).padStart(64, '0'), length.toString(16).padStart(64, '0'), data].join(
      '',
    );
  const of = (operation: bigint, data: string) => ({ operation, to: TO, value: 5n, data });

  it('are one after the other', () => {
    expect(unpackedCalls('')).toEqual([]);
    expect(unpackedCalls(packed('00', 0, ''))).toEqual([of(0n, '')]);
    expect(unpackedCalls(`${packed('00', 2, '1234')}${packed('01', 1, '56')}`)).toEqual([of(0n, '1234'), of(1n, '56')]);
  });

  it.each([
    ['a head that ends too early', packed('00', 0, '').slice(0, -2)],
    ['data that ends too early', packed('00', 2, '12')],
    ['a second one that ends too early', `${packed('00', 0, '')}00`],
    ['a length beyond any data', packed('00', 0, '').replace(/0{64}$/u, 'f'.repeat(64))],
  ])('are none with %s', (_what, digits) => {
    expect(unpackedCalls(digits)).toBeUndefined();
  });
});
