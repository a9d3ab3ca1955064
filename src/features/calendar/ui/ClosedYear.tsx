import { translate } from '#kit/browser/text.ts';
import { closedYear } from '../contract/closed-year.ts';
import { useWorkingYear } from './use-working-year.ts';

/** Says of the working year when it was closed and who can reopen it; nothing of an open one. */
export function ClosedYear() {
  const year = useWorkingYear();
  return year?.closedOn ? translate(closedYear(year.name, year.closedOn, 'reopen')) : null;
}
