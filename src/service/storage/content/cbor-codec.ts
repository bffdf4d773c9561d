import { isUtf8 } from 'node:buffer';
import * as dagCbor from '@ipld/dag-cbor';
import { decode, type DecodeOptions, encode, type EncodeOptions, Token, Tokenizer, Type } from 'cborg';
import { CID } from 'multiformats/cid';
import { floatOf, mustHaveNames, WholeFloat } from './data-model';
import { NodeBounds } from './node-bounds';

/** The smallest integer of the data model. */
const MIN_INT64 = -(2n ** 63n);

/** Bytes of the head of a text, by the last five bits of its first byte. */
const HEADS: Readonly<Record<number, number>> = { 24: 2, 25: 3, 26: 5, 27: 9 };

/** @throws TypeError for text that is not UTF-8: written again, it would be other bytes. */
function mustBeText(data: Uint8Array, end: number, length: number): void {
  const start = end - length;
  const head = HEADS[(data[start] ?? 0) & 0x1f] ?? 1;
  if (!isUtf8(data.subarray(start + head, end))) throw new TypeError('text is not UTF-8');
}

/** Distinguishes whole floats from integers, and enforces the bounds of a node. */
class CborTokenizer extends Tokenizer {
  readonly #bounds = new NodeBounds();
  readonly #isStrict: boolean;

  /** @param isStrict - Whether a value must be written again as it is. */
  constructor(bytes: Uint8Array, options: DecodeOptions, isStrict: boolean) {
    super(bytes, options);
    this.#isStrict = isStrict;
  }

  override next(): Token {
    const token = super.next();
    this.#bounds.take(token);
    if (!this.#isStrict) return token;
    if (Type.equals(token.type, Type.string)) mustBeText(this.data, this.pos(), token.encodedLength ?? 0);
    else if (Type.equals(token.type, Type.negint) && (token.value as number | bigint) < MIN_INT64)
      throw new RangeError('an integer is below -2^63');
    return Type.equals(token.type, Type.float)
      ? new Token(Type.float, floatOf(token.value as number), token.encodedLength)
      : token;
  }
}

type TypeEncoders = NonNullable<EncodeOptions['typeEncoders']>;

const LIBRARY_ENCODERS: TypeEncoders = dagCbor.encodeOptions.typeEncoders;

/** Encoders of the data model shared by both codecs; links are specific to each. */
const DATA_MODEL_ENCODERS: TypeEncoders = {
  ...LIBRARY_ENCODERS,
  Map: (map: ReadonlyMap<unknown, unknown>) => {
    mustHaveNames(map);
    return null;
  },
  Object: (value: object) => (value instanceof WholeFloat ? new Token(Type.float, value.value) : null),
  string: (text: string) => {
    if (!text.isWellFormed()) throw new TypeError('text has half of a surrogate pair, which UTF-8 cannot write');
    return null;
  },
};

const DAG_CBOR: EncodeOptions = {
  ...dagCbor.encodeOptions,
  typeEncoders: {
    ...DATA_MODEL_ENCODERS,
    Object: (value: object, ...rest) =>
      DATA_MODEL_ENCODERS['Object']?.(value, ...rest) ?? LIBRARY_ENCODERS['Object']?.(value, ...rest) ?? null,
  },
};

/** CBOR without links, with maps in their given order. */
const CBOR: EncodeOptions = {
  float64: true,
  mapSorter: () => 0,
  typeEncoders: {
    ...DATA_MODEL_ENCODERS,
    Object: (value: object, ...rest) => {
      if (CID.asCID(value) !== null) throw new TypeError('cannot Marshal ipld links to CBOR');
      return DATA_MODEL_ENCODERS['Object']?.(value, ...rest) ?? null;
    },
  },
};

/** As in Kubo, non-canonical input is accepted. */
const DECODING: DecodeOptions = {
  ...dagCbor.decodeOptions,
  allowIndefinite: true,
  strict: false,
  useMaps: true,
};

const decodeWith = (bytes: Uint8Array, options: DecodeOptions, isStrict = true): unknown =>
  decode(bytes, { ...options, tokenizer: new CborTokenizer(bytes, options, isStrict) });

const WITHOUT_LINKS: DecodeOptions = {
  ...DECODING,
  tags: {
    42: () => {
      throw new TypeError('unhandled cbor tag 42');
    },
  },
};

export const dagCborCodec = {
  code: dagCbor.code,
  encode: (value: unknown): Uint8Array => encode(value, DAG_CBOR),
  decode: (bytes: Uint8Array): unknown => decodeWith(bytes, DECODING),
  /** What is pinned must be followed, whatever its texts and numbers are. */
  decodeForLinks: (bytes: Uint8Array): unknown => decodeWith(bytes, DECODING, false),
};

export const cborCodec = {
  code: 0x51,
  encode: (value: unknown): Uint8Array => encode(value, CBOR),
  decode: (bytes: Uint8Array): unknown => decodeWith(bytes, WITHOUT_LINKS),
};
