import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { post, send } from './requests';
import { type TestService } from './service';

/** How often; `KEYSTEAD_PIN_RACES=1000` for a long run, which takes minutes. */
export const PUTS = Number(process.env['KEYSTEAD_PIN_RACES'] ?? 60);
const COLLECTIONS = PUTS / 10;

const keyOf = (body: Buffer): string | undefined => {
  const answer = JSON.parse(body.toString()) as { Cid?: { '/': string }; Hash?: string; Key?: string };
  return answer.Cid?.['/'] ?? answer.Hash ?? answer.Key;
};

/**
 * Puts parents with `pin=true` whose children were put before, by every command that can, while collections run one
 * after the other.
 *
 * @returns The parents and children of the puts that were acknowledged, and how many collections ran.
 */
export async function putDuringCollections(service: TestService) {
  const acknowledged: string[] = [];
  let puts = 0;
  let collections = 0;
  const collect = async () => {
    while (puts < PUTS || collections < COLLECTIONS) {
      const { status, body } = await post(service, 'repo/gc?silent=true');
      if (status !== 200) throw new Error(body.toString());
      collections++;
    }
  };
  const put = async (i: number) => {
    const child = keyOf((await send(service, 'block/put?cid-codec=raw', { content: `child ${i}` })).body) ?? '';
    const node = dagPb.encode({
      Data: Buffer.from(`parent ${i}`),
      Links: [{ Hash: CID.parse(child), Name: '', Tsize: 1 }],
    });
    const value = JSON.stringify({ i, child: { '/': child } });
    const { status, body } = await [
      () => send(service, 'dag/put?pin=true', { content: value }),
      () => send(service, 'object/put?inputenc=protobuf&pin=true', { content: node }),
      () => send(service, 'block/put?format=v0&pin=true', { content: node }),
    ][i % 3]!();
    const parent = status === 200 ? keyOf(body) : undefined;
    if (parent !== undefined) acknowledged.push(parent, child);
    puts++;
  };
  const putAll = async (first: number) => {
    for (let i = first; i < PUTS; i += 4) await put(i);
  };
  await Promise.all([collect(), ...[0, 1, 2, 3].map(putAll)]);
  return { acknowledged, collections };
}

/** Those of the blocks that are no longer stored. */
export async function lostOf(service: TestService, cids: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  for (const cid of cids) if ((await post(service, `block/stat?arg=${cid}`)).status !== 200) lost.push(cid);
  return lost;
}
