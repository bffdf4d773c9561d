/**
 * Reads a file that is part of the snap (`source.files` of the manifest). The wallet has checked it against the
 * snap's checksum.
 *
 * @param path - From the snap's folder.
 * @returns The text, or undefined if the wallet does not give it.
 */
export type ReadFile = (path: string) => Promise<string | undefined>;

export const snapFile: ReadFile = async (path) => {
  try {
    return (await snap.request({ method: 'snap_getFile', params: { path, encoding: 'utf8' } })) ?? undefined;
  } catch {
    return undefined;
  }
};
