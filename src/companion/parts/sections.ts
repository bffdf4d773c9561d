import { type IconName } from './icons';

type Page = readonly [view: string, title: string];
type Section = {
  readonly view: string;
  readonly title: string;
  readonly icon: IconName;
  /** The pages of the section, if it has more than one. */
  readonly pages?: readonly Page[];
  /** Views that belong to the section without a link of their own. */
  readonly others?: readonly Page[];
};

/** The parts of the page, in the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  {
    view: 'home',
    title: 'Home',
    icon: 'home',
    others: [
      ['account', 'Account'],
      ['owners', 'Owners'],
      ['permissions', 'Who may take it'],
      ['proposals', 'Proposals'],
      ['add-account', 'Add an account'],
      ['guardians', 'Guardians'],
      ['recover', 'Recover an account'],
      ['lost', 'I lost my recovery phrase'],
      ['practice', 'A guardian’s practice run'],
      ['practised', 'A guardian’s practice run'],
    ],
  },
  { view: 'send', title: 'Send', icon: 'send' },
  { view: 'activity', title: 'Activity', icon: 'activity' },
  { view: 'connections', title: 'Connections', icon: 'connections' },
  {
    view: 'settings',
    title: 'Settings',
    icon: 'settings',
    pages: [
      ['settings', 'Networks and storage'],
      ['backup', 'Backup'],
      ['recovery', 'Recovery'],
      ['contacts', 'Contacts'],
    ],
  },
  {
    view: 'developer',
    title: 'Developer',
    icon: 'developer',
    pages: [
      ['sign', 'Sign'],
      ['explorer', 'Explorer'],
      ['files', 'Files'],
      ['uncles', 'Uncles'],
    ],
  },
];

const pagesOf = ({ view, title, pages = [], others = [] }: Section): readonly Page[] => [
  [view, title],
  ...pages.filter(([page]) => page !== view),
  ...others,
];

/** @returns The section that a view belongs to. */
export const sectionOf = (view: string): Section | undefined =>
  SECTIONS.find((section) => pagesOf(section).some(([page]) => page === view));

/** @returns The title of a view; undefined if there is no such view. */
export const titleOf = (view: string): string | undefined =>
  SECTIONS.flatMap(pagesOf).find(([page]) => page === view)?.[1];
