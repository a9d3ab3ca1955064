import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { CoverLine, coverApi } from '../contract/cover.ts';
import { readLines } from './open.ts';

/** A cell with room to sign in. */
const signHere = '________________';

const halfOf = ({ fromHalf, toHalf }: CoverLine) => (fromHalf === toHalf ? fromHalf : 0);

/** The class that a line is about: a subject or the register, and the half if it is of one. */
function classOf(line: CoverLine) {
  const half = halfOf(line);
  if (line.subjectId === null)
    return half === 0 ? text`Register` : half === 1 ? text`Register, first half` : text`Register, second half`;
  const { subject } = line;
  if (half === 0) return verbatim(subject);
  return half === 1 ? text`${{ subject }}, first half` : text`${{ subject }}, second half`;
}

/** The classes whose teacher is away, in the order of the page; those without a substitute have an empty place for the name. */
export const printSheet: Handler<typeof coverApi.sheet> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const day = asked.day || today;
  const lines = (await readLines(ctx, day)).filter(({ cover }) => cover === null || cover.isNeeded);
  const act = {
    action: 'cover.list-printed',
    entity: 'cover',
    entityId: 0,
    details: { Day: day, rows: lines.length },
  };
  return takeNames(ctx, { ...act, names: lines.length }, async () => {
    const head = await ctx.readPaperHead(ctx);
    const bytes = await ctx.makePaper(
      sheet,
      {
        head,
        title: text`Arrangement sheet`,
        facts: [[text`Day`, showDate(day)]],
        table: {
          heads: [text`Section`, text`Subject or register`, text`Teacher away`, text`Substitute`, text`Signature`],
          rows: lines.map((line) => [
            line.section,
            classOf(line),
            line.absent,
            line.cover && !line.cover.isAway ? line.cover.name : '',
            signHere,
          ]),
        },
        made: text`Printed on ${{ day: showDate(today) }} by ${{ by: ctx.user.name }}`,
        signatures: [
          {
            who: head.principal ? text`Principal: ${{ name: head.principal }}` : text`Principal`,
          },
        ],
      },
      ctx.caller,
    );
    return { mediaType: 'application/pdf', name: `arrangement-${day}.pdf`, bytes };
  });
};
