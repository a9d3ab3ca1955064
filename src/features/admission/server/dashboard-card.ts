import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { accountFigures } from './account/list.ts';
import { applicationFigures } from './decision/process-list.ts';
import { ofEveryYear } from './every-year.ts';
import { inquiryFigures } from './inquiry/list.ts';
import { formFigures } from './review/review-list.ts';

const inquiries = 'admission/inquiry';
const forms = 'admission/review-list';
const applications = 'admission/process-admission';

/** The follow-ups of the office: the user's own first. */
export const inquiryCard: DashboardCard = {
  title: text`Inquiries`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: (ctx) => {
    const own = { assignedToId: String(ctx.user.staffId) };
    return inquiryFigures(ctx, inquiries, [
      { label: text`Overdue follow-ups`, isLate: true, query: { tab: 'overdue', ...ofEveryYear }, own },
      { label: text`Follow-ups today`, query: { followUp: 'Today', ...ofEveryYear }, own },
      { label: text`New, form not sent`, query: { tab: 'fresh', ...ofEveryYear }, own },
      { label: text`Open`, query: { ...ofEveryYear }, own },
    ]);
  },
};

/** The forms that wait for the office, the user's own first, and those with the families. */
export const reviewCard: DashboardCard = {
  title: text`Admission forms`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: async (ctx) => {
    const own = { reviewerId: String(ctx.user.staffId) };
    return [
      ...(await formFigures(ctx, forms, [
        {
          label: text`Waiting more than 7 days`,
          isLate: true,
          query: { waiting: 'More than 7 days', ...ofEveryYear },
          own,
        },
        { label: text`To review`, query: { ...ofEveryYear }, own },
        { label: text`Without a reviewer`, query: { tab: 'unassigned', ...ofEveryYear } },
        { label: text`With the family for a correction`, query: { tab: 'correction', ...ofEveryYear }, own },
      ])),
      ...(await inquiryFigures(ctx, inquiries, [
        { label: text`Being filled in`, query: { tab: 'begun', ...ofEveryYear } },
        { label: text`Sent and not started`, query: { tab: 'sent', ...ofEveryYear } },
      ])),
    ];
  },
};

/** The children with a confirmed seat who are no students yet. */
export const accountCard: DashboardCard = {
  title: text`Accounts to create`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: (ctx) =>
    accountFigures(ctx, 'admission/confirm-admission', [
      { label: text`Seats confirmed`, query: { tab: 'toCreate', ...ofEveryYear } },
    ]),
};

/** The applications before their account. */
export const processCard: DashboardCard = {
  title: text`Admissions`,
  roles: ['Staff'],
  sets: ['admissionHead', 'office', 'accountant'],
  count: (ctx) =>
    applicationFigures(ctx, applications, [
      { label: text`To decide`, query: { tab: 'toDecide', ...ofEveryYear } },
      { label: text`Decisions to release`, query: { tab: 'held', ...ofEveryYear } },
      {
        label: text`Offers that end within 7 days`,
        query: { tab: 'offered', offer: 'Within 7 days', ...ofEveryYear },
      },
    ]),
};
