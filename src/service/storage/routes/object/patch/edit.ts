import { type PBLink } from '@ipld/dag-pb';
import { type CID } from 'multiformats/cid';
import { clientFault, CommandError } from '../../../errors';
import { type Call } from '../../../route';
import { type StorageService } from '../../../service';
import { DIRECTORY_DATA, encodePb } from '../../../unixfs/node';
import { type CidForm, DEFAULT_FORM, keepNode, loadNode, loadPb } from '../node';

type PatchCall = Call<{ readonly 'allow-big-block': boolean | undefined }>;

type Tree = { readonly form: CidForm; readonly Data: Uint8Array | undefined; readonly Links: readonly PBLink[] };

const NEW_DIRECTORY: Tree = { form: DEFAULT_FORM, Data: DIRECTORY_DATA, Links: [] };

export const noLink = () => new CommandError('no link by that name');

export const withoutLink = (links: readonly PBLink[], name: string): PBLink[] =>
  links.filter((link) => (link.Name ?? '') !== name);

async function openTree(loading: ReturnType<typeof loadPb>): Promise<Tree> {
  const { cid, node } = await loading;
  return { form: cid, Data: node.Data, Links: node.Links };
}

/**
 * Changes the links of the node at `path` below `root`, and thus every node on the way.
 *
 * @param create whether to create missing nodes as empty directories.
 * @returns The new root, which is durable.
 * @throws CommandError if a node on the way is missing or not dag-pb.
 */
export async function editLinks(
  service: StorageService,
  call: PatchCall,
  { root, path, create }: { readonly root: string; readonly path: string; readonly create: boolean },
  edit: (links: readonly PBLink[], name: string) => readonly PBLink[],
): Promise<CID> {
  const names = path.split('/');
  const last = names.pop() ?? '';
  if (names.length > service.limits.pathDepth) {
    throw clientFault(`the path has more than the allowed ${service.limits.pathDepth} names`);
  }
  let tree = await openTree(loadNode(root, call));
  const above: { readonly tree: Tree; readonly name: string }[] = [];
  for (const name of names) {
    above.push({ tree, name });
    const link = tree.Links.find(({ Name = '' }) => Name === name);
    if (link === undefined && !create) throw noLink();
    tree = link === undefined ? NEW_DIRECTORY : await openTree(loadPb(link.Hash, call));
  }
  let Links = edit(tree.Links, last);
  for (;;) {
    const { form, Data } = tree;
    const bytes = encodePb({ ...(Data === undefined ? {} : { Data }), Links });
    const cid = await keepNode(service, call, bytes, { form, allowBig: call.options['allow-big-block'] });
    const parent = above.pop();
    if (parent === undefined) {
      await service.store.commit();
      return cid;
    }
    const Tsize = Links.reduce((sum, link) => sum + (link.Tsize ?? 0), bytes.length);
    ({ tree } = parent);
    Links = [...withoutLink(tree.Links, parent.name), { Name: parent.name, Hash: cid, Tsize }];
  }
}
