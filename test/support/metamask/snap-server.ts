import { getSnapChecksum, type SnapManifest, VirtualFile } from '@metamask/snaps-utils';

import { listenOnLoopback } from '../../../src/devnet/loopback';

/** A snap that this process serves to the wallet. */
export type ServedSnap = { readonly snapId: string; readonly stop: () => Promise<void> };

/** The files of a snap, by their paths. Its manifest gets their checksum. */
type SnapFiles = { readonly manifest: SnapManifest; readonly others: Readonly<Record<string, string>> };

/** @returns The manifest with the checksum of the files. */
export async function sealed({ manifest, others }: SnapFiles): Promise<SnapManifest> {
  const { filePath, iconPath } = manifest.source.location.npm;
  const fileOf = (path: string) => new VirtualFile({ value: others[path] ?? '', path });
  const shasum = await getSnapChecksum({
    manifest: new VirtualFile({ value: '', path: 'snap.manifest.json', result: manifest }),
    sourceCode: fileOf(filePath),
    ...(iconPath !== undefined && { svgIcon: fileOf(iconPath) }),
    auxiliaryFiles: (manifest.source.files ?? []).map(fileOf),
    localizationFiles: [],
  });
  return { ...manifest, source: { ...manifest.source, shasum } };
}

/** Serves a snap from memory. */
export async function serveFiles(files: SnapFiles): Promise<ServedSnap> {
  const served: Readonly<Record<string, string>> = {
    ...files.others,
    'snap.manifest.json': JSON.stringify(await sealed(files)),
  };
  const { port, stop } = await listenOnLoopback(0, ({ url }, response) => {
    const file = served[new URL(url ?? '/', 'http://localhost').pathname.slice(1)];
    response.writeHead(file === undefined ? 404 : 200, { 'access-control-allow-origin': '*' }).end(file);
  });
  return { snapId: `local:http://localhost:${port}`, stop };
}

/** @returns The files of a snap that another server serves. */
async function filesOf(snapId: string): Promise<SnapFiles> {
  const url = snapId.replace(/^local:/u, '');
  const read = async (path: string): Promise<string> => (await fetch(`${url}/${path}`)).text();
  const manifest = JSON.parse(await read('snap.manifest.json')) as SnapManifest;
  const { location, files = [] } = manifest.source;
  const paths = [location.npm.filePath, location.npm.iconPath, ...files].filter((path) => path !== undefined);
  return {
    manifest,
    others: Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(path)]))),
  };
}

/** In the bundle: what makes a component of this name. */
const COLLAPSIBLE = /[\w$]+\("CollapsibleSection"\)/u;
/** What takes its place: its label, and below it what it would show when it is opened. */
const OPENED = `(({ label, children }) => ({
  type: "Box", key: null, props: { children: [{ type: "Text", key: null, props: { children: label } }, children] } }))`;

/**
 * Serves a snap with the two things changed by which a wallet older than the minimum fails, so that tests reach the
 * rest of that wallet: sections that open, and the time limit of requests to the keyring.
 *
 * @param snapId - The unchanged snap.
 */
export async function serveForOlderWallet(snapId: string): Promise<ServedSnap> {
  const { manifest, others } = await filesOf(snapId);
  const { filePath } = manifest.source.location.npm;
  const bundle = others[filePath]!;
  if (!COLLAPSIBLE.test(bundle)) throw new Error('The bundle makes no CollapsibleSection where the test expects it.');
  const { maxRequestTime: _time, ...keyring } = manifest.initialPermissions['endowment:keyring'] as Record<
    string,
    unknown
  >;
  const initialPermissions = { ...manifest.initialPermissions, 'endowment:keyring': keyring };
  return serveFiles({
    manifest: { ...manifest, initialPermissions } as SnapManifest,
    others: { ...others, [filePath]: bundle.replace(COLLAPSIBLE, () => OPENED) },
  });
}
