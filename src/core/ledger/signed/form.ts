import { encodeFunctionData } from 'viem/utils';

import { versionOfEntryPoint } from '../../erc4337/entry-points';
import { OPERATION_TYPE } from '../../erc4337/hash';
import { InvalidParamsError } from '../../errors';
import { isIn, isSameAddress } from '../../eth/address';
import { type Hex, lowerCase, toHex } from '../../eth/bytes';
import { encodeType, type TypedData, typedDataDigest } from '../../eth/typed-data';
import { TypedDataSchema } from '../../eth/typed-data/schema';
import { PERMIT2 } from '../../simulation/asset-logs';
import { ENTRY_POINT_ABI } from './abi';
import { boundBy, type Kept } from './kept';

type Struct = Readonly<Record<string, unknown>>;

/** How a network can say whether a signature was used or cancelled, by protocol. */
export type Form =
  /** A token's permit (ERC-2612, or DAI's): each uses the owner's next nonce. */
  | {
      readonly kind: 'permit';
      readonly token: Hex;
      readonly isDai: boolean;
      readonly nonce: bigint;
      readonly data: TypedData;
    }
  /** An allowance in Permit2: each pair of a token and a spender has its own nonces. */
  | { readonly kind: 'permit2'; readonly pairs: readonly { token: Hex; spender: Hex; nonce: bigint }[] }
  /** A one-time transfer in Permit2, with or without an order: a bit in a map for each nonce. */
  | { readonly kind: 'permit2-once'; readonly nonce: bigint }
  | {
      readonly kind: 'seaport';
      readonly contract: Hex;
      /** One, or several in one signature, each with its hash. */
      readonly orders: readonly { readonly order: Struct; readonly hash: Hex; readonly counter: bigint }[];
    }
  /** CoW Protocol: `amount` is what is filled when all of it is. */
  | { readonly kind: 'cow'; readonly contract: Hex; readonly uid: Hex; readonly amount: bigint }
  | { readonly kind: '1inch'; readonly contract: Hex; readonly hash: Hex; readonly traits: bigint }
  | {
      readonly kind: 'delegation';
      readonly manager: Hex;
      readonly delegation: Struct;
      readonly hash: Hex;
      /** Of each enforcer of a nonce. */
      readonly nonces: readonly { readonly enforcer: Hex; readonly nonce: bigint }[];
    }
  /** A transfer by signature (ERC-3009). */
  | { readonly kind: 'transfer'; readonly token: Hex; readonly nonce: Hex; readonly data: TypedData }
  /** What an account does next: a transaction of a Safe, or a user operation. A call says which nonce that has. */
  | { readonly kind: 'next'; readonly to: Hex; readonly data: Hex; readonly nonce: bigint }
  /** An authorization (EIP-7702): it has an effect while its nonce is the account's. */
  | { readonly kind: 'authorization'; readonly delegate: Hex; readonly nonce: bigint };

