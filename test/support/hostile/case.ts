import { type DangerCode } from '../../../src/core/decode/effects/dangers';

export type Handler = 'keyring' | 'rpc';

/** The request is rejected without a dialog, with an error that names the field and the rule. */
type Refusal = {
  readonly field: string;
  readonly rule: RegExp;
  /** The JSON-RPC error code. Default: -32602. */
  readonly code?: number;
};

/** The required outcome of an input. */
export type Must = {
  readonly refuse?: Refusal;
  /** The danger, or the text, that must be on the screen before it is signed. */
  readonly warn?: DangerCode | { readonly says: string };
};

/** A hostile or odd input. Without `must.refuse` it is signed exactly as it is. */
export type HostileCase<Params> = {
  readonly name: string;
  readonly params: Params;
  readonly method?: string;
  /** The scope for the keyring handler, and the chain of the site. */
  readonly scope?: string;
  readonly must: Must;
  /** The required outcome through the RPC handler, if it differs. */
  readonly mustOverRpc?: Must;
  readonly handlers?: readonly Handler[];
};

type Extra<Params> = Omit<Partial<HostileCase<Params>>, 'name' | 'params' | 'must'>;

/** @param field - The field that the error must name, e.g. `transaction.value`. */
export const refused = <Params>(
  name: string,
  params: Params,
  field: string,
  rule: RegExp,
  extra: Extra<Params> & { readonly code?: number } = {},
): HostileCase<Params> => {
  const { code, ...rest } = extra;
  return { name, params, must: { refuse: { field, rule, ...(code !== undefined && { code }) } }, ...rest };
};

export const signed = <Params>(name: string, params: Params, extra: Extra<Params> = {}): HostileCase<Params> => ({
  name,
  params,
  must: {},
  ...extra,
});

/** @param warn - A danger by its code, or the text that must be on the screen. */
export const warned = <Params>(
  name: string,
  params: Params,
  warn: NonNullable<Must['warn']>,
  extra: Extra<Params> = {},
): HostileCase<Params> => ({ name, params, must: { warn }, ...extra });

/** The number of cases of each outcome. */
export const counted = (cases: readonly HostileCase<unknown>[]) => ({
  refused: cases.filter(({ must }) => must.refuse !== undefined).length,
  signed: cases.filter(({ must }) => must.refuse === undefined && must.warn === undefined).length,
  warned: cases.filter(({ must }) => must.warn !== undefined).length,
});
