import { formatUnits } from 'viem/utils';

import { ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { type ContractCall } from '../rules/calls/rule';
import { type Scene } from '../scene';
import { entryOf, contractKey } from '../metadata/contract-metadata';
import { tokenAmount } from '../words/amounts';
import { address, MAX_QUOTE, quote, text } from '../words/lines';
import { knownName, spelled } from '../words/names';
import { quotableAgain, shortened } from '../words/text';
import { mayBeTime, utcTime } from '../words/time';
import { declaredTokenAt, tokenAt } from '../metadata/tokens';
import { type Line } from '../explanation';
import { nativeAmount, networkIn, plainNumber } from '../words/units';
import { type Field, type Format, type Parameter } from './descriptor';
import { type Fact } from './facts';
import { pickOne, type Roots } from './path';
import { addressOf, digitsOf, isHex, isList, keyOf, numberOf, Text, unfit, type Value } from './value';
import { quoted, SOURCE } from './words';

/** The context of a format: the roots of parameters, and the contract that is called or signed for. */
export type FormatContext = { readonly roots: Roots; readonly to: Hex | undefined; readonly scene: Scene };

/** The lines of a value, its words in a sentence, and the call it contains or the fact it is, if any. */
export type Written = {
  readonly lines: readonly Line[];
  readonly words: string;
  readonly call?: ContractCall;
  readonly fact?: Fact;
};

const ADDRESS_LENGTH = 42;

const two = (part: bigint): string => part.toString().padStart(2, '0');

/** Hours, minutes and seconds, with the number itself: whatever is called a duration might be an amount. */
const duration = (seconds: bigint): string =>
  `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)} (hours, minutes, seconds), that is ${plainNumber(seconds)} s`;

/** A time. A number that is hardly one is written, too: it might be an amount, and zero often stands for no end. */
const date = (seconds: bigint): string => {
  const words = utcTime(seconds);
  if (mayBeTime(seconds)) return words;
  return `${words}, that is ${seconds === 0n ? '0, which may stand for no end' : plainNumber(seconds)}`;
};

const notNegative = (value: bigint): bigint => (value < 0n ? unfit() : value);

const isAddress = (value: Value): value is Hex => isHex(value) && value.length === ADDRESS_LENGTH;

/** A value without any format. */
export function rawLine(label: string, value: Value): Line {
  if (value instanceof Text) return quote(label, value.text, 'the data');
  if (isList(value)) return text(label, `a list of ${value.length}`);
  if (typeof value === 'object') return text(label, 'several values');
  if (isAddress(value)) return address(label, value);
  return text(label, shortened(String(value), MAX_QUOTE));
}

function parameterOf(parameter: Parameter | undefined, at: number, { roots, to }: FormatContext): Value {
  if (parameter === undefined) return to ?? unfit();
  if (typeof parameter === 'string') return parameter;
  if ('key' in parameter) return entryOf(parameter.names, keyOf(pickOne(roots, parameter.key, at))) ?? unfit();
  return pickOne(roots, parameter, at);
}

type Writer<As extends Format['as']> = (
  label: string,
  value: Value,
  format: Extract<Format, { as: As }>,
  at: number,
  context: FormatContext,
) => Line | (Omit<Written, 'words'> & { readonly words?: string });

/** A text line for a number. */
const number =
  (write: (value: bigint, context: FormatContext) => string) =>
  (label: string, value: Value, _format: unknown, _at: number, context: FormatContext): Line =>
    text(label, write(numberOf(value), context));

const addressLines: Writer<'address'> = (label, value, { isToken, isSender }, _at, { scene }) => {
  const at = addressOf(value);
  if (isSender === true && at === ZERO_ADDRESS) return text(label, 'Sender (given as the zero address)');
  const name = isToken === true ? tokenAt(at, scene)?.symbol : knownName(at, scene.view);
  const own = isToken === true && name === undefined ? declaredTokenAt(at, scene)?.symbol : undefined;
  const named = own === undefined ? name : `“${quotableAgain(own)}” (chosen by its contract)`;
  return {
    lines: [address(label, at), ...(named === undefined ? [] : [text('Name', named)])],
    words: name ?? spelled(at),
  };
};

const tokenLine: Writer<'token'> = (label, value, format, at, context) => {
  const amount = numberOf(value);
  const found = addressOf(parameterOf(format.token, at, context));
  const token = format.native?.includes(found) === true ? undefined : found;
  const scene =
    format.chain === undefined
      ? context.scene
      : { ...context.scene, chainId: numberOf(parameterOf(format.chain, at, context)) };
  const exact = token === undefined ? nativeAmount(amount, scene) : tokenAmount(amount, token, scene);
  const isMost = format.threshold !== undefined && amount >= BigInt(format.threshold);
  const symbol = /^\S+( [^(].*)?/u.exec(exact)?.[1] ?? '';
  const { message = '' } = format;
  return {
    lines: [
      text(label, isMost ? `${quoted(message)}${symbol}, that is ${exact}` : exact),
      ...(token === undefined ? [] : [address('Token', token)]),
    ],
    words: isMost ? message + symbol : exact,
    fact: { kind: 'amount', label, amount, token, isMost },
  };
};

const enumLine: Writer<'enum'> = (label, value, { names }) => {
  const key = keyOf(value);
  const name = entryOf(names, key);
  return name === undefined
    ? rawLine(label, value)
    : { lines: [text(label, `${quoted(name)} (${shortened(key, MAX_QUOTE)})`)], words: name };
};

/** The name that a collection of NFTs gives itself. */
function collectionName(address: Hex, { chainId = 0n, view, findings }: Scene): string | undefined {
  const found = entryOf(view.contractMetadata?.collections ?? {}, contractKey(chainId, address));
  if (found === undefined) findings.lookUp({ kind: 'collection', chainId: String(chainId), address });
  return found ?? undefined;
}

const nftLine: Writer<'nft'> = (label, value, { collection }, at, context) => {
  const id = numberOf(value);
  const contract = addressOf(parameterOf(collection, at, context));
  const name = collectionName(contract, context.scene);
  return {
    lines: [
      text(label, name === undefined ? `token ID ${id}` : `“${quotableAgain(name)}” #${id}`),
      address('Collection', contract),
    ],
    words: `${name ?? ''} #${id}`,
  };
};

const innerCall: Writer<'call'> = (label, value, { callee, selector, amount }, at, context) => {
  const data = digitsOf(value);
  const prefix = selector === undefined ? '' : digitsOf(parameterOf(selector, at, context)).slice(-8);
  return {
    lines: [text(label, data === '' ? '0x (no call data)' : 'a call, explained separately')],
    call: {
      to: addressOf(parameterOf(callee, at, context)),
      data: data.startsWith(prefix) ? data : prefix + data,
      ...(amount !== undefined && { value: numberOf(pickOne(context.roots, amount, at)) }),
    },
  };
};

/** A percentage is written as usual. Other units are the descriptor's words. */
const unitWords = (base: string): string => (base === '%' ? base : base.trim() === '' ? '' : ` ${quoted(base)}`);

/** The formats of ERC-7730. Names of addresses that nobody here knows, such as those of ENS, are left out. */
const WRITERS: { readonly [As in Format['as']]: Writer<As> } = {
  raw: rawLine,
  amount: (label, value, _format, _at, { scene }) => {
    const amount = numberOf(value);
    const line = text(label, nativeAmount(amount, scene));
    return { lines: [line], fact: { kind: 'amount', label, amount, token: undefined, isMost: false } };
  },
  address: addressLines,
  date: number((value) => date(notNegative(value))),
  block: number((value) => `block ${value}`),
  duration: number((value) => duration(notNegative(value))),
  chain: number((value, { scene }) => networkIn(scene, value).name),
  literal: (label, value) => (value instanceof Text ? quote(label, value.text, SOURCE) : unfit()),
  token: tokenLine,
  nft: nftLine,
  unit: (label, value, { base, decimals }) => {
    const amount = numberOf(value);
    const shown = formatUnits(amount, decimals ?? 0);
    // The decimals are the descriptor's, and so may be those of another token.
    const plain = shown === amount.toString() ? '' : `, that is ${plainNumber(amount)}`;
    return { lines: [text(label, shown + unitWords(base) + plain)], words: shown + base };
  },
  enum: enumLine,
  call: innerCall,
};

const isTime = ({ as }: Field): boolean => as === 'date' || as === 'block' || as === 'duration';

/**
 * Formats one value as the descriptor specifies.
 *
 * @param at - The index of the value among the field's values.
 * @throws {Unfit} If the format does not apply to the value or a parameter.
 */
export function writeValue(field: Field, value: Value, at: number, context: FormatContext): Written {
  const label = quoted(field.label);
  const write = WRITERS[field.as] as Writer<Format['as']>;
  const written = write(label, value, field as never, at, context);
  const { lines, ...rest } = 'lines' in written ? written : { lines: [written] };
  const [line] = lines;
  if (typeof value === 'bigint' && line?.kind === 'text') context.scene.findings.signed.wrote(value, line.value);
  const fact =
    line?.kind === 'address' ? ({ kind: 'address', label, address: line.value, role: field.role } as const) : undefined;
  return {
    words: fact === undefined ? (line?.value ?? '') : spelled(fact.address),
    ...(fact && { fact }),
    ...(value === MAX_UINT256 && { fact: { kind: 'everything', label, isTime: isTime(field) } as const }),
    ...rest,
    lines,
  };
}
