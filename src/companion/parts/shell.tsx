import { type ComponentChildren, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { linkTo } from '../model/route';
import { Icon } from './icons';
import { SECTIONS, sectionOf, titleOf } from './sections';

type Props = { readonly current?: string | undefined; readonly children: ComponentChildren };

const currentPage = { 'aria-current': 'page' } as const;

/** The links between the sections, and within the current one. */
export function Navigation({ current }: { readonly current: string }): VNode {
  const section = sectionOf(current);
  return (
    <nav aria-label="Views">
      <ul class="sections">
        {SECTIONS.map(({ view, title, icon }) => (
          <li key={view}>
            <a href={linkTo(view)} {...(view === section?.view && currentPage)}>
              <Icon name={icon} />
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages of a section that has more than one. */
function Pages({ current }: { readonly current: string }): VNode | null {
  const section = sectionOf(current);
  if (section?.pages === undefined) return null;
  return (
    <nav class="pages" aria-label={section.title}>
      {section.pages.map(([view, title]) => (
        <a key={view} href={linkTo(view)} {...(view === current && currentPage)}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The frame around every view: the header with its navigation, and the main content. */
export function Shell({ current, children }: Props): VNode {
  const title = current === undefined ? undefined : titleOf(current);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    document.title = title === undefined ? 'Keystead' : `${title} · Keystead`;
    // Another view opened: the keyboard and screen readers go on there.
    if (shown.current !== undefined && shown.current !== current) main.current?.focus();
    shown.current = current;
  }, [current, title]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The hash names the view, so the link must not change it.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <header>
        <a class="brand" href={linkTo('home')}>
          <img src="icon.svg" alt="" width="32" height="32" />
          Keystead
        </a>
        {current === undefined ? null : <Navigation current={current} />}
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {current === undefined ? null : <Pages current={current} />}
        {children}
      </main>
    </>
  );
}
