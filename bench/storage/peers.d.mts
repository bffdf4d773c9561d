export function importFile(content: Uint8Array, directory: string): Promise<unknown>;
export function exportFile(cid: unknown): Promise<number>;
export function close(): Promise<void>;
