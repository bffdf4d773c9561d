import { addressesIn } from './addresses';
import type { KeyLimits, StorageAction } from './limits';

/** What a caller wants to do with a key. */
export type Use = {
  /** The `Origin` header. */
  readonly origin: string | undefined;
} & (
  | { readonly door: 'socket'; readonly network: string }
  | { readonly door: 'chain'; readonly network: string; readonly method: string; readonly params: unknown }
  | { readonly door: 'storage'; readonly actions: readonly StorageAction[] }
);

/** Why a use is refused. */
export type Refused = {
  readonly kind: 'origin' | 'network' | 'method' | 'address' | 'storage';
  /** Goes on after "this key may not". */
  readonly what: string;
};

/** The longest text of a caller that is repeated to it. */
const LONGEST = 100;

const shown = (value: unknown) => (typeof value === 'string' ? value : String(JSON.stringify(value))).slice(0, LONGEST);

/** Two headers arrive as one text with a comma. */
const HOST = /^[\w.:[\]-]+$/u;

function fits(origin: string, entry: string): boolean {
  const [, scheme, host = ''] = /^(?:(.*?):\/\/)?(.*)$/su.exec(entry) ?? [];
  const [, ownScheme, ownHost = ''] = /^(?:(.*?):\/\/)?(.*)$/su.exec(origin.toLowerCase()) ?? [];
  if ((scheme !== undefined && scheme !== ownScheme) || !HOST.test(ownHost)) return false;
  return host.startsWith('*.') ? ownHost.endsWith(host.slice(1)) && ownHost !== host.slice(1) : ownHost === host;
}

function originRefused({ origins }: KeyLimits, origin: string | undefined): Refused | undefined {
  if (origins === undefined || (origin !== undefined && origins.some((entry) => fits(origin, entry)))) return undefined;
  return { kind: 'origin', what: origin === undefined ? 'be used without an origin' : `be used from ${shown(origin)}` };
}

function addressRefused({ addresses }: KeyLimits, method: string, params: unknown): Refused | undefined {
  if (addresses === undefined) return undefined;
  const found = addressesIn(method, params);
  if (typeof found === 'string') return { kind: 'address', what: `ask for ${found} (${method})` };
  const at = found.findIndex((each) => typeof each !== 'string' || !addresses.includes(each.toLowerCase()));
  return at < 0 ? undefined : { kind: 'address', what: `name the address ${shown(found[at] ?? null)} (${method})` };
}

/**
 * Decides whether a key allows a use: one entry of each list is enough, and all lists must agree.
 *
 * @param limits - Of the key; undefined if it has none.
 * @param use - What the caller wants to do.
 * @returns Undefined if it is allowed; otherwise the first limit that forbids it.
 */
export function refusedBy(limits: KeyLimits | undefined, use: Use): Refused | undefined {
  if (limits === undefined) return undefined;
  const origin = originRefused(limits, use.origin);
  if (origin !== undefined) return origin;
  if (use.door === 'storage') {
    const action = use.actions.find((each) => limits.storage?.includes(each) === false);
    return action && { kind: 'storage', what: `${action} files` };
  }
  if (limits.networks?.includes(use.network) === false) return { kind: 'network', what: `be used on ${use.network}` };
  if (use.door === 'socket') return undefined;
  if (limits.methods?.includes(use.method) === false) return { kind: 'method', what: `call ${shown(use.method)}` };
  return addressRefused(limits, use.method, use.params);
}
