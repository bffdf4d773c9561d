import { type ComponentChildren, type VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { linkTo } from '../model/route';

const VIEWS = [
  ['accounts', 'Accounts'],
  ['sign', 'Sign'],
  ['send', 'Send'],
  ['explorer', 'Explorer'],
  ['files', 'Files'],
  ['backup', 'Backup'],
  ['uncles', 'Uncles'],
  ['connections', 'Connections'],
  ['settings', 'Settings'],
] as const;

type Props = { readonly current: string | undefined; readonly children: ComponentChildren };

/** The frame around every view: the header with its navigation, and the main content. */
export function Shell({ current, children }: Props): VNode {
  const title = VIEWS.find(([view]) => view === current)?.[1];
  useEffect(() => {
    document.title = title === undefined ? 'Keystead' : `${title} · Keystead`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header>
        <a class="brand" href={linkTo('accounts')}>
          <img src="icon.svg" alt="" width="32" height="32" />
          Keystead
        </a>
        {current === undefined ? null : (
          <nav aria-label="Views">
            {VIEWS.map(([view, title]) => (
              <a key={view} href={linkTo(view)} {...(view === current && { 'aria-current': 'page' as const })}>
                {title}
              </a>
            ))}
          </nav>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
