import { type ComponentChildren, type VNode } from 'preact';

/** An empty state: what is missing, and what to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);
