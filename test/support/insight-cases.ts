import { type Json } from '@metamask/snaps-sdk';

/** Something that an insight must say. */
type Check = {
  readonly any?: readonly Check[];
  /** Some danger, or one that says this. */
  readonly danger?: true | string;
  readonly alarm?: true;
  /** No danger. */
  readonly calm?: true;
  readonly open?: string;
  readonly absent?: string;
  readonly title?: string;
  readonly titleNot?: string;
  /** Fields of the transaction that the simulation must have. */
  readonly simulates?: readonly string[];
  /** The simulation's base fee must be near that of the network, 2 gwei. */
  readonly baseFee?: true;
};

type Token = {
  readonly symbol?: string;
  readonly decimals?: number;
  readonly name?: string;
  readonly supply?: string;
  readonly nft?: boolean;
  /** What calls that begin so return, before and after the transaction. */
  readonly is?: Readonly<Record<string, readonly [before: string, after: string]>>;
};

type Simulated = { readonly logs?: readonly Json[]; readonly revert?: string; readonly native?: string };

/** A request, the network on which it is made, and what an honest explanation says of it. */
export type InsightCase = {
  readonly id: string;
  readonly door: string;
  readonly method: string;
  readonly params: readonly Json[];
  readonly chain?: string;
  readonly site?: string;
  readonly sim?: Simulated;
  readonly tokens?: Readonly<Record<string, Token>>;
  readonly myCode?: string;
  readonly honest?: boolean;
  readonly tells: readonly Check[];
};

/** What a person sees without opening anything, and the call that was simulated for it. */
export type Seen = { readonly open: readonly string[]; readonly simulation: Simulation | undefined };

type Element = { readonly type: string; readonly props: Readonly<Record<string, unknown>> };
const isElement = (value: unknown): value is Element => typeof value === 'object' && value !== null && 'props' in value;

function words(element: unknown): string {
  if (typeof element === 'string') return element;
  if (Array.isArray(element)) return element.map(words).join('');
  if (!isElement(element)) return '';
  const { type, props } = element;
  if (type === 'Address') return props.address as string;
  return type === 'Value' ? `${props.value as string} ${(props.extra ?? '') as string}` : words(props.children);
}

/** @returns The lines of a screen that are open. */
export function openPart(element: unknown): string[] {
  if (typeof element === 'string') return [element];
  if (Array.isArray(element)) return element.flatMap(openPart);
  if (!isElement(element)) return [];
  const { type, props } = element;
  const { children } = props;
  if (type === 'Heading' || type === 'Text') return [words(children)];
  if (type === 'Banner') return [`[${props.severity as string}] ${props.title as string}: ${words(children)}`];
  if (type === 'Row') return [`${props.label as string}: ${words(children)}`];
  if (type === 'Address') return [words(element)];
  if (type === 'Copyable') return [props.value as string];
  return type === 'CollapsibleSection' && props.isExpanded !== true ? [props.label as string] : openPart(children);
}

const says = (wanted: string, line = ''): boolean => new RegExp(wanted, 'isu').test(line);
const dangersIn = ({ open }: Seen): readonly string[] => open.filter((line) => line.startsWith('[danger]'));

type Checks = { readonly [Kind in keyof Check]-?: (wanted: NonNullable<Check[Kind]>, seen: Seen) => boolean };
const CHECKS: Checks = {
  any: (wanted, seen) => wanted.some((one) => isMet(one, seen)),
  danger: (wanted, seen) => dangersIn(seen).some((line) => wanted === true || says(wanted, line)),
  alarm: (_wanted, { open }) => open.some((line) => /^\[(?:danger|warning)\]/u.test(line)),
  calm: (_wanted, seen) => dangersIn(seen).length === 0,
  open: (wanted, { open }) => says(wanted, open.join('\n')),
  absent: (wanted, { open }) => !says(wanted, open.join('\n')),
  title: (wanted, { open }) => says(wanted, open[0]),
  titleNot: (wanted, { open }) => !says(wanted, open[0]),
  simulates: (wanted, { simulation }) => wanted.every((field) => simulation?.call?.[field] !== undefined),
  baseFee: (_wanted, { simulation }) => {
    const fee = BigInt(simulation?.baseFee ?? -1);
    return fee >= 10n ** 9n && fee <= 4n * 10n ** 9n;
  },
};

