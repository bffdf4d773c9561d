import { isSameAddress } from '../../../core/eth/address';
import { type ModuleView, type SafeOnNetwork, type SafeView } from './look-at-safe';
import { isModule, isNotice, newsOf, type Notice, type RecoveryEntry } from './repository';

/** What a node says of a Safe; without `safe` if it did not answer as for one. */
export type Witness = { readonly name: string; readonly safe?: SafeView | undefined };

/** So long, in milliseconds, it is said that a recovery has ended. */
const WEEK = 604_800_000;

const namesOf = (witnesses: readonly { readonly name: string }[]): string[] => witnesses.map(({ name }) => name);

/**
 * Compares what the nodes of a network say of a Safe. One node is enough for an alarm. That a recovery has ended takes
 * all of them: only then is an alarm dropped that was raised before.
 *
 * @param known - What was known of the Safe.
 */
export function compare(
  { account, chainId }: SafeOnNetwork,
  known: readonly RecoveryEntry[],
  witnesses: readonly Witness[],
): readonly RecoveryEntry[] {
  const watched = known.filter(isModule);
  const seen = witnesses.flatMap(({ name, safe }) => (safe === undefined ? [] : [{ name, ...safe }]));
  const silent = new Set(namesOf(witnesses.filter(({ safe }) => safe === undefined)));
  const notice = (notice: Notice['notice'], more: Omit<Partial<Notice>, 'notice'>): Notice => ({
    ...{ account, chainId, notice },
    ...more,
  });
  const [owners, others] = [seen.filter(({ isOwner }) => isOwner), seen.filter(({ isOwner }) => !isOwner)];
  const modules = new Set([
    ...watched.map(({ module }) => module),
    ...seen.flatMap((witness) => [...witness.modules.keys()]),
  ]);
  const found = [...modules].flatMap((module): RecoveryEntry[] => {
    const before = watched.find((one) => isSameAddress(one.module, module));
    const views = seen.map(({ name, modules: all }) => ({ name, view: all.get(module) ?? ('none' as ModuleView) }));
    const alarms = views.flatMap(({ name, view }) => (typeof view === 'object' ? [{ name, view }] : []));
    const denials = views.filter(({ view }) => view === 'none');
    for (const { name, view } of views) if (view === 'unread') silent.add(name);
    const [first] = alarms;
    if (first !== undefined) {
      const isSame = alarms.every(({ view }) => JSON.stringify(view) === JSON.stringify(first.view));
      const [nodes, contrary] = [namesOf(alarms), namesOf(denials)];
      return [
        { account, chainId, module, pending: first.view },
        ...(contrary.length > 0 ? [notice('disputed', { module, nodes, others: contrary })] : []),
        ...(isSame ? [] : [notice('disputed', { module, nodes })]),
      ];
    }
    if (denials.length < witnesses.length)
      return before !== undefined || denials.length > 0 ? [before ?? { account, chainId, module }] : [];
    const ended = known.find(
      (one) =>
        isNotice(one) && one.notice === 'cancelled' && one.module === module && (one.at ?? 0) + WEEK > Date.now(),
    );
    const isOver = others.length === 0 && (before?.pending !== undefined || ended !== undefined);
    return [
      { account, chainId, module },
      ...(isOver ? [ended ?? notice('cancelled', { module, nodes: namesOf(seen), at: Date.now() })] : []),
    ];
  });
  const nodes = namesOf(others);
  if (nodes.length > 0)
    found.push(
      owners.length === 0 ? notice('lost', { nodes }) : notice('disputed', { nodes, others: namesOf(owners) }),
    );
  // The node that warned may be the silent one.
  else if (seen.length < witnesses.length)
    found.push(...known.filter((one) => isNotice(one) && one.module === undefined && newsOf(one) !== undefined));
  if (silent.size > 0) found.push(notice('unseen', { nodes: [...silent] }));
  return found;
}
