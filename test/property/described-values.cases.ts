import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbiItem,
  toHex,
} from 'viem';

import { membersOf } from '../../scripts/contract-metadata/leaves';
import { REGISTRY } from '../../scripts/contract-metadata/registry';
import { withIncludes } from '../../scripts/contract-metadata/source';
import { type Hex } from '../../src/core/eth/bytes';
import { explainAction } from '../../src/core/decode/explain/transaction';
import { type Explanation } from '../../src/core/decode/explanation';
import { NO_METADATA } from '../../src/core/decode/metadata/contract-metadata';
import { bundledTokens, compiled } from '../support/contract-metadata';
import { explainTyped, typedData, VIEW, written } from '../support/explaining';
import { perRun } from '../support/nightly';

const view = {
  ...VIEW,
  contractMetadata: {
    ...NO_METADATA,
    shards: { ...Object.fromEntries([...'0123456789abcdef'].map((digit) => [digit, null])), ...compiled.shards },
    tokens: bundledTokens,
    // No contract says anything about itself.
    declared: new Proxy(
      {},
      { getOwnPropertyDescriptor: () => ({ value: null, configurable: true, enumerable: true }), get: () => null },
    ),
  },
};

/** What the open part of a screen says, and its alarms. */
const open = ({ title, changes, main, warnings, dangers }: Explanation): string =>
  [title, ...[...changes, ...main].map(written), ...warnings, ...dangers.map(({ code }) => code)].join('\n');

/** A value that a request signs, by its place, and how to set another one. */
type Leaf = { readonly name: string; readonly kind: 'address' | 'amount'; readonly change: () => () => void };

type Made = { readonly value: unknown };

/** Names of times, which a screen writes as such. */
const TIME = /deadline|expir|valid|(?:^|\.)end$/iu;

/** Makes values of parameters, each of them different, and lists those that a person must be told. */
class Maker {
  #count = 0;
  readonly leaves: Leaf[] = [];

  /** @param number - How a number is written in the request. */
  constructor(readonly number: (value: bigint, bits: number) => unknown) {}

  #fresh(): Hex {
    return keccak256(toHex(`value ${++this.#count}`));
  }

  of(parameter: AbiParameter, name: string, set: (value: unknown) => void): Made {
    const { type } = parameter;
    const list = /^(.*)\[(\d*)\]$/u.exec(type);
    if (list !== null) {
      const items: unknown[] = [];
      const count = list[2] === '' ? 2 : Number(list[2]);
      for (let at = 0; at < count; at++)
        items[at] = this.of({ ...parameter, type: list[1]! } as AbiParameter, `${name}[${at}]`, (value) => {
          items[at] = value;
        }).value;
      return { value: items };
    }
    if ('components' in parameter) {
      const struct: Record<string, unknown> = {};
      for (const member of parameter.components) {
        const key = member.name ?? '';
        struct[key] = this.of(member, `${name}.${key}`, (value) => {
          struct[key] = value;
        }).value;
      }
      return { value: struct };
    }
    if (type === 'address')
      return { value: this.#leaf(name, 'address', () => getAddress(this.#fresh().slice(0, 42)), set) };
    const bits = Number(/^u?int(\d+)$/u.exec(type)?.[1] ?? 0);
    // Smaller ones are kinds, times and counts.
    if (bits >= 96 && !TIME.test(name))
      return {
        value: this.#leaf(name, 'amount', () => this.number((BigInt(this.#fresh()) >> 176n) | (1n << 70n), bits), set),
      };
    if (type === 'bool') return { value: false };
    if (type === 'string') return { value: '' };
    if (type === 'bytes') return { value: '0x' };
    if (type.startsWith('bytes')) return { value: `0x${'00'.repeat(Number(type.slice(5)))}` };
    return { value: this.number(1n, bits) };
  }

  #leaf(name: string, kind: Leaf['kind'], make: () => unknown, set: (value: unknown) => void): unknown {
    const before = make();
    this.leaves.push({
      name,
      kind,
      change: () => {
        set(make());
        return () => {
          set(before);
        };
      },
    });
    return before;
  }
}

/** Changes one value at a time, and looks whether the open part is another one. */
function unsaidOf(what: string, maker: Maker, explain: () => Explanation): string[] {
  const before = open(explain());
  return maker.leaves.flatMap(({ name, kind, change }) => {
    const back = change();
    const after = open(explain());
    back();
    return after === before ? [`${what}: ${kind} ${name}`] : [];
  });
}

/** The formats of the registry, each once: many contracts share one. A third of them every day. */
const all = [
  ...new Map(
    Object.keys(REGISTRY)
      .sort()
      .flatMap((path) => {
        const source = withIncludes(REGISTRY, path);
        const isOfMessages = source.context?.eip712 !== undefined;
        return Object.entries(source.display?.formats ?? {}).map(
          ([key, format]) => [`${isOfMessages} ${key} ${JSON.stringify(format)}`, { path, key, source }] as const,
        );
      }),
  ).values(),
].filter((_format, at) => perRun(at % 3 === 0, true));

describe('whatever a descriptor of the registry leaves out, each address and each amount', () => {
  it('of a call is on the open part', () => {
    const unsaid = all.flatMap(({ path, key, source }) => {
      const [deployment] = source.context?.contract?.deployments ?? [];
      if (deployment === undefined) return [];
      const abi = parseAbiItem(`function ${key}` as 'function f()') as unknown as AbiFunction;
      const maker = new Maker((value, bits) => (bits <= 48 ? Number(value) : value));
      const args: unknown[] = [];
      abi.inputs.forEach((input, at) => {
        args[at] = maker.of(input, input.name ?? '', (value) => {
          args[at] = value;
        }).value;
      });
      const to = deployment.address.toLowerCase() as Hex;
      return unsaidOf(`${path} ${key}`, maker, () => {
        const data = encodeFunctionData({ abi: [abi], args } as never);
        return explainAction({ to, value: 0n, data, chainId: BigInt(deployment.chainId) }, view);
      });
    });
    expect(unsaid).toEqual([]);
  });

  it('of a message is on the open part', () => {
    const unsaid = all.flatMap(({ path, key, source }) => {
      const { deployments = [], domain = {} } = source.context?.eip712 ?? {};
      const [deployment] = deployments;
      if (deployment === undefined) return [];
      const maker = new Maker(String);
      const message: Record<string, unknown> = {};
      for (const member of membersOf(key)) {
        const name = member.name ?? '';
        message[name] = maker.of(member, name, (value) => {
          message[name] = value;
        }).value;
      }
      const whole = { ...domain, chainId: deployment.chainId, verifyingContract: deployment.address };
      return unsaidOf(`${path} ${key}`, maker, () => explainTyped(typedData(key, whole, message), view));
    });
    expect(unsaid).toEqual([]);
  });
});
