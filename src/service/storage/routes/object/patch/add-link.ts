import { resolveToBlock } from '../../../dag/paths';
import { CommandError } from '../../../errors';
import { bool } from '../../../http/options';
import { arg, type Call, defineRoute } from '../../../route';
import { DAG_PB } from '../../../unixfs/file-builder';
import { decodePb } from '../../../unixfs/node';
import { editLinks, withoutLink } from './edit';

/** The fields of a link to the node at a path. */
async function linkTo(path: string, { load }: Pick<Call<unknown>, 'load'>) {
  const Hash = await resolveToBlock(path, load);
  const bytes = await load(Hash);
  const links = Hash.code === DAG_PB ? decodePb(bytes).Links : [];
  return { Hash, Tsize: links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length) };
}

export const objectPatchAddLink = defineRoute({
  path: 'object/patch/add-link',
  cids: 'plain',
  args: [arg('root'), arg('name'), arg('ref')],
  options: { create: bool('p'), 'allow-big-block': bool() },
  text: ({ Hash }: { Hash: string }) => `${Hash}\n`,
  run: async (service, call) => {
    const {
      args: [root = '', path = '', ref = ''],
      options,
      format,
      reply,
    } = call;
    const target = await linkTo(ref, call);
    const cid = await editLinks(service, call, { root, path, create: options.create === true }, (links, Name) => {
      if (Name === '') throw new CommandError('cannot create link with no name');
      return [...withoutLink(links, Name), { Name, ...target }];
    });
    await reply.value({ Hash: format(cid) });
  },
});
