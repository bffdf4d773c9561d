import { type ComponentChildren, type VNode } from 'preact';

/** Nothing is there yet: says so, and what to do. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);
