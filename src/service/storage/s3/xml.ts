import { array, create, defaulted, optional, string, type } from '@metamask/superstruct';
import { XMLParser } from 'fast-xml-parser';

const PARSER = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

const Listing = type({
  ListBucketResult: type({
    IsTruncated: optional(string()),
    Contents: defaulted(array(type({ Key: string() })), []),
  }),
});
const Failure = type({ Error: type({ Code: string() }) });

/**
 * Reads a page of a listing, the answer of `ListObjects`.
 *
 * @returns The keys in order, and whether more follow.
 * @throws {Error} If it is no such answer.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjects.html
 */
export function readListing(xml: Buffer): { readonly keys: readonly string[]; readonly isTruncated: boolean } {
  const { ListBucketResult: list } = create(PARSER.parse(xml), Listing);
  return { keys: list.Contents.map(({ Key }) => Key), isTruncated: list.IsTruncated === 'true' };
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
