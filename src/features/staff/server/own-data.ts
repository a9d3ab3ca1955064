import { showDate } from '#kit/contract/day.ts';
import { namesOf } from '#kit/contract/field.ts';
import { english, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { tableFile } from '#kit/server/list/table-file.ts';
import { personFields, type StaffPerson } from '../contract/record.ts';
import { readPosts, readSpells } from './employment.ts';

const period = (from: string, until: string) =>
  english(
    until
      ? text`${{ first: showDate(from) }} to ${{ last: showDate(until) }}`
      : text`From ${{ first: showDate(from) }}`,
  );

/** What the school keeps of the user in the staff record, as a PDF. */
export async function ownDataOf(ctx: UserContext, person: StaffPerson) {
  const [posts, spells] = [await readPosts(ctx, ctx.user.staffId), await readSpells(ctx, ctx.user.staffId)];
  const rows = [
    ...namesOf(personFields)
      .filter((name) => person[name] !== '')
      .map((name) => [english(personFields[name].label), person[name]]),
    ...spells.map(({ joinedOn, lastDay }) => [english(text`Employment`), period(joinedOn, lastDay)]),
    ...posts.map(({ from, until, designation, department, branch }) => [
      english(text`Post`),
      `${period(from, until)}: ${designation}, ${department}, ${branch}`,
    ]),
  ];
  const heads = [text`Field`, text`Value`];
  return tableFile(ctx, { name: 'my-data', title: text`My data`, heads, rows }, 'pdf');
}
