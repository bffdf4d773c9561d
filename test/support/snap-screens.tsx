import { PROGRESS } from '../../src/core/calls/progress';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Explanation, type Line } from '../../src/core/decode/explanation';
import { type Permission } from '../../src/core/ledger/permissions';
import { type Kept } from '../../src/core/ledger/signed/kept';
import { networkOf } from '../../src/core/networks/network';
import { noticeWords, type NoticeWords } from '../../src/core/safe/recovery/notice';
import { type ChainConfiguration } from '../../src/core/schemas/chain-configuration';
import { AddDelegateScreen } from '../../src/snap/screens/add-delegate';
import { BackUpScreen } from '../../src/snap/screens/back-up';
import { CallsStatusScreen, type ShownBatch } from '../../src/snap/screens/calls-status';
import { ConfirmFailureScreen, ConfirmSignatureScreen } from '../../src/snap/screens/confirm-signature';
import { ConnectScreen } from '../../src/snap/screens/connect';
import { CustomConfirmationScreen } from '../../src/snap/screens/custom-dialog';
import { DeleteAccountScreen } from '../../src/snap/screens/delete-account';
import { ExportAccountScreen } from '../../src/snap/screens/export-account';
import { CreateAccountScreen } from '../../src/snap/screens/create-account';
import { HomeScreen } from '../../src/snap/screens/home';
import { ImportAccountScreen } from '../../src/snap/screens/import-account';
import { ImportKeyScreen } from '../../src/snap/screens/import-key';
import { RecoveredAccountScreen } from '../../src/snap/screens/recovered-account';
import { InsightScreen } from '../../src/snap/screens/insight';
import { ForgetScreen, InsightsHomeScreen } from '../../src/snap/screens/insights-home';
import { NotDoneScreen } from '../../src/snap/screens/parts';
import { PermissionsScreen, SearchingScreen } from '../../src/snap/screens/insights-home/permissions';
import { AlarmedScreen, AlarmScreen, type ShownAlarm } from '../../src/snap/screens/recovery-alarm';
import { RejectAllScreen } from '../../src/snap/screens/reject-all';
import { RemoveChainScreen } from '../../src/snap/screens/remove-chain';
import { RemoveDelegateScreen } from '../../src/snap/screens/remove-delegate';
import { restorePages, RestoreScreen } from '../../src/snap/screens/restore';
import { SaveContactsScreen } from '../../src/snap/screens/save-contacts';
import { KeptChainScreen, SetChainScreen } from '../../src/snap/screens/set-chain';
import { SetStorageScreen } from '../../src/snap/screens/set-storage';
import { WatchAssetScreen } from '../../src/snap/screens/watch-asset';
import { typedData } from './explaining';
import { watchedAccounts } from './watched-accounts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const HASH = `0x${'5d'.repeat(32)}` as const;

/** Texts as short and as long as a screen may get them. */
export const TEXTS = {
  short: { word: 'a', origin: 'https://a.io', url: 'https://a.io/', name: 'A' },
  long: {
    word: 'W'.repeat(64),
    origin: `https://${'sub.'.repeat(12)}a-long-name-of-a-site.example.com`,
    url: `https://node.example.com/${'path/'.repeat(40)}`,
    name: 'N'.repeat(64),
  },
} as const;
export type Texts = Readonly<Record<keyof (typeof TEXTS)['short'], string>>;

const EMPTY: Explanation = { title: 'T', changes: [], main: [], lines: [], sections: [], warnings: [], dangers: [] };

const kept = ({ origin, word }: Texts): Kept => ({ account: ADDRESS, origin, at: 0, hash: HASH, title: word });

const permitKept = (texts: Texts): Kept => ({
  ...kept(texts),
  chainId: 'eip155:1',
  data: typedData(
    'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    { name: texts.word, version: '1', chainId: 1, verifyingContract: ADDRESS },
    { owner: ADDRESS, spender: ADDRESS, value: '1', nonce: '0', deadline: '99999999999' },
  ) as NonNullable<Kept['data']>,
});

const permissions = (): Permission[] =>
  (['amount', 'permit2', 'nft', 'collection', 'item', 'credit'] as const).map((kind) => ({
    kind,
    token: ADDRESS,
    spender: ADDRESS,
    ...(kind === 'nft' || kind === 'item' ? { id: 7n } : { amount: 2n ** 255n, takeable: 5n }),
    since: { block: 7n, ...(kind !== 'item' && { time: 1_700_000_000n }) },
    ...(kind === 'credit' && { isStuck: true }),
    expires: 1_900_000_000n,
    warnings: ['unlimited', 'old'],
  }));

