import { type Hex } from '../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { type Call, type Scene } from '../calls';
import { address, allowance, isUnlimited, leftOut, text } from '../lines';
import { type Approval, unlimitedApproval } from '../sentences';
import { isNever, utcTime } from '../time';
import { type Line } from '../types';

/**
 * A struct of typed data that was hashed before, so every member of its type is present and valid.
 *
 * @example
 * ```ts
 * const permit: Struct = { spender: '0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD', value: '5500000' };
 * uintOf(permit, 'value'); // => 5_500_000n
 * ```
 */
export type Struct = Readonly<Record<string, unknown>>;

/**
 * The context of a rule.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * const scene: TypedScene = { view, contract, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * ```
 */
export type TypedScene = Scene & {
  /** The domain's verifying contract, if it has one. */
  readonly contract: Hex | undefined;
};

/**
 * A decoded message.
 *
 * @example
 * ```ts
 * const reading: TypedReading = { title: 'Let someone spend USDC', lines: [WITHOUT_TRANSACTION] };
 * ```
 */
export type TypedReading = {
  readonly title: string;
  /** One sentence on what it does, if there is a better one than the title. */
  readonly summary?: string;
  readonly lines: readonly Line[];
  /** The calls that the message allows. */
  readonly calls?: readonly Call[];
  /** The message that this one wraps, of the same types and for the same domain. */
  readonly contents?: Pick<TypedData, 'primaryType' | 'message'>;
};

/**
 * How the messages of one type are decoded.
 *
 * @example
 * ```ts
 * import { text } from '../lines';
 * const login: TypedRule = {
 *   type: 'Login(uint256 nonce)',
 *   read: (message) => ({ title: 'Sign in', lines: [text('Nonce', `${uintOf(message, 'nonce')}`)] }) };
 * ```
 */
export type TypedRule = {
  /** The message's type: encodeType of EIP-712, or a test for a type with variants. */
  readonly type: string | ((types: TypedDataTypes, primaryType: string) => boolean);
  readonly read: (message: Struct, scene: TypedScene, types: TypedDataTypes, primaryType: string) => TypedReading;
};

/**
 * @example
 * ```ts
 * uintOf({ value: '5500000' }, 'value'); // => 5_500_000n
 * uintOf({ value: '0x10' }, 'value'); // => 16n
 * ```
 */
export const uintOf = (struct: Struct, member: string): bigint => BigInt(struct[member] as string | number);
/**
 * @example
 * ```ts
 * const permit = { spender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '5500000' };
 * addressOf(permit, 'spender'); // => '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * ```
 */
export const addressOf = (struct: Struct, member: string): Hex => struct[member] as Hex;
/**
 * @example
 * ```ts
 * structOf({ details: { amount: '5500000' } }, 'details'); // => { amount: '5500000' }
 * ```
 */
export const structOf = (struct: Struct, member: string): Struct => struct[member] as Struct;
/**
 * @example
 * ```ts
 * const batch = { permitted: [{ amount: '1000000' }, { amount: '2000000' }] };
 * listOf(batch, 'permitted').map((entry) => uintOf(entry, 'amount')); // => [1_000_000n, 2_000_000n]
 * ```
 */
export const listOf = (struct: Struct, member: string): readonly Struct[] => struct[member] as readonly Struct[];
/**
 * The digits of bytes, in lower case and without 0x.
 *
 * @example
 * ```ts
 * digitsOf({ data: '0xA9059CBB' }, 'data'); // => 'a9059cbb'
 * ```
 */
export const digitsOf = (struct: Struct, member: string): string => (struct[member] as Hex).slice(2).toLowerCase();

/**
 * Shown where anyone can submit the signature for the contract to carry out.
 *
 * @example
 * ```ts
 * WITHOUT_TRANSACTION.kind; // => 'text'
 * ```
 */
export const WITHOUT_TRANSACTION = text('Takes effect', 'with this signature alone, without a transaction from you');

/**
 * A list shows no more entries. Further ones are counted, but checked for dangers all the same.
 *
 * @example
 * ```ts
 * MAX_ENTRIES; // => 20
 * ```
 */
export const MAX_ENTRIES = 20;

/**
 * The lines of a list's first entries, and how many entries follow them.
 *
 * @example
 * ```ts
 * import { text } from '../lines';
 * entryLines(['17', '18'], (id) => [text('Token', id)]).map(({ value }) => value); // => ['17', '18']
 * entryLines(Array.from({ length: 30 }, String), (id) => [text('Token', id)]).length; // => 21
 * ```
 */
export function entryLines<Entry>(entries: readonly Entry[], linesOf: (entry: Entry) => readonly Line[]): Line[] {
  return [...entries.slice(0, MAX_ENTRIES).flatMap(linesOf), ...leftOut(entries.length - MAX_ENTRIES, 'item')];
}

/**
 * The end of a permission or signature, flagged if it is too far away.
 *
 * @param sentence - The danger's sentence, where it is not about a permission.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * endLine('Ends', 1_767_229_200n, scene).value; // => '2026-01-01 01:00:00 UTC'
 * endLine('Ends', 2n ** 48n - 1n, scene).kind; // => 'text'
 * scene.findings.dangers.map(({ code }) => code); // => ['never-expires']
 * ```
 */
export function endLine(label: string, end: bigint, { view, findings }: Scene, sentence?: () => string): Line {
  const never = isNever(end, view.now);
  if (never) findings.danger('never-expires', sentence);
  return text(label, never ? 'never' : utcTime(end));
}

/**
 * The deadline for using a signature. What the signature allows may last longer.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * deadlineLine(1_767_229_200n, scene).value; // => '2026-01-01 01:00:00 UTC'
 * ```
 */
export const deadlineLine = (deadline: bigint, { view }: Scene, label = 'Signature expires'): Line =>
  text(label, isNever(deadline, view.now) ? 'never' : utcTime(deadline));

/**
 * @param end - When the approval ends, in seconds since 1970; undefined if it does not end.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * const spender = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * const approval = { spender, token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', owner: view.signer } as const;
 * flagUnlimited(2n ** 256n - 1n, approval, scene);
 * scene.findings.dangers.map(({ code }) => code); // => ['unlimited-approval']
 * ```
 */
export function flagUnlimited(amount: bigint, approval: Approval, scene: Scene, end?: bigint): void {
  if (isUnlimited(amount)) scene.findings.danger('unlimited-approval', () => unlimitedApproval(approval, scene, end));
}

/**
 * The amount of an approval that does not end, flagged if it is unlimited.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * const spender = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * const approval = { spender, token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', owner: view.signer } as const;
 * allowanceLine(5_500_000n, approval, scene).value; // => '5.5 USDC'
 * scene.findings.dangers; // => []
 * ```
 */
export function allowanceLine(amount: bigint, approval: Approval, scene: Scene): Line {
  const { token } = approval;
  flagUnlimited(amount, approval, scene);
  return text('Amount', token === undefined ? amount.toString() : allowance(amount, token, scene));
}

/**
 * The contract of the domain, labelled by its role.
 *
 * @example
 * ```ts
 * const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * contractLine('Token', usdc); // => { kind: 'address', label: 'Token', value: usdc }
 * contractLine('Token', undefined).kind; // => 'text'
 * ```
 */
export const contractLine = (label: string, contract: Hex | undefined): Line =>
  contract === undefined ? text(label, 'not named') : address(label, contract);
