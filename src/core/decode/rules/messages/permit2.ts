import { isSameAddress } from '../../../eth/address';
import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { MAX_UINT256 } from '../../../eth/units';
import { address, allowance, text, tokenAmount } from '../../words/lines';
import { allOf, approvalSummary, nameOf, tokenName, withMore } from '../../words/sentences';
import { type Line } from '../../explanation';
import {
  addressOf,
  contractLine,
  deadlineLine,
  endLine,
  entryLines,
  flagUnlimited,
  listOf,
  type Struct,
  structOf,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
} from './rule';

const APPROVAL_EXPIRES = 'Approval expires';
/** The same address on every chain. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';

/** The spender, the tokens, the deadline for using the signature, and the contract. */
function reading(
  title: string,
  { message, scene, deadline }: { message: Struct; scene: TypedScene; deadline: string },
  { allowed, tokens }: { readonly allowed: readonly Struct[]; readonly tokens: readonly Line[] },
): TypedReading {
  const [spender, owner] = [addressOf(message, 'spender'), scene.view.signer];
  const { contract, findings, view } = scene;
  if (contract === undefined || !isSameAddress(contract, PERMIT2))
    findings.warn('This looks like a Permit2 message, but it is for another contract.');
  const summaries = allowed.map((entry) => {
    const [token, amount] = [addressOf(entry, 'token'), uintOf(entry, 'amount')];
    findings.effects.allow(view.signer, owner, { kind: 'amount', token, spender, amount });
    return approvalSummary({ spender, token, owner, amount }, scene);
  });
  return {
    title,
    summary: withMore(summaries, 'token'),
    lines: [
      address('Spender', spender),
      ...tokens,
      deadlineLine(uintOf(message, deadline), scene),
      contractLine('Contract', contract),
    ],
  };
}

/** Allowances with an expiration. All of them are checked for dangers, even those that are not shown. */
function allowances(details: readonly Struct[], message: Struct, scene: TypedScene): Line[] {
  const spender = addressOf(message, 'spender');
  for (const entry of details) {
    const [amount, end] = [uintOf(entry, 'amount'), uintOf(entry, 'expiration')];
    flagUnlimited(amount, { spender, token: addressOf(entry, 'token'), owner: scene.view.signer }, scene, end);
    endLine(APPROVAL_EXPIRES, end, scene);
  }
  return entryLines(details, (entry) => [
    address('Token', addressOf(entry, 'token')),
    text('Amount', allowance(uintOf(entry, 'amount'), addressOf(entry, 'token'), scene)),
    endLine(APPROVAL_EXPIRES, uintOf(entry, 'expiration'), scene),
  ]);
}

/** One-time transfers. */
function transfers(permitted: readonly Struct[], message: Struct, scene: TypedScene): Line[] {
  for (const entry of permitted)
    if (uintOf(entry, 'amount') === MAX_UINT256)
      scene.findings.danger('everything', () => {
        const holdings = allOf(tokenName(addressOf(entry, 'token'), scene), scene.view.signer, scene.view);
        return `This lets ${nameOf(addressOf(message, 'spender'), scene.view)} take ${holdings}, once.`;
      });
  return entryLines(permitted, (entry) => [
    address('Token', addressOf(entry, 'token')),
    text('Maximum amount', tokenAmount(uintOf(entry, 'amount'), addressOf(entry, 'token'), scene)),
  ]);
}

const allowanceRule = (type: string, details: (message: Struct) => readonly Struct[]): TypedRule => ({
  type,
  read: (message, scene) => {
    const allowed = details(message);
    const tokens = allowances(allowed, message, scene);
    return reading(
      'Approve spending through Permit2',
      { message, scene, deadline: 'sigDeadline' },
      { allowed, tokens },
    );
  },
});

/** Transfers begin with these members. Protocols append their own data as a witness. */
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
  read: (message, scene) => {
    const allowed = list(message);
    const tokens = transfers(allowed, message, scene);
    return reading(
      'Approve a one-time transfer through Permit2',
      { message, scene, deadline: 'deadline' },
      { allowed, tokens },
    );
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