const explanation = ({ word }: Texts): Explanation => {
  const lines: Line[] = [
    { kind: 'text', label: 'Paymaster data', value: HASH },
    { kind: 'text', label: word, value: `${word} and ${word}` },
    { kind: 'address', label: word, value: ADDRESS },
    { kind: 'quote', label: word, value: word, source: 'the site' },
  ];
  const section = { title: word, lines, sections: [] };
  return {
    title: word,
    changes: lines,
    main: lines,
    network: word,
    fee: word,
    lines,
    sections: [{ ...section, sections: [section, { title: word, lines: [], sections: [] }] }],
    body: { label: 'Data', text: HASH.repeat(50) },
    warnings: [word],
    dangers: [{ code: 'unlimited-approval', text: word }],
  };
};

const chain = ({ url, word }: Texts): ChainConfiguration => ({
  chainId: 'eip155:31337',
  rpcUrl: url,
  bundlerUrl: url,
  paymasterUrl: url,
  explorerUrl: url,
  entryPoint: ADDRESS,
  factory: ADDRESS,
  entryPointVersion: '0.7',
  name: word,
  symbol: word,
  paymasterContext: { policy: word },
});

const batch = ({ origin, name, word }: Texts): ShownBatch => ({
  origin,
  account: ADDRESS,
  accountName: name,
  network: networkOf(1n),
  networkTitle: word,
  calls: 2,
  progress: PROGRESS.seen,
  isWaiting: false,
  replaceable: [HASH],
  sent: { as: 'operation', hash: HASH },
  receipts: [{ transactionHash: HASH }],
});

const alarm = ({ name, word }: Texts): ShownAlarm => ({
  account: ADDRESS,
  accountName: name,
  networkTitle: word,
  newOwners: [ADDRESS, ADDRESS],
  more: 2,
  newThreshold: 2n,
  from: '2026-01-31 23:59:59 UTC',
});

const notices = ({ name, word }: Texts): NoticeWords[] =>
  (['lost', 'cancelled', 'unseen', 'disputed'] as const).map((notice) =>
    noticeWords({ notice, nodes: ['a.example', 'b.example'] }, name, word),
  );

const delegate = { address: ADDRESS, entryPointVersion: '0.8', codeHash: HASH } as const;
const named = ({ name }: Texts) => ({ name, address: ADDRESS }) as const;

