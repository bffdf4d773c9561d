import { encodeType } from '../../../eth/typed-data';
import { type Hex } from '../../../eth/bytes';
import { type Effect } from '../../effects/effect';
import { type Line } from '../../explanation';
import { address, quote, text } from '../../words/lines';
import { quotable } from '../../words/text';
import { utcTime } from '../../words/time';
import { addressOf, contractLine, digitsOf, type TypedReading, type TypedRule, type TypedScene, uintOf } from './rule';

/** Messages that give a key, a session or other signers power over an account, by protocol. */

/** The longest key or list that a sentence quotes. */
const MAX_QUOTED = 60;

/** Somebody, or a key that is no address, may do something. */
const grants = (what: string, by?: Hex): Effect => ({
  kind: 'control',
  by,
  does: (name) => `lets ${by === undefined ? 'a key' : name(by)} ${what}`,
});

/** A reading whose rows are all on the open part. */
const reading = (title: string, effects: readonly Effect[], open: readonly Line[]): TypedReading => ({
  title,
  effects,
  open,
  isListed: true,
});

const endRow = (seconds: bigint, written: bigint, { findings }: TypedScene): Line =>
  text('Until', seconds === 0n ? 'no end' : findings.signed.wrote(written, utcTime(seconds)));

/** Kernel's `ValidationId`: a type, then a validator's address or the four bytes of a permission. */
const VALIDATOR = '01';
const PERMISSION = '02';

/** Kernel 3: the account accepts what a validator signs from now on, with the first operation that it signs. */
const kernelEnable: TypedRule['read'] = (message, { contract }) => {
  const digits = digitsOf(message, 'validationId');
  const kind = digits.slice(0, 2);
  const validator: Hex | undefined = kind === VALIDATOR ? `0x${digits.slice(2)}` : undefined;
  const account = contract === undefined ? 'an account' : undefined;
  const permission = kind === PERMISSION ? ` (permission 0x${digits.slice(2, 10)})` : '';
  return reading(
    'Let another key act for a Kernel account',
    [
      {
        kind: 'control',
        by: validator,
        does: (name) =>
          `lets ${validator === undefined ? `a key${permission}` : `the validator ${name(validator)}`} act for ${account ?? name(contract as Hex)}, within limits that Keystead cannot read`,
      },
    ],
    [contractLine('Account', contract)],
  );
};

const HYPERLIQUID = 'Your account at Hyperliquid';

/** The addresses that a text of JSON or the like names. */
const addressesIn = (value: string): Hex[] => (value.match(/0x[0-9a-f]{40}(?![0-9a-f])/giu) ?? []) as Hex[];

/** Grants of keys and sessions that have a rule of their own. */
export const KEY_RULES: readonly TypedRule[] = [
  {
    type: (types, primaryType) =>
      primaryType === 'Enable' && /^Enable\(bytes21 validationId,uint32 nonce,/u.test(encodeType(types, primaryType)),
    read: kernelEnable,
  },
  {
    type: 'HyperliquidTransaction:ApproveAgent(string hyperliquidChain,address agentAddress,string agentName,uint64 nonce)',
    read: (message) => {
      const agent = addressOf(message, 'agentAddress');
      return reading(
        'Let another key trade for you at Hyperliquid',
        [grants('trade for your account at Hyperliquid, without an end that this message names', agent)],
        [quote('Name of the agent', String(message.agentName), 'the data')],
      );
    },
  },
  {
    type: 'HyperliquidTransaction:ConvertToMultiSigUser(string hyperliquidChain,string signers,uint64 nonce)',
    read: (message) => {
      const signers = String(message.signers);
      const named = addressesIn(signers);
      return reading(
        'Hand your Hyperliquid account over to other signers',
        named.length === 0
          ? [{ kind: 'control', does: () => 'changes who controls your account at Hyperliquid' }]
          : named.map((signer) => ({
              kind: 'control',
              by: signer,
              does: (name) => `makes ${name(signer)} a signer of your account at Hyperliquid, in place of your own key`,
            })),
        [text('Account', HYPERLIQUID), quote('Signers', signers, 'the data')],
      );
    },
  },
  {
    type: 'HyperliquidTransaction:ApproveBuilderFee(string hyperliquidChain,string maxFeeRate,address builder,uint64 nonce)',
    read: (message) => {
      const builder = addressOf(message, 'builder');
      const rate = quotable(String(message.maxFeeRate), MAX_QUOTED);
      return reading(
        'Let somebody charge a fee at Hyperliquid',
        [{ kind: 'permission', what: 'described', to: builder }],
        [address('Builder', builder), quote('Fee at most', rate, 'the data')],
      );
    },
  },
  {
    type: 'AddOrderlyKey(string brokerId,uint256 chainId,string orderlyKey,string scope,uint64 timestamp,uint64 expiration)',
    read: (message, scene) => {
      const milliseconds = uintOf(message, 'expiration');
      const scope = quotable(String(message.scope), MAX_QUOTED);
      return reading(
        'Let another key act for your Orderly account',
        [grants(`act for your account at Orderly (“${scope}”)`)],
        [
          quote('Key', String(message.orderlyKey), 'the data'),
          quote('It may', String(message.scope), 'the data'),
          quote('Broker', String(message.brokerId), 'the data'),
          endRow(milliseconds / 1000n, milliseconds, scene),
        ],
      );
    },
  },
  // The signature is the seed of the key, so whoever has it has the key.
  {
    type: 'dYdX(string action,string onlySignOn)',
    read: (message) =>
      reading(
        'Make the key of a dYdX account',
        [
          {
            kind: 'control',
            does: () => 'makes the key of your dYdX account: whoever gets the signature can trade and withdraw there',
          },
        ],
        [
          quote('Action', String(message.action), 'the data'),
          quote('Only for', String(message.onlySignOn), 'the data'),
        ],
      ),
  },
  {
    type: 'dYdX(string action)',
    read: (message) =>
      reading(
        'Make the key of a dYdX account',
        [
          {
            kind: 'control',
            does: () => 'makes the key of your dYdX account: whoever gets the signature can trade and withdraw there',
          },
        ],
        [quote('Action', String(message.action), 'the data')],
      ),
  },
  {
    type: 'Add(address owner,uint256 keyType,bytes key,uint8 metadataType,bytes metadata,uint256 nonce,uint256 deadline)',
    read: (message, scene) =>
      reading(
        'Let another key act for your Farcaster account',
        [grants('post and act for your account at Farcaster, until you remove it')],
        [
          text('Key', `0x${digitsOf(message, 'key')}`),
          address('Account', addressOf(message, 'owner')),
          endRow(uintOf(message, 'deadline'), uintOf(message, 'deadline'), scene),
        ],
      ),
  },
  ...[
    'Transfer(uint256 fid,address to,uint256 nonce,uint256 deadline)',
    'ChangeRecoveryAddress(uint256 fid,address from,address to,uint256 nonce,uint256 deadline)',
  ].map((type, at): TypedRule => ({
    type,
    read: (message, scene) => {
      const to = addressOf(message, 'to');
      const id = uintOf(message, 'fid');
      const what = at === 0 ? 'owns' : 'can recover, and so take,';
      return reading(
        at === 0 ? `Give away Farcaster account ${id}` : `Let another account recover Farcaster account ${id}`,
        [{ kind: 'control', by: to, does: (name) => `means that ${name(to)} ${what} Farcaster account ${id}` }],
        [
          text('Farcaster account', scene.findings.signed.wrote(id, id.toString())),
          endRow(uintOf(message, 'deadline'), uintOf(message, 'deadline'), scene),
        ],
      );
    },
  })),
];
