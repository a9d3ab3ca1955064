import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { type meetingApi, meetingMessages } from '../contract/meeting.ts';
import { read, readSlots } from './read.ts';

/** The times of every teacher whom the user sees, with the children, to hang at the doors. */
export const printSheet: Handler<typeof meetingApi.sheet> = async (ctx, { id }) => {
  const meeting = await read(ctx, { id });
  if (!meeting.may.print) throw new AppError('conflict', meetingMessages.notOpen);
  const hosts = meeting.hosts.filter(({ isClosed }) => !isClosed);
  const slots = await readSlots(
    ctx,
    hosts.map((host) => host.id),
  );
  const rows = hosts.flatMap((host) =>
    slots
      .filter(({ hostId, isClosed }) => hostId === host.id && !isClosed)
      .map(({ from, to, child, section, guardian }) => [
        host.teacher,
        host.place,
        `${from}–${to}`,
        [child, section].filter(Boolean).join(', '),
        guardian,
      ]),
  );
  const act = {
    action: 'meeting.list-printed',
    entity: 'meeting',
    entityId: id,
    details: { name: meeting.name, rows: rows.length },
  };
  return takeNames(ctx, { ...act, names: rows.length }, async () => {
    const head = await ctx.readPaperHead(ctx);
    const bytes = await ctx.makePaper(
      sheet,
      {
        head,
        title: text`Times of the meeting`,
        facts: [
          [text`Meeting`, meeting.name],
          [text`Day`, showDate(meeting.day)],
          [text`Sections`, meeting.sections],
        ],
        table: {
          heads: [text`Teacher`, text`Room`, text`Time`, text`Child`, text`Adult`],
          rows,
        },
        made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
        signatures: [],
      },
      ctx.caller,
    );
    return { mediaType: 'application/pdf', name: `meeting-${meeting.day}.pdf`, bytes };
  });
};
