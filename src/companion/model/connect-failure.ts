import { MINIMUM_METAMASK_VERSION } from '../../core/minimum-wallet';
import { messageOf } from './errors';
import { type HostWallet } from './wallets';

/** The circumstances of a connection: the wallet, the snap and the page. */
export type Attempt = {
  readonly wallet: Pick<HostWallet, 'name' | 'isFlask' | 'isSimulated'>;
  /** The version that the wallet reports, such as "13.36.0"; undefined if it reports none. */
  readonly version: string | undefined;
  readonly snapId: string;
  /** The page's protocol, as `location.protocol` has it. */
  readonly protocol: string;
};

/**
 * @returns The version in what a wallet answers to `web3_clientVersion`, such as "MetaMask/v13.36.0"; undefined for
 * others.
 */
export const versionIn = (answer: unknown): string | undefined =>
  typeof answer === 'string' ? /^MetaMask\/v(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?)/u.exec(answer)?.[1] : undefined;

/** @returns Whether one version is older than another. Parts that are missing count as 0. */
export function isOlder(version: string, than: string): boolean {
  const [have, need] = [version, than].map((text) => text.split('.').map(Number));
  for (const [index, part] of (need ?? []).entries()) {
    const own = have?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

const tooOld = (name: string): string =>
  `This ${name} is too old for Keystead. Update it to version ${MINIMUM_METAMASK_VERSION} or newer, then connect again.`;

const NEEDS_HTTPS =
  'MetaMask lets only https pages manage accounts, and this page has an http address. Use MetaMask Flask, which also allows http.';
const NEEDS_FLASK = 'MetaMask installs only published snaps. Use MetaMask Flask, which installs any snap.';

/** MetaMask's own words for why it refuses a snap or a page, with what to do about it. */
const CAUSES: readonly (readonly [RegExp, (attempt: Attempt) => string])[] = [
  [/requires platform version .* greater than the current platform version/u, ({ wallet }) => tooOld(wallet.name)],
  [/is not on the allowlist|Fetching local snaps is disabled/u, () => NEEDS_FLASK],
  [
    /The origin .* is not allowed to invoke the method/u,
    ({ wallet, protocol }) =>
      protocol === 'https:' || wallet.isFlask
        ? `${wallet.name} does not let this page manage accounts. Open the page that Keystead was built for.`
        : NEEDS_HTTPS,
  ],
  [
    /registry is temporarily unavailable/u,
    ({ wallet }) =>
      `${wallet.name} could not check the snap, because its list of snaps is unavailable. Try again later.`,
  ],
  [
    /Installing Snaps is currently disabled/u,
    ({ wallet }) => `This version of ${wallet.name} installs no snaps. Update it, then connect again.`,
  ],
  [
    /Failed to fetch|could not be fetched|status code|ECONNREFUSED|NetworkError/iu,
    ({ wallet, snapId }) =>
      snapId.startsWith('local:')
        ? `${wallet.name} cannot load Keystead from ${snapId.slice('local:'.length)}. Check that what serves it is running there.`
        : `${wallet.name} cannot load the snap ${snapId}. Check your connection to the internet, and the snap’s ID.`,
  ],
];

/** @returns Why a wallet did not connect, and what to do, for people. */
export function connectFailure(error: unknown, attempt: Attempt): string {
  const message = messageOf(error);
  const cause = CAUSES.find(([words]) => words.test(message));
  if (cause !== undefined) return cause[1](attempt);
  const { wallet, version } = attempt;
  return version !== undefined && isOlder(version, MINIMUM_METAMASK_VERSION)
    ? `${tooOld(wallet.name)} (${message})`
    : message;
}

/** @returns What will keep a wallet from connecting, or from working once it is; empty if nothing is known to. */
export function connectCautions({ wallet, version, snapId, protocol }: Attempt): readonly string[] {
  if (wallet.isSimulated) return [];
  const isTooOld = version !== undefined && isOlder(version, MINIMUM_METAMASK_VERSION);
  return [
    ...(isTooOld
      ? [
          `Version ${version} is too old: some of Keystead’s screens do not open in it. Update ${wallet.name} to version ${MINIMUM_METAMASK_VERSION} or newer.`,
        ]
      : []),
    ...(wallet.isFlask || !snapId.startsWith('local:') ? [] : [NEEDS_FLASK]),
    ...(wallet.isFlask || protocol === 'https:' ? [] : [NEEDS_HTTPS]),
  ];
}
