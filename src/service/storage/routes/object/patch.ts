import { type PBLink } from '@ipld/dag-pb';
import { resolveToBlock } from '../../dag/paths';
import { clientFault, CommandError } from '../../errors';
import { bool } from '../../http/options';
import { arg, type Call, defineRoute, readWhole, type Route } from '../../route';
import { type StorageService } from '../../service';
import { DAG_PB } from '../../unixfs/fileBuilder';
import { decodePb } from '../../unixfs/node';
import { loadNode, storeNode } from './node';

const named = (name: string, link: PBLink) => link.Name === name;

async function cumulativeSize(path: string, { load }: Pick<Call<unknown>, 'load'>) {
  const cid = await resolveToBlock(path, load);
  const bytes = await load(cid);
  const links = cid.code === DAG_PB ? decodePb(bytes).Links : [];
  return { cid, size: links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length) };
}

const addLink = defineRoute({
  path: 'object/patch/add-link',
  args: [arg('root'), arg('name'), arg('ref')],
  options: { create: bool('p'), 'allow-big-block': bool() },
  run: async (service, call) => {
    const [root = '', name = '', ref = ''] = call.args;
    if (name === '' || name.includes('/')) throw new CommandError('a link is added to the root itself: give one name');
    const { cid: parent, node } = await loadNode(root, call);
    const { cid, size } = await cumulativeSize(ref, call);
    const Links = node.Links.filter((link) => !named(name, link));
    Links.push({ Name: name, Hash: cid, Tsize: size });
    await storeNode(service, call, { ...node, Links }, { version: parent.version });
  },
});

const removeLink = defineRoute({
  path: 'object/patch/rm-link',
  args: [arg('root'), arg('name')],
  options: { 'allow-big-block': bool() },
  run: async (service, call) => {
    const [root = '', name = ''] = call.args;
    const { cid, node } = await loadNode(root, call);
    const Links = node.Links.filter((link) => !named(name, link));
    if (Links.length === node.Links.length) throw new CommandError('no link by that name');
    await storeNode(service, call, { ...node, Links }, { version: cid.version });
  },
});

const dataPatch = (path: string, combine: (before: Uint8Array, given: Uint8Array) => Uint8Array): Route =>
  defineRoute({
    path,
    args: [arg('root')],
    file: 'data',
    options: { 'allow-big-block': bool() },
    run: async (service: StorageService, call) => {
      const limit = service.limits.blockBytes;
      const { cid, node } = await loadNode(call.args[0] ?? '', call);
      const first = await call.parts().next();
      if (first.done === true) throw clientFault("file argument 'data' is required");
      const given = await readWhole(first.value.body, limit, () => clientFault(`the data is over ${limit} bytes`));
      const Data = combine(node.Data ?? new Uint8Array(0), given);
      await storeNode(service, call, { Links: node.Links, Data }, { version: cid.version });
    },
  });

/** The four ways to make a new node out of an old one. */
export const objectPatch: readonly Route[] = [
  addLink,
  removeLink,
  dataPatch('object/patch/set-data', (_before, given) => given),
  dataPatch('object/patch/append-data', (before, given) => Buffer.concat([before, given])),
];
