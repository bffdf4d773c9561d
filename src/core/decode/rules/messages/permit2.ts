import { isSameAddress } from '../../../eth/address';
import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { type Allow, type Effect } from '../../effects/effect';
import { address } from '../../words/lines';
import { leavesOf } from './leaves';
import {
  addressOf,
  contractLine,
  deadlineLine,
  listOf,
  type Struct,
  structOf,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
} from './rule';
import { orderEffects, type OrderTerms } from './orders/order-rule';
import { witnessTerms } from './orders/uniswapx';
import { getsNothing } from './unknown-orders';

/** The same address on every chain. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';

/** The spender, the tokens, the deadline for using the signature, and the contract. */
function reading(
  title: string,
  message: Struct,
  allowed: readonly Allow[],
  deadline: string,
  scene: TypedScene,
): TypedReading {
  const { contract } = scene;
  const end = uintOf(message, deadline);
  const isOther = contract === undefined || !isSameAddress(contract, PERMIT2);
  const warning: Effect[] = isOther
    ? [{ kind: 'note', text: 'This looks like a Permit2 message, but it is for another contract.' }]
    : [];
  return {
    title,
    effects: [...warning, ...allowed],
    lines: [
      ...(allowed.length === 0 ? [address('Spender', addressOf(message, 'spender'))] : []),
      deadlineLine(end, scene),
      contractLine('Contract', contract),
    ],
    ...(!isOther && { until: end }),
  };
}

const allow = (entry: Struct, message: Struct, { view }: TypedScene): Allow => ({
  kind: 'allow',
  of: 'amount',
  owner: view.signer,
  spender: addressOf(message, 'spender'),
  token: addressOf(entry, 'token'),
  amount: uintOf(entry, 'amount'),
});

/** Allowances with an expiration. */
const allowanceRule = (type: string, details: (message: Struct) => readonly Struct[]): TypedRule => ({
  type,
  read: (message, scene) => {
    const allowed = details(message).map((entry) => ({
      ...allow(entry, message, scene),
      end: uintOf(entry, 'expiration'),
    }));
    return reading('Approve spending through Permit2', message, allowed, 'sigDeadline', scene);
  },
});

/** The members that every one-time transfer has. */
const OWN_MEMBERS = ['permitted', 'spender', 'nonce', 'deadline'];

/** The data of a protocol: the terms of an order that the spender keeps to, else everybody whom it names. */
function witnessOf(
  message: Struct,
  types: TypedDataTypes,
  primaryType: string,
  { view }: TypedScene,
): { readonly order?: OrderTerms; readonly effects: readonly Effect[] } {
  const members = (types[primaryType] ?? []).filter(({ name }) => !OWN_MEMBERS.includes(name));
  const [witness] = members;
  const spender = addressOf(message, 'spender');
  const permitted = [message.permitted as Struct | readonly Struct[]].flat();
  const isStruct = witness !== undefined && Object.hasOwn(types, witness.type);
  const order = isStruct
    ? witnessTerms(
        { type: witness.type, value: structOf(message, witness.name) },
        { spender, tokens: permitted.map((entry) => addressOf(entry, 'token')) },
        types,
      )
    : undefined;
  if (order !== undefined) return { order, effects: orderEffects([order]) };
  const leaves = members.flatMap(({ name, type }) => leavesOf(types, type, message[name], name, name));
  const named = [...new Set(leaves.flatMap((leaf) => leaf.address ?? []))];
  const nothing: Effect = {
    kind: 'order',
    isGuess: true,
    maker: view.signer,
    gives: [{ asset: undefined, least: 1n, most: 1n }],
    gets: [{ asset: undefined, least: 0n, most: 0n }],
  };
  return {
    effects: [
      ...(getsNothing(leaves) ? [nothing] : []),
      ...named.map((at): Effect => ({ kind: 'named', address: at, isRecipient: false })),
    ],
  };
}

/** One-time transfers. They begin with these members; protocols append their own data as a witness. */
const transferRule = (name: string, permitted: string, list: (message: Struct) => readonly Struct[]): TypedRule => ({
  type: (types: TypedDataTypes, primaryType: string) => {
    if (primaryType !== `Permit${name}TransferFrom` && primaryType !== `Permit${name}WitnessTransferFrom`) return false;
    const start = `${primaryType}(${permitted} permitted,address spender,uint256 nonce,uint256 deadline`;
    const encoded = encodeType(types, primaryType);
    return (
      (encoded.startsWith(`${start})`) || encoded.startsWith(`${start},`)) &&
      encodeType(types, 'TokenPermissions') === PERMISSIONS
    );
  },
  read: (message, scene, types, primaryType) => {
    const allowed = list(message).map((entry): Allow => ({ ...allow(entry, message, scene), once: true }));
    const signature: Effect = { kind: 'signature', end: uintOf(message, 'deadline') };
    const { order, effects } = witnessOf(message, types, primaryType, scene);
    // The spender keeps to the order, so the order says what is given.
    const title = order === undefined ? 'Approve a one-time transfer through Permit2' : 'Place an order';
    const found = reading(title, message, order === undefined ? allowed : [], 'deadline', scene);
    return { ...found, effects: [...(found.effects ?? []), signature, ...effects] };
  },
});

/** Uniswap's Permit2: allowances with an expiration, and one-time transfers. */
export const PERMIT2_RULES: readonly TypedRule[] = [
  allowanceRule(`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`, (message) => [
    structOf(message, 'details'),
  ]),
  allowanceRule(`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`, (message) =>
    listOf(message, 'details'),
  ),
  transferRule('', 'TokenPermissions', (message) => [structOf(message, 'permitted')]),
  transferRule('Batch', 'TokenPermissions[]', (message) => listOf(message, 'permitted')),
];
