import { array, create, defaulted, enums, optional, string, type } from '@metamask/superstruct';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

const PARSER = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

const Listing = type({
  ListBucketResult: type({
    // Required: an answer that was cut off must not look like the end of a list, by which blocks are removed.
    IsTruncated: enums(['true', 'false']),
    Prefix: optional(string()),
    Marker: optional(string()),
    Contents: defaulted(array(type({ Key: string(), LastModified: optional(string()), Size: optional(string()) })), []),
  }),
});
const Failure = type({ Error: type({ Code: string() }) });

/** An object of a listing. */
export type ListedObject = {
  readonly key: string;
  /** Its bytes; NaN if the service does not say. */
  readonly size: number;
  /** When it was stored, in ms since 1970 by the clock of the service; NaN if it does not say. */
  readonly modified: number;
};

/**
 * Reads a page of a listing, the answer of `ListObjects`.
 *
 * @returns The objects in the order of their keys, and whether more follow.
 * @throws {Error} If it is no such answer, or not the whole of it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjects.html
 */
export function readListing(xml: Buffer): {
  readonly objects: readonly ListedObject[];
  readonly isTruncated: boolean;
  /** What the service says that it has listed, if it does. */
  readonly prefix: string | undefined;
  readonly marker: string | undefined;
} {
  const text = xml.toString('utf8');
  // The parser alone takes a text without its closing tags for a whole one.
  const fault = XMLValidator.validate(text);
  if (fault !== true) throw new Error(`not XML: ${fault.err.msg}`);
  const { ListBucketResult: list } = create(PARSER.parse(text), Listing);
  const objects = list.Contents.map(({ Key, LastModified = '', Size = '' }) => ({
    key: Key,
    size: Size === '' ? NaN : Number(Size),
    modified: Date.parse(LastModified),
  }));
  return { objects, isTruncated: list.IsTruncated === 'true', prefix: list.Prefix, marker: list.Marker };
}

/**
 * Reads the code of an error, such as `NoSuchKey`.
 *
 * @returns Empty if the answer has none: a proxy may send another body.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function readErrorCode(xml: Buffer): string {
  try {
    return create(PARSER.parse(xml), Failure).Error.Code;
  } catch {
    return '';
  }
}
