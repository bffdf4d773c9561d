import { authorizationDigest, signedAuthorization } from '../../../src/core/eth/authorization';
import { fromHex, type Hex } from '../../../src/core/eth/bytes';
import { signDigest } from '../../../src/core/eth/secp256k1';
import { type HostileCase, refused, warned } from './case';
import { KEY, ME, OTHER } from './people';
import { EIP1559, type Tx, without } from './transaction';

const DELEGATE = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
const ZERO: Hex = `0x${'00'.repeat(20)}`;
/** Of somebody who is not in this wallet. */
const STRANGERS_KEY: Hex = `0x${'57'.repeat(32)}`;

/** A valid authorization as JSON. By default it is the sender's own, and takes effect with its transaction. */
function authorization({ address = DELEGATE as Hex, chainId = 1n, nonce = 10n, key = KEY } = {}): Tx {
  const one = { chainId, address, nonce };
  const { yParity, r, s } = signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(key)));
  const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
  const signature = { yParity: hex(BigInt(yParity)), r: hex(r), s: hex(s) };
  return { chainId: hex(chainId), address, nonce: hex(nonce), ...signature };
}

const EIP7702: Tx = { ...EIP1559, type: '0x4', authorizationList: [authorization()] };

const changed = (name: string, change: Tx, field: string, rule: RegExp): HostileCase<unknown> =>
  refused(name, [{ ...EIP7702, ...change }], `transaction.${field}`, rule);

/** The only authorization of the list is changed. */
const inList = (name: string, change: Tx, field: string, rule: RegExp): HostileCase<unknown> =>
  changed(
    name,
    { authorizationList: [{ ...authorization(), ...change }] },
    `authorizationList[0]${field === '' ? '' : `.${field}`}`,
    rule,
  );

const SHAPES: readonly HostileCase<unknown>[] = [
  refused(
    'no authorization list',
    [without(EIP7702, 'authorizationList')],
    'transaction.authorizationList',
    /is missing/u,
  ),
  refused('no recipient', [without(EIP7702, 'to')], 'transaction.to', /is missing/u),
  changed('a contract creation of type 4', { to: null }, 'to', /must be an address/u),
  changed('an empty authorization list', { authorizationList: [] }, 'authorizationList', /1 to 10 authorizations/u),
  changed(
    'eleven authorizations in a list',
    { authorizationList: Array.from({ length: 11 }, () => authorization()) },
    'authorizationList',
    /1 to 10 authorizations/u,
  ),
  changed('an object for the list', { authorizationList: authorization() }, 'authorizationList', /must be a list/u),
  changed('a gas price beside authorizations', { gasPrice: '0x1' }, 'gasPrice', /not a known field/u),
];

/** A request to sign an authorization, as libraries send it. Only a whole transaction is ever signed. */
const UNSIGNED: readonly HostileCase<unknown>[] = ['yParity', 'r', 's', 'chainId', 'address', 'nonce'].map((name) =>
  changed(
    `an authorization without ${name}`,
    { authorizationList: [without(authorization(), name)] },
    `authorizationList[0].${name}`,
    /is missing/u,
  ),
);

const FIELDS: readonly HostileCase<unknown>[] = [
  inList('an authorization for chain 0, valid everywhere', { chainId: '0x0' }, 'chainId', /valid on every chain/u),
  inList('an authorization for another chain', { chainId: '0xa' }, 'chainId', /transaction's chain id/u),
  inList('a chain as a number', { chainId: 1 }, 'chainId', /hex quantity/u),
  inList('a nonce in a list, as in a draft of the EIP', { nonce: ['0xa'] }, 'nonce', /hex quantity/u),
  inList('an authorization with a nonce of 2^64-1', { nonce: `0x${'f'.repeat(16)}` }, 'nonce', /2\^64-2/u),
  inList('a parity of 2', { yParity: '0x2' }, 'yParity', /0x0 or 0x1/u),
  inList('a parity of 27', { yParity: '0x1b' }, 'yParity', /0x0 or 0x1/u),
  inList('r of 0', { r: '0x0' }, 's', /valid signature/u),
  inList('s of 0', { s: '0x0' }, 's', /valid signature/u),
  inList('a high s', { s: `0x${'f'.repeat(64)}` }, 's', /valid signature/u),
  inList('r of 33 bytes', { r: `0x1${'0'.repeat(64)}` }, 'r', /hex/u),
  inList('a name for the delegate', { address: 'vitalik.eth' }, 'address', /must be an address/u),
  inList('contractAddress', { contractAddress: DELEGATE }, 'contractAddress', /not a known field/u),
  inList('v', { v: '0x1b' }, 'v', /not a known field/u),
];

const off = /lets accounts upgrade to/u;
const DELEGATES: readonly HostileCase<unknown>[] = [
  changed(
    'a delegate off the list',
    { authorizationList: [authorization({ address: OTHER })] },
    'authorizationList[0].address',
    off,
  ),
  changed(
    "a stranger's delegate off the list",
    { authorizationList: [authorization({ address: OTHER, key: STRANGERS_KEY })] },
    'authorizationList[0].address',
    off,
  ),
  changed(
    'one off the list behind one that is on it',
    { authorizationList: [authorization(), authorization({ address: OTHER, nonce: 11n })] },
    'authorizationList[1].address',
    off,
  ),
  changed(
    'a signed authorization for chain 0',
    { authorizationList: [authorization({ chainId: 0n })] },
    'authorizationList[0].chainId',
    /valid on every chain/u,
  ),
];

const SOUND: readonly HostileCase<unknown>[] = [
  warned('the own account, for a delegate on the list', [EIP7702], 'account-delegation'),
  warned(
    "a stranger's account",
    [{ ...EIP7702, authorizationList: [authorization({ key: STRANGERS_KEY })] }],
    'account-delegation',
  ),
  warned(
    'a delegation that only takes effect later',
    [{ ...EIP7702, authorizationList: [authorization({ nonce: 12n })] }],
    { says: 'with nonce 12 has no effect here' },
  ),
  warned(
    'a delegation and its end',
    [{ ...EIP7702, authorizationList: [authorization(), authorization({ address: ZERO, nonce: 11n })] }],
    'account-delegation',
  ),
  warned(
    'padded numbers in the signature, as viem sends them',
    [{ ...EIP7702, to: ME, authorizationList: [{ ...authorization(), yParity: padded(authorization().yParity) }] }],
    'account-delegation',
  ),
];

function padded(quantity: unknown): string {
  return `0x0${String(quantity).slice(2)}`;
}

export const DELEGATING_TRANSACTIONS: readonly HostileCase<unknown>[] = [
  ...SHAPES,
  ...UNSIGNED,
  ...FIELDS,
  ...DELEGATES,
  ...SOUND,
];