/** Every screen of both snaps, by its name in the code. */
export const SCREENS: Readonly<Record<string, (texts: Texts) => JSXElement[]>> = {
  AddDelegateScreen: ({ origin, word }) => [
    AddDelegateScreen({ ...delegate, networkTitle: word, size: 9000, isKnownCode: false, origin }),
    AddDelegateScreen({ ...delegate, networkTitle: word, size: 9000, isKnownCode: true, origin }),
  ],
  AlarmScreen: (texts) => [
    AlarmScreen({ alarms: [alarm(texts), { ...alarm(texts), more: 0, from: undefined }], notices: notices(texts) }),
  ],
  AlarmedScreen: (texts) => [
    AlarmedScreen({
      alarms: [alarm(texts)],
      notices: notices(texts),
      content: DeleteAccountScreen({ account: named(texts), origin: texts.origin, lost: 'key' }),
    }),
  ],
  BackUpScreen: ({ origin, url, word }) => [
    ...[url, undefined].map((to) =>
      BackUpScreen({
        ...{ origin, url: to, accounts: 3, imported: 1, chains: 2, contacts: 4, tokens: 5, signed: 6 },
        ...{ damagedAccounts: 1, damaged: [word] },
      }),
    ),
  ],
  CallsStatusScreen: (texts) => [
    CallsStatusScreen(batch(texts)),
    CallsStatusScreen({ ...batch(texts), sent: { as: 'transactions', items: [{ hash: HASH }, { hash: HASH }] } }),
  ],
  ConfirmFailureScreen: ({ word }) => [ConfirmFailureScreen({ title: word, failure: word })],
  ConfirmSignatureScreen: (texts) => [
    ConfirmSignatureScreen({ explanation: EMPTY, account: named(texts), origin: 'metamask' }),
    ConfirmSignatureScreen({
      explanation: explanation(texts),
      account: named(texts),
      origin: texts.origin,
      originMetadata: { transport: texts.word, selfReportedOrigin: texts.origin },
    }),
  ],
  ConnectScreen: ({ origin, name, word }) => [
    ConnectScreen({ origin, isOwnPage: true, accounts: [], most: 5, created: undefined, network: undefined }),
    ConnectScreen({
      origin,
      isOwnPage: false,
      accounts: [{ id: 'a', name, address: ADDRESS, isChosen: true, isAskedFor: true, signsMessages: false }],
      most: 5,
      created: { type: 'eip155:erc4337', kind: 'safe-0.7', name, isNameGood: false },
      network: word,
    }),
  ],
  CreateAccountScreen: ({ word }) =>
    (['eip155:erc4337', 'eip155:eoa'] as const).flatMap((type) =>
      [word, undefined].map((network) =>
        CreateAccountScreen({ created: { type, kind: 'safe-0.7', name: word, isNameGood: false }, network }),
      ),
    ),
  CustomConfirmationScreen: (texts) => [
    CustomConfirmationScreen({
      content: ConfirmSignatureScreen({
        explanation: explanation(texts),
        account: named(texts),
        origin: texts.origin,
      }),
    }),
  ],
  DeleteAccountScreen: (texts) => [
    DeleteAccountScreen({ account: named(texts), origin: texts.origin, lost: 'key' }),
    DeleteAccountScreen({ account: named(texts), origin: texts.origin, lost: 'address' }),
  ],
  ExportAccountScreen: (texts) => [ExportAccountScreen({ account: named(texts), origin: texts.origin })],
  ForgetScreen: () => [ForgetScreen()],
  HomeScreen: (texts) => [
    HomeScreen({
      alarms: [],
      notices: [],
      accounts: [],
      delegations: [],
      nodes: [],
      signed: { open: [], gone: 0, nodes: [], dropped: 0 },
      sites: [],
      batches: [],
      confirmSignatures: 'never',
      damaged: [],
      saved: false,
      damagedParts: [],
    }),
    HomeScreen({
      alarms: [{ shown: alarm(texts), button: texts.word }],
      notices: notices(texts),
      accounts: [
        {
          address: ADDRESS,
          name: texts.name,
          comesBack: 'with-address' as const,
          kind: 'Safe',
          balances: Array.from({ length: 6 }, () => texts.word),
        },
      ],
      delegations: [
        {
          account: ADDRESS,
          accountName: texts.name,
          chainId: 'eip155:1',
          networkTitle: texts.word,
          delegate: ADDRESS,
          isKnown: false,
        },
      ],
      nodes: [{ networkTitle: texts.word, node: texts.word, site: texts.origin, button: texts.word }],
      signed: {
        open: [
          {
            kept: kept(texts),
            accountName: texts.name,
            networkTitle: texts.word,
            at: '2026-01-01 00:00 UTC',
            until: 'no end',
          },
        ],
        gone: 1,
        nodes: [texts.word],
        dropped: 2,
      },
      sites: [{ origin: texts.origin, accounts: [texts.name] }],
      batches: [batch(texts)],
      confirmSignatures: 'always',
      damaged: [texts.word],
      saved: true,
      damagedParts: ['accounts', texts.word],
      backup: { cid: texts.word, createdAt: '2026-01-01 00:00 UTC' },
    }),
  ],
  ImportAccountScreen: ({ origin }) => [ImportAccountScreen({ address: ADDRESS, origin })],
  ImportKeyScreen: ({ origin }) => [
    ImportKeyScreen({ origin, address: undefined, isWrong: true }),
    ImportKeyScreen({ origin, address: ADDRESS, isWrong: false }),
  ],
  InsightScreen: (texts) => [
    InsightScreen({ explanation: EMPTY }),
    InsightScreen({ explanation: explanation(texts) }),
    InsightScreen({
      explanation: { ...EMPTY, body: { label: 'Message', text: `${texts.word}\n\n${HASH}`, isMessage: true } },
    }),
  ],
  InsightsHomeScreen: (texts) => [
    InsightsHomeScreen({
      accounts: [],
      waiting: 0,
      watching: { watched: [], now: 0, networks: ['eip155:1'] },
      explained: { signed: { open: [], gone: 0, nodes: [], dropped: 0 }, networks: [] },
      asked: { asked: [], chainId: undefined },
    }),
    InsightsHomeScreen({
      accounts: [{ account: ADDRESS, recipients: 3 }],
      waiting: 2,
      watching: {
        watched: watchedAccounts(ADDRESS),
        now: 1e12,
        networks: ['eip155:1'],
        refusal: 'Address: is missing',
      },
      explained: {
        signed: {
          open: [kept(texts), permitKept(texts)].map((one) => ({
            kept: one,
            accountName: 'Account',
            networkTitle: 'Ethereum',
            at: '2026-01-01 00:00 UTC',
            until: 'no end',
          })),
          gone: 2,
          nodes: ['the node of your wallet'],
          dropped: 1,
        },
        networks: ['eip155:1'],
        failure: texts.word,
      },
      asked: {
        asked: [
          { account: ADDRESS, searched: [] },
          { account: ADDRESS, searched: [{ from: 0n, to: 12_345_678n }] },
        ],
        chainId: 'eip155:1',
      },
    }),
  ],
  KeptChainScreen: (texts) => [KeptChainScreen({ after: chain(texts), origin: texts.origin })],
  NotDoneScreen: ({ word }) => [NotDoneScreen({ title: 'Nothing was replaced', why: word })],
  PermissionsScreen: (texts) => [
    PermissionsScreen({ account: ADDRESS, chainId: 'eip155:1', found: { failure: texts.word } }),
    PermissionsScreen({
      account: ADDRESS,
      chainId: 'eip155:1',
      found: {
        node: 'the node of your wallet',
        searched: [{ from: 0n, to: 12_345_678n }],
        refusal: texts.word,
        requestsLeft: 3,
        canary: { kind: 'none' },
        permissions: [],
        from: 0,
        unread: 0,
        leftOut: 0,
        tokens: {},
      },
    }),
    PermissionsScreen({
      account: ADDRESS,
      chainId: 'eip155:1',
      found: {
        node: 'the node of your wallet',
        searched: [{ from: 5n, to: 12_345_678n }],
        refusal: undefined,
        requestsLeft: 0,
        canary: { kind: 'found', blocks: [7n] },
        permissions: permissions(),
        from: 0,
        unread: 1,
        leftOut: 2,
        tokens: { [ADDRESS]: { symbol: `“${texts.word}”`, decimals: 6 } },
      },
    }),
  ],
  RecoveredAccountScreen: ({ origin, word }) => [
    RecoveredAccountScreen({ address: ADDRESS, networkTitle: word, origin }),
  ],
  RejectAllScreen: (texts) => [
    RejectAllScreen({
      content: ConfirmSignatureScreen({
        explanation: explanation(texts),
        account: named(texts),
        origin: texts.origin,
      }),
    }),
  ],
  RemoveChainScreen: (texts) => [
    RemoveChainScreen({ chainId: 31337n, before: chain(texts), origin: texts.origin }),
    RemoveChainScreen({ chainId: 31337n, before: 'damaged', origin: texts.origin }),
    RemoveChainScreen({ chainId: 31337n, before: undefined, origin: texts.origin }),
  ],
  RemoveDelegateScreen: ({ origin, word }) => [RemoveDelegateScreen({ address: ADDRESS, networkTitle: word, origin })],
  RestoreScreen: (texts) => {
    const plan = {
      accounts: [{ address: ADDRESS, name: texts.name, isImported: true }],
      chains: [chain(texts)],
      contacts: [{ address: ADDRESS, name: texts.name, before: texts.name }],
      tokens: [{ chainId: 'eip155:1', address: ADDRESS, symbol: texts.word, decimals: 18 }],
      signed: [{ account: ADDRESS, title: texts.word, origin: texts.origin }],
      renamed: [{ address: ADDRESS, before: texts.name, name: texts.name }],
      skipped: [{ what: texts.word, reason: texts.word }],
    } as const;
    const shown = { origin: texts.origin, createdAt: '2026-01-01 00:00 UTC', pages: restorePages(plan), page: 0 };
    const none = { accounts: [], chains: [], contacts: [], tokens: [], signed: [], renamed: [], skipped: [] };
    return [
      RestoreScreen({ ...plan, ...shown, source: { cid: texts.word, url: texts.url } }),
      RestoreScreen({ ...none, ...shown, pages: restorePages(none), source: undefined }),
    ];
  },
  SaveContactsScreen: ({ name, origin }) => [
    SaveContactsScreen({ before: {}, added: [{ name, address: ADDRESS }], origin }),
    SaveContactsScreen({
      before: { [ADDRESS.toLowerCase()]: name },
      added: [
        { name, address: ADDRESS },
        { name, address: ADDRESS },
      ],
      origin,
    }),
  ],
  SearchingScreen: () => [SearchingScreen()],
  SetChainScreen: (texts) => [
    SetChainScreen({ before: undefined, after: chain(texts), origin: texts.origin }),
    SetChainScreen({ before: chain(TEXTS.short), after: chain(texts), origin: texts.origin }),
    SetChainScreen({ before: 'damaged', after: chain(texts), origin: texts.origin }),
  ],
  SetStorageScreen: ({ url, word, origin }) => [
    SetStorageScreen({ before: undefined, after: { url, key: word, secret: word }, origin }),
    SetStorageScreen({
      before: { url: 'https://b.io/', key: 'k', secret: 's' },
      after: { url, key: word, secret: word },
      origin,
    }),
  ],
  WatchAssetScreen: ({ origin, word }) => [
    WatchAssetScreen({
      origin,
      networkTitle: word,
      address: ADDRESS,
      token: { symbol: word, decimals: 18 },
      claimed: { symbol: 'USDC', decimals: 6 },
      isCopy: true,
    }),
  ],
};
