import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { type ComponentChildren, type VNode } from 'preact';

import { type Dialogs } from '../dialogs';
import { type Interfaces } from '../interfaces';
import { type SnapScreens } from '../snap-api';
import { type Manifest } from '../snap-files';
import { type UserInput } from '../wallet';
import { type WalletScreens } from '../caller';
import { describePermission } from './permission-words';
import { SnapInterface } from './snap-interface';

const Row = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode => (
  <div class="row">
    <span class="label">{label}</span>
    <div class="value">{children}</div>
  </div>
);

const confirm = (dialogs: Dialogs, title: string, body: VNode, no: string, yes: string): Promise<boolean> =>
  dialogs.ask({
    title,
    body,
    dismissed: false,
    choices: [
      { label: no, value: () => false },
      { label: yes, value: () => true },
    ],
  });

type Deps = {
  readonly dialogs: Dialogs;
  readonly interfaces: Interfaces;
  readonly onInput: (id: string, event: UserInput) => Promise<void>;
};

/** The screens that the wallet shows for the snap. */
export function snapScreens({ dialogs, interfaces, onInput }: Deps): SnapScreens {
  const interfaceOf = (id: string): VNode => <SnapInterface id={id} interfaces={interfaces} onInput={onInput} />;
  const kinds: Readonly<Record<string, (id: string, placeholder: string) => Promise<Json>>> = {
    alert: (id) =>
      dialogs.ask<Json>({
        title: 'Message from Keystead',
        body: interfaceOf(id),
        dismissed: null,
        choices: [{ label: 'OK', value: () => null }],
      }),
    confirmation: (id) => confirm(dialogs, 'Request from Keystead', interfaceOf(id), 'Reject', 'Approve'),
    prompt: (id, placeholder) => {
      let answer = '';
      const body = (
        <>
          {interfaceOf(id)}
          <input
            type="text"
            aria-label="Your answer"
            placeholder={placeholder}
            autocomplete="off"
            onInput={({ currentTarget }) => {
              answer = currentTarget.value;
            }}
          />
        </>
      );
      return dialogs.ask<Json>({
        title: 'Request from Keystead',
        body,
        dismissed: null,
        choices: [
          { label: 'Cancel', value: () => null },
          { label: 'Submit', value: () => answer },
        ],
      });
    },
  };
  return {
    dialog: (type, id, placeholder = '') => {
      const kind = type === undefined ? undefined : kinds[type];
      if (kind !== undefined) return kind(id, placeholder);
      const { answered, close } = dialogs.open<Json>({
        title: 'Request from Keystead',
        body: interfaceOf(id),
        dismissed: null,
        // MetaMask adds this beside a single button of the snap's own.
        choices: [{ label: 'Cancel', value: () => null }],
      });
      interfaces.onResolve(id, close);
      return answered;
    },
    addAccount: (account: KeyringAccount, name) =>
      confirm(
        dialogs,
        'Add the account to the wallet?',
        <>
          <Row label="Name">{name}</Row>
          <Row label="Address">
            <code class="address">{account.address}</code>
          </Row>
        </>,
        'Cancel',
        'Add account',
      ),
    notify: (message) => {
      void dialogs.ask({
        title: 'Notification from Keystead',
        body: <p class="text">{message}</p>,
        dismissed: null,
        choices: [{ label: 'OK', value: () => null }],
      });
    },
  };
}

/** The screens that the wallet shows for a site. */
export const walletScreens = (dialogs: Dialogs): WalletScreens => ({
  installSnap: (origin, snapId, { proposedName, version, initialPermissions }: Manifest) =>
    confirm(
      dialogs,
      `Install ${proposedName}?`,
      <>
        <Row label="Site">{origin}</Row>
        <Row label="Snap">
          <code>{snapId}</code>
        </Row>
        <Row label="Version">{version}</Row>
        <h3>Permissions</h3>
        <ul>
          {Object.entries(initialPermissions).map(([permission, caveat]) => (
            <li key={permission}>{describePermission(permission, caveat)}</li>
          ))}
        </ul>
      </>,
      'Cancel',
      'Install',
    ),
  chooseAccounts: (origin, accounts) => {
    const selected = new Set([...accounts.keys()].slice(0, 1));
    const body = (
      <>
        <Row label="Site">{origin}</Row>
        {accounts.size === 0 ? <p class="text">No accounts yet. Create one in Keystead first.</p> : null}
        {[...accounts].map(([address, name]) => (
          <label class="check" key={address}>
            <input
              type="checkbox"
              defaultChecked={selected.has(address)}
              onInput={({ currentTarget }) => {
                if (currentTarget.checked) selected.add(address);
                else selected.delete(address);
              }}
            />
            <span>
              {name} <code class="address">{address}</code>
            </span>
          </label>
        ))}
      </>
    );
    return dialogs.ask<readonly string[] | undefined>({
      title: 'Connect accounts?',
      body,
      dismissed: undefined,
      choices: [
        { label: 'Cancel', value: () => undefined },
        { label: 'Connect', value: () => [...selected], isDisabled: () => selected.size === 0 },
      ],
    });
  },
  addNetwork: (origin, name, rpcUrl) =>
    confirm(
      dialogs,
      'Add a network to the wallet?',
      <>
        <Row label="Site">{origin}</Row>
        <Row label="Network">{name}</Row>
        <Row label="RPC URL">
          <code>{rpcUrl}</code>
        </Row>
      </>,
      'Cancel',
      'Add network',
    ),
  confirm: (title, origin, lines) =>
    confirm(
      dialogs,
      title,
      <>
        <Row label="Site">{origin}</Row>
        {lines.map(([label, value]) => (
          <Row key={label} label={label}>
            <span class="preformatted">{value}</span>
          </Row>
        ))}
      </>,
      'Reject',
      'Confirm',
    ),
});
