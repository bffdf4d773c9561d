import { createHash } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { AGENT } from '../http/version';
import { contentType } from './formats';
import { type ContentRequest } from './request';

const IMMUTABLE = 'public, max-age=29030400, immutable';

/** Sets the headers of every response: any page may read it, and it depends on `Accept`. */
export function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('Server', AGENT);
  response.setHeader('Vary', 'Accept');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Accept, Cache-Control, Content-Type, If-None-Match, Range');
  response.setHeader(
    'Access-Control-Expose-Headers',
    'Content-Disposition, Content-Length, Content-Location, Etag, X-Ipfs-Path',
  );
}

/** The tag of a response: strong for a block, weak for a CAR file, which other versions may write differently. */
export function etagOf({ root, segments, form, scope }: ContentRequest): string {
  if (form.format === 'raw') return `"${root.toString()}.raw"`;
  const what = createHash('sha256')
    .update(JSON.stringify([segments, scope, form]))
    .digest('hex')
    .slice(0, 16);
  return `W/"${root.toString()}.car.${what}"`;
}

/**
 * Whether an `If-None-Match` header names the tag; weak and strong ones count as equal. Who has the tag has the
 * content, stored here or not. `*` asks whether there is any content, which only the content can answer.
 */
export function isKnown(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (header ?? '').split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** A file name as a header can hold it, both for readers of ASCII only and for others. */
function disposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Sets the headers that describe the content, except for its length. */
export function setContentHeaders(response: ServerResponse, request: ContentRequest): void {
  const { root, form, filename, path, location } = request;
  response.setHeader('Content-Type', contentType(form));
  const extension = form.format === 'raw' ? 'bin' : 'car';
  response.setHeader('Content-Disposition', disposition(filename ?? `${root.toString()}.${extension}`));
  response.setHeader('Accept-Ranges', 'none');
  response.setHeader('X-Ipfs-Path', path);
  if (location !== undefined) response.setHeader('Content-Location', location);
  setCacheHeaders(response, request);
}

/** Sets the headers that a cache needs. */
export function setCacheHeaders(response: ServerResponse, request: ContentRequest): void {
  response.setHeader('Etag', etagOf(request));
  response.setHeader('Cache-Control', IMMUTABLE);
}