const ERC2612 = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const DAI = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)';
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const SINGLE = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`;
const BATCH = `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`;
const ONCE =
  /^Permit(?:Batch)?(?:Witness)?TransferFrom\(TokenPermissions(?:\[\])? permitted,address spender,uint256 nonce,uint256 deadline[,)]/u;
const COW =
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)';
const INCH =
  'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)';
const DELEGATION =
  'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)';
const TRANSFER =
  /^(?:Transfer|Receive)WithAuthorization\(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce\)$/u;

const SAFE_TX =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';
const SAFE_OP = /^SafeOp\(address safe,uint256 nonce,.*,address entryPoint\)$/u;
/** `nonce()` of a Safe. */
const GET_SAFE_NONCE = '0xaffed0e0';

/** Seaport 1.6, 1.5, 1.4 and 1.1; the versions before 1.4 have no bulk orders. */
const SEAPORT = [
  '0x0000000000000068F116a894984e2DB1123eB395',
  '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  '0x00000000000001ad428e4906aE43D8F9852d0dD6',
  '0x00000000006c3852cbEf3e08E8dF289169EdE581',
];
const COMPONENTS = 'OrderComponents';
const ORDER =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
const ITEMS =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
const BULK = /^BulkOrder\(OrderComponents(?:\[2\])+ tree\)/u;
const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41';
const INCH_V6 = '0x111111125421cA6dc452d289314280a0f8842A65';
const MANAGER = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';
const NONCE_ENFORCER = '0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f';

const numberIn = (struct: Struct, name: string): bigint => BigInt(struct[name] as string | number);
const addressIn = (struct: Struct, name: string): Hex => lowerCase(struct[name] as Hex);
const isSeaport = (encoded: string): boolean =>
  encoded === `${ORDER}${ITEMS}` || (BULK.test(encoded) && encoded.replace(BULK, '') === `${ITEMS}${ORDER}`);
const leaves = (tree: unknown): Struct[] => (Array.isArray(tree) ? tree.flatMap(leaves) : [tree as Struct]);

/** The account's own. The counter of another one says nothing of them. */
function seaportForm({ types, primaryType, message }: TypedData, contract: Hex, account: Hex): Form | undefined {
  const schema = new TypedDataSchema(types);
  const all = primaryType === COMPONENTS ? [message] : leaves(message.tree);
  // A tree is filled up with empty orders.
  const orders = all.filter((order) => (order.offer as readonly unknown[]).length > 0);
  if (!orders.every((order) => isSameAddress(addressIn(order, 'offerer'), account))) return undefined;
  return {
    kind: 'seaport',
    contract,
    orders: orders.map((order) => ({
      order,
      hash: toHex(schema.hashStruct(COMPONENTS, order, 'message')),
      counter: numberIn(order, 'counter'),
    })),
  };
}

function cowForm(message: Struct, contract: Hex, account: Hex, hash: Hex): Form {
  const validTo = numberIn(message, 'validTo').toString(16).padStart(8, '0');
  return {
    kind: 'cow',
    contract,
    uid: `0x${hash.slice(2)}${account.slice(2)}${validTo}`,
    amount: numberIn(message, message.kind === 'buy' ? 'buyAmount' : 'sellAmount'),
  };
}

function delegationForm({ types, primaryType, message }: TypedData, manager: Hex): Form {
  const caveats = message.caveats as readonly Struct[];
  return {
    kind: 'delegation',
    manager,
    delegation: message,
    hash: toHex(new TypedDataSchema(types).hashStruct(primaryType, message, 'message')),
    nonces: caveats
      .filter(({ enforcer, terms }) => isSameAddress(enforcer as Hex, NONCE_ENFORCER) && (terms as Hex).length === 66)
      .map(({ terms }) => ({ enforcer: NONCE_ENFORCER, nonce: BigInt(terms as Hex) })),
  };
}

/** A user operation. Its entry point says how far the nonces of the key in its high bits are. */
function operationForm(message: Struct, sender: Hex, entryPoint: Hex): Form | undefined {
  if (versionOfEntryPoint(entryPoint) === undefined) return undefined;
  const nonce = numberIn(message, 'nonce');
  const data = encodeFunctionData({ abi: ENTRY_POINT_ABI, functionName: 'getNonce', args: [sender, nonce >> 64n] });
  return { kind: 'next', to: lowerCase(entryPoint), data, nonce };
}

/** Whether the data is what was signed. Then it fits its types, too. */
function isSigned(data: TypedData, hash: Hex): boolean {
  try {
    return toHex(typedDataDigest(data)) === hash;
  } catch (error) {
    if (error instanceof InvalidParamsError) return false;
    throw error;
  }
}

/**
 * Reads how a network can be asked about a signature. Only the contracts of the protocols themselves count: another one
 * may have the same types and do what it likes with a signature. A permit is for its own token in any case.
 *
 * @returns Undefined if Keystead does not know how.
 */
export function formOf(kept: Kept): Form | undefined {
  const { data, authorization } = kept;
  if (authorization !== undefined)
    return { kind: 'authorization', delegate: lowerCase(authorization.address), nonce: BigInt(authorization.nonce) };
  if (data === undefined) return undefined;
  const typed = data as TypedData;
  const hash = kept.forSafe?.message ?? kept.hash;
  if (!isSigned(typed, hash)) return undefined;
  const account = boundBy(kept);
  const { types, primaryType, domain, message } = typed;
  const isBy = (member: string): boolean => isSameAddress(addressIn(message, member), account);
  if (!Object.hasOwn(domain, 'verifyingContract')) return undefined;
  const contract = lowerCase(domain.verifyingContract as Hex);
  const encoded = encodeType(types, primaryType);
  if (encoded === ERC2612 || encoded === DAI) {
    const isDai = encoded === DAI;
    return isBy(isDai ? 'holder' : 'owner')
      ? { kind: 'permit', token: contract, isDai, nonce: numberIn(message, 'nonce'), data: typed }
      : undefined;
  }
  if (encoded === SAFE_TX)
    return { kind: 'next', to: contract, data: GET_SAFE_NONCE, nonce: numberIn(message, 'nonce') };
  if (SAFE_OP.test(encoded))
    return operationForm(message, addressIn(message, 'safe'), addressIn(message, 'entryPoint'));
  if (encoded === OPERATION_TYPE) return operationForm(message, addressIn(message, 'sender'), contract);
  if (TRANSFER.test(encoded))
    return isBy('from') ? { kind: 'transfer', token: contract, nonce: message.nonce as Hex, data: typed } : undefined;
  if (isSameAddress(contract, PERMIT2)) {
    if (ONCE.test(encoded)) return { kind: 'permit2-once', nonce: numberIn(message, 'nonce') };
    if (encoded !== SINGLE && encoded !== BATCH) return undefined;
    const spender = addressIn(message, 'spender');
    const details = [message.details as Struct | readonly Struct[]].flat();
    const pairs = details.map((one) => ({ token: addressIn(one, 'token'), spender, nonce: numberIn(one, 'nonce') }));
    return { kind: 'permit2', pairs };
  }
  if (isIn(SEAPORT, contract) && isSeaport(encoded)) return seaportForm(typed, contract, account);
  if (isSameAddress(contract, SETTLEMENT) && encoded === COW) return cowForm(message, contract, account, hash);
  if (isSameAddress(contract, INCH_V6) && encoded === INCH && isBy('maker'))
    return { kind: '1inch', contract, hash, traits: numberIn(message, 'makerTraits') };
  if (isSameAddress(contract, MANAGER) && encoded === DELEGATION && isBy('delegator'))
    return delegationForm(typed, contract);
  return undefined;
}
