export type FormPart = {
  readonly content: string | Uint8Array;
  readonly filename?: string;
  readonly field?: string;
  readonly type?: string;
  readonly headers?: readonly string[];
};

export const BOUNDARY = 'XbX';
export const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A multipart body, byte for byte as in the recordings. */
export function multipart(...parts: readonly FormPart[]): Buffer {
  const pieces = parts.flatMap(
    ({ content, filename, field = 'file', type = 'application/octet-stream', headers = [] }) => [
      Buffer.from(
        [
          `--${BOUNDARY}`,
          `Content-Disposition: form-data; name="${field}"${filename === undefined ? '' : `; filename="${filename}"`}`,
          `Content-Type: ${type}`,
          ...headers,
          '',
          '',
        ].join('\r\n'),
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ],
  );
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
