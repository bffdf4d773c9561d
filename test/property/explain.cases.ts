import fc from 'fast-check';
import { type AbiParameter, decodeFunctionData, encodeFunctionData, getAddress, isAddress, parseAbi } from 'viem';

import { type Hex, toHex } from '../../src/core/eth/bytes';
import { typedDataDigest } from '../../src/core/eth/typed-data';
import { CALL_RULES } from '../../src/core/decode/rules/calls';
import { explainMessage } from '../../src/core/decode/explain/message';
import { parseSignIn } from '../../src/core/decode/words/siwe';
import { explainTypedData } from '../../src/core/decode/explain/typed-data';
import { anyTypedData, hexOf } from '../support/any-typed-data';
import { ALICE, explainCall, VIEW } from '../support/explaining';
import { anyText, fuzzing } from '../support/fuzz';

const anyBytes = fc.uint8Array({ maxLength: 300 }).map(toHex);

/** A value of an ABI type, as viem expects it. */
function valueOf(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const { type } = parameter;
  if (type.endsWith('[]')) return fc.array(valueOf({ ...parameter, type: type.slice(0, -2) }), { maxLength: 3 });
  if (type === 'tuple') {
    const { components } = parameter as AbiParameter & { components: readonly AbiParameter[] };
    return fc.tuple(...components.map(valueOf));
  }
  if (type === 'address') return hexOf(20);
  if (type === 'bool') return fc.boolean();
  if (type === 'bytes') return anyBytes;
  if (type === 'string') return fc.string({ maxLength: 40 });
  if (type === 'bytes32') return hexOf(32);
  const bits = Number(/^uint(\d+)$/u.exec(type)?.[1]);
  const value = fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
  return bits <= 48 ? value.map(Number) : value;
}

const abiOf = (signature: string) => parseAbi([`function ${signature}`] as string[]);

/** A call of one of these functions, with any arguments. */
const anyCallOf = (rules: typeof CALL_RULES) =>
  fc.constantFrom(...rules).chain(({ signature }) => {
    const abi = abiOf(signature);
    const [definition] = abi as readonly { inputs: readonly AbiParameter[] }[];
    return fc
      .tuple(...(definition?.inputs ?? []).map(valueOf))
      .map((args) => ({ abi, data: encodeFunctionData({ abi, args } as never) }));
  });
const anyKnownCall = anyCallOf(CALL_RULES);

/** All addresses and numbers that an independent decoder finds, at any depth. */
function contentsOf(value: unknown, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) contentsOf(item, found);
  else if (typeof value === 'bigint' || typeof value === 'number') found.add(value.toString());
  else if (typeof value === 'string') found.add(isAddress(value, { strict: false }) ? getAddress(value) : value);
  return found;
}

describe('an explanation', () => {
  it('shows only addresses and amounts that viem finds in the call', () => {
    fc.assert(
      fc.property(anyKnownCall, ({ abi, data }) => {
        const section = explainCall(ALICE, data).sections[0]!;
        const { args } = decodeFunctionData({ abi, data }) as { args?: unknown };
        const found = contentsOf(args ?? [], new Set([ALICE]));
        // MultiSend and ERC-7579 pack their calls, which viem does not decode. The table tests cover them.
        for (const line of section.lines) {
          if (line.kind === 'address') expect(found).toContain(getAddress(line.value));
          const amount = /^(\d+) \(in the token's smallest unit\)$/u.exec(line.value)?.[1];
          if (amount !== undefined) expect(found).toContain(amount);
          if (/^(?:Token ID|Kind|Required signatures)$/u.test(line.label)) expect(found).toContain(line.value);
        }
      }),
      fuzzing(1000),
    );
  });

  it('decodes every call that viem encodes, except contradictory arguments', () => {
    const paired = /^(?:safeBatchTransferFrom|executeBatch|multiSend|execute\(bytes32|execTransaction|executeUserOp)/u;
    // The signer of a passkey is known only at Safe's factory.
    const whole = CALL_RULES.filter(
      ({ signature }) => !paired.test(signature) && !signature.startsWith('createSigner('),
    );
    fc.assert(
      fc.property(anyCallOf(whole), ({ data }) => {
        expect(explainCall(ALICE, data).sections[0]!.title).not.toBe('Unknown call');
      }),
      fuzzing(500),
    );
  });

  it('never throws on a call, valid or broken', () => {
    const broken = fc
      .tuple(anyKnownCall, fc.nat(), fc.nat({ max: 255 }), fc.nat())
      .map(([{ data }, at, byte, cut]): Hex => {
        const bytes = Buffer.from(data.slice(2), 'hex');
        bytes[4 + (at % Math.max(1, bytes.length - 4))] = byte;
        return toHex(bytes.subarray(0, Math.max(1, bytes.length - (cut % 40))));
      });
    fc.assert(
      fc.property(fc.oneof(broken, anyBytes), (data) => {
        expect(explainCall(ALICE, data).title).not.toBe('');
      }),
      fuzzing(1000),
    );
  });

  it('never throws on typed data that can be hashed', () => {
    fc.assert(
      fc.property(anyTypedData, (data) => {
        typedDataDigest(data);
        expect(explainTypedData(data, VIEW).sections.length).toBeGreaterThan(0);
      }),
      fuzzing(300),
    );
  });

  it('never throws on a message of bytes, text or a broken sign-in', () => {
    const nearlySignIn = fc
      .tuple(fc.string({ unit: 'grapheme' }), fc.string(), fc.array(anyText(), { maxLength: 8 }))
      .map(([domain, address, lines]) =>
        [`${domain} wants you to sign in with your Ethereum account:`, address, '', ...lines].join('\n'),
      );
    fc.assert(
      fc.property(fc.oneof(anyBytes, nearlySignIn), (message) => {
        const hex = message.startsWith('0x') ? (message as Hex) : toHex(new TextEncoder().encode(message));
        expect(explainMessage(hex, { ...VIEW, origin: 'https://example.com' }).lines.length).toBeGreaterThan(0);
        expect(() => parseSignIn(message)).not.toThrow();
      }),
      fuzzing(500),
    );
  });
});
