export type FileStore = {
  importFile(content: Uint8Array): Promise<unknown>;
  exportFile(cid: unknown): Promise<number>;
  close(): Promise<void>;
};
export function openStore(directory: string): Promise<FileStore>;
