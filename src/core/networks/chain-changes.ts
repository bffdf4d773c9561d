import { mistakenFor, networkOf } from './network';
import { chainIdOf } from '../schemas/chain';
import { type ChainConfiguration } from '../schemas/chain-configuration';

/** A setting of a network, before and after a change. */
export type SettingChange = { readonly label: string; readonly before: string | undefined; readonly after: string };

const NOT_SET = 'not set';

const LABELS: Readonly<Record<Exclude<keyof ChainConfiguration, 'chainId' | 'nodeFrom'>, string>> = {
  name: 'Network name',
  symbol: 'Currency symbol',
  rpcUrl: 'RPC URL',
  secondRpcUrl: 'Second RPC URL',
  bundlerUrl: 'Bundler URL',
  entryPoint: 'Entry point',
  entryPointVersion: 'Entry point version',
  factory: 'Account factory',
  paymasterUrl: 'Paymaster URL',
  paymasterContext: 'Paymaster context',
  explorerUrl: 'Block explorer',
};

const OF_BUNDLER: readonly string[] = ['entryPoint', 'entryPointVersion'] satisfies (keyof typeof LABELS)[];

function asText(setting: keyof typeof LABELS, configuration: ChainConfiguration | undefined): string {
  const value = configuration?.[setting];
  if (configuration === undefined || value === undefined) return NOT_SET;
  if (setting === 'name' || setting === 'symbol') {
    const chainId = chainIdOf(configuration.chainId);
    const { source, [setting]: shown } = networkOf(chainId, configuration);
    if (shown === value) return shown;
    const other =
      setting === 'name' && source === 'unknown' ? mistakenFor(chainId, configuration[setting] ?? '') : undefined;
    return `${shown} (“${value}” is ignored${other === undefined ? '' : `: it resembles ${other}`})`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Compares two configurations of a network, setting by setting.
 *
 * @param before - undefined if the network is not configured yet.
 * @returns Every setting that is or was set; `before` only where it differs. A name or symbol that screens do not use
 * says so.
 */
export function chainChanges(before: ChainConfiguration | undefined, after: ChainConfiguration): SettingChange[] {
  // An entry point means nothing without a bundler.
  const hasBundler = before?.bundlerUrl !== undefined || after.bundlerUrl !== undefined;
  return (Object.keys(LABELS) as (keyof typeof LABELS)[])
    .filter((name) => before?.[name] !== undefined || after[name] !== undefined)
    .filter((name) => hasBundler || !OF_BUNDLER.includes(name))
    .map((name) => {
      const [old, fresh] = [asText(name, before), asText(name, after)];
      return { label: LABELS[name], before: before === undefined || old === fresh ? undefined : old, after: fresh };
    });
}
