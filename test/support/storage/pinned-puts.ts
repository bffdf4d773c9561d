import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { perRun } from '../nightly';
import { post, send } from './requests';
import { type TestService } from './service';

/** How often by default. The soak test does it 1,000 times. */
const FEW = perRun(30, 60);

const keyOf = (body: Buffer): string | undefined => {
  const answer = JSON.parse(body.toString()) as { Cid?: { '/': string }; Hash?: string; Key?: string };
  return answer.Cid?.['/'] ?? answer.Hash ?? answer.Key;
};

/**
 * Puts parents with `pin=true` whose children were put before, by every command that can, while collections run one
 * after the other: ten puts during each, so that no collection has to follow more pins than it must.
 *
 * @param services - Take turns, if there are several of one bucket; the first collects.
 * @param count - How many puts; at least a tenth as many collections run.
 * @returns The parents and children of the puts that were acknowledged, and how many collections ran.
 */
export async function putDuringCollections(services: readonly [TestService, ...TestService[]], count = FEW) {
  const acknowledged: string[] = [];
  let puts = 0;
  let collections = 0;
  let collected: () => void = () => undefined;
  let nextCollection = Promise.resolve();
  const begin = () => {
    nextCollection = new Promise((resolve) => (collected = resolve));
  };
  begin();
  const collect = async () => {
    while (puts < count || collections < count / 10) {
      const { status, body } = await post(services[0], 'repo/gc?silent=true');
      if (status !== 200) throw new Error(body.toString());
      collections++;
      const tell = collected;
      begin();
      tell();
    }
  };
  const put = async (i: number) => {
    const service = services[i % services.length] ?? services[0];
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
    for (let i = first; i < count; i += 4) {
      while (i > 10 * (collections + 1)) await nextCollection;
      await put(i);
    }
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
