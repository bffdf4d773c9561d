import { uncharged } from '../../../../src/service/admission/uncharged';
import { CarReader, CarWriter } from '@ipld/car';
import { importer } from 'ipfs-unixfs-importer';
import { type CID } from 'multiformats/cid';
import { matches } from '../../../../src/service/storage/store/hashes';
import { type GatewaySettings } from '../../../../src/service/storage/gateway/config';
import { type StorageOptions } from '../../../../src/service/storage/server';
import { collect } from '../../../support/storage/content';
import { type RawAnswer, rawRequest } from '../../../support/storage/raw-http';
import { send } from '../../../support/storage/requests';
import { startTestService, type TestService } from '../../../support/storage/service';

export type GatewayService = TestService & {
  /** The gateway's own port and address. */
  readonly at: { readonly port: number; readonly url: string };
};

/** The defaults, on a free port. */
export const SETTINGS: GatewaySettings = {
  host: '127.0.0.1',
  port: 0,
  requests: 64,
  requestsPerAddress: 16,
  stallSeconds: 30,
  carBlocks: 250_000,
};

/** A storage service with a gateway on a free port. */
export async function startTestGateway(
  settings: Partial<GatewaySettings> = {},
  options: Partial<StorageOptions> = {},
): Promise<GatewayService> {
  const gateway = { ...SETTINGS, ...settings };
  const service = await startTestService({ ...options, gateway });
  if (service.gateway === undefined) throw new Error('no gateway was started');
  return { ...service, at: service.gateway };
}

type Headers = Readonly<Record<string, string>>;

/** Asks the gateway. */
export const ask = ({ at }: GatewayService, path: string, headers: Headers = {}, method = 'GET'): Promise<RawAnswer> =>
  rawRequest(at.port, { method, path, headers });

export type Block = { readonly cid: CID; readonly bytes: Uint8Array };

/** Stores blocks as they are. */
export async function storeBlocks(service: TestService, blocks: readonly Block[]): Promise<void> {
  const { writer, out } = CarWriter.create([]);
  const written = collect(out);
  for (const block of blocks) await writer.put(block);
  await writer.close();
  const { status, body } = await send(service, 'dag/import?pin-roots=false', { content: Buffer.concat(await written) });
  if (status !== 200) throw new Error(body.toString());
}

/** A directory whose entries are spread over shards, as the importer makes one, and its blocks. */
export async function shardedDirectory(names: readonly string[]): Promise<{ root: CID; blocks: Block[] }> {
  const blocks: Block[] = [];
  const files = names.map((name) => ({ path: `d/${name}`, content: Buffer.from(`content of ${name}`) }));
  let root: CID | undefined;
  const store = {
    put: (cid: CID, bytes: Uint8Array) => {
      blocks.push({ cid, bytes });
      return cid;
    },
  };
  for await (const { cid } of importer(files, store as never, { shardSplitThresholdBytes: 0 })) root = cid;
  if (root === undefined) throw new Error('no directory was made');
  return { root, blocks };
}

/** The CIDs of a CAR file in order, each with the bytes that fit it, and the roots. */
export async function readCarFile(bytes: Uint8Array): Promise<{ roots: string[]; cids: string[]; blocks: Block[] }> {
  const reader = await CarReader.fromBytes(bytes);
  const blocks = (await collect(reader.blocks())) as Block[];
  for (const { cid, bytes: content } of blocks) expect(await matches(cid.multihash, content, uncharged())).toBe(true);
  const roots = (await reader.getRoots()).map(String);
  return { roots, cids: blocks.map(({ cid }) => cid.toString()), blocks };
}
