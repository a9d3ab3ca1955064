import { sql } from 'kysely';
import { hasTag, tagOptions } from '#features/tag/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsText } from '#kit/server/search.ts';
import { announcementList, tagChoices } from '../contract/list.ts';
import type { AnnouncementState } from '../contract/words.ts';
import { readAudiences } from './audience.ts';
import { readFigures } from './figures.ts';
import { isWritten, stateAt } from './scope.ts';

const announcements = (ctx: UserContext) =>
  ctx.db
    .selectFrom('announcement as notice')
    .innerJoin('announcement_version as own', (join) =>
      join.onRef('own.announcement_id', '=', 'notice.id').onRef('own.number', '=', 'notice.current_version'),
    )
    .innerJoin('academic_lookup as category', 'category.id', 'notice.category_id')
    .innerJoin('staff as author', 'author.id', 'notice.author_id')
    .where(isWritten(ctx))
    .select(['notice.id', 'notice.version', 'own.title', 'category.name as category', 'notice.priority'])
    .select(['author.name as author', 'notice.publish_at', 'notice.expires_at', 'notice.released_at'])
    .select(['notice.needs_acknowledgement', sql<AnnouncementState>`${stateAt(ctx.now())}`.as('state')]);
type Row = Awaited<ReturnType<ReturnType<typeof announcements>['executeTakeFirstOrThrow']>>;

const dayOf = (moment: Date | null) => (moment ? toLocalDate(moment) : '');

const served = serveList(announcementList, (ctx) => {
  const is = (...states: AnnouncementState[]) => sql<boolean>`${stateAt(ctx.now())} = any(${states}::text[])`;
  return {
    query: announcements(ctx),
    id: 'notice.id',
    matches: (word) => containsText(sql`own.search_text`, word),
    tabs: {
      mine: sql<boolean>`notice.author_id = ${ctx.user.staffId}`,
      published: is('Published'),
      scheduled: is('Scheduled'),
      waiting: is('Waiting'),
      archive: is('Expired', 'Withdrawn'),
    },
    filters: {
      categoryId: (id) => sql<boolean>`notice.category_id = ${Number(id)}`,
      tagId: (tag) => hasTag(ctx, 'Announcement', sql`notice.id`, Number(tag)),
      priority: (word) => sql<boolean>`notice.priority = ${word}`,
    },
    sorts: {
      publishOn: { by: sql`coalesce(notice.publish_at, timestamptz '2100-01-01 00:00+00')`, as: 'moment' },
    },
    toRows: async (rows: Row[]) => {
      const ids = rows.map(({ id }) => id);
      const audiences = await readAudiences(ctx, ids);
      const figures = await readFigures(ctx, ids);
      return rows.map(({ publish_at, expires_at, released_at, needs_acknowledgement, ...row }) => {
        const own = released_at ? figures.get(row.id) : undefined;
        const people = (audiences.get(row.id) ?? []).map(
          ({ name, kind, isExcluded }) => `${isExcluded ? '− ' : ''}${name || kind}`,
        );
        return {
          ...row,
          audience: people.join(', '),
          publishOn: dayOf(publish_at),
          expiresOn: dayOf(expires_at),
          reach: own ? own.guardians + own.staff : null,
          read: own ? own.guardiansRead + own.staffRead : null,
          acknowledged:
            own && needs_acknowledgement
              ? `${own.childrenAcknowledged + own.staffAcknowledged} / ${own.children + own.staff}`
              : '',
        };
      });
    },
  };
});
export const { selected: announcementsSelected } = served;

export const announcementListRoutes = [
  ...served.routes,
  ...routes({ tags: tagChoices }, { tags: (ctx, asked) => tagOptions(ctx, 'Announcement', asked) }),
];