/** @throws If a check is of an unknown kind. */
const isMet = (check: Check, seen: Seen): boolean =>
  Object.entries(check).every(([kind, wanted]) => CHECKS[kind as keyof Check](wanted as never, seen));

/** @returns The checks that what is seen does not fulfil. */
export const unmet = ({ tells }: InsightCase, seen: Seen): readonly Check[] =>
  tells.filter((check) => !isMet(check, seen));

const word = (value: bigint | number | string): string => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const text = (value: string): string => {
  const hex = Buffer.from(value).toString('hex');
  return `${word(32)}${word(hex.length / 2).slice(2)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`;
};

/** What a token of a case returns to a call; undefined if the call fails. */
export function tokenAnswer({ tokens = {} }: InsightCase, to: string, data: string, isAfter: boolean) {
  const token = Object.entries(tokens).find(([address]) => address.toLowerCase() === to.toLowerCase())?.[1];
  if (token === undefined) return undefined;
  const call = data.toLowerCase();
  const own = Object.entries(token.is ?? {}).find(([start]) => call.startsWith(start.toLowerCase()))?.[1];
  if (own !== undefined) return word(own[isAfter ? 1 : 0]);
  const answers: Readonly<Record<string, string | undefined>> = {
    '0x95d89b41': token.symbol === undefined ? undefined : text(token.symbol),
    '0x06fdde03': token.name === undefined ? undefined : text(token.name),
    '0x313ce567': token.decimals === undefined ? undefined : word(token.decimals),
    '0x18160ddd': token.supply === undefined ? undefined : word(token.supply),
    '0x01ffc9a7': token.nft === undefined ? undefined : word(token.nft ? 1 : 0),
  };
  return answers[data.slice(0, 10)];
}

type Call = { readonly to?: string; readonly data?: string; readonly [field: string]: Json | undefined };

/** What `eth_simulateV1` was asked. */
export type Simulation = { readonly call: Call | undefined; readonly baseFee: string | undefined };

/** What the node of a case answers to `eth_simulateV1`. */
export function simulate(asked: InsightCase, [request]: readonly Json[]): { simulation: Simulation; answer: Json } {
  const [block] = (request as unknown as { blockStateCalls: [SimulatedBlock] }).blockStateCalls;
  const { calls, stateOverrides = {}, blockOverrides } = block;
  // The call is surrounded by calls of a contract that reads what a holder has.
  const reader = Object.keys(stateOverrides).find((address) => stateOverrides[address]?.code?.startsWith('0x6020'));
  const isReader = ({ to }: Call): boolean => to !== undefined && to.toLowerCase() === reader?.toLowerCase();
  const { native = 0, logs = [], revert } = asked.sim ?? {};
  const done = { status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [] };
  const failed = (code: number, message: string) => ({ ...done, status: '0x0', error: { code, message } });
  let isAfter = false;
  const answerTo = (call: Call) => {
    if (!isReader(call)) {
      isAfter = true;
      return revert === undefined ? { ...done, logs } : failed(3, revert);
    }
    const [token, data] = [`0x${call.data!.slice(26, 66)}`, `0x${call.data!.slice(66)}`];
    if (data === '0x') return { ...done, returnData: word(100n * 10n ** 18n + (isAfter ? BigInt(native) : 0n)) };
    const returnData = tokenAnswer(asked, token, data, isAfter);
    return returnData === undefined ? failed(-32000, 'execution reverted') : { ...done, returnData };
  };
  return {
    simulation: { call: calls.find((call) => !isReader(call)), baseFee: blockOverrides?.baseFeePerGas },
    answer: [{ calls: calls.map(answerTo) }] as Json,
  };
}

type SimulatedBlock = {
  readonly calls: readonly Call[];
  readonly stateOverrides?: Readonly<Record<string, { readonly code?: string }>>;
  readonly blockOverrides?: { readonly baseFeePerGas?: string };
};
