import { type ChainConfiguration } from '../schemas/chain-configuration';

/**
 * A setting of a network, before and after a change.
 *
 * @example
 * ```ts
 * const change: SettingChange = {
 *   label: 'RPC URL', before: 'https://rpc.example.com', after: 'https://node.example.com' };
 * ```
 */
export type SettingChange = { readonly label: string; readonly before: string | undefined; readonly after: string };

const NOT_SET = 'not set';

const LABELS: Readonly<Record<Exclude<keyof ChainConfiguration, 'chainId'>, string>> = {
  rpcUrl: 'RPC URL',
  bundlerUrl: 'Bundler URL',
  entryPoint: 'Entry point',
  entryPointVersion: 'Entry point version',
  factory: 'Account factory',
  paymasterUrl: 'Paymaster URL',
  paymasterContext: 'Paymaster context',
};

const asText = (value: unknown): string => {
  if (value === undefined) return NOT_SET;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/**
 * Compares two configurations of a network, setting by setting.
 *
 * @param before - undefined if the network is not configured yet.
 * @returns Every setting that is or was set; `before` only where it differs.
 *
 * @example
 * ```ts
 * import { ENTRY_POINTS } from '../erc4337/entry-points';
 * const urls = { rpcUrl: 'https://rpc.example.com', bundlerUrl: 'https://bundler.example.com' };
 * const before = { chainId: 'eip155:1', ...urls, entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' } as const;
 * const changes = chainChanges(before, { ...before, rpcUrl: 'https://node.example.com' });
 * changes.length; // => 4
 * changes.flatMap((change) => change.before ?? []); // => ['https://rpc.example.com']
 * ```
 */
export function chainChanges(before: ChainConfiguration | undefined, after: ChainConfiguration): SettingChange[] {
  return (Object.keys(LABELS) as (keyof typeof LABELS)[])
    .filter((name) => before?.[name] !== undefined || after[name] !== undefined)
    .map((name) => {
      const [old, fresh] = [asText(before?.[name]), asText(after[name])];
      return { label: LABELS[name], before: before === undefined || old === fresh ? undefined : old, after: fresh };
    });
}
