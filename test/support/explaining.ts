import { type Json } from '@metamask/snaps-sdk';
import { getAddress } from 'viem';

import { type Hex } from '../../src/core/eth/bytes';
import { type TypedData, typedDataDigest, type TypedDataTypes } from '../../src/core/eth/typed-data';
import { explainAction } from '../../src/core/decode/explain/transaction';
import { explainTypedData } from '../../src/core/decode/explain/typed-data';
import { type DangerCode } from '../../src/core/decode/effects/dangers';
import { type Explanation, type Line, type Section, type Viewpoint } from '../../src/core/decode/explanation';

export const ME: Hex = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
export const ALICE: Hex = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const BOB: Hex = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
export const USDC: Hex = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
/** 2026-01-01T00:00:00Z. */
export const NOW = 1_767_225_600n;
export const VIEW: Viewpoint = { signer: ME, now: NOW };

/** A transaction on Ethereum with EIP-1559 fees, as the wallet passes it. */
export const transaction = (fields: Readonly<Record<string, Json>> = {}) => ({
  type: '0x2',
  nonce: '0x7',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x3b9aca00',
  gasLimit: '0x5208',
  to: USDC,
  value: '0x0',
  data: '0x',
  chainId: '0x1',
  from: ME,
  ...fields,
});

export const codesOf = ({ dangers }: Explanation): DangerCode[] => dangers.map(({ code }) => code).sort();

/** A line as a screen shows it. */
export const written = ({ kind, label, value }: Line): string =>
  `${label}: ${kind === 'address' ? getAddress(value) : value}`;

/** A text without the commas in its numbers, as others write amounts. */
export const ungrouped = (text: string): string => text.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, '');

/** All texts of a section, its own lines first. */
export const saidBy = ({ title, lines, sections }: Section): string[] => [
  title,
  ...lines.map(written),
  ...sections.flatMap(saidBy),
];

/** All texts of an explanation except its body. */
export const saying = (explanation: Explanation): string => {
  const { title, changes, main, network = '', fee = '', lines, sections, warnings, dangers } = explanation;
  return [
    title,
    ...[...changes, ...main].map(written),
    `Network: ${network}`,
    `Network fee: ${fee}`,
    ...lines.map(written),
    ...sections.flatMap(saidBy),
    ...warnings,
    ...dangers.map(({ text }) => text),
  ].join('\n');
};

export const explainCall = (to: Hex, data: Hex, { value = 0n, view = VIEW } = {}): Explanation =>
  explainAction({ to, value, data, chainId: 1n }, view);

/** The struct definitions in an encodeType string (EIP-712). */
export const typesOf = (encodedType: string): TypedDataTypes =>
  Object.fromEntries(
    [...encodedType.matchAll(/([A-Za-z_$][\w$:]*)\(([^)]*)\)/gu)].map(([, name, members]) => [
      name as string,
      (members as string).split(',').map((member) => {
        const [type, memberName] = member.split(' ');
        return { type: type as string, name: memberName as string };
      }),
    ]),
  );

const DOMAIN_TYPES: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
};

/** Typed data that declares its domain's members, as sites send it. */
export function typedData(
  encodedType: string,
  domain: Readonly<Record<string, unknown>>,
  message: Readonly<Record<string, unknown>>,
): TypedData {
  const members = Object.keys(DOMAIN_TYPES).filter((name) => name in domain);
  return {
    types: {
      EIP712Domain: members.map((name) => ({ name, type: DOMAIN_TYPES[name] as string })),
      ...typesOf(encodedType),
    },
    primaryType: encodedType.slice(0, encodedType.indexOf('(')),
    domain,
    message,
  };
}

/** Hashes typed data, which validates it, and explains it. */
export function explainTyped(data: TypedData, view: Viewpoint = VIEW): Explanation {
  typedDataDigest(data);
  return explainTypedData(data, view);
}
