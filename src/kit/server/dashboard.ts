import type { Page } from '#kit/contract/page.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from './context.ts';

/** A number on the dashboard. An `isProblem` number should be 0 and is highlighted otherwise. */
export interface Figure {
  label: Text;
  value: number;
  isProblem?: boolean;
  /** The page that lists what is counted, with its search: 'academic/academic-master?tab=section'. */
  to?: string;
}

/** A card of the dashboard: what a feature counts, for those who have its roles and sets. */
export interface DashboardCard extends Pick<Page, 'roles' | 'sets'> {
  title: Text;
  /** At most two statements. A card that counts within an academic year has no figures without one. */
  count: (ctx: UserContext, year: CountedYear | undefined) => Promise<Figure[]>;
}

export interface CountedYear {
  id: number;
  name: string;
  starts_on: string;
  ends_on: string;
}

/** How many records of a page wait for the user, beside the page in the menu. */
export interface PageBadge extends Pick<Page, 'path' | 'roles' | 'sets'> {
  /** One statement. */
  count: (ctx: UserContext) => Promise<number>;
}
