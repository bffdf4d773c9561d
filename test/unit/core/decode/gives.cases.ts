import { explainMessage } from '../../../../src/core/decode/explain/message';
import { explainTypedData } from '../../../../src/core/decode/explain/typed-data';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type TypedData } from '../../../../src/core/eth/typed-data';
import { ALICE, BOB, typedData } from '../../../support/explaining';

const NOW = 1_800_000_000n;
const CONTRACT: Hex = `0x${'c3'.repeat(20)}`;
const domain = { name: 'Any', version: '1', chainId: 1, verifyingContract: CONTRACT };
const usable = (data: TypedData) => explainTypedData(data, { signer: ALICE, now: NOW }).usable;
const SAFE_TX =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';
const safeTx = (operation: number): TypedData =>
  typedData(
    SAFE_TX,
    { chainId: 1, verifyingContract: CONTRACT },
    {
      ...{ to: BOB, value: '0', data: '0x12345678', operation, safeTxGas: '0', baseGas: '0', gasPrice: '0' },
      ...{ gasToken: `0x${'00'.repeat(20)}`, refundReceiver: `0x${'00'.repeat(20)}`, nonce: '0' },
    },
  );

describe('others can use a signature', () => {
  it.each<[string, TypedData]>([
    [
      'of a message of a Safe, whose bytes may be a hash',
      typedData('SafeMessage(bytes message)', domain, { message: '0x' }),
    ],
    ['of a root that stands for orders', typedData('Root(bytes32 root)', domain, { root: `0x${'9c'.repeat(32)}` })],
    ['of a transaction of a Safe whose call nobody can read', safeTx(0)],
    ['of a transaction of a Safe that is of no known operation', safeTx(7)],
    [
      'of an operation by any name',
      typedData('Job(address sender,bytes callData)', domain, { sender: ALICE, callData: '0x12345678' }),
    ],
    [
      'of an unknown form that names somebody else',
      typedData('Give(address to,uint256 amount)', domain, { to: BOB, amount: '5' }),
    ],
    [
      'for the account’s own contract',
      typedData('Ping(uint256 id)', { ...domain, verifyingContract: ALICE }, { id: '1' }),
    ],
  ])('%s, without an end to rely on', (_of, data) => {
    expect(usable(data)).toEqual({ until: undefined });
  });

  it.each<[string, Hex, boolean]>([
    ['of 32 bytes', `0x${'9c'.repeat(32)}`, true],
    ['of typed data’s preimage', `0x1901${'9c'.repeat(64)}`, true],
    ['of bytes that are no text', `0xff${'00'.repeat(19)}`, true],
    ['of a text', '0x48656c6c6f', false],
    ['of nothing', '0x', false],
  ])('%s: %s is %s', (_of, message, isUsable) => {
    expect(explainMessage(message, { signer: ALICE, now: NOW }).usable !== undefined).toBe(isUsable);
  });
});

describe('nobody can use a signature', () => {
  it.each<[string, TypedData]>([
    [
      'of a form with a name and a number',
      typedData('Profile(string name,uint256 age)', domain, { name: 'A', age: '7' }),
    ],
    [
      'of a login that names the account and the contract',
      typedData('Login(address wallet,address app,string statement)', domain, {
        ...{ wallet: ALICE, app: CONTRACT, statement: 'Hello' },
      }),
    ],
    [
      'that takes a permission back',
      typedData('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)', domain, {
        ...{ owner: ALICE, spender: BOB, value: '0', nonce: '0', deadline: '9000000000' },
      }),
    ],
  ])('%s', (_of, data) => {
    expect(usable(data)).toBeUndefined();
  });
});
