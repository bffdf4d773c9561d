import { CID } from 'multiformats/cid';
import { code as RAW } from 'multiformats/codecs/raw';
import * as Digest from 'multiformats/hashes/digest';
import { type Multihash } from './store';

/** The CID of a block whose codec is unknown: raw, version 1. */
export const rawCid = (key: Multihash): CID => CID.createV1(RAW, Digest.decode(key));
