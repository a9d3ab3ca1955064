import { readReportedStaff, reportedStaffSource } from '#features/staff/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { readToday } from '#kit/server/record-cards.ts';
import { staffReportApi, staffReportList } from '../contract/staff.ts';
import { spansOfStaff } from './periods.ts';
import { inReportOrder, serveReport } from './report.ts';

const { today: ofToday, ...reportApi } = staffReportApi;

/** The cards and events of a member of staff that the user may read. */
async function seen(ctx: UserContext, id: number) {
  const { isOwn } = await readReportedStaff(ctx, id);
  const isRead = (of: { access: Parameters<typeof isGranted>[0]; isOwn?: boolean }) =>
    isGranted(of.access, ctx.user) || (isOwn && of.isOwn === true);
  return {
    cards: ctx.recordCards.filter(({ card }) => card.record === 'staff' && isRead(card)),
    events: ctx.events.filter((source) => source.record === 'staff' && isRead(source)),
  };
}

const report = serveReport(reportApi, {
  record: 'staff',
  readHead: readReportedStaff,
  seen,
  spansOf: spansOfStaff,
  isLater: ({ part }) => part !== 'now' && part !== 'school',
  about: ({ designation, department }) => [designation, department].filter(Boolean).join(', '),
});

const { routes: listRoutes } = serveList(staffReportList, (ctx) => {
  const { tabs, filters, ...source } = reportedStaffSource(ctx);
  const { active, joining, left, all } = tabs;
  const { departmentId, designationId, branchId, staffCategoryId, employmentTypeId, documents } = filters;
  return {
    ...source,
    tabs: { active, joining, left, all },
    filters: { departmentId, designationId, branchId, staffCategoryId, employmentTypeId, documents },
  };
});

const today: Handler<typeof ofToday> = async (ctx, { id }) => {
  const { cards } = await seen(ctx, id);
  return readToday(ctx, inReportOrder(cards), id);
};

export const staffReportRoutes = [...listRoutes, ...report.routes, ...routes({ ofToday }, { ofToday: today })];
