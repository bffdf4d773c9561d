import { keyText } from '../../../store/block-store';
import { resolveToBlock } from '../../../content/paths';
import { linkLoader } from '../../../content/block-reader';
import { Visited } from '../../../content/visited';
import { knownLinks, walk } from '../../../content/walk';
import { CommandError } from '../../../errors';
import { findHolder } from '../../../content/garbage';
import { ListingSize } from '../../listing';
import { ownerFor } from '../../operators';
import { bool, text } from '../../options';
import { KEY_BYTES } from '../../../content/weights';
import { type Call, defineRoute, optionalArgs } from '../../route';
import { type StorageService } from '../../service';

type Listed = { readonly cid: string; readonly type: string; readonly name: string };

type Listing = Pick<Call<unknown>, 'tenant' | 'walker' | 'format'>;

type Line = { readonly Cid: string; readonly Name?: string; readonly Type: string };

const TYPES = ['direct', 'indirect', 'recursive', 'all'];

/** How the given paths are pinned. @throws CommandError for a path that is not pinned, or not of that type. */
async function* listPaths(
  { pins }: StorageService,
  { args: paths, tenant, load, walker, format }: Listing & Pick<Call<unknown>, 'args' | 'load'>,
  type: string,
): AsyncGenerator<Listed> {
  for (const path of paths) {
    const cid = await resolveToBlock(path, load);
    const pin = await pins.get(tenant, cid);
    if (pin !== undefined && (type === 'all' || type === pin.mode)) {
      yield { cid: format(cid), type: pin.mode, name: pin.name };
      continue;
    }
    const holder =
      type === 'indirect' || (type === 'all' && pin === undefined)
        ? await findHolder(pins.list(walker.charge, tenant), cid, walker)
        : undefined;
    if (holder === undefined) {
      const shown = path.startsWith('/') ? path : `/ipfs/${path}`;
      throw new CommandError(`path '${shown}' is not pinned`);
    }
    yield { cid: format(cid), type: `indirect through ${format(holder.cid)}`, name: '' };
  }
}

/** Every pin of the tenant of one type; indirect pins are the blocks below recursive ones. */
async function* listAll(
  { pins, store }: StorageService,
  { tenant, walker, format }: Listing,
  type: string,
): AsyncGenerator<Listed> {
  const isWithIndirect = type === 'all' || type === 'indirect';
  const { memory } = walker.charge;
  const pinned = new Set<string>();
  for await (const { cid, mode, name } of pins.list(walker.charge, tenant)) {
    if (isWithIndirect) {
      memory.charge(KEY_BYTES);
      pinned.add(keyText(cid.multihash.bytes));
    }
    if (type === 'all' || type === mode) yield { cid: format(cid), type: mode, name };
  }
  if (!isWithIndirect) return;
  const visited = new Visited(memory);
  const looking = { ...walker, load: linkLoader(store, walker.load) };
  for await (const { cid: root, mode } of pins.list(walker.charge, tenant)) {
    if (mode !== 'recursive') continue;
    const visits = walk({ cid: root }, knownLinks, looking, { visited, onLost: () => undefined });
    for await (const { step } of visits) {
      const { cid } = step;
      if (!pinned.has(keyText(cid.multihash.bytes))) yield { cid: format(cid), type: 'indirect', name: '' };
    }
  }
}

export const pinLs = defineRoute({
  path: 'pin/ls',
  costs: ['arguments', 'path', 'read', 'hash', 'decode', 'cursor', 'walk', 'listing', 'stream'],
  needs: ['read'],
  args: [optionalArgs('ipfs-path')],
  options: { type: text('t'), quiet: bool('q'), stream: bool('s'), names: bool('n'), name: text(), tenant: text() },
  run: async (service, own) => {
    const { args: paths, options, reply } = own;
    const call = { ...own, tenant: await ownerFor(service, own, options.tenant) };
    const type = options.type ?? 'all';
    if (!TYPES.includes(type)) {
      throw new CommandError(`invalid type '${type}', must be one of {${TYPES.join(', ')}}`);
    }
    const listed = paths.length > 0 ? listPaths(service, call, type) : listAll(service, call, type);
    const wanted = options.name;
    // As in Kubo, names are included only on request.
    const withNames = options.names === true || wanted !== undefined;
    const size = new ListingSize(service.limits.entries, call.answer, 'pins');
    const Keys = new Map<string, { Type: string; Name: string }>();
    for await (const { cid, type: Type, name: pinName } of listed) {
      if (wanted !== undefined && !pinName.includes(wanted)) continue;
      const name = withNames ? pinName : '';
      if (options.stream === true) {
        const line: Line = { Cid: cid, ...(name === '' ? {} : { Name: name }), Type };
        await reply.object(line);
      } else if (!Keys.has(cid)) {
        await size.add(cid, name);
        Keys.set(cid, { Type, Name: name });
      }
    }
    if (options.stream === true) {
      reply.endObjects();
      return;
    }
    // Go writes the keys of a map in order, and omits an empty map.
    const sorted = [...Keys].sort(([a], [b]) => (a < b ? -1 : 1));
    await reply.value(sorted.length === 0 ? {} : { Keys: Object.fromEntries(sorted) });
  },
});
