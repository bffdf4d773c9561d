import { array, create, defaulted, optional, string, type } from '@metamask/superstruct';
import { XMLParser } from 'fast-xml-parser';

const PARSER = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

const Listing = type({
  ListBucketResult: type({
    IsTruncated: optional(string()),
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
 * @throws {Error} If it is no such answer.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjects.html
 */
export function readListing(xml: Buffer): {
  readonly objects: readonly ListedObject[];
  readonly isTruncated: boolean;
} {
  const { ListBucketResult: list } = create(PARSER.parse(xml), Listing);
  const objects = list.Contents.map(({ Key, LastModified = '', Size = '' }) => ({
    key: Key,
    size: Size === '' ? NaN : Number(Size),
    modified: Date.parse(LastModified),
  }));
  return { objects, isTruncated: list.IsTruncated === 'true' };
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
