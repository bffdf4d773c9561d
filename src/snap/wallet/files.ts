/**
 * Reads a file that is part of the snap (`source.files` in the manifest). MetaMask has verified it with the snap's
 * checksum.
 *
 * @param path - The path relative to the snap's folder.
 * @returns The text, or undefined if MetaMask does not return it.
 */
export type ReadFile = (path: string) => Promise<string | undefined>;

export const snapFile: ReadFile = async (path) => {
  try {
    return (await snap.request({ method: 'snap_getFile', params: { path, encoding: 'utf8' } })) ?? undefined;
  } catch {
    return undefined;
  }
};
