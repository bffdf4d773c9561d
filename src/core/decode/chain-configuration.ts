import { type ChainConfiguration } from '../schemas/chain-configuration';

/** One setting of a chain, before and after a change. undefined: not set. */
export type SettingChange = { readonly label: string; readonly before: string | undefined; readonly after: string };

const NOT_SET = 'not set';

const LABELS: Readonly<Record<Exclude<keyof ChainConfiguration, 'chainId'>, string>> = {
  rpcUrl: 'Node',
  bundlerUrl: 'Bundler',
  entryPoint: 'Entry point',
  entryPointVersion: 'Entry point version',
  factory: 'Account factory',
  paymasterUrl: 'Paymaster service',
  paymasterContext: 'Paymaster context',
};

const shown = (value: unknown): string => {
  if (value === undefined) return NOT_SET;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/**
 * What a change of a chain's configuration changes, setting by setting.
 *
 * @param before - undefined if the chain is not set up yet.
 * @returns Every setting that is or was set; `before` only where it differs.
 */
export function chainChanges(before: ChainConfiguration | undefined, after: ChainConfiguration): SettingChange[] {
  return (Object.keys(LABELS) as (keyof typeof LABELS)[])
    .filter((name) => before?.[name] !== undefined || after[name] !== undefined)
    .map((name) => {
      const [old, fresh] = [shown(before?.[name]), shown(after[name])];
      return { label: LABELS[name], before: before === undefined || old === fresh ? undefined : old, after: fresh };
    });
}
