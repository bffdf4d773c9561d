import { isSameAddress } from '../../eth/address';
import { encodeType, type TypedDataTypes } from '../../eth/typed-data';
import { MAX_UINT256 } from '../../eth/units';
import { address, text, tokenAmount } from '../lines';
import { type Line } from '../types';
import {
  addressOf,
  allowanceLine,
  contractLine,
  deadlineLine,
  endLine,
  entryLines,
  listOf,
  MAX_ENTRIES,
  type Struct,
  structOf,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
} from './rule';

/** The same on every chain. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';

/** The contract, the lines of each token, the spender, and until when the signature can be used. */
function reading(
  title: string,
  { message, scene, deadline }: { message: Struct; scene: TypedScene; deadline: string },
  tokens: readonly Line[],
): TypedReading {
  const { contract, findings } = scene;
  if (contract === undefined || !isSameAddress(contract, PERMIT2))
    findings.warn('This has the form of a Permit2 message, but is for another contract.');
  return {
    title,
    lines: [
      address('Spender', addressOf(message, 'spender')),
      ...tokens,
      deadlineLine(uintOf(message, deadline), scene),
      contractLine('Contract', contract),
    ],
  };
}

/** An allowance that lasts until its expiration. Every one is looked at, though not every one is shown. */
function allowances(details: readonly Struct[], scene: TypedScene): Line[] {
  const lines = (entry: Struct): Line[] => [
    address('Token', addressOf(entry, 'token')),
    allowanceLine(uintOf(entry, 'amount'), addressOf(entry, 'token'), scene),
    endLine('Ends', uintOf(entry, 'expiration'), scene),
  ];
  for (const entry of details.slice(MAX_ENTRIES)) {
    allowanceLine(uintOf(entry, 'amount'), undefined, scene);
    endLine('Ends', uintOf(entry, 'expiration'), scene);
  }
  return entryLines(details, lines);
}

/** A transfer, once. */
function transfers(permitted: readonly Struct[], scene: TypedScene): Line[] {
  if (permitted.some((entry) => uintOf(entry, 'amount') === MAX_UINT256)) scene.findings.danger('everything');
  return entryLines(permitted, (entry) => [
    address('Token', addressOf(entry, 'token')),
    text('Up to', tokenAmount(uintOf(entry, 'amount'), addressOf(entry, 'token'), scene)),
  ]);
}

const allowanceRule = (type: string, details: (message: Struct) => readonly Struct[]): TypedRule => ({
  type,
  read: (message, scene) =>
    reading(
      'Approve spending through Permit2',
      { message, scene, deadline: 'sigDeadline' },
      allowances(details(message), scene),
    ),
});

/** The members that every transfer has; protocols add their order as a witness behind them. */
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
  read: (message, scene) =>
    reading(
      'Let tokens be taken once through Permit2',
      { message, scene, deadline: 'deadline' },
      transfers(list(message), scene),
    ),
});

/** Permit2 of Uniswap: allowances with an end, and transfers by signature. */
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
