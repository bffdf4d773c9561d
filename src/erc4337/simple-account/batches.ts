import { InvalidParamsError } from '../../errors';
import { fromHex, type Hex } from '../../eth/bytes';
import {
  type AbiItem,
  addressItem,
  bytesItem,
  listItem,
  readAddress,
  readBytes,
  readList,
  readOffset,
  readUint,
  tupleItem,
  uintItem,
} from '../abi';
import { type Call } from '../user-operation';

/** A call as it stands in call data: a view of its bytes, nothing copied yet. */
export type CallView = { readonly to: Hex; readonly value: bigint; readonly data: Uint8Array };

/** How a version of SimpleAccount takes several calls at once. */
export type Batch = {
  readonly selector: Hex;
  /** @throws {InvalidParamsError} If this version's batch cannot say it. */
  readonly encode: (calls: readonly Call[]) => AbiItem[];
  /**
   * @param data - The arguments, without the selector.
   * @throws {RangeError} If they are no such arguments.
   */
  readonly decode: (data: Uint8Array) => CallView[];
};

const addresses = (calls: readonly Call[]): AbiItem => listItem(calls.map(({ to }) => addressItem(to)));
const values = (calls: readonly Call[]): AbiItem => listItem(calls.map(({ value }) => uintItem(value)));
const datas = (calls: readonly Call[]): AbiItem => listItem(calls.map(({ data }) => bytesItem(fromHex(data))));

const readAddresses = readList(readAddress, false);
const readValues = readList(readUint, false);
const readDatas = readList(readBytes, true);

function zipped(to: readonly Hex[], value: readonly bigint[], data: readonly Uint8Array[]): CallView[] {
  return to.map((recipient, index) => {
    const [wei, bytes] = [value[index], data[index]];
    if (wei === undefined || bytes === undefined) throw new RangeError('the lists differ in length');
    return { to: recipient, value: wei, data: bytes };
  });
}

/** 0.6: `executeBatch(address[],bytes[])`. It cannot send value. */
export const BATCH_06: Batch = {
  selector: '0x18dfb3c7',
  encode: (calls) => {
    calls.forEach(({ value }, index) => {
      if (value !== 0n)
        throw new InvalidParamsError(
          `intents[${index}].value`,
          'must be 0x0: a SimpleAccount 0.6 cannot send value in a batch; send it as an operation of its own',
        );
    });
    return [addresses(calls), datas(calls)];
  },
  decode: (data) => {
    const to = readAddresses(data, readOffset(data, 0, 0));
    return zipped(
      to,
      to.map(() => 0n),
      readDatas(data, readOffset(data, 0, 32)),
    );
  },
};

/** 0.7: `executeBatch(address[],uint256[],bytes[])`. */
export const BATCH_07: Batch = {
  selector: '0x47e1da2a',
  encode: (calls) => [addresses(calls), values(calls), datas(calls)],
  decode: (data) =>
    zipped(
      readAddresses(data, readOffset(data, 0, 0)),
      readValues(data, readOffset(data, 0, 32)),
      readDatas(data, readOffset(data, 0, 64)),
    ),
};

const readCall = (data: Uint8Array, at: number): CallView => ({
  to: readAddress(data, at),
  value: readUint(data, at + 32),
  data: readBytes(data, readOffset(data, at, at + 64)),
});

/** 0.8: `executeBatch((address target,uint256 value,bytes data)[])`. */
export const BATCH_08: Batch = {
  selector: '0x34fcd5be',
  encode: (calls) => [
    listItem(
      calls.map(({ to, value, data }) => tupleItem([addressItem(to), uintItem(value), bytesItem(fromHex(data))])),
    ),
  ],
  decode: (data) => readList(readCall, true)(data, readOffset(data, 0, 0)),
};
