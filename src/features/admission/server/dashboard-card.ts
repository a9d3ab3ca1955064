import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { accountFigures } from './account/list.ts';
import { inquiryFigures } from './list.ts';
import { applicationFigures } from './process-list.ts';
import { formFigures } from './review-list.ts';

const inquiries = 'admission/inquiry';
const forms = 'admission/review-list';
const applications = 'admission/process-admission';

/** The follow-ups of the office. */
export const inquiryCard: DashboardCard = {
  title: text`Inquiries`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: (ctx) =>
    inquiryFigures(ctx, inquiries, [
      { label: text`Overdue follow-ups`, isProblem: true, query: { tab: 'overdue' } },
      { label: text`Follow-ups today`, query: { followUp: 'Today' } },
      { label: text`New, form not sent`, query: { tab: 'fresh' } },
      { label: text`Open`, query: {} },
    ]),
};

/** The forms that wait for the office, and those with the families. */
export const reviewCard: DashboardCard = {
  title: text`Admission forms`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: async (ctx) => [
    ...(await formFigures(ctx, forms, [
      { label: text`Without a reviewer`, query: { tab: 'unassigned' } },
      { label: text`Mine`, query: { tab: 'mine' } },
      { label: text`Waiting more than 7 days`, isProblem: true, query: { waiting: 'More than 7 days' } },
      { label: text`With the family for a correction`, query: { tab: 'correction' } },
    ])),
    ...(await inquiryFigures(ctx, inquiries, [
      { label: text`Being filled in`, query: { tab: 'begun' } },
      { label: text`Sent and not started`, query: { tab: 'sent' } },
    ])),
  ],
};

/** The children with a confirmed seat who are no students yet. */
export const accountCard: DashboardCard = {
  title: text`Accounts to create`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: (ctx) =>
    accountFigures(ctx, 'admission/confirm-admission', [{ label: text`Seats confirmed`, query: { tab: 'toCreate' } }]),
};

/** The applications before their account. */
export const processCard: DashboardCard = {
  title: text`Admissions`,
  roles: ['Staff'],
  sets: ['admissionHead', 'office', 'accountant'],
  count: (ctx) =>
    applicationFigures(ctx, applications, [
      { label: text`To decide`, query: { tab: 'toDecide' } },
      { label: text`Decisions to release`, query: { tab: 'held' } },
      {
        label: text`Offers that end within 7 days`,
        isProblem: true,
        query: { tab: 'offered', offer: 'Within 7 days' },
      },
    ]),
};
