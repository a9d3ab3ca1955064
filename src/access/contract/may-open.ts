import type { Page } from '#kit/contract/page.ts';

/** Whether a user has the role and a set that a page or a card of the dashboard requires. */
export function mayOpen(
  { roles, sets }: Pick<Page, 'roles' | 'sets'>,
  person: { role: string; sets: readonly string[] },
): boolean {
  if (roles && !roles.includes(person.role)) return false;
  return !sets || person.role === 'Admin' || person.sets.some((set) => sets.includes(set));
}
